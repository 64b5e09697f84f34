import { type Candidate, matchingAll, rankCandidates, type TermMatches, type Totals } from '../score.js';
import type { ScopeHits, SearchIndex, SearchQuery, SearchTerm } from '../search-port.js';
import type { Connection } from './connection.js';
import { countScopes, entriesWithin, filledBins } from './search-entries.js';
import {
  COUNTED_STARTS,
  entriesTable,
  FIRST_CHARACTER,
  LAST_CHARACTER,
  scopesOwner,
  startPrefix,
  termsTable,
  wordPrefix,
} from './search-tables.js';

type Counts = [number, number, number];

/** So many scopes are read one by one in the time that a bin takes. */
const SCOPES_A_BIN = 16;
/** Rows of "~scopes", candidates, or counts in a statement or a step; each takes some milliseconds at most. */
const ATOMS = { scopes: 1_000, candidates: 1_000, counts: 5_000, rows: 20_000 };

/** Digits are below it, the letters of fields are not. */
const LETTERS = 65;
const FIELD_OF: Record<string, 0 | 1 | 2> = { t: 0, h: 1, b: 2 };

/** Unit of reading: a scope, or a bin of its group. */
interface Part {
  n: number;
  /** Upper bound of the counts in it. */
  counts: number;
  /** The searched scopes as JSON, where a bin may also hold others. */
  scopes?: string;
  /** Its entries in those scopes, once they are read. */
  within?: Set<number>;
}

interface Searched {
  keys: Map<number, string>;
  totals: Totals;
  parts: Part[];
}

interface Match extends TermMatches<number> {
  frequencies: Map<number, Counts>;
}

/** Searches in steps, none of which takes longer than some milliseconds. */
export function* searchEntries(
  connection: Connection,
  index: SearchIndex,
  { scopes, terms, title, each }: SearchQuery,
): Generator<void, ScopeHits[]> {
  if (terms.length === 0) return [];
  const { keys, totals, parts } = yield* loadScopes(connection, index, scopes);
  const matches: Match[] = [];
  for (const term of terms) {
    const match = yield* readMatch(connection, index, parts, term);
    if (match.frequencies.size === 0) return [];
    matches.push(match);
  }
  const numbers = yield* matchingAll(matches);
  const candidates = new Map<number, Candidate>();
  for (let at = 0; at < numbers.length; at += ATOMS.candidates) {
    addCandidates(connection, index, numbers.slice(at, at + ATOMS.candidates), { keys, candidates });
    yield;
  }
  return yield* rankCandidates({ terms, title, matches, candidates, totals, each });
}

type ScopeRow = [n: number, key: string, group: string | null, entries: number, ...lengths: Counts];

function* loadScopes(connection: Connection, index: SearchIndex, scopes: readonly string[]): Generator<void, Searched> {
  const keys = new Map<number, string>();
  const totals = { entries: 0, lengths: [0, 0, 0] as Counts };
  const groups = new Map<string, Part[]>();
  const sql = `SELECT json_group_array(json_array(n, key, grp, entries, titles, headings, bodies)) FROM "~scopes"
    WHERE owner = ? AND key IN (SELECT value FROM json_each(?)) AND entries > 0`;
  for (let at = 0; at < scopes.length; at += ATOMS.scopes) {
    const wanted = JSON.stringify(scopes.slice(at, at + ATOMS.scopes));
    const rows = JSON.parse(String(connection.get(sql, [scopesOwner(index), wanted])?.[0])) as ScopeRow[];
    for (const [n, key, group, entries, ...lengths] of rows) {
      if (keys.has(n)) continue;
      keys.set(n, key);
      totals.entries += entries;
      for (const field of [0, 1, 2] as const) totals.lengths[field] += lengths[field];
      const part = { n, counts: lengths[0] + lengths[1] + lengths[2] };
      const others = groups.get(group ?? '');
      if (others) others.push(part);
      else groups.set(group ?? '', [part]);
    }
    yield;
  }
  return { keys, totals, parts: [...groups].flatMap(([group, parts]) => chooseParts(connection, index, group, parts)) };
}

/** The scopes of a group one by one, or the bins of the group, whichever is read sooner. */
function chooseParts(connection: Connection, index: SearchIndex, group: string, scopes: Part[]): Part[] {
  const bins = scopes.length > SCOPES_A_BIN ? filledBins(connection, index, group) : [];
  if (bins.length === 0 || scopes.length <= SCOPES_A_BIN * bins.length) return scopes;
  const all = scopes.length === countScopes(connection, index, group);
  const searched = JSON.stringify(scopes.map(({ n }) => n));
  return bins.map(([n, counts]) => (all ? { n, counts } : { n, counts, scopes: searched }));
}

const isCountedStart = (token: string) => Array.from(token).length <= COUNTED_STARTS;

function* readMatch(
  connection: Connection,
  index: SearchIndex,
  parts: Part[],
  { token, prefix }: SearchTerm,
): Generator<void, Match> {
  const frequencies = new Map<number, Counts>();
  const exact = new Set<number>();
  const read = `SELECT group_concat(doc || col, ' ') FROM ${termsTable(index)} WHERE term`;
  for (const part of parts) {
    const whole = wordPrefix(part.n) + token;
    const add = function* (text: unknown, into?: Set<number>) {
      if (typeof text !== 'string') return;
      if (part.scopes) part.within ??= entriesWithin(connection, index, part.n, part.scopes);
      yield* addCounts(text, frequencies, { within: part.within, into });
    };
    yield* add(connection.get(`${read} = ?`, [whole])?.[0], exact);
    yield;
    if (!prefix) continue;
    if (isCountedStart(token)) yield* add(connection.get(`${read} = ?`, [startPrefix(part.n) + token])?.[0]);
    else
      for (const [from, to] of cutIntoRanges(connection, index, whole, part.counts))
        yield* add(connection.get(`${read} >= ? AND term < ?`, [from, to])?.[0]);
    yield;
  }
  return prefix ? { frequencies, exact } : { frequencies };
}

/** The ranges of all longer words that start with one, from the first to before the second, each of few enough rows. */
function* cutIntoRanges(
  connection: Connection,
  index: SearchIndex,
  start: string,
  counts: number,
): Generator<[from: string, to: string], void> {
  const end = start + LAST_CHARACTER;
  const sql = `SELECT term FROM ${termsTable(index)} WHERE term >= ? AND term < ? LIMIT 1 OFFSET ?`;
  let from = start + FIRST_CHARACTER;
  while (counts > ATOMS.rows) {
    const next = connection.get(sql, [from, end, ATOMS.rows])?.[0];
    if (typeof next !== 'string') break;
    // A single word may have more rows.
    const to = next === from ? from + FIRST_CHARACTER : next;
    yield [from, to];
    from = to;
  }
  yield [from, end];
}

interface Sums {
  /** Adds only to these entries. */
  within: ReadonlySet<number> | undefined;
  /** Takes the entries that were added to. */
  into: Set<number> | undefined;
}

/** Sums counts such as `17b3 17t1 24b1`. */
function* addCounts(text: string, frequencies: Map<number, Counts>, { within, into }: Sums): Generator<void, void> {
  let read = 0;
  for (let at = 0; at < text.length; ) {
    const space = text.indexOf(' ', at);
    const end = space < 0 ? text.length : space;
    let column = at;
    while (text.charCodeAt(column) < LETTERS) column += 1;
    const n = Number(text.slice(at, column));
    const field = FIELD_OF[text[column] ?? ''] ?? 2;
    const times = Number(text.slice(column + 1, end));
    at = end + 1;
    if (++read % ATOMS.counts === 0) yield;
    if (within && !within.has(n)) continue;
    into?.add(n);
    const held = frequencies.get(n);
    if (held) held[field] += times;
    else frequencies.set(n, [field === 0 ? times : 0, field === 1 ? times : 0, field === 2 ? times : 0]);
  }
}

type EntryRow = [n: number, scope: number, id: string, title: string, ...lengths: Counts];

/** Reads candidates as one row with one text: one row each would cost more than the ranking. */
function addCandidates(
  connection: Connection,
  index: SearchIndex,
  numbers: number[],
  { keys, candidates }: { keys: ReadonlyMap<number, string>; candidates: Map<number, Candidate> },
): void {
  const sql = `SELECT json_group_array(json_array(n, scope, id, title, titles, headings, bodies)) FROM ${entriesTable(index)}
    WHERE n IN (SELECT value FROM json_each(?))`;
  const row = connection.get(sql, [JSON.stringify(numbers)]);
  for (const [n, scope, id, title, ...lengths] of JSON.parse(String(row?.[0])) as EntryRow[]) {
    const key = keys.get(scope);
    if (key !== undefined) candidates.set(n, { scope: key, id, title, lengths });
  }
}
