import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Store, write } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { contentCollections } from '../../dependencies.js';
import { type ChunkDocument, chunks, type PageNode, revisions } from './model.js';
import { RevisionCache } from './revision-cache.js';
import type { RevisionView } from './revision-view.js';

let folder: string;
let store: Store;
const space = newId();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-revisions-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(contentCollections);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const page = (id: string, title: string, children: string[] = []): PageNode => ({
  id,
  type: 'document',
  title,
  slug: id,
  path: id,
  git: { oid: id, path: `${id}.md` },
  children,
});

async function storeChunk(pages: PageNode[]): Promise<string> {
  const chunk: ChunkDocument = { _id: `${space}:${newId()}`, space, pages };
  await store.batch([write.insert(chunks, chunk)]);
  return chunk._id;
}

async function storeRevision(pages: string[]): Promise<string> {
  const parts = { pages, files: [], reusable: [], parents: [], createdAt: timestamp() };
  const _id = newId();
  await store.batch([write.insert(revisions, { _id, space, type: 'edits', ...parts })]);
  return _id;
}

test('revisions are kept by bytes: large ones make room for others', async () => {
  const large = await storeChunk(Array.from({ length: 200 }, (_, at) => page(`${at}`, 'x'.repeat(150_000))));
  const ids = await Promise.all(Array.from({ length: 6 }, () => storeRevision([large])));
  const small = await storeRevision([await storeChunk([page('a', 'A')])]);
  const cache = new RevisionCache(store);
  const views: RevisionView[] = [];
  for (const id of ids) views.push(await cache.get(space, id));
  const kept = await Promise.all(ids.map(async (id, at) => (await cache.get(space, id)) === views[at]));
  expect(kept.filter(Boolean).length).toBeLessThan(5);
  expect(await cache.get(space, small)).toBe(await cache.get(space, small));
});

test('requests at the same time read a revision once, and only in its own space', async () => {
  const id = await storeRevision([await storeChunk([page('a', 'A')])]);
  const cache = new RevisionCache(store);
  const [one, other] = await Promise.all([cache.get(space, id), cache.get(space, id)]);
  expect(one).toBe(other);
  expect(await cache.find(newId(), id)).toBeUndefined();
  expect(await cache.find(space, newId())).toBeUndefined();
});

test('a tree of many chunks is whole and in order', async () => {
  const below = await Promise.all(Array.from({ length: 600 }, (_, at) => storeChunk([page(`b${at}`, `B ${at}`)])));
  const roots = below.map((chunk, at) => page(`a${at}`, `A ${at}`, [chunk]));
  const id = await storeRevision([await storeChunk(roots.slice(0, 300)), await storeChunk(roots.slice(300))]);
  const { pages, pageById, pageByPath, pageByFile } = await new RevisionCache(store).get(space, id);
  expect(pages.map((each) => each.pages.map((child) => `${each.title} ${child.title}`))).toEqual(
    below.map((_, at) => [`A ${at} B ${at}`]),
  );
  expect([pageById.size, pageByPath.size, pageByFile.size]).toEqual([1200, 1200, 1200]);
  expect(pageById.get('b7')).toBe(pages[7]?.pages[0]);
});
