/**
 * The document store port, spoken in MongoDB's words. Two adapters: MongoDB and SQLite. An adapter takes exactly this
 * subset and refuses the rest. Documents are JSON values with a string `_id`; timestamps are ISO strings.
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

/** Dotted keys reach into objects. `$setOnInsert` counts for `upsert` alone. */
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

/** One entry for each item of an array field; lists that filter `array: item` and sort by `sort` are covered. */
export interface MultikeyIndex<D extends Document> {
  kind: 'multikey';
  array: keyof D & string;
  /** Equality fields that come with the item in every query. */
  within?: (keyof D & string)[];
  sort?: Sort<D>;
}

/**
 * For case-insensitive substrings of any length in any of the fields; every query names `within` by equality. What one
 * costs grows with the documents that are equal in `within` (SQLite) or have the text's trigrams (MongoDB).
 */
export interface ContainsIndex<D extends Document> {
  kind: 'contains';
  name: string;
  fields: (keyof D & string)[];
  within: (keyof D & string)[];
}

export type Index<D extends Document> = KeyIndex<D> | MultikeyIndex<D> | ContainsIndex<D>;

/** A named set of documents of one shape; `name` is `<service>_<plural>`. The handle every call takes. */
export interface Collection<D extends Document> {
  name: string;
  indexes: Index<D>[];
  /** Carries the document type; never set. */
  readonly document?: D;
}

export function collection<D extends Document>(name: string, indexes: Index<D>[] = []): Collection<D> {
  return { name, indexes };
}

export interface ReadOptions<D extends Document> {
  /** Only these top-level fields (and `_id`) come back. */
  fields?: (keyof D & string)[];
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

export type Write =
  | { op: 'insert'; collection: Collection<never>; documents: Document[] }
  | {
      op: 'update' | 'upsert';
      collection: Collection<never>;
      filter: Filter<never>;
      update: Update<never>;
      /** Documents that must match; another number undoes the batch with a StoreConflict. */
      expect?: number | undefined;
    }
  | { op: 'delete'; collection: Collection<never>; filter: Filter<never>; expect?: number | undefined }
  /** Changes nothing: fails the batch when another number of documents matches. */
  | { op: 'check'; collection: Collection<never>; filter: Filter<never>; expect: number };

interface Expect {
  expect?: number;
}

export const write = {
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
  /** Updates the one match or inserts `filter`'s equalities (an `_id` among them) with the update applied. */
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

/** A full-text index whose scopes share nothing: neither hits nor statistics. */
export interface SearchIndex {
  name: string;
}

/** Tokens come ready from one tokenizer, in order, repeats kept. A token holds no ASCII but `[a-z0-9]`. */
export interface SearchEntry {
  id: string;
  title: string[];
  headings: string[];
  body: string[];
}

export interface SearchTerm {
  token: string;
  /** Matches every token that starts so. */
  prefix?: boolean;
}

/** Numbers of title, headings and body, in that order. */
export type PerField = readonly [title: number, headings: number, body: number];

/** What the entries of one scope, or of several together, are like; how rare the terms of a query are among them. */
export interface SearchStatistics {
  entries: number;
  /** Tokens of all entries. */
  lengths: PerField;
  /** The entries that hold each term of the query. */
  matching: readonly number[];
}

export interface SearchHit {
  id: string;
  score: number;
}

export interface Store {
  /** Creates what the collections and search indexes need; safe from many nodes at once. */
  prepare(collections: Collection<never>[], searchIndexes?: SearchIndex[]): Promise<void>;

  get<D extends Document>(collection: Collection<D>, id: string, options?: ReadOptions<D>): Promise<D | null>;
  /** In the order of `ids`, missing ones left out. */
  getMany<D extends Document>(collection: Collection<D>, ids: string[], options?: ReadOptions<D>): Promise<D[]>;
  findOne<D extends Document>(
    collection: Collection<D>,
    filter: Filter<D>,
    options?: ReadOptions<D> & { sort?: Sort<D> },
  ): Promise<D | null>;
  page<D extends Document>(collection: Collection<D>, query: PageQuery<D>): Promise<PageResult<D>>;
  count<D extends Document>(collection: Collection<D>, filter: Filter<D>): Promise<number>;
  /** Matches per value of `field`; values without a match are absent. */
  countBy<D extends Document>(
    collection: Collection<D>,
    field: keyof D & string,
    filter: Filter<D>,
  ): Promise<Map<string, number>>;

  /** Throws StoreDuplicate when a unique index (or `_id`) is taken. */
  insert<D extends Document>(collection: Collection<D>, document: D): Promise<void>;
  /** All or nothing; `skipExisting` leaves documents whose `_id` is there already as they are. */
  insertMany<D extends Document>(
    collection: Collection<D>,
    documents: D[],
    options?: { skipExisting?: boolean },
  ): Promise<void>;
  upsert<D extends Document>(collection: Collection<D>, filter: Filter<D>, update: Update<D>): Promise<D>;
  /** Find-and-modify of one document; the new document, or null when none matched. */
  update<D extends Document>(
    collection: Collection<D>,
    filter: Filter<D>,
    update: Update<D>,
    options?: { sort?: Sort<D> },
  ): Promise<D | null>;
  updateMany<D extends Document>(collection: Collection<D>, filter: Filter<D>, update: Update<D>): Promise<number>;
  /** Deletes one; what was deleted, or null. */
  delete<D extends Document>(collection: Collection<D>, filter: Filter<D>): Promise<D | null>;
  deleteMany<D extends Document>(collection: Collection<D>, filter: Filter<D>): Promise<number>;

  /** All or nothing. Throws StoreConflict when an `expect` does not hold, StoreDuplicate when a unique index is hit. */
  batch(writes: Write[]): Promise<void>;

  /** Replaces the entries of these ids in the scope and drops those of `removed`. */
  indexEntries(index: SearchIndex, scope: string, entries: SearchEntry[], removed?: string[]): Promise<void>;
  dropScope(index: SearchIndex, scope: string): Promise<void>;
  searchStatistics(index: SearchIndex, scope: string, terms: SearchTerm[]): Promise<SearchStatistics>;
  /**
   * Entries that match every term, best first, at most `limit`; `total` counts all matches (at most 1,000 are ranked).
   * Scores of several scopes compare when all are searched with the sum of their `statistics`; default: the scope's own.
   */
  search(
    index: SearchIndex,
    scope: string,
    terms: SearchTerm[],
    limit: number,
    statistics?: SearchStatistics,
  ): Promise<{ hits: SearchHit[]; total: number }>;

  /** Rejects when the store does not answer. */
  ping(): Promise<void>;
  /** What the store does for a list, as text: tests assert that its index is used. */
  explain<D extends Document>(collection: Collection<D>, query: PageQuery<D>): Promise<string>;
  close(): Promise<void>;
}

/** Every match, by `_id`, a thousand at a time. */
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
  /** The fields of the unique index that was hit. */
  constructor(
    readonly collection: string,
    readonly fields: string[],
  ) {
    super(`duplicate ${fields.join(', ')} in ${collection}`);
  }
}
