import type { ScopeHits, SearchEntry, SearchIndex, SearchQuery } from './search-port.js';

/**
 * The document store port, in MongoDB's terms, with two adapters: MongoDB and SQLite. An adapter accepts exactly this
 * subset and throws TypeError for the rest. Documents are JSON values with a string `_id`; timestamps are ISO strings.
 * Nulls and missing fields sort lowest; `_id` breaks ties, in the direction of the last sort field.
 */
export type Scalar = string | number | boolean | null;

export interface Document {
  _id: string;
}

type Item<T> = T extends readonly (infer I)[] ? I : T;

export interface Condition<T> {
  $eq?: T | null;
  $ne?: T | null;
  $in?: readonly (T | null)[];
  $nin?: readonly (T | null)[];
  $gt?: T;
  $gte?: T;
  $lt?: T;
  $lte?: T;
  $exists?: boolean;
}

/** Equality with an array field's item means "the array holds it". Dotted keys reach into objects. */
export type Filter<D extends Document> = {
  [K in keyof D]?: Item<NonNullable<D[K]>> | null | Condition<Item<NonNullable<D[K]>>>;
} & {
  [path: `${string}.${string}`]: Scalar | Condition<Scalar>;
} & {
  $and?: Filter<D>[];
  $or?: Filter<D>[];
  /** Case-insensitive substring of any field of a declared `contains` index. */
  $contains?: { index: string; text: string };
};

/** Dotted keys reach into objects. `$setOnInsert` applies only to `upsert`. */
export interface Update<D extends Document> {
  $set?: Partial<D> | Record<string, unknown>;
  $unset?: Partial<Record<keyof D & string, true>> | Record<string, true>;
  $setOnInsert?: Partial<D>;
  $inc?: Partial<Record<keyof D & string, number>> | Record<string, number>;
  $min?: Record<string, number | string>;
  $max?: Record<string, number | string>;
  $push?: Record<string, unknown>;
  $addToSet?: Record<string, unknown>;
  $pull?: Record<string, unknown>;
}

/** A field of a document, or of an object in it. */
export type FieldPath<D extends Document> = (keyof D & string) | `${string}.${string}`;

export type Direction = 1 | -1;
export type Sort<D extends Document> = Partial<Record<keyof D & string, Direction>>;

export interface KeyIndex<D extends Document> {
  kind?: 'key';
  /** Equality fields first, then the sort. */
  on: Partial<Record<keyof D & string, Direction>> | Record<string, Direction>;
  unique?: boolean;
  /** Only documents that have this field (not null, not missing) are in the index. */
  where?: keyof D & string;
}

/** One entry for each item of an array field; covers lists that filter `array: item` and sort by `sort`. */
export interface MultikeyIndex<D extends Document> {
  kind: 'multikey';
  array: keyof D & string;
  /** Equality fields that come with the item in every query. */
  within?: (keyof D & string)[];
  sort?: Sort<D>;
}

/**
 * Finds case-insensitive substrings of any length in any of the fields; every query must name `within` by equality. The cost
 * of a query grows with the documents that are equal in `within` (SQLite) or that have the trigrams of the text (MongoDB).
 */
export interface ContainsIndex<D extends Document> {
  kind: 'contains';
  name: string;
  fields: (keyof D & string)[];
  within: (keyof D & string)[];
}

export type Index<D extends Document> = KeyIndex<D> | MultikeyIndex<D> | ContainsIndex<D>;

/** A named set of documents of one shape, the handle that every call takes. `name` is `<service>_<plural>`. */
export interface Collection<D extends Document> {
  name: string;
  indexes: Index<D>[];
  /** Unique indexes of earlier releases that must not hold any more; an adapter drops them. */
  retired: KeyIndex<D>[];
  /** Carries the document type; never set. */
  readonly document?: D;
}

export function collection<D extends Document>(
  name: string,
  indexes: Index<D>[] = [],
  { retired = [] }: Partial<Pick<Collection<D>, 'retired'>> = {},
): Collection<D> {
  return { name, indexes, retired };
}

export interface ReadOptions<D extends Document> {
  /** Return only these top-level fields and `_id`. */
  fields?: (keyof D & string)[];
}

/** Something that is made of a document alone. */
export interface Derivation<D extends Document, T> {
  /** Names it among those of its collection. */
  kind: string;
  make: (document: D) => T;
  /** The bytes that a value takes in memory. */
  sizeOf: (value: T) => number;
}

/** The sort values of the last item seen, ending in its `_id`. */
export type Cursor = Scalar[];

export interface PageQuery<D extends Document> extends ReadOptions<D> {
  filter: Filter<D>;
  sort: Sort<D>;
  limit: number;
  after?: Cursor | undefined;
}

export interface PageResult<D> {
  items: D[];
  /** Absent on the last page. */
  next?: Cursor;
}

export type SingleWrite =
  | { op: 'insert'; collection: Collection<never>; documents: Document[] }
  | {
      op: 'update' | 'upsert';
      collection: Collection<never>;
      filter: Filter<never>;
      update: Update<never>;
      /** The number of documents that must match; any other number undoes the batch with a StoreConflict. */
      expect?: number | undefined;
    }
  | { op: 'delete'; collection: Collection<never>; filter: Filter<never>; expect?: number | undefined }
  /** Changes nothing; undoes the batch when the number of matches is not `expect`. */
  | { op: 'check'; collection: Collection<never>; filter: Filter<never>; expect: number };

/** A write that brings others with it, for the same batch. */
export type Write = SingleWrite | { op: 'all'; writes: Write[] };

/** The writes of a batch one by one. */
export const singleWrites = (writes: Write[]): SingleWrite[] =>
  writes.flatMap((each) => (each.op === 'all' ? singleWrites(each.writes) : [each]));

interface Expect {
  expect?: number;
}

export const write = {
  all: (writes: Write[]): Write => ({ op: 'all', writes }),
  insert: <D extends Document>(collection: Collection<D>, document: D): Write =>
    write.insertMany(collection, [document]),
  insertMany: <D extends Document>(collection: Collection<D>, documents: D[]): Write => ({
    op: 'insert',
    collection: collection as Collection<never>,
    documents,
  }),
  /** Updates every match. */
  update: <D extends Document>(
    collection: Collection<D>,
    filter: Filter<D>,
    update: Update<D>,
    { expect }: Expect = {},
  ): Write => ({
    op: 'update',
    collection: collection as Collection<never>,
    filter: filter as Filter<never>,
    update: update as Update<never>,
    expect,
  }),
  /** Updates the one match, or inserts the equalities of `filter` (with an `_id`) with the update applied. */
  upsert: <D extends Document>(collection: Collection<D>, filter: Filter<D>, update: Update<D>): Write => ({
    op: 'upsert',
    collection: collection as Collection<never>,
    filter: filter as Filter<never>,
    update: update as Update<never>,
  }),
  delete: <D extends Document>(collection: Collection<D>, filter: Filter<D>, { expect }: Expect = {}): Write => ({
    op: 'delete',
    collection: collection as Collection<never>,
    filter: filter as Filter<never>,
    expect,
  }),
  check: <D extends Document>(collection: Collection<D>, filter: Filter<D>, expect: number): Write => ({
    op: 'check',
    collection: collection as Collection<never>,
    filter: filter as Filter<never>,
    expect,
  }),
};

/** Gets the documents that a batch has added; undefined where it may have added one that it does not name. */
export type BatchListener = (added: readonly Document[] | undefined) => void;

export interface Store {
  /** Creates what the collections and search indexes need; safe from many nodes at once. */
  prepare(collections: Collection<never>[], searchIndexes?: SearchIndex[]): Promise<void>;

  get<D extends Document>(collection: Collection<D>, id: string, options?: ReadOptions<D>): Promise<D | null>;
  /** In the order of `ids`, without missing ones. */
  getMany<D extends Document>(collection: Collection<D>, ids: string[], options?: ReadOptions<D>): Promise<D[]>;
  /**
   * Makes values of documents, in the order of `ids`; null for a missing one. A store that no other process changes keeps it until the
   * document changes, and does not read that again: the values are shared, nobody may change them.
   */
  derive<D extends Document, T>(
    collection: Collection<D>,
    ids: string[],
    derivation: Derivation<D, T>,
  ): Promise<(T | null)[]>;
  findOne<D extends Document>(
    collection: Collection<D>,
    filter: Filter<D>,
    options?: ReadOptions<D> & { sort?: Sort<D> },
  ): Promise<D | null>;
  page<D extends Document>(collection: Collection<D>, query: PageQuery<D>): Promise<PageResult<D>>;
  count<D extends Document>(collection: Collection<D>, filter: Filter<D>): Promise<number>;
  /** Matches per value of `field`, which a dotted path may name; values without a match are absent. */
  countBy<D extends Document>(
    collection: Collection<D>,
    field: FieldPath<D>,
    filter: Filter<D>,
  ): Promise<Map<string, number>>;

  /** Throws StoreDuplicate when a unique index (or `_id`) is taken. */
  insert<D extends Document>(collection: Collection<D>, document: D): Promise<void>;
  /** All or nothing. `skipExisting` skips documents whose `_id` exists. */
  insertMany<D extends Document>(
    collection: Collection<D>,
    documents: D[],
    options?: { skipExisting?: boolean },
  ): Promise<void>;
  upsert<D extends Document>(collection: Collection<D>, filter: Filter<D>, update: Update<D>): Promise<D>;
  /** Updates one document; returns it as updated, or null when none matched. */
  update<D extends Document>(
    collection: Collection<D>,
    filter: Filter<D>,
    update: Update<D>,
    options?: { sort?: Sort<D> },
  ): Promise<D | null>;
  updateMany<D extends Document>(collection: Collection<D>, filter: Filter<D>, update: Update<D>): Promise<number>;
  /** Deletes one document; returns it, or null when none matched. */
  delete<D extends Document>(collection: Collection<D>, filter: Filter<D>): Promise<D | null>;
  deleteMany<D extends Document>(collection: Collection<D>, filter: Filter<D>): Promise<number>;

  /** All or nothing. Throws StoreConflict when an `expect` does not hold, StoreDuplicate when a unique index is violated. */
  batch(writes: Write[]): Promise<void>;
  /** Calls the listener after each batch of this process that may have added documents. Returns the function that ends it. */
  listen(collection: { name: string }, listener: BatchListener): () => void;

  /** Inserts or replaces entries of the scope and removes those with the ids `removed`. */
  indexEntries(index: SearchIndex, scope: string, entries: SearchEntry[], removed?: string[]): Promise<void>;
  dropScope(index: SearchIndex, scope: string): Promise<void>;
  /**
   * Finds the scopes with entries that match, those with the best hit first, then by name. Scores depend on the searched scopes alone and compare
   * across them. The time grows with the entries that hold a term, little with the scopes, and the event loop is not held.
   */
  search(index: SearchIndex, query: SearchQuery): Promise<ScopeHits[]>;

  /** Rejects when the store does not answer. */
  ping(): Promise<void>;
  /** The query plan of a list, as text: tests assert that it uses its index. */
  explain<D extends Document>(collection: Collection<D>, query: PageQuery<D>): Promise<string>;
  close(): Promise<void>;
}

/** Yields every match in the order of `_id`, reading a thousand at a time. */
export async function* eachDocument<D extends Document>(
  store: Store,
  collection: Collection<D>,
  filter: Filter<D>,
  fields?: (keyof D & string)[],
): AsyncGenerator<D> {
  let after: Cursor | undefined;
  do {
    const page: PageResult<D> = await store.page(collection, {
      filter,
      sort: {},
      limit: 1000,
      after,
      ...(fields ? { fields } : {}),
    });
    yield* page.items;
    after = page.next;
  } while (after);
}

export class StoreConflict extends Error {
  override name = 'StoreConflict';
  constructor(readonly collection: string) {
    super(`a condition on ${collection} did not hold`);
  }
}

export class StoreDuplicate extends Error {
  override name = 'StoreDuplicate';
  /** `fields`: the fields of the unique index. */
  constructor(
    readonly collection: string,
    readonly fields: string[],
  ) {
    super(`duplicate ${fields.join(', ')} in ${collection}`);
  }
}

export type HasStore = { store: Store };
