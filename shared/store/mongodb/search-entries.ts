import type { AnyBulkWriteOperation, ClientSession, Db } from 'mongodb';
import { scaleMs } from '../../settings/time-scale.js';
import { newSecret } from '../../values/ids.js';
import { type Candidate, candidateOf, countTokens } from '../score.js';
import type { PerField, SearchEntry, SearchIndex } from '../search-port.js';
import { type Connection, callMongo } from './connection/connection.js';
import { repeatTransient } from './connection/retries.js';
import { inTransaction, runInTurn } from './connection/transactions.js';

/** `_id` is the scope. Its content is keyed by `run`, so that one write drops the scope and the rest can be swept later. */
export interface ScopeRow {
  _id: string;
  run: string;
  entries: number;
  lengths: [number, number, number];
  dropped?: true;
}

/** `s` run, `k` token, `e` entry; `t`, `h`, `b` its count in title, headings and body. */
export interface Posting {
  s: string;
  k: string;
  e: string;
  t: number;
  h: number;
  b: number;
}

/** `_id` is `<run>/<entry>`. */
interface EntryRow {
  _id: string;
  id: string;
  title: string;
  lengths: PerField;
}

/** The postings of an entry, so that an update replaces only those that changed; `_id` as in EntryRow. */
interface TallyRow {
  _id: string;
  /** JSON of [token, counts] pairs. */
  counts: string;
  title: string;
  lengths: PerField;
}

type Tally = Map<string, PerField>;

const POSTINGS_A_TRANSACTION = 5_000;
const ENTRIES_A_TRANSACTION = 100;
/** Milliseconds to wait for an earlier change of the same scope, which may be large. */
const TURN_MS = scaleMs(60_000);

/** Covers postings: they are read from the index alone, without their documents. */
export const postingsIndex = { key: { s: 1, k: 1, e: 1, t: 1, h: 1, b: 1 }, name: 'postings' } as const;

export const droppedIndex = {
  key: { dropped: 1 },
  name: 'dropped',
  partialFilterExpression: { dropped: true },
} as const;

export function searchCollections(db: Db, index: SearchIndex) {
  return {
    scopes: db.collection<ScopeRow>(`${index.name}_scopes`),
    postings: db.collection<Posting>(`${index.name}_tokens`),
    entries: db.collection<EntryRow>(`${index.name}_entries`),
    tallies: db.collection<TallyRow>(`${index.name}_tallies`),
  };
}

export type Collections = ReturnType<typeof searchCollections>;

interface Change {
  id: string;
  /** Absent for an entry that is removed. */
  candidate?: Omit<Candidate, 'scope'>;
  tally: Tally;
}

export async function indexEntries(
  connection: Connection,
  index: SearchIndex,
  scope: string,
  entries: SearchEntry[],
  removed: string[],
): Promise<void> {
  const changes = new Map<string, Change>(removed.map((id) => [id, { id, tally: new Map() }]));
  for (const entry of entries)
    changes.set(entry.id, { id: entry.id, candidate: candidateOf(entry), tally: countTokens(entry) });
  const collections = searchCollections(connection.db, index);
  await runInTurn([`${index.name}/${scope}`], TURN_MS, async () => {
    for (const group of groupChanges([...changes.values()])) {
      const postings = group.reduce((sum, change) => sum + change.tally.size, 0);
      const roomy = { ...connection, callTimeout: connection.callTimeout + postings };
      await inTransaction(roomy, `${index.name}_scopes`, (session) => applyToScope(collections, scope, group, session));
    }
  });
}

function groupChanges(changes: Change[]): Change[][] {
  const groups: Change[][] = [];
  let postings = Number.POSITIVE_INFINITY;
  for (const change of changes) {
    const last = groups.at(-1);
    if (last && last.length < ENTRIES_A_TRANSACTION && postings + change.tally.size <= POSTINGS_A_TRANSACTION) {
      last.push(change);
      postings += change.tally.size;
    } else {
      groups.push([change]);
      postings = change.tally.size;
    }
  }
  return groups;
}

async function applyToScope(to: Collections, scope: string, changes: Change[], session: ClientSession): Promise<void> {
  const start = { $setOnInsert: { run: newSecret(9), entries: 0, lengths: [0, 0, 0] as ScopeRow['lengths'] } };
  const made = await to.scopes.findOneAndUpdate({ _id: scope }, start, {
    upsert: true,
    returnDocument: 'after',
    session,
  });
  const run = made?.run ?? '';
  const ids = changes.map(({ id }) => `${run}/${id}`);
  const before = new Map(
    (await to.tallies.find({ _id: { $in: ids } }, { session }).toArray()).map((row) => [row._id, row]),
  );

  const work = { postings: [], entries: [], tallies: [] } as Work;
  const totals = { entries: 0, lengths: [0, 0, 0] };
  for (const change of changes) {
    const old = before.get(`${run}/${change.id}`);
    if (!planWrites(work, run, change, old)) continue;
    totals.entries += Number(change.candidate !== undefined) - Number(old !== undefined);
    for (const field of [0, 1, 2] as const)
      totals.lengths[field] =
        (totals.lengths[field] ?? 0) + (change.candidate?.lengths[field] ?? 0) - (old?.lengths[field] ?? 0);
  }
  if (work.tallies.length === 0) return;
  const [title, headings, body] = totals.lengths;
  const sums = { entries: totals.entries, 'lengths.0': title, 'lengths.1': headings, 'lengths.2': body };
  await to.scopes.updateOne({ _id: scope }, { $inc: sums }, { session });
  if (work.postings.length > 0) await to.postings.bulkWrite(work.postings, { session });
  await to.entries.bulkWrite(work.entries, { session });
  await to.tallies.bulkWrite(work.tallies, { session });
}

interface Work {
  postings: AnyBulkWriteOperation<Posting>[];
  entries: AnyBulkWriteOperation<EntryRow>[];
  tallies: AnyBulkWriteOperation<TallyRow>[];
}

/** Adds the writes that turn the old entry into the new one; false when they are equal. */
function planWrites(work: Work, run: string, change: Change, old: TallyRow | undefined): boolean {
  const { id, candidate } = change;
  const _id = `${run}/${id}`;
  const had: Tally = new Map(old ? parseCounts(old.counts) : []);
  const gone = [...had].filter(([token, counts]) => !isSame(counts, change.tally.get(token))).map(([token]) => token);
  const fresh = [...change.tally].filter(([token, counts]) => !isSame(counts, had.get(token)));
  if (gone.length > 0) work.postings.unshift({ deleteMany: { filter: { s: run, k: { $in: gone }, e: id } } });
  for (const [k, [t, h, b]] of fresh) work.postings.push({ insertOne: { document: { s: run, k, e: id, t, h, b } } });
  if (!candidate) {
    if (!old) return false;
    work.entries.push({ deleteOne: { filter: { _id } } });
    work.tallies.push({ deleteOne: { filter: { _id } } });
    return true;
  }
  const { title, lengths } = candidate;
  if (old && gone.length + fresh.length === 0 && old.title === title && isSame(old.lengths, lengths)) return false;
  const counts = JSON.stringify([...change.tally]);
  work.entries.push({ replaceOne: { filter: { _id }, replacement: { id, title, lengths }, upsert: true } });
  work.tallies.push({ replaceOne: { filter: { _id }, replacement: { counts, title, lengths }, upsert: true } });
  return true;
}

const isSame = (one: PerField, other?: PerField) =>
  other !== undefined && one[0] === other[0] && one[1] === other[1] && one[2] === other[2];

/** Hides the scope at once, then removes its content, and the content that an interrupted drop left behind. */
export async function dropScope(connection: Connection, index: SearchIndex, scope: string): Promise<void> {
  const collections = searchCollections(connection.db, index);
  const { scopes, postings, entries, tallies } = collections;
  await runInTurn([`${index.name}/${scope}`], TURN_MS, () =>
    inTransaction(connection, `${index.name}_scopes`, async (session) => {
      const row = await scopes.findOneAndDelete({ _id: scope }, { session });
      if (row) await scopes.insertOne({ ...row, _id: `dropped ${row.run}`, dropped: true }, { session });
    }),
  );
  const readMongo = <T>(work: () => Promise<T>) => callMongo(connection, 'read', work);
  for (const { _id, run } of await readMongo(() => scopes.find({ dropped: true }).toArray())) {
    // '0' follows '/', so this selects all ids that start with the run and a slash.
    const rows = { _id: { $gte: `${run}/`, $lt: `${run}0` } };
    const writeMongo = <T>(work: () => Promise<T>) => callMongo(connection, 'write', () => repeatTransient(work));
    for (const tokens of await readMongo(() => postingLists(tallies, rows)))
      await writeMongo(() => postings.deleteMany({ s: run, k: { $in: tokens } }));
    await writeMongo(() => entries.deleteMany(rows));
    await writeMongo(() => tallies.deleteMany(rows));
    await writeMongo(() => scopes.deleteOne({ _id }));
  }
}

/** The tokens of these entries, in groups with as many postings as one write may have. */
async function postingLists(tallies: Collections['tallies'], rows: { _id: object }): Promise<string[][]> {
  const sizes = new Map<string, number>();
  for await (const { counts } of tallies.find(rows))
    for (const [token] of parseCounts(counts)) sizes.set(token, (sizes.get(token) ?? 0) + 1);
  const groups: string[][] = [];
  let postings = Number.POSITIVE_INFINITY;
  for (const [token, size] of sizes) {
    if (postings + size > POSTINGS_A_TRANSACTION) {
      groups.push([]);
      postings = 0;
    }
    groups.at(-1)?.push(token);
    postings += size;
  }
  return groups;
}

const parseCounts = (counts: string) => JSON.parse(counts) as [string, PerField][];
