import type { Collection as MongoCollection } from 'mongodb';
import { scaleMs } from '../../settings/time-scale.js';
import { BatchListeners, noteApplied } from '../applied.js';
import type {
  BatchListener,
  Collection,
  Derivation,
  Document,
  FieldPath,
  Filter,
  PageQuery,
  PageResult,
  ReadOptions,
  Sort,
  Store,
  Update,
  Write,
} from '../port.js';
import type { ScopeHits, SearchEntry, SearchIndex, SearchQuery } from '../search-port.js';
import { runBatch } from './batches.js';
import {
  type Connection,
  callMongo,
  checkRoom,
  connect,
  type MongoOptions,
  rejectAfter,
  serverTime,
  turnMs,
} from './connection/connection.js';
import { repeatTransient } from './connection/retries.js';
import { runInTurn } from './connection/transactions.js';
import { projection, type Stored, storedDocument } from './documents.js';
import { storeError } from './failures.js';
import { asUntyped, checkPath } from './fields.js';
import { mongoFilter } from './filters.js';
import { insertTogether } from './inserts.js';
import { explainPage, pickOptions, readFirst, readPage } from './pages.js';
import { prepareCollections } from './preparation.js';
import { searchMongo } from './search.js';
import { dropScope, indexEntries } from './search-entries.js';
import { mongoUpdate, mongoUpsert } from './updates.js';

const PING_MS = scaleMs(2_000);
const IDS_A_QUERY = 2_000;

/** Opens a document store in MongoDB 6 or later. Fails when the server cannot be reached within 5 s. */
export async function openMongoStore(options: MongoOptions): Promise<Store> {
  return new MongoStore(await connect(options));
}

class MongoStore implements Store {
  private readonly listeners = new BatchListeners();

  constructor(private readonly connection: Connection) {}

  prepare(collections: Collection<never>[], searchIndexes: SearchIndex[] = []): Promise<void> {
    return prepareCollections(this.connection, collections as Collection<Document>[], searchIndexes);
  }

  async get<D extends Document>(
    collection: Collection<D>,
    id: string,
    options: ReadOptions<D> = {},
  ): Promise<D | null> {
    if (typeof id !== 'string') throw new TypeError('an _id is a string');
    const shown = projection(options as ReadOptions<never>);
    return this.read(() => this.documents(collection).findOne({ _id: id }, { projection: shown })) as Promise<D | null>;
  }

  async getMany<D extends Document>(
    collection: Collection<D>,
    ids: string[],
    options: ReadOptions<D> = {},
  ): Promise<D[]> {
    const wanted = [...new Set(ids)];
    const shown = projection(options as ReadOptions<never>);
    const found = new Map<string, D>();
    for (let at = 0; at < wanted.length; at += IDS_A_QUERY) {
      const some = wanted.slice(at, at + IDS_A_QUERY);
      const documents = await this.read(() =>
        this.documents(collection)
          .find({ _id: { $in: some } })
          .project<Stored>(shown)
          .toArray(),
      );
      for (const document of documents) found.set(document._id, document as unknown as D);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** Other processes may have changed the documents, so nothing is kept. */
  async derive<D extends Document, T>(
    collection: Collection<D>,
    ids: string[],
    { make }: Derivation<D, T>,
  ): Promise<(T | null)[]> {
    const found = await this.getMany(collection, ids);
    const made = new Map(found.map((document) => [document._id, make(document)]));
    return ids.map((id) => made.get(id) ?? null);
  }

  async findOne<D extends Document>(
    collection: Collection<D>,
    filter: Filter<D>,
    options: ReadOptions<D> & { sort?: Sort<D> } = {},
  ): Promise<D | null> {
    return this.read(() => readFirst(this.readerOf(collection), collection, filter, options));
  }

  async page<D extends Document>(collection: Collection<D>, query: PageQuery<D>): Promise<PageResult<D>> {
    return this.read(() => readPage(this.readerOf(collection), collection, query));
  }

  async count<D extends Document>(collection: Collection<D>, filter: Filter<D>): Promise<number> {
    const matching = mongoFilter(collection, filter);
    // Without conditions, counting reads the smallest index.
    const everything = Object.keys(matching).length === 0 ? { hint: '_id_' } : {};
    const options = { ...serverTime(this.connection), ...everything };
    return this.read(() => this.documents(collection).countDocuments(matching, options));
  }

  async countBy<D extends Document>(
    collection: Collection<D>,
    field: FieldPath<D>,
    filter: Filter<D>,
  ): Promise<Map<string, number>> {
    const path = `$${checkPath(field)}`;
    const items = collection.indexes.some((index) => index.kind === 'multikey' && index.array === field);
    const pipeline = [
      { $match: mongoFilter(collection, filter) },
      ...(items ? [{ $unwind: path }] : []),
      { $group: { _id: path, matches: { $sum: 1 } } },
    ];
    const groups = await this.read(() =>
      this.documents(collection)
        .aggregate<{ _id: unknown; matches: number }>(pipeline, serverTime(this.connection))
        .toArray(),
    );
    return new Map(groups.flatMap(({ _id, matches }) => (_id === null ? [] : [[String(_id), matches]])));
  }

  async insert<D extends Document>(collection: Collection<D>, document: D): Promise<void> {
    const stored = storedDocument(asUntyped(collection), document);
    await this.write(collection, () => this.documents(collection).insertOne(stored));
  }

  async insertMany<D extends Document>(
    collection: Collection<D>,
    documents: D[],
    { skipExisting = false }: { skipExisting?: boolean } = {},
  ): Promise<void> {
    await insertTogether(this.connection, asUntyped(collection), documents, skipExisting);
  }

  async upsert<D extends Document>(collection: Collection<D>, filter: Filter<D>, update: Update<D>): Promise<D> {
    const matching = mongoFilter(collection, filter);
    const changes = mongoUpsert(collection, filter, update);
    const options = {
      upsert: true,
      returnDocument: 'after',
      projection: projection(),
      ...pickOptions(collection, filter),
    } as const;
    const upsert = () => this.documents(collection).findOneAndUpdate(matching, changes, options);
    // Racing for an insert, they would collide and retry.
    const document = await runInTurn([`${collection.name}/${JSON.stringify(filter)}`], turnMs(this.connection), () =>
      this.write(collection, upsert, { upsert: true }),
    );
    return document as unknown as D;
  }

  async update<D extends Document>(
    collection: Collection<D>,
    filter: Filter<D>,
    update: Update<D>,
    { sort }: { sort?: Sort<D> } = {},
  ): Promise<D | null> {
    const matching = mongoFilter(collection, filter);
    const changes = mongoUpdate(collection, update);
    const options = {
      returnDocument: 'after',
      projection: projection(),
      ...pickOptions(collection, filter, sort),
    } as const;
    return this.write(collection, () =>
      this.documents(collection).findOneAndUpdate(matching, changes, options),
    ) as Promise<D | null>;
  }

  async updateMany<D extends Document>(
    collection: Collection<D>,
    filter: Filter<D>,
    update: Update<D>,
  ): Promise<number> {
    const matching = mongoFilter(collection, filter);
    const changes = mongoUpdate(collection, update);
    const result = await this.write(collection, () => this.documents(collection).updateMany(matching, changes));
    return result.matchedCount;
  }

  async delete<D extends Document>(collection: Collection<D>, filter: Filter<D>): Promise<D | null> {
    const matching = mongoFilter(collection, filter);
    const options = { projection: projection(), ...pickOptions(collection, filter) };
    return this.write(collection, () =>
      this.documents(collection).findOneAndDelete(matching, options),
    ) as Promise<D | null>;
  }

  async deleteMany<D extends Document>(collection: Collection<D>, filter: Filter<D>): Promise<number> {
    const matching = mongoFilter(collection, filter);
    const result = await this.write(collection, () => this.documents(collection).deleteMany(matching));
    return result.deletedCount;
  }

  async batch(writes: Write[]): Promise<void> {
    await runBatch(this.connection, writes);
    noteApplied(writes);
    this.listeners.notify(writes);
  }

  listen(collection: { name: string }, listener: BatchListener): () => void {
    return this.listeners.add(collection, listener);
  }

  indexEntries(index: SearchIndex, scope: string, entries: SearchEntry[], removed: string[] = []): Promise<void> {
    return indexEntries(this.connection, index, scope, entries, removed);
  }

  dropScope(index: SearchIndex, scope: string): Promise<void> {
    return dropScope(this.connection, index, scope);
  }

  search(index: SearchIndex, query: SearchQuery): Promise<ScopeHits[]> {
    return this.read(() => searchMongo(this.connection, index, query));
  }

  async ping(): Promise<void> {
    this.connection.reach.throwIfDown();
    const lateError = () => new Error(`MongoDB did not answer a ping within ${PING_MS} ms`);
    await rejectAfter(PING_MS, this.connection.db.command({ ping: 1 }), lateError);
    await checkRoom(this.connection);
  }

  async explain<D extends Document>(collection: Collection<D>, query: PageQuery<D>): Promise<string> {
    return this.read(() => explainPage(this.readerOf(collection), collection, query));
  }

  close(): Promise<void> {
    return this.connection.reach.close();
  }

  private documents<D extends Document>(collection: Collection<D>): MongoCollection<Stored> {
    return this.connection.db.collection<Stored>(collection.name);
  }

  private readerOf<D extends Document>(collection: Collection<D>) {
    return { connection: this.connection, documents: this.documents(collection) };
  }

  private read<T>(work: () => Promise<T>): Promise<T> {
    return callMongo(this.connection, 'read', work);
  }

  private async write<D extends Document, T>(
    collection: Collection<D>,
    work: () => Promise<T>,
    options?: { upsert: boolean },
  ): Promise<T> {
    try {
      return await callMongo(this.connection, 'write', () => repeatTransient(work, options));
    } catch (error) {
      throw storeError(collection as unknown as Collection<never>, error);
    }
  }
}
