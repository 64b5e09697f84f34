import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cursor, Filter, Store } from '../../../shared/store/port.js';
import { openSqliteStore } from '../../../shared/store/sqlite/store.js';
import { type CommentDocument, comments, replies, textCollections } from './model.js';

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-comments-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(textCollections);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const filters: [string, Filter<CommentDocument>][] = [
  ['all', {}],
  ['a status', { status: 'open' }],
  ['a page', { page: 'p' }],
  ['an author', { author: 'a' }],
  ['several authors', { author: { $in: ['a', 'b', 'c'] } }],
  ['a page and a status', { page: 'p', status: 'resolved' }],
  ['authors and a status', { author: { $in: ['a', 'b'] }, status: 'open' }],
  ['a page and authors', { page: 'p', author: { $in: ['a', 'b'] } }],
  ['a page, an author and a status', { page: 'p', author: 'a', status: 'open' }],
];
const places: [string, Cursor | undefined][] = [
  ['first', undefined],
  ['next', ['2026-01-01T00:00:00.000Z', '01M8']],
];

describe.each(filters)('a list of comments by %s', (_, filter) => {
  it.each(places)('reads its %s page in the order of an index, and nothing else', async (_, after) => {
    for (const direction of [1, -1] as const) {
      const query = { filter: { place: 'x', ...filter }, sort: { postedAt: direction }, limit: 50, after };
      const plan = (await store.explain(comments, query)).split('\n').filter((line) => /SEARCH|SCAN|TEMP/.test(line));
      expect(plan.filter((line) => !/^\s*(?:SEARCH d USING INDEX |SCAN \(?subquery|SCAN \S+$)/.test(line))).toEqual([]);
      const constrained = Object.keys(filter).length + 1;
      for (const line of plan.filter((each) => each.includes('SEARCH')))
        expect(line.split(' AND ').length).toBeGreaterThanOrEqual(constrained);
    }
  });
});

it('lists replies in the order of an index', async () => {
  const plan = await store.explain(replies, { filter: { comment: 'c' }, sort: { postedAt: 1 }, limit: 50 });
  expect(plan).toMatch(/^SEARCH d USING INDEX \S+ \([^)]*=\?\)$/);
});
