import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collection, type Document, type Store } from '../store/port.js';
import { openSqliteStore } from '../store/sqlite/store.js';
import {
  decodeCursor,
  encodeCursor,
  listPage,
  type Page,
  type PageRequest,
  slicePage,
  versionOfPage,
} from './paging.js';

interface Item extends Document {
  owner: string;
  rank: number | null;
}
const items = collection<Item>('paging_items', [{ on: { owner: 1, rank: 1 } }]);

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-paging-'));
  store = await openSqliteStore({ path: join(folder, 'paging.sqlite') });
  await store.prepare([items as never]);
  const documents = Array.from({ length: 25 }, (_, i) => ({
    _id: `i${String(i).padStart(2, '0')}`,
    owner: 'a',
    rank: i % 5 === 0 ? null : i % 3,
  }));
  await store.insertMany(items, [...documents, { _id: 'other', owner: 'b', rank: 1 }]);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const list = (request: PageRequest, count?: number) =>
  listPage(
    store,
    items,
    { filter: { owner: 'a' }, sort: { rank: 1 }, request, ...(count === undefined ? {} : { count }) },
    (found) => found.map(({ _id }) => _id),
  );

async function walk<T>(read: (request: PageRequest) => Page<T> | Promise<Page<T>>, limit: number): Promise<Page<T>[]> {
  const pages: Page<T>[] = [];
  let page: string | undefined;
  do {
    const next: Page<T> = await read(page === undefined ? { limit } : { limit, page });
    pages.push(next);
    page = next.next?.page;
  } while (page !== undefined);
  return pages;
}

describe('a list', () => {
  it.each([1, 4, 5, 25, 1000])('gives every item once, %i a page, with the total on each', async (limit) => {
    const pages = await walk(list, limit);
    const seen = pages.flatMap((page) => page.items);
    expect(seen).toEqual((await list({ limit: 1000 })).items);
    expect([seen.length, new Set(seen).size, pages.length]).toEqual([25, 25, Math.ceil(25 / limit)]);
    expect(new Set(pages.map(({ count }) => count))).toEqual(new Set([25]));
    expect(pages.at(-1)).not.toHaveProperty('next');
  });

  it('continues at its place when earlier items are deleted', async () => {
    const first = await list({ limit: 10 });
    await store.insert(items, { _id: 'zz', owner: 'a', rank: null });
    await store.delete(items, { _id: first.items[9] as string });
    const second = await list({ limit: 10, page: String(first.next?.page) });
    await store.insert(items, { _id: first.items[9] as string, owner: 'a', rank: 0 });
    await store.delete(items, { _id: 'zz' });
    expect(second.items.some((id) => first.items.includes(id))).toBe(false);
    expect(second.items).toHaveLength(10);
  });

  it('of limit 0 is only its total, which a counter may hold', async () => {
    expect(await list({ limit: 0 })).toEqual({ count: 25, items: [] });
    expect(await list({ limit: 0 }, 7)).toEqual({ count: 7, items: [] });
  });
});

describe('a page of another list', () => {
  it.each([
    '',
    'nonsense',
    '%%%',
    'null',
    encodeCursor([]),
    encodeCursor(['a']),
    encodeCursor([1, 2, 3]),
    encodeCursor(Array(9).fill(1)),
    Buffer.from('{"length":2}').toString('base64url'),
    Buffer.from('[1,{"$gt":""}]').toString('base64url'),
    Buffer.from('[1,[2]]').toString('base64url'),
    Buffer.from('[1e999,2]').toString('base64url'),
    Buffer.from('[').toString('base64url').repeat(500),
  ])('%j is a 400 that names page', async (page) => {
    expect(() => decodeCursor(page, 2)).toThrow(expect.objectContaining({ type: 'INVALID' }));
    await expect(list({ limit: 5, page })).rejects.toThrow(/^page: /);
  });

  it.each([
    ['types that do not fit', ['x', 'i00']],
    ['a number for an id', [1, 2]],
    ['truth for a rank', [true, 'i00']],
    ['a lone surrogate', ['\ud800', '\udfff']],
    ['a huge number', [1e308, 'i00']],
    ['a NUL', ['\0', '\0']],
  ])('with %s gives items of this list or a 400, never a fault', async (_, cursor) => {
    const outcome = await list({ limit: 5, page: encodeCursor(cursor) }).catch((error) => error);
    if (outcome instanceof Error) expect(outcome).toMatchObject({ type: 'INVALID' });
    else for (const id of outcome.items) expect(id).toMatch(/^i\d\d$/);
  });
});

describe('a list in memory', () => {
  const numbers = Array.from({ length: 10 }, (_, i) => i);
  const slice = (request: PageRequest) => slicePage(numbers, 'v1', request, String);

  it.each([1, 3, 10, 11])('gives every item once, %i a page', async (limit) => {
    const pages = await walk(slice, limit);
    expect(pages.flatMap((page) => page.items)).toEqual(numbers.map(String));
    expect(pages).toHaveLength(Math.ceil(10 / limit));
  });

  it('of limit 0 is only its total', () => {
    expect(slice({ limit: 0 })).toEqual({ count: 10, items: [] });
  });

  it('names the version that paging began with', () => {
    expect(versionOfPage(undefined)).toBeUndefined();
    expect(versionOfPage(slice({ limit: 3 }).next?.page)).toBe('v1');
  });

  it.each([
    ['v2', 3],
    ['v1', -1],
    ['v1', 1.5],
    ['v1', '3'],
    ['v1', null],
    ['v1', true],
  ])('refuses a page of version %s and position %s', (version, position) => {
    const page = encodeCursor([version, position]);
    expect(() => slice({ limit: 3, page })).toThrow(/^page: /);
  });

  it('is empty beyond its end', () => {
    expect(slice({ limit: 3, page: encodeCursor(['v1', 999]) })).toEqual({ count: 10, items: [] });
  });
});

describe('a list of documents with sizes', () => {
  const pageOf = (request: PageRequest, max: number) =>
    listPage(
      store,
      items,
      { filter: { owner: 'a' }, sort: { rank: -1 }, request, sizes: { max, of: ({ rank }) => (rank ?? 0) + 1 } },
      (documents) => documents.map(({ _id }) => _id),
    );

  it.each([1, 2, 4, 7, 1000])('ends pages before they exceed %d, without loss or repetition', async (most) => {
    const all = (await pageOf({ limit: 1000 }, 1e9)).items;
    const walked: string[] = [];
    const lengths: number[] = [];
    let page: string | undefined;
    do {
      const part = await pageOf({ limit: 10, page }, most);
      walked.push(...part.items);
      lengths.push(part.items.length);
      page = part.next?.page;
    } while (page);
    expect(walked).toEqual(all);
    expect(Math.max(...lengths)).toBe(Math.min(10, most));
    expect(Math.min(...lengths)).toBeGreaterThan(0);
  });
});
