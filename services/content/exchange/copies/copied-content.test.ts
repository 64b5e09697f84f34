import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderBlobs } from '../../../../shared/blobs/folder.js';
import { consumersOf } from '../../../../shared/contract/event.js';
import { Outbox, outboxCollection } from '../../../../shared/jobs/outbox.js';
import { createLog } from '../../../../shared/monitoring/log.js';
import { type Store, write } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { newId } from '../../../../shared/values/ids.js';
import { spaceDeleted } from '../../core/events.js';
import { spaces } from '../../core/nodes/model.js';
import { commitRevision, primaryMoveWrite } from '../../core/revisions/commit.js';
import { chunks, documentId, pageDocuments, pageSearch } from '../../core/revisions/model.js';
import { RevisionCache } from '../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import { newSpace } from '../../core/spaces/new-space.js';
import { Ledger } from '../../core/storage/ledger.js';
import { blobCounts, blobUses, usages } from '../../core/storage/model.js';
import { removeSpaceContent } from '../../core/storage/unreached.js';
import { contentCollections } from '../../dependencies.js';
import { contentEvents } from '../../events.js';
import { copyContent } from './copied-content.js';
import { discardCopyJob } from './copy-jobs.js';

const { signal } = new AbortController();
const organization = newId();
let folder: string;
let store: Store;
let ledger: Ledger;
let outbox: Outbox;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-copies-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(contentCollections, [pageSearch]);
  const consumers = consumersOf({ sites: { spaceDeleted } });
  const deliver = async () => [];
  outbox = new Outbox({
    store,
    service: 'content',
    emits: contentEvents,
    consumers,
    log: createLog('silent'),
    deliver,
  });
  ledger = new Ledger(store, openFolderBlobs(join(folder, 'blobs')), 0);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** A space with a page below another and a file. */
async function filledSpace(): Promise<RevisionView> {
  const revisions = new RevisionCache(store);
  const { space: made, writes } = newSpace({ organization, creator: 'ada' });
  const { _id: space, revision: from } = made;
  await store.batch(writes);
  const owner = { organization, space };
  await ledger.openUsage(owner);
  const meta = { hidden: false, noIndex: false, noRobotsIndex: false };
  const _id = documentId(space, 'oid');
  await ledger.addDocuments(owner, pageDocuments, [{ _id, space, source: '# A', meta, sections: [], links: [] }]);
  const blob = await ledger.addFile(owner, Buffer.from('shared file'));
  const page = { id: 'a', type: 'document' as const, title: 'A', slug: 'a', path: 'a', document: 'oid' };
  await commitRevision(
    { store, ledger, revisions },
    {
      organization,
      space,
      sweeps: 0,
      content: {
        pages: [{ ...page, pages: [{ ...page, id: 'b', slug: 'b', path: 'a/b', pages: [] }] }],
        files: [{ id: newId(), name: 'a.txt', contentType: 'text/plain', size: 11, blob }],
        reusable: [],
      },
      fields: { parents: [from], type: 'edits', primary: true },
      writes: (to) => [primaryMoveWrite({ space, from, to })],
    },
  );
  return revisions.current(space);
}

const counted = async (space: string) => ({
  bytes: (await store.get(usages, space))?.bytes,
  documents: await store.count(pageDocuments, { space }),
  chunks: await store.count(chunks, { space }),
  files: await store.count(blobUses, { space }),
});

it('what is copied belongs to the copy: the original goes without it, and each counts its own', async () => {
  const view = await filledSpace();
  const { space } = view.revision;
  const copy = newId();
  await ledger.openUsage({ organization, space: copy });
  const { roots } = await copyContent({ store, ledger }, view, { owner: { organization, space: copy } });
  expect(await counted(copy)).toEqual(await counted(space));
  expect([...roots.pages, ...roots.files].every((id) => id.startsWith(`${copy}:`))).toBe(true);
  const before = await counted(copy);
  await removeSpaceContent({ store, ledger }, { organization, space }, signal);
  expect(await counted(copy)).toEqual(before);
  const { blob = '' } = view.files[0] ?? {};
  expect(await store.get(blobCounts, blob)).toMatchObject({ uses: 1 });
});

it('what was stored for a copy is removed where it was never made, and stays where it was', async () => {
  const view = await filledSpace();
  const used = async () => (await store.get(usages, organization))?.bytes;
  const before = await used();
  const { run } = discardCopyJob({ store, ledger, outbox });
  const discard = (copy: string) => run({ job: { payload: { organization, copy } } as never, signal });
  const copyOf = async () => {
    const copy = newId();
    await ledger.openUsage({ organization, space: copy });
    await copyContent({ store, ledger }, view, { owner: { organization, space: copy } });
    return copy;
  };
  const lost = await copyOf();
  await discard(lost);
  await discard(lost);
  expect(await counted(lost)).toEqual({ documents: 0, chunks: 0, files: 0 });
  expect(await used()).toBe(before);
  const made = await copyOf();
  await store.batch([write.insert(spaces, newSpace({ organization, creator: 'ada', id: made }).space)]);
  const told = await store.count(outboxCollection('content'), {});
  await discard(made);
  expect((await counted(made)).documents).toBe(1);
  // Whoever placed the lost copy is told, and of the other one nothing.
  expect([told, await store.count(outboxCollection('content'), {})]).toEqual([2, 2]);
});
