import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { openFolderBlobs } from '../../../../shared/blobs/folder.js';
import { again } from '../../../../shared/store/again.js';
import { type Store, write } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { runs } from '../../../../shared/testing/runs.js';
import { newId } from '../../../../shared/values/ids.js';
import { planChange } from '../../core/change-requests/changes.js';
import { type ChangeRequestDocument, changeRequests } from '../../core/change-requests/model.js';
import { spaces } from '../../core/nodes/model.js';
import { readSettings, storeSettings } from '../../core/revisions/chunks.js';
import { commitRevision, primaryMoveWrite } from '../../core/revisions/commit.js';
import {
  chunks,
  documentId,
  type FileEntry,
  pageDocuments,
  pageSearch,
  type RevisionDocument,
  revisions,
} from '../../core/revisions/model.js';
import { PageTree, top } from '../../core/revisions/page-tree.js';
import { RevisionCache } from '../../core/revisions/revision-cache.js';
import { eachPageOf, type RevisionView } from '../../core/revisions/revision-view.js';
import { newSpace } from '../../core/spaces/new-space.js';
import { documentBytes, Ledger } from '../../core/storage/ledger.js';
import { blobUses, usages } from '../../core/storage/model.js';
import { contentCollections } from '../../dependencies.js';
import { sharedStates } from '../../exchange/git/model.js';
import { type ContentImportDocument, contentImports } from '../../exchange/imports/content-import/model.js';
import { keepUpload } from '../../exchange/imports/content-import/uploads.js';
import { blobOid } from '../../format/space/blob-oid.js';
import { keptRevisions } from './kept-revisions.js';
import { tidySpaceJob } from './tidy-space-job.js';

const retentionDays = 30;
const { signal } = new AbortController();
const organization = newId();
let folder: string;
let store: Store;
let ledger: Ledger;
let cache: RevisionCache;
let space: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-retention-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(contentCollections, [pageSearch]);
  ledger = new Ledger(store, openFolderBlobs(join(folder, 'blobs')), 0);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

async function freshSpace(): Promise<void> {
  cache = new RevisionCache(store);
  const made = newSpace({ organization, creator: 'ada' });
  space = made.space._id;
  await store.batch(made.writes);
  await ledger.openUsage({ organization, space });
}

const tidy = () => tidySpaceJob({ store, ledger, retentionDays }).run({ job: { payload: { space } } as never, signal });

/** The content of a view with a changed page and, now and then, another file. */
async function edited(view: RevisionView, text: string) {
  const owner = { organization, space };
  const oid = blobOid(text);
  const _id = documentId(space, oid);
  const document = {
    _id,
    space,
    source: text,
    meta: { hidden: false, noIndex: false, noRobotsIndex: false },
    sections: [],
    links: [],
  };
  if (!(await store.get(pageDocuments, _id))) await ledger.addDocuments(owner, pageDocuments, [document]);
  const blob = await ledger.addFile(owner, Buffer.from(text.slice(0, 3)));
  const file: FileEntry = { id: newId(), name: 'a.txt', contentType: 'text/plain', size: 3, blob };
  const tree = new PageTree(view);
  const [first] = tree.childrenOf(top);
  const page = first === undefined || text.length % 3 === 0 ? undefined : tree.page(first);
  if (page) tree.replace({ ...page, document: oid });
  else tree.insert({ id: newId(), type: 'document', title: text, slug: text, path: '', document: oid }, top);
  return { pages: tree.buildPages(), ...(text.length % 2 === 0 ? { files: [...view.files, file] } : {}) };
}

/** As writers do: everything that is referred to is stored after the removals were counted. */
const editPrimary = (text: string, sync?: { branch: string }) =>
  again(async () => {
    const sweeps = await ledger.readSweeps(space);
    const repository = sync && { directory: '', settings: await storeSummary(text) };
    const before = await cache.current(space);
    const from = before.revision._id;
    return commitRevision(
      { store, ledger, revisions: cache },
      {
        organization,
        space,
        before,
        sweeps,
        content: await edited(before, text),
        fields: { parents: [from], type: 'edits', primary: true, ...(repository ? { repository } : {}) },
        writes: (to) => [primaryMoveWrite({ space, from, to }), ...(sync ? [sharedNote(sync.branch, to)] : [])],
      },
    );
  });

const summaryOf = (text: string) => ({ path: 'SUMMARY.md', oid: blobOid(text), text });

const storeSummary = (text: string) => storeSettings({ ledger }, { organization, space }, [summaryOf(text)]);

/** As imports and exports note what space and branch share, in place of what they shared before. */
const sharedNote = (branch: string, { _id: revision, createdAt: at }: RevisionDocument) =>
  write.upsert(
    sharedStates,
    { _id: `${space}:${branch}` },
    { $set: { space, directory: '', commit: blobOid(revision), revision, isAhead: false, at } },
  );

const requestOf = async (number: number): Promise<ChangeRequestDocument | undefined> => {
  const { items } = await store.page(changeRequests, { filter: { space }, sort: { number: 1 }, limit: 100 });
  return items[number % Math.max(1, items.length)];
};

async function open(): Promise<void> {
  const { revision } = await cache.current(space);
  const count = await store.count(changeRequests, { space });
  const at = { createdAt: revision.createdAt, updatedAt: new Date().toISOString() };
  const points = { revision: revision._id, initial: revision._id, base: revision._id };
  const item: ChangeRequestDocument = {
    _id: newId(),
    organization,
    space,
    number: count + 1,
    status: 'draft',
    subject: '',
    createdBy: 'ada',
    contributors: [],
    ...at,
    ...points,
  };
  await store.batch([
    write.check(spaces, { _id: space, revision: revision._id }, 1),
    write.insert(changeRequests, item),
  ]);
}

const editRequest = (number: number, text: string) =>
  again(async () => {
    const item = await requestOf(number);
    if (item?.status !== 'draft') return;
    const sweeps = await ledger.readSweeps(space);
    const before = await cache.get(space, item.revision);
    await commitRevision(
      { store, ledger, revisions: cache },
      {
        organization,
        space,
        before,
        sweeps,
        content: await edited(before, text),
        fields: { parents: [item.revision], type: 'edits' },
        writes: ({ _id }) => planChange(item, { revision: _id }).writes,
      },
    );
  });

async function archive(number: number): Promise<void> {
  const item = await requestOf(number);
  if (item?.status === 'draft') await store.batch(planChange(item, { status: 'archived' }).writes);
}

/** Makes all that there is older than what is kept. */
async function age(): Promise<void> {
  const old = new Date(Date.now() - 2 * retentionDays * 86_400_000).toISOString();
  const { items } = await store.page(revisions, { filter: { space }, sort: { createdAt: 1 }, limit: 1000 });
  for (const [at, { _id }] of items.entries())
    await store.update(
      revisions,
      { _id },
      { $set: { createdAt: `${old.slice(0, -4)}${String(at).padStart(3, '0')}Z` } },
    );
  await store.updateMany(changeRequests, { space }, { $set: { updatedAt: old } });
}

const cutoff = () => new Date(Date.now() - retentionDays * 86_400_000).toISOString();

/** Reads all that is kept as another process does; fails when anything of it is missing. */
async function checkReachable(): Promise<void> {
  const other = new RevisionCache(store);
  for (const id of await keptRevisions(store, { space, since: cutoff() })) {
    const view = await other.get(space, id);
    for (const { document } of eachPageOf(view.pages))
      expect(await store.get(pageDocuments, documentId(space, document ?? ''), { fields: ['space'] })).not.toBeNull();
    for (const { blob } of view.files) expect(await store.get(blobUses, `${space}:${blob}`)).not.toBeNull();
    const { repository } = view.revision;
    if (repository) expect(await store.get(chunks, repository.settings)).not.toBeNull();
  }
}

const countOf = (collection: typeof chunks) => store.count(collection, { space });

/** Expects that nothing is left but what is kept, and that it is what is counted. */
async function checkNothingLeft(): Promise<void> {
  const other = new RevisionCache(store);
  const kept = await keptRevisions(store, { space, since: cutoff() });
  expect(await countOf(revisions as never)).toBe(kept.length);
  const documents = new Set<string>();
  const blobs = new Set<string>();
  for (const id of kept) {
    const view = await other.get(space, id);
    for (const { document } of eachPageOf(view.pages)) documents.add(document ?? '');
    for (const { blob } of view.files) blobs.add(blob);
  }
  expect(await countOf(pageDocuments as never)).toBe(documents.size);
  expect(await countOf(blobUses as never)).toBe(blobs.size);
  let bytes = 0;
  for (const use of (await store.page(blobUses, { filter: { space }, sort: {}, limit: 1000 })).items)
    bytes += use.bytes;
  for (const collection of [pageDocuments, chunks] as (typeof chunks)[])
    for (const each of (await store.page(collection, { filter: { space }, sort: {}, limit: 1000 })).items)
      bytes += documentBytes(each);
  expect((await store.get(usages, space))?.bytes).toBe(bytes);
}

const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 6 });
const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ what: fc.constantFrom('edit', 'write', 'both'), text: texts, number: fc.nat(9) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ what: fc.constantFrom('open', 'archive', 'tidy', 'age'), text: texts, number: fc.nat(9) }),
    },
  ),
  { minLength: 5, maxLength: 25 },
);

async function step({ what, text, number }: { what: string; text: string; number: number }): Promise<void> {
  if (what === 'edit') await editPrimary(text);
  if (what === 'write') await editRequest(number, text);
  // While unreached content is removed.
  if (what === 'both') await Promise.all([tidy(), editPrimary(text), editRequest(number, text), tidy()]);
  if (what === 'open') await open();
  if (what === 'archive') await archive(number);
  if (what === 'age') await age();
  if (what === 'tidy') await tidy();
}

test('whatever is written and collected, all that is kept is whole, and nothing else is left', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await freshSpace();
      for (const each of all) await step(each);
      await checkReachable();
      await tidy();
      await checkReachable();
      await checkNothingLeft();
    }),
    { numRuns: runs(3) },
  );
});

test('a hundred edits of an old past leave the content and one revision before it', async () => {
  await freshSpace();
  for (let each = 0; each < 100; each++) await editPrimary(`${each}a`);
  await age();
  await editPrimary('now');
  await tidy();
  expect(await countOf(revisions as never)).toBe(2);
  await checkReachable();
  await checkNothingLeft();
});

test('revisions that space and branches shared last stay whatever their age, and so do the settings of all that stay', async () => {
  await freshSpace();
  const former = await editPrimary('former', { branch: 'main' });
  const shared = await editPrimary('shared', { branch: 'main' });
  await editPrimary('later');
  await age();
  const recent = await editPrimary('recent', { branch: 'draft' });
  await editPrimary('now');
  await tidy();
  for (const [{ _id }, text] of [
    [shared, 'shared'],
    [recent, 'recent'],
  ] as const) {
    const { revision } = await new RevisionCache(store).get(space, _id);
    expect(await readSettings(store, revision)).toEqual([summaryOf(text)]);
  }
  expect(await store.get(revisions, former._id)).toBeNull();
  expect(await readSettings(store, former)).toEqual([]);
  await checkReachable();
  await checkNothingLeft();
});

test('a file that was sent for an import stays until the import has ended', async () => {
  await freshSpace();
  const start = async ({ upload }: { upload: string }) => {
    const import_ = { _id: newId(), organization, space, source: 'zip', url: 'a.zip', upload, state: 'pending' };
    await store.insert(contentImports, import_ as ContentImportDocument);
  };
  await keepUpload({ ledger }, { content: Buffer.from('an archive'), owner: { organization, space } }, start);
  await tidy();
  expect(await countOf(blobUses as never)).toBe(1);
  await store.updateMany(contentImports, { space }, { $set: { state: 'failed' } });
  await tidy();
  expect(await countOf(blobUses as never)).toBe(0);
  await checkNothingLeft();
});
