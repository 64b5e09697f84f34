import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openFolderBlobs } from '../../../../shared/blobs/folder.js';
import type { Blobs } from '../../../../shared/blobs/port.js';
import { system } from '../../../../shared/contract/caller.js';
import { createOutbound } from '../../../../shared/outbound/client.js';
import type { Store } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { eventually } from '../../../../shared/testing/eventually.js';
import { newId } from '../../../../shared/values/ids.js';
import { HeldBytes } from '../../../../shared/work/held-bytes.js';
import { ContentTreeCache } from '../../core/access/tree/content-tree-cache.js';
import { commitRevision } from '../../core/revisions/commit.js';
import { chunks, pageDocuments, pageSearch } from '../../core/revisions/model.js';
import { RevisionCache } from '../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import { newSpace } from '../../core/spaces/new-space.js';
import { Ledger } from '../../core/storage/ledger.js';
import { contentCollections } from '../../dependencies.js';
import { workHere as work } from '../../format/workers/testing/work-here.js';
import { BatchWork } from './batch-work.js';
import type { Change } from './content-draft.js';
import { storeInsertedFiles } from './inserted-files.js';
import { writeContent } from './write-content.js';

let folder: string;
let store: Store;
let ledger: Ledger;
let blobs: Blobs;
let revisions: RevisionCache;
const organization = newId();
const made = newSpace({ organization, creator: 'ada' });
const space = made.space._id;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-writing-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(contentCollections, [pageSearch]);
  blobs = openFolderBlobs(join(folder, 'blobs'));
  ledger = new Ledger(store, blobs, 0);
  revisions = new RevisionCache(store);
  await store.batch(made.writes);
  await ledger.openUsage({ organization, space });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

async function changed(tip: RevisionView, ...changes: Change[]): Promise<RevisionView> {
  const deps = {
    store,
    ledger,
    blobs,
    revisions,
    trees: new ContentTreeCache(store, true),
    work,
    baseUrl: 'http://localhost',
  };
  const about = { caller: system, organization, space, tip, base: tip.revision._id, seen: undefined, files: new Map() };
  const { content } = await writeContent(deps, { ...about, changes });
  if (!content) return tip;
  const { _id } = await commitRevision(deps, {
    organization,
    space,
    before: tip,
    content,
    sweeps: 0,
    fields: { parents: [tip.revision._id], type: 'edits' },
    writes: () => [],
  });
  return revisions.get(space, _id);
}

const insertion = (title: string, into?: string): Change => ({
  operation: 'insert_page',
  title,
  document: { markdown: `About ${title}.\n` },
  ...(into ? { into } : {}),
});

/** A space of 600 pages at the top, and one below the first. */
async function manyPages(): Promise<RevisionView> {
  let view = await revisions.current(space);
  for (let batch = 0; batch < 12; batch++)
    view = await changed(view, ...Array.from({ length: 50 }, (_, each) => insertion(`${batch}-${each}`)));
  return changed(view, insertion('Below', view.pages[0]?.id));
}

test('a change of one page among 600 stores one page document, and the chunks on its path', async () => {
  let view = await manyPages();
  const counts = async () => [await store.count(pageDocuments, { space }), await store.count(chunks, { space })];
  const stored = async (...changes: Change[]) => {
    const before = (await counts()) as [number, number];
    view = await changed(view, ...changes);
    const after = (await counts()) as [number, number];
    return [after[0] - before[0], after[1] - before[1]];
  };
  const update = (page: string, more: object) => ({ operation: 'update_page', page, ...more }) as Change;
  const [first, middle] = [view.pages[0]?.id as string, view.pages[300]?.id as string];
  const below = view.pages[0]?.pages[0]?.id as string;
  expect(await stored(update(middle, { document: { markdown: `New, see [it](/pages/${below}).\n` } }))).toEqual([1, 1]);
  expect(await stored(update(middle, { description: 'New' }))).toEqual([1, 1]);
  expect(await stored(update(middle, { title: 'New', at: 301 }))).toEqual([1, 1]);
  expect(await stored(update(middle, { slug: 'new' }))).toEqual([0, 1]);
  expect(await stored(update(below, { document: { markdown: 'New.\n' } }))).toEqual([1, 2]);
  expect(await stored(update(below, { document: { markdown: 'New.\n' } }))).toEqual([0, 0]);
  expect(await stored({ operation: 'delete_page', page: first })).toEqual([0, 1]);
  expect(await stored(insertion('One more'))).toEqual([1, 1]);
  expect(view.pages).toHaveLength(600);
  const fresh = await new RevisionCache(store).get(space, view.revision._id);
  expect(fresh.pages).toEqual(view.pages);
});

it('asks for another attempt, without the fault of a document, when the time of a batch is over', async () => {
  const batch = new BatchWork(work, organization);
  expect(await batch.parsed('# Home\n')).toMatchObject({ title: 'Home' });
  batch.end();
  await expect(batch.parsed('# Home\n')).rejects.toMatchObject({ type: 'UNAVAILABLE', code: 503 });
});

it('counts files while they are fetched and unpacked, for each organization', async () => {
  const packed = gzipSync(Buffer.alloc(600_000));
  let held: ServerResponse | undefined;
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' });
    if (request.url === '/whole') return response.end(packed);
    response.write(packed);
    held = response;
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const allowCidrs = ['127.0.0.1/32'];
  const outbound = createOutbound({ allowCidrs });
  const fetchedFiles = new HeldBytes({ ofOwner: 1_000_000, ofAll: 10_000_000 });
  const insert = async (organization: string, path: string) => {
    const owner = { organization, space: `space-of-${organization}` };
    await ledger.openUsage(owner);
    const files = [{ name: 'a.txt', url: `http://127.0.0.1:${port}${path}` }];
    const change = { operation: 'insert_files', files } as unknown as Change;
    const made = await storeInsertedFiles({ ledger, work, outbound, fetchedFiles, allowCidrs }, owner, [change]);
    return made.get(0)?.[0]?.entry.size;
  };

  const first = insert('acme', '/half');
  await eventually('the first file', () => fetchedFiles.bytesOf('acme') === 600_000);
  await expect(insert('acme', '/whole')).rejects.toMatchObject({ type: 'UNAVAILABLE' });
  expect(await insert('other', '/whole')).toBe(600_000);
  held?.end();
  expect([await first, await insert('acme', '/whole')]).toEqual([600_000, 600_000]);
  expect(fetchedFiles.bytesOf('acme')).toBe(0);

  server.closeAllConnections();
  server.close();
  await outbound.close();
});
