import { z } from 'zod';
import { invalid } from '../errors/errors.js';
import type {
  Collection,
  Cursor,
  Document,
  Filter,
  PageQuery,
  PageResult,
  Scalar,
  Sort,
  Store,
} from '../store/port.js';

/** The query parameters of every list. */
export const pageQuery = z.object({
  page: z.string().max(2048).optional().meta({ description: 'Where to continue: `next.page` of the previous answer.' }),
  limit: z.number().int().min(0).max(1000).default(50).meta({ description: 'Items per page, 0 to 1000.' }),
});

export const orderSchema = z.enum(['asc', 'desc']).default('desc');
export type Order = z.output<typeof orderSchema>;

export type PageRequest = z.output<typeof pageQuery>;

/** The list envelope: `next` is absent on the last page, `count` is the total that matches. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    next: z.object({ page: z.string() }).optional().meta({ description: 'Absent on the last page.' }),
    count: z.number().int().meta({ description: 'Total of matching items.' }),
    items: z.array(item),
  });

export interface Page<T> {
  next?: { page: string };
  count: number;
  items: T[];
}

const cursorSchema = z
  .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .min(1)
  .max(8);

export const encodeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');

export const notOfThisList = () =>
  invalid('page: not a page of this list; use next.page of the previous answer', 'list_page_unknown');

/** Decodes a cursor of `length` values. Throws a 400 that names `page`. */
export function decodeCursor(page: string, length: number): Cursor {
  try {
    const cursor = cursorSchema.parse(JSON.parse(Buffer.from(page, 'base64url').toString()));
    if (cursor.length === length) return cursor;
  } catch {}
  throw notOfThisList();
}

export interface ListQuery<D extends Document> {
  filter: Filter<D>;
  sort: Sort<D>;
  request: PageRequest;
  fields?: (keyof D & string)[];
  /** The total, where a maintained counter holds it. */
  count?: number;
  /** Limits a page of documents that may be large: it ends before their sizes exceed `most` together, but has one at least. */
  sizes?: {
    max: number;
    of: (document: D) => number /** Documents that are read together; 100 by default. */;
    atOnce?: number;
  };
}

/** Reads a page in parts, so that it can end where it gets too large. */
async function pageBySize<D extends Document>(
  store: Store,
  collection: Collection<D>,
  { sizes, ...query }: PageQuery<D> & { sizes: NonNullable<ListQuery<D>['sizes']> },
): Promise<PageResult<D>> {
  const { max, of, atOnce = 100 } = sizes;
  const items: D[] = [];
  let size = 0;
  let after = query.after;
  do {
    const limit = Math.min(atOnce, query.limit - items.length);
    const part: PageResult<D> = await store.page(collection, { ...query, limit, after });
    for (const document of part.items) {
      size += of(document);
      if (size > max && items.length > 0) return { items, next: cursorAfter(items.at(-1) as D, query.sort) };
      items.push(document);
    }
    after = part.next;
  } while (after && items.length < query.limit);
  return after ? { items, next: after } : { items };
}

const cursorAfter = <D extends Document>(document: D, sort: Sort<D>): Cursor =>
  [...Object.keys(sort), '_id'].map((field) => (document[field as keyof D] ?? null) as Scalar);

/** Reads one page of a collection by keyset paging, with the exact total. */
export async function listPage<D extends Document, T>(
  store: Store,
  collection: Collection<D>,
  { filter, sort, request, fields, count, sizes }: ListQuery<D>,
  present: (items: D[]) => T[] | Promise<T[]>,
): Promise<Page<T>> {
  const after = request.page === undefined ? undefined : decodeAfter(request.page, sort);
  const total = count ?? (await store.count(collection, filter));
  if (request.limit === 0) return { count: total, items: [] };
  const query = { filter, sort, limit: request.limit, after, ...(fields ? { fields } : {}) };
  const page = await (sizes ? pageBySize(store, collection, { ...query, sizes }) : store.page(collection, query));
  const items = await present(page.items);
  return page.next ? { next: { page: encodeCursor(page.next) }, count: total, items } : { count: total, items };
}

/** Decodes where a list in an order goes on. Throws a 400 that names `page`. */
export function decodeAfter(page: string, sort: object): Cursor {
  const cursor = decodeCursor(page, Object.keys(sort).length + 1);
  if (typeof cursor.at(-1) !== 'string') throw notOfThisList();
  return cursor;
}

/** A page of a list in memory, which does not change as long as `version` is the same. */
export function slicePage<T, R>(
  items: readonly T[],
  version: string,
  request: PageRequest,
  present: (item: T) => R,
): Page<R> {
  const start = request.page === undefined ? 0 : decodePosition(request.page, version);
  const end = start + request.limit;
  const page: Page<R> = { count: items.length, items: items.slice(start, end).map(present) };
  return end < items.length && request.limit > 0 ? { next: { page: encodeCursor([version, end]) }, ...page } : page;
}

/** The version that a client began to page a `slicePage` list with; undefined on the first page. */
export const versionOfPage = (page: string | undefined): string | undefined =>
  page === undefined ? undefined : String(decodeCursor(page, 2)[0]);

function decodePosition(page: string, version: string): number {
  const [of, position] = decodeCursor(page, 2);
  if (of !== version || typeof position !== 'number' || !Number.isInteger(position) || position < 0)
    throw invalid('page: this list has changed since; start again without page', 'list_page_unknown');
  return position;
}
