import type { SearchEntry, SearchHit, SearchIndex, SearchStatistics, SearchTerm } from '../port.js';
import {
  type Candidate,
  candidateOf,
  MAX_FREQUENCIES,
  matchingAll,
  rank,
  statisticsOf,
  type TermMatches,
  tally,
} from '../score.js';
import { type Bound, type Connection, quoted } from './connection.js';
import { findScope, makeScope, SCOPES, scopePrefix, TOKENIZER } from './scopes.js';
import { checkedName } from './table.js';

type Counts = [number, number, number];

// A token is written once for each field, into the column of its count: `b3` means three times in the body. FTS5 then
// keeps no positions, and one row of its vocabulary is one count.
const COLUMNS = ['t', 'h', 'b'].flatMap((field, at) =>
  Array.from({ length: MAX_FREQUENCIES[at as 0 | 1 | 2] }, (_, n) => `${field}${n + 1}`),
);
const FIRST_COLUMN: Counts = [0, MAX_FREQUENCIES[0], MAX_FREQUENCIES[0] + MAX_FREQUENCIES[1]];

/** Prefixes of up to this many characters are counted when indexing: too many tokens start with so few characters. */
const COUNTED_STARTS = 2;
const LAST_CHARACTER = '\u{10ffff}';

const entriesOf = (index: SearchIndex) => quoted(`${checkedName(index.name)}~entries`);
const wordsOf = (index: SearchIndex) => quoted(`${checkedName(index.name)}~words`);
const termsOf = (index: SearchIndex) => quoted(`${checkedName(index.name)}~terms`);
const startPrefix = (scope: number) => `${scope}\u00b8`;

export function prepareSearch(connection: Connection, index: SearchIndex): void {
  connection.exec(SCOPES);
  connection.exec(`CREATE TABLE IF NOT EXISTS ${entriesOf(index)} (n INTEGER PRIMARY KEY, scope INTEGER NOT NULL, id TEXT NOT NULL,
    title TEXT NOT NULL, titles INTEGER NOT NULL, headings INTEGER NOT NULL, bodies INTEGER NOT NULL, UNIQUE (scope, id))`);
  connection.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${wordsOf(index)} USING fts5(${COLUMNS.join(', ')},
    content = '', contentless_delete = 1, detail = column, ${TOKENIZER})`);
  connection.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${termsOf(index)} USING fts5vocab(${wordsOf(index)}, instance)`);
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

export function* putEntries(
  connection: Connection,
  index: SearchIndex,
  scopeKey: string,
  entries: SearchEntry[],
  removed: string[],
): Generator<void, void> {
  const scope = makeScope(connection, ownerOf(index), scopeKey);
  for (const id of removed) {
    removeEntry(connection, index, scope, id);
    yield;
  }
  for (const entry of entries) {
    checkEntry(entry);
    removeEntry(connection, index, scope, entry.id);
    putEntry(connection, index, scope, entry);
    yield;
  }
}

export function* dropEntries(connection: Connection, index: SearchIndex, scopeKey: string): Generator<void, void> {
  const scope = findScope(connection, ownerOf(index), scopeKey);
  if (scope === undefined) return;
  const ids = connection.all(`SELECT id FROM ${entriesOf(index)} WHERE scope = ?`, [scope]);
  for (const [id] of ids) {
    removeEntry(connection, index, scope, String(id));
    yield;
  }
  connection.run('DELETE FROM "~scopes" WHERE n = ?', [scope]);
}

const ownerOf = (index: SearchIndex) => `${index.name}~search`;

function putEntry(connection: Connection, index: SearchIndex, scope: number, entry: SearchEntry): void {
  const { id, title, lengths } = candidateOf(entry);
  const values = [scope, id, title, ...lengths];
  const { rowid } = connection.run(
    `INSERT INTO ${entriesOf(index)} (scope, id, title, titles, headings, bodies) VALUES (?, ?, ?, ?, ?, ?)`,
    values,
  );
  addToTotals(connection, scope, 1, [...lengths]);
  const texts = columnTexts(scope, tally(entry));
  const places = texts.map(() => ', ?').join('');
  connection.run(`INSERT INTO ${wordsOf(index)} (rowid, ${COLUMNS.join(', ')}) VALUES (?${places})`, [rowid, ...texts]);
}

function removeEntry(connection: Connection, index: SearchIndex, scope: number, id: string): void {
  const sql = `SELECT n, titles, headings, bodies FROM ${entriesOf(index)} WHERE scope = ? AND id = ?`;
  const row = connection.get(sql, [scope, id]);
  if (!row) return;
  const [n = 0, ...lengths] = row.map(Number);
  connection.run(`DELETE FROM ${wordsOf(index)} WHERE rowid = ?`, [n]);
  connection.run(`DELETE FROM ${entriesOf(index)} WHERE n = ?`, [n]);
  addToTotals(
    connection,
    scope,
    -1,
    lengths.map((length) => -length),
  );
}

function addToTotals(connection: Connection, scope: number, entries: number, lengths: number[]): void {
  connection.run(
    `UPDATE "~scopes" SET entries = entries + ?, titles = titles + ?, headings = headings + ?, bodies = bodies + ?
    WHERE n = ?`,
    [entries, ...lengths, scope],
  );
}

/** The text of each column: the tokens with its count. */
function columnTexts(scope: number, counts: Map<string, Counts>): Bound[] {
  const texts: string[][] = COLUMNS.map(() => []);
  const put = (token: string, count: Counts) => {
    count.forEach((times, field) => {
      if (times === 0) return;
      const column = (FIRST_COLUMN[field] ?? 0) + Math.min(times, MAX_FREQUENCIES[field as 0 | 1 | 2]) - 1;
      texts[column]?.push(token);
    });
  };
  const starts = new Map<string, Counts>();
  for (const [token, count] of counts) {
    put(scopePrefix(scope) + token, count);
    for (const start of startsOf(token)) {
      const sum = starts.get(start) ?? [0, 0, 0];
      starts.set(start, [sum[0] + count[0], sum[1] + count[1], sum[2] + count[2]]);
    }
  }
  for (const [start, count] of starts) put(startPrefix(scope) + start, count);
  return texts.map((tokens) => (tokens.length > 0 ? tokens.join(' ') : null));
}

/** The counted prefixes of a token, without the token itself. */
function startsOf(token: string): string[] {
  const starts: string[] = [];
  for (let end = 0; starts.length < COUNTED_STARTS; starts.push(token.slice(0, end))) {
    end += (token.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    if (end >= token.length) break;
  }
  return starts;
}

export function searchEntries(
  connection: Connection,
  index: SearchIndex,
  scopeKey: string,
  terms: SearchTerm[],
  limit: number,
  together?: SearchStatistics,
): { hits: SearchHit[]; total: number } {
  const nothing = { hits: [], total: 0 };
  const scope = findScope(connection, ownerOf(index), scopeKey);
  if (scope === undefined || terms.length === 0) return nothing;
  const matches: TermMatches<number>[] = [];
  for (const term of terms) {
    const match = matchesOf(connection, index, scope, term);
    if (match.frequencies.size === 0) return nothing;
    matches.push(match);
  }
  const candidates = candidatesAt(connection, index, matchingAll(matches));
  return rank(terms, matches, candidates, together ?? statisticsOf(matches, totalsOf(connection, scope)), limit);
}

export function statisticsOfScope(
  connection: Connection,
  index: SearchIndex,
  scopeKey: string,
  terms: SearchTerm[],
): SearchStatistics {
  const scope = findScope(connection, ownerOf(index), scopeKey);
  if (scope === undefined) return { entries: 0, lengths: [0, 0, 0], matching: terms.map(() => 0) };
  const matching = terms.map((term) => {
    const [condition, bounds] = tokensOf(scope, term);
    const sql = `SELECT count(DISTINCT doc) FROM ${termsOf(index)} WHERE ${condition}`;
    return Number(connection.get(sql, bounds)?.[0]);
  });
  return { ...totalsOf(connection, scope), matching };
}

function totalsOf(connection: Connection, scope: number): Omit<SearchStatistics, 'matching'> {
  const totals = connection.get('SELECT entries, titles, headings, bodies FROM "~scopes" WHERE n = ?', [scope]) ?? [];
  const [entries = 0, titles = 0, headings = 0, bodies = 0] = totals.map(Number);
  return { entries, lengths: [titles, headings, bodies] };
}

const isCountedStart = (token: string) => Array.from(token).length <= COUNTED_STARTS;

/** A condition, with its values, that selects the vocabulary rows of a term. */
function tokensOf(scope: number, { token, prefix }: SearchTerm): [condition: string, values: Bound[]] {
  const whole = scopePrefix(scope) + token;
  if (!prefix) return ['term = ?', [whole]];
  return isCountedStart(token)
    ? ['term IN (?, ?)', [whole, startPrefix(scope) + token]]
    : ['term >= ? AND term < ?', [whole, whole + LAST_CHARACTER]];
}

function matchesOf(connection: Connection, index: SearchIndex, scope: number, term: SearchTerm): TermMatches<number> {
  const frequencies = new Map<number, Counts>();
  const whole = scopePrefix(scope) + term.token;
  const counted = `SELECT group_concat(doc || col, ' ') FROM ${termsOf(index)} WHERE term`;
  addCounts(frequencies, connection.get(`${counted} = ?`, [whole])?.[0]);
  if (!term.prefix) return { frequencies };
  const exact = new Set(frequencies.keys());
  const more = isCountedStart(term.token)
    ? connection.get(`${counted} = ?`, [startPrefix(scope) + term.token])
    : connection.get(`${counted} > ? AND term < ?`, [whole, whole + LAST_CHARACTER]);
  addCounts(frequencies, more?.[0]);
  return { frequencies, exact };
}

const FIELD_OF: Record<string, 0 | 1 | 2> = { t: 0, h: 1, b: 2 };

/** Sums counts such as `17b3 17t1 24b1`. */
function addCounts(frequencies: Map<number, Counts>, text: unknown): void {
  if (typeof text !== 'string') return;
  for (const count of text.split(' ')) {
    const at = count.search(/[thb]/);
    const n = Number(count.slice(0, at));
    const field = FIELD_OF[count[at] ?? ''] ?? 2;
    const held = frequencies.get(n);
    const times = Number(count.slice(at + 1));
    if (held) held[field] += times;
    else {
      const fresh: Counts = [0, 0, 0];
      fresh[field] = times;
      frequencies.set(n, fresh);
    }
  }
}

/** Reads all candidates as one row with one text: one row each would cost more than the ranking. */
function candidatesAt(connection: Connection, index: SearchIndex, numbers: number[]): Map<number, Candidate> {
  const sql = `SELECT json_group_array(json_array(n, id, title, titles, headings, bodies)) FROM ${entriesOf(index)}
    WHERE n IN (SELECT value FROM json_each(?))`;
  const row = connection.get(sql, [JSON.stringify(numbers)]);
  const found = JSON.parse(String(row?.[0])) as [number, string, string, number, number, number][];
  return new Map(
    found.map(([n, id, title, titles, headings, bodies]) => [n, { id, title, lengths: [titles, headings, bodies] }]),
  );
}
