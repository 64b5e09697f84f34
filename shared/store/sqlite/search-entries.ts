import { randomUUID } from 'node:crypto';
import { candidateOf, countTokens, MAX_FREQUENCIES } from '../score.js';
import type { SearchEntry, SearchIndex } from '../search-port.js';
import { type Bound, type Connection, quoteName } from './connection.js';
import { findScope, makeScope } from './scopes.js';
import {
  binsOwner,
  COLUMNS,
  COUNTED_STARTS,
  entriesTable,
  scopesOwner,
  startPrefix,
  wordPrefix,
  wordsTable,
} from './search-tables.js';
import { checkName } from './table.js';

type Counts = [number, number, number];

const FIRST_COLUMN: Counts = [0, MAX_FREQUENCIES[0], MAX_FREQUENCIES[0] + MAX_FREQUENCIES[1]];

/** The tokens of an entry by the column of their count, and the starts of words that are counted. */
export interface ColumnTokens {
  words: string[][];
  starts: string[][];
}

interface Place {
  scope: number;
  /** Absent in an index without groups. */
  group: string | undefined;
}

interface HeldEntry {
  n: number;
  bin: number | null;
  lengths: number[];
}

/** Throws TypeError for a token that the tokenizer of the index would split. */
export function checkTokens(tokens: Iterable<string>): void {
  for (const token of tokens)
    if (!/^[a-z0-9\u0080-\uffff]+$/.test(token)) throw new TypeError(`${JSON.stringify(token)} is not a token`);
}

function checkEntry(entry: SearchEntry): void {
  if (typeof entry.id !== 'string') throw new TypeError('a search entry needs an id');
  for (const tokens of [entry.title, entry.headings, entry.body]) checkTokens(tokens);
}

interface Change {
  scope: string;
  entries: SearchEntry[];
  removed: string[];
}

export function* putEntries(
  connection: Connection,
  index: SearchIndex,
  { scope: key, entries, removed }: Change,
): Generator<void, void> {
  const scope = makeScope(connection, scopesOwner(index), key);
  const place = { scope, group: groupOfScope(connection, index, { n: scope, key }) };
  for (const id of removed) {
    removeEntry(connection, index, scope, id);
    yield;
  }
  for (const entry of entries) {
    checkEntry(entry);
    putEntry(connection, index, place, entry);
    yield;
  }
}

export function* dropEntries(connection: Connection, index: SearchIndex, scopeKey: string): Generator<void, void> {
  const scope = findScope(connection, scopesOwner(index), scopeKey);
  if (scope === undefined) return;
  const ids = connection.all(`SELECT id FROM ${entriesTable(index)} WHERE scope = ?`, [scope]);
  for (const [id] of ids) {
    removeEntry(connection, index, scope, String(id));
    yield;
  }
  connection.run('DELETE FROM "~scopes" WHERE n = ?', [scope]);
}

/** An entry keeps its number and its bin when it is replaced: a search that runs meanwhile finds it before or after. */
function putEntry(connection: Connection, index: SearchIndex, { scope, group }: Place, entry: SearchEntry): void {
  const held = heldEntry(connection, index, scope, entry.id);
  const bin = held?.bin ?? (group === undefined ? null : openBin(connection, index, group));
  if (held) removeWords(connection, index, scope, held);
  const { id, title, lengths } = candidateOf(entry);
  const { rowid } = connection.run(
    `INSERT OR REPLACE INTO ${entriesTable(index)} (n, scope, id, title, titles, headings, bodies, bin) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [held?.n ?? null, scope, id, title, ...lengths, bin],
  );
  const places = bin === null ? [scope] : [scope, bin];
  for (const place of places) addToTotals(connection, place, 1, [...lengths]);
  putWords(connection, index, rowid, columnTexts(columnTokens(entry), places));
}

function removeEntry(connection: Connection, index: SearchIndex, scope: number, id: string): void {
  const held = heldEntry(connection, index, scope, id);
  if (!held) return;
  removeWords(connection, index, scope, held);
  connection.run(`DELETE FROM ${entriesTable(index)} WHERE n = ?`, [held.n]);
}

function heldEntry(connection: Connection, index: SearchIndex, scope: number, id: string): HeldEntry | undefined {
  const sql = `SELECT n, bin, titles, headings, bodies FROM ${entriesTable(index)} WHERE scope = ? AND id = ?`;
  const row = connection.get(sql, [scope, id]);
  if (!row) return undefined;
  const [n, bin, ...lengths] = row;
  return { n: Number(n), bin: bin === null ? null : Number(bin), lengths: lengths.map(Number) };
}

function removeWords(connection: Connection, index: SearchIndex, scope: number, { n, bin, lengths }: HeldEntry): void {
  connection.run(`DELETE FROM ${wordsTable(index)} WHERE rowid = ?`, [n]);
  const less = lengths.map((length) => -length);
  for (const place of bin === null ? [scope] : [scope, bin]) addToTotals(connection, place, -1, less);
}

export function putWords(connection: Connection, index: SearchIndex, n: number, texts: Bound[]): void {
  const places = texts.map(() => ', ?').join('');
  connection.run(`INSERT INTO ${wordsTable(index)} (rowid, ${COLUMNS.join(', ')}) VALUES (?${places})`, [n, ...texts]);
}

export function addToTotals(connection: Connection, scope: number, entries: number, lengths: number[]): void {
  connection.run(
    `UPDATE "~scopes" SET entries = entries + ?, titles = titles + ?, headings = headings + ?, bodies = bodies + ?
    WHERE n = ?`,
    [entries, ...lengths, scope],
  );
}

/** The text of each column: the tokens with its count, once for each of the places. */
export function columnTexts({ words, starts }: ColumnTokens, places: number[]): Bound[] {
  const prefixes = places.map((place) => [wordPrefix(place), startPrefix(place)] as const);
  return COLUMNS.map((_, column) => {
    const tokens = prefixes.flatMap(([word, start]) => [
      ...(words[column] ?? []).map((token) => word + token),
      ...(starts[column] ?? []).map((token) => start + token),
    ]);
    return tokens.length > 0 ? tokens.join(' ') : null;
  });
}

function columnTokens(entry: SearchEntry): ColumnTokens {
  const counts = countTokens(entry);
  const starts = new Map<string, Counts>();
  for (const [token, count] of counts)
    for (const start of countedStarts(token)) {
      const sum = starts.get(start) ?? [0, 0, 0];
      starts.set(start, [sum[0] + count[0], sum[1] + count[1], sum[2] + count[2]]);
    }
  return { words: byColumn(counts), starts: byColumn(starts) };
}

function byColumn(counts: Map<string, Counts>): string[][] {
  const columns: string[][] = COLUMNS.map(() => []);
  for (const [token, count] of counts)
    count.forEach((times, field) => {
      if (times === 0) return;
      const column = (FIRST_COLUMN[field] ?? 0) + Math.min(times, MAX_FREQUENCIES[field as 0 | 1 | 2]) - 1;
      columns[column]?.push(token);
    });
  return columns;
}

/** The counted prefixes of a token, without the token itself. */
function countedStarts(token: string): string[] {
  const starts: string[] = [];
  for (let end = 0; starts.length < COUNTED_STARTS; starts.push(token.slice(0, end))) {
    end += (token.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    if (end >= token.length) break;
  }
  return starts;
}

/**
 * Entries of all scopes of a group are in bins, too: each token is written once more, under the number of a bin. A search of many scopes reads
 * few bins instead of each scope. Bins are bounded, so that no statement that reads one takes long.
 */
const full = { entries: 2_000, tokens: 1_000_000 };

interface Scope {
  n: number;
  key: string;
}

/** The group of a scope, kept with its row; undefined in an index without groups. A scope without a document is a group of its own. */
export function groupOfScope(connection: Connection, index: SearchIndex, { n, key }: Scope): string | undefined {
  if (!index.groups) return undefined;
  const known = connection.get('SELECT grp FROM "~scopes" WHERE n = ?', [n])?.[0];
  if (typeof known === 'string') return known;
  const { collection, field } = index.groups;
  const sql = `SELECT json_extract(doc, ?) FROM ${quoteName(checkName(collection.name))} WHERE _id = ?`;
  const group = String(connection.get(sql, [`$.${field}`, key])?.[0] ?? key);
  connection.run('UPDATE "~scopes" SET grp = ? WHERE n = ?', [group, n]);
  return group;
}

/** A bin of a group that has room for an entry. */
export function openBin(connection: Connection, index: SearchIndex, group: string): number {
  const open = connection.get(
    `SELECT n FROM "~scopes" WHERE owner = ? AND grp = ? AND entries < ? AND bodies < ? ORDER BY n DESC LIMIT 1`,
    [binsOwner(index), group, full.entries, full.tokens],
  );
  if (open) return Number(open[0]);
  const insert = 'INSERT INTO "~scopes" (owner, key, grp) VALUES (?, ?, ?)';
  return connection.run(insert, [binsOwner(index), randomUUID(), group]).rowid;
}

/** The bins of a group that hold entries, each with the number of its tokens. */
export const filledBins = (connection: Connection, index: SearchIndex, group: string): [n: number, tokens: number][] =>
  connection
    .all('SELECT n, titles + headings + bodies FROM "~scopes" WHERE owner = ? AND grp = ? AND entries > 0', [
      binsOwner(index),
      group,
    ])
    .map(([n, tokens]) => [Number(n), Number(tokens)]);

/** The number of scopes of a group that hold entries. */
export const countScopes = (connection: Connection, index: SearchIndex, group: string): number =>
  Number(
    connection.get('SELECT count(*) FROM "~scopes" WHERE owner = ? AND grp = ? AND entries > 0', [
      scopesOwner(index),
      group,
    ])?.[0],
  );

/** The entries of a bin that are in one of the scopes, which are a list as JSON. */
export function entriesWithin(connection: Connection, index: SearchIndex, bin: number, scopes: string): Set<number> {
  const sql = `SELECT group_concat(n, ' ') FROM ${entriesTable(index)} WHERE bin = ? AND scope IN (SELECT value FROM json_each(?))`;
  const row = connection.get(sql, [bin, scopes]);
  return new Set(typeof row?.[0] === 'string' ? row[0].split(' ').map(Number) : []);
}
