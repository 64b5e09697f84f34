import type { AbstractCursor } from 'mongodb';
import { inSlices } from '../../work/slices.js';
import { type Candidate, matchingAll, rankCandidates, type TermMatches, type Totals } from '../score.js';
import type { PerField, ScopeHits, SearchIndex, SearchQuery, SearchTerm } from '../search-port.js';
import { type Connection, serverTime } from './connection/connection.js';
import { type Collections, type Posting, searchCollections } from './search-entries.js';

/** Ids in a filter, and rows that arrive at once, so that reading them does not hold the event loop. */
const ROWS_A_QUERY = 1_000;

interface Searched {
  /** The scopes by the run that keys their content. */
  scopes: Map<string, string>;
  totals: Totals;
}

/** Entries are known by the `_id` of their row. */
type Match = TermMatches<string>;

export async function searchMongo(
  connection: Connection,
  index: SearchIndex,
  { scopes, terms, title, each }: SearchQuery,
): Promise<ScopeHits[]> {
  if (terms.length === 0) return [];
  const collections = searchCollections(connection.db, index);
  const searched = await loadScopes(connection, collections, scopes);
  const runs = [...searched.scopes.keys()];
  if (runs.length === 0) return [];
  const matches: Match[] = [];
  // One after the other: the rows of many terms at once would hold the event loop.
  for (const term of terms) {
    const match = await readMatch(connection, collections, runs, term);
    if (match.frequencies.size === 0) return [];
    matches.push(match);
  }
  const keys = await inSlices(matchingAll(matches));
  const candidates = await readCandidates(connection, collections, keys, searched);
  return inSlices(rankCandidates({ terms, title, matches, candidates, totals: searched.totals, each }));
}

async function loadScopes(
  connection: Connection,
  { scopes: rows }: Collections,
  scopes: readonly string[],
): Promise<Searched> {
  const found = new Map<string, string>();
  const totals = { entries: 0, lengths: [0, 0, 0] as [number, number, number] };
  for (const some of cutIntoParts([...new Set(scopes)])) {
    const filter = { _id: { $in: some }, dropped: { $exists: false } };
    for (const { _id, run, entries, lengths } of await rows.find(filter, serverTime(connection)).toArray()) {
      found.set(run, _id);
      totals.entries += entries;
      for (const field of [0, 1, 2] as const) totals.lengths[field] += lengths[field];
    }
  }
  return { scopes: found, totals };
}

interface Sums extends Pick<Posting, 't' | 'h' | 'b'> {
  s: string;
  e: string;
  whole?: boolean;
}

/** Reads the postings of a term in all runs, from the index alone. */
async function readMatch(
  connection: Connection,
  { postings }: Collections,
  runs: string[],
  { token, prefix }: SearchTerm,
): Promise<Match> {
  const frequencies = new Map<string, PerField>();
  const exact = new Set<string>();
  const options = { ...serverTime(connection), batchSize: ROWS_A_QUERY };
  for (const some of cutIntoParts(runs)) {
    const s = some.length === 1 ? (some[0] as string) : { $in: some };
    const shown = { _id: 0, s: 1, e: 1, t: 1, h: 1, b: 1 };
    const range = { s, k: { $gte: token, $lt: `${token}\u{10FFFF}` } };
    const rows: AbstractCursor<Sums> = prefix
      ? postings.aggregate<Sums>(
          [{ $match: range }, { $group: sumStage(token) }, { $set: { s: '$_id.s', e: '$_id.e' } }],
          options,
        )
      : postings.find({ s, k: token }, options).project<Sums>(shown);
    for await (const { s: run, e, t, h, b, whole } of rows) {
      const key = `${run}/${e}`;
      frequencies.set(key, [t, h, b]);
      if (whole) exact.add(key);
    }
  }
  return prefix ? { frequencies, exact } : { frequencies };
}

const sumStage = (token: string) => ({
  _id: { s: '$s', e: '$e' },
  t: { $sum: '$t' },
  h: { $sum: '$h' },
  b: { $sum: '$b' },
  whole: { $max: { $eq: ['$k', token] } },
});

async function readCandidates(
  connection: Connection,
  { entries }: Collections,
  keys: string[],
  { scopes }: Searched,
): Promise<Map<string, Candidate>> {
  const candidates = new Map<string, Candidate>();
  for (const some of cutIntoParts(keys)) {
    const rows = await entries.find({ _id: { $in: some } }, serverTime(connection)).toArray();
    for (const { _id, id, title, lengths } of rows) {
      const scope = scopes.get(_id.slice(0, _id.indexOf('/')));
      if (scope !== undefined) candidates.set(_id, { scope, id, title, lengths });
    }
  }
  return candidates;
}

function* cutIntoParts<T>(list: T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += ROWS_A_QUERY) yield list.slice(at, at + ROWS_A_QUERY);
}
