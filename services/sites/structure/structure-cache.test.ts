import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../shared/store/port.js';
import { openSqliteStore } from '../../../shared/store/sqlite/store.js';
import { structureCollections } from './model.js';
import { emptyStructure } from './structure.js';
import { StructureCache } from './structure-cache.js';

let folder: string;
let store: Store;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-structures-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(structureCollections);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const withSiteSpaces = (length: number) => {
  const items = Array.from({ length }, (_, at) => ({ id: `sitesp_${at}`, space: `space_${at}`, path: `path-${at}` }));
  return { version: 1, structure: { ...emptyStructure(), siteSpaces: { items, default: null } }, former: [] };
};

// No structure is stored: one that is not kept any more is not found.
test.each([
  ['many small ones stay', 2000, 3, true],
  ['large ones make room for others', 150, 4000, false],
])('structures are kept by bytes: %s', async (_, sites, siteSpaces, stays) => {
  const cache = new StructureCache(store);
  const structure = withSiteSpaces(siteSpaces);
  for (let at = 0; at < sites; at++) cache.keep(`site_${at}`, structure);
  const kept = (at: number) =>
    cache.structureOf({ _id: `site_${at}`, structureVersion: 1 }).then(
      () => true,
      () => false,
    );
  expect([await kept(sites - 1), await kept(0)]).toEqual([true, stays]);
});
