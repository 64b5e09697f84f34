import { isDiskFull } from '../../disk/full.js';
import type { Log } from '../../monitoring/log.js';
import { inSlices } from '../../work/slices.js';
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
import { Connection } from './connection.js';
import { DerivedValues } from './derived.js';
import {
  changeDocument,
  checkUpsert,
  eachHeld,
  insertDocument,
  matchingRows,
  readFirstHeld,
  removeDocument,
  removeRows,
  upsertDocument,
} from './documents.js';
import { parseFilter } from './filters.js';
import { explainPage, readPage } from './pages.js';
import { prepareTable } from './preparation.js';
import { countMatches, countPerValue, deriveMany, readFirst, readMany, readOne } from './reads.js';
import { searchEntries } from './search.js';
import { checkTokens, dropEntries, putEntries } from './search-entries.js';
import { countBins, groupSome } from './search-grouping.js';
import { prepareSearch } from './search-tables.js';
import { type Context, declaredTable, type Table } from './table.js';
import { parseUpdate } from './updates.js';
import { WriteAheadLog } from './wal.js';
import { Writer } from './writer.js';

export interface SqliteOptions {
  /** The database file; its folder exists. */
  path: string;
  log?: Pick<Log, 'info' | 'error'> | undefined;
}

/** Opens a document store in one SQLite file, which is created if missing. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  return new SqliteStore(options);
}

/** Reads use a separate connection, so that they see only committed data. */
class SqliteStore implements Store {
  readonly #reader: Connection;
  readonly #writing: Connection;
  readonly #writer: Writer;
  readonly #log: SqliteOptions['log'];
  readonly #readable = new Map<string, Table>();
  readonly #writable = new Map<string, Table>();
  readonly #listeners = new BatchListeners();
  readonly #derived = new DerivedValues();
  #closing: Promise<void> | undefined;

  constructor({ path, log }: SqliteOptions) {
    this.#writing = new Connection(path);
    this.#reader = new Connection(path);
    this.#writer = new Writer(this.#writing, new WriteAheadLog(path), {
      committed: () => this.#derived.dropChanged(),
      log,
    });
    this.#log = log;
  }

  async prepare(collections: Collection<never>[], searchIndexes: SearchIndex[] = []): Promise<void> {
    const tables = collections.map(declaredTable);
    const [readable, writable, log] = [this.#readable, this.#writable, this.#log];
    const done = this.#writer.writeInSteps(function* (connection) {
      for (const table of tables) {
        yield* prepareTable(connection, table, log);
        writable.set(table.name, table);
      }
      for (const index of searchIndexes) prepareSearch(connection, index);
    });
    await done.catch((error) => {
      for (const { name } of tables) restoreTable(writable, name, readable.get(name));
      throw error;
    });
    for (const table of tables) readable.set(table.name, table);
    for (const index of searchIndexes) await this.#groupEntries(index);
  }

  async get<D extends Document>(
    collection: Collection<D>,
    id: string,
    options: ReadOptions<D> = {},
  ): Promise<D | null> {
    return readOne(this.#reading(collection), id, options);
  }

  async getMany<D extends Document>(
    collection: Collection<D>,
    ids: string[],
    options: ReadOptions<D> = {},
  ): Promise<D[]> {
    return readMany(this.#reading(collection), ids, options);
  }

  async derive<D extends Document, T>(
    collection: Collection<D>,
    ids: string[],
    derivation: Derivation<D, T>,
  ): Promise<(T | null)[]> {
    return deriveMany(this.#reading(collection), ids, derivation);
  }

  async findOne<D extends Document>(
    collection: Collection<D>,
    filter: Filter<D>,
    options: ReadOptions<D> & { sort?: Sort<D> } = {},
  ): Promise<D | null> {
    return readFirst(this.#reading(collection), filter, options);
  }

  async page<D extends Document>(collection: Collection<D>, query: PageQuery<D>): Promise<PageResult<D>> {
    return readPage(this.#reading(collection), query);
  }

  async count<D extends Document>(collection: Collection<D>, filter: Filter<D>): Promise<number> {
    return countMatches(this.#reading(collection), filter);
  }

  async countBy<D extends Document>(
    collection: Collection<D>,
    field: FieldPath<D>,
    filter: Filter<D>,
  ): Promise<Map<string, number>> {
    return countPerValue(this.#reading(collection), field, filter);
  }

  async insert<D extends Document>(collection: Collection<D>, document: D): Promise<void> {
    await this.#write(collection, (context) => insertDocument(context, document));
  }

  async insertMany<D extends Document>(
    collection: Collection<D>,
    documents: D[],
    { skipExisting = false }: { skipExisting?: boolean } = {},
  ): Promise<void> {
    if (documents.length === 0) return;
    await this.#writeInSteps(collection, function* (context) {
      for (const document of documents) {
        insertDocument(context, document, skipExisting);
        yield;
      }
    });
  }

  async upsert<D extends Document>(collection: Collection<D>, filter: Filter<D>, update: Update<D>): Promise<D> {
    const clauses = parseFilter(filter);
    const changes = parseUpdate(update);
    return this.#write(collection, (context) => {
      checkUpsert(context.table, clauses, changes);
      return upsertDocument(context, clauses, changes) as D;
    });
  }

  async update<D extends Document>(
    collection: Collection<D>,
    filter: Filter<D>,
    update: Update<D>,
    { sort }: { sort?: Sort<D> } = {},
  ): Promise<D | null> {
    const clauses = parseFilter(filter);
    const changes = parseUpdate(update);
    return this.#write(collection, (context) => {
      const held = readFirstHeld<D>(context, clauses, sort);
      return held ? changeDocument(context, held, changes) : null;
    });
  }

  async updateMany<D extends Document>(
    collection: Collection<D>,
    filter: Filter<D>,
    update: Update<D>,
  ): Promise<number> {
    const clauses = parseFilter(filter);
    const changes = parseUpdate(update);
    return this.#writeInSteps(collection, function* (context) {
      let count = 0;
      for (const held of eachHeld(context, clauses)) {
        changeDocument(context, held, changes);
        count += 1;
        yield;
      }
      return count;
    });
  }

  async delete<D extends Document>(collection: Collection<D>, filter: Filter<D>): Promise<D | null> {
    const clauses = parseFilter(filter);
    return this.#write(collection, (context) => {
      const held = readFirstHeld<D>(context, clauses);
      if (held) removeDocument(context, held.n, held);
      return held?.document ?? null;
    });
  }

  async deleteMany<D extends Document>(collection: Collection<D>, filter: Filter<D>): Promise<number> {
    const clauses = parseFilter(filter);
    return this.#writeInSteps(collection, function* (context) {
      const rows = matchingRows(context, clauses);
      yield* removeRows(context, rows);
      return rows.length;
    });
  }

  async batch(writes: Write[]): Promise<void> {
    const steps = runBatch(writes);
    if (writes.length === 0) return;
    await this.#writer.writeInSteps((connection) =>
      steps((collection) => this.#writingContext(connection, collection)),
    );
    noteApplied(writes);
    this.#listeners.notify(writes);
  }

  listen(collection: { name: string }, listener: BatchListener): () => void {
    return this.#listeners.add(collection, listener);
  }

  async indexEntries(index: SearchIndex, scope: string, entries: SearchEntry[], removed: string[] = []): Promise<void> {
    if (entries.length === 0 && removed.length === 0) return;
    await this.#writer.writeInSteps((connection) => putEntries(connection, index, { scope, entries, removed }));
  }

  async dropScope(index: SearchIndex, scope: string): Promise<void> {
    await this.#writer.writeInSteps((connection) => dropEntries(connection, index, scope));
  }

  async search(index: SearchIndex, query: SearchQuery): Promise<ScopeHits[]> {
    checkTokens(query.terms.map((term) => term.token));
    return inSlices(searchEntries(this.#reader, index, query));
  }

  async ping(): Promise<void> {
    this.#reader.get('SELECT 1');
    await this.#writer.checkRoom();
  }

  async explain<D extends Document>(collection: Collection<D>, query: PageQuery<D>): Promise<string> {
    return explainPage(this.#reading(collection), query);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#writer.close();
    this.#reader.close();
    try {
      this.#writing.all('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // On a full disk, what was written stays in the log.
      if (!isDiskFull(error)) throw error;
    }
    this.#writing.close();
  }

  /** Groups what an earlier release has written, in transactions of their own. */
  async #groupEntries(index: SearchIndex): Promise<void> {
    let grouped = 0;
    for (;;) {
      const some = await this.#writer.writeInSteps((connection) => groupSome(connection, index));
      if (some === 0) break;
      grouped += some;
    }
    if (grouped === 0) return;
    await this.#writer.write((connection) => countBins(connection, index));
    this.#log?.info({ index: index.name, entries: grouped }, 'grouped the entries of a search index');
  }

  #reading<D extends Document>(collection: Collection<D>): Context {
    return { connection: this.#reader, table: preparedTable(this.#readable, collection), derived: this.#derived };
  }

  #writingContext(connection: Connection, collection: { name: string }): Context {
    return { connection, table: preparedTable(this.#writable, collection), derived: this.#derived };
  }

  #write<D extends Document, T>(collection: Collection<D>, work: (context: Context) => T): Promise<T> {
    return this.#writer.write((connection) => work(this.#writingContext(connection, collection)));
  }

  #writeInSteps<D extends Document, T>(
    collection: Collection<D>,
    work: (context: Context) => Generator<void, T>,
  ): Promise<T> {
    return this.#writer.writeInSteps((connection) => work(this.#writingContext(connection, collection)));
  }
}

function preparedTable(tables: Map<string, Table>, { name }: { name: string }): Table {
  const table = tables.get(name);
  if (!table) throw new Error(`the collection ${name} is not prepared`);
  return table;
}

function restoreTable(tables: Map<string, Table>, name: string, table: Table | undefined): void {
  if (table) tables.set(name, table);
  else tables.delete(name);
}
