import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderBlobs } from '../../../../shared/blobs/folder.js';
import type { Blobs } from '../../../../shared/blobs/port.js';
import { Jobs, jobCollections } from '../../../../shared/jobs/jobs.js';
import { createLog } from '../../../../shared/monitoring/log.js';
import type { Store } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { newId, sha256, timestamp } from '../../../../shared/values/ids.js';
import { contentCollections } from '../../dependencies.js';
import { commitImport } from '../../exchange/imports/commit-import.js';
import { tidySpaceJob } from '../../upkeep/retention/tidy-space-job.js';
import { spaces } from '../nodes/model.js';
import { chunks, documentId, type PageDocument, pageDocuments, pageSearch, revisions } from '../revisions/model.js';
import { RevisionCache } from '../revisions/revision-cache.js';
import { newSpace } from '../spaces/new-space.js';
import { deleteUnusedBlobs } from './collector.js';
import { documentBytes, Ledger, type Owner } from './ledger.js';
import { blobCounts, blobUses, usages } from './model.js';
import { removeSpaceContent, tidySpace } from './unreached.js';
import { uploads } from './uploads/model.js';

const dayMs = 24 * 3600_000;
const announced = {
  organization: 'acme',
  kind: 'import_file' as const,
  name: 'export.zip',
  type: 'application/zip',
};
const { signal } = new AbortController();
let folder: string;
let store: Store;
let blobs: Blobs;
let ledger: Ledger;
let jobs: Jobs;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-storage-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(contentCollections, [pageSearch]);
  blobs = openFolderBlobs(join(folder, 'blobs'));
  ledger = new Ledger(store, blobs, 0);
  jobs = new Jobs({ store, service: 'content', log: createLog('silent'), exclusive: true });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

async function opened(organization = newId()): Promise<Owner> {
  const { space, writes } = newSpace({ organization, creator: 'ada' });
  await store.batch(writes);
  const owner = { organization, space: space._id };
  await ledger.openUsage(owner);
  return owner;
}

const page = (space: string, source: string): PageDocument => ({
  _id: documentId(space, sha256(Buffer.from(source))),
  space,
  source,
  meta: { hidden: false, noIndex: false, noRobotsIndex: false },
  sections: [],
  links: [],
});

/** Commits a revision of one page and one file. */
async function committed(owner: Owner, source: string, file: Buffer): Promise<void> {
  const { organization, space } = owner;
  const document = page(space, source);
  if (!(await store.get(pageDocuments, document._id))) await ledger.addDocuments(owner, pageDocuments, [document]);
  const blob = await ledger.addFile(owner, file);
  const { revision: parent = '' } = (await store.get(spaces, space)) ?? {};
  const oid = document._id.slice(space.length + 1);
  const node = {
    id: newId(),
    type: 'document' as const,
    title: source,
    slug: 'a',
    path: 'a',
    document: oid,
    pages: [],
  };
  const entry = { id: newId(), name: 'a.png', contentType: 'image/png', size: file.length, blob };
  const content = { pages: [node], files: [entry], reusable: [], redirects: [], outside: [], variables: {}, tags: [] };
  const jobs = new Jobs({ store, service: 'content', log: createLog('silent'), exclusive: true });
  await commitImport(
    { store, ledger, revisions: new RevisionCache(store), jobs },
    { organization, space, parent, content },
  );
}

/** What is stored of a space, counted anew. */
async function stored({ space }: Owner): Promise<number> {
  let bytes = 0;
  for (const collection of [pageDocuments, chunks] as (typeof chunks)[])
    for (const document of (await store.page(collection, { filter: { space }, sort: {}, limit: 1000 })).items)
      bytes += documentBytes(document);
  for (const { blob } of (await store.page(blobUses, { filter: { space }, sort: {}, limit: 1000 })).items)
    bytes += (await blobs.size(blob)) ?? Number.NaN;
  return bytes;
}

const ids = async (collection: typeof chunks, { space }: Owner) =>
  (await store.page(collection, { filter: { space }, sort: {}, limit: 1000 })).items.map(({ _id }) => _id);

async function purge(owner: Owner): Promise<void> {
  await store.delete(spaces, { _id: owner.space });
  await removeSpaceContent({ store, ledger }, owner, signal);
}
const picture = Buffer.from('a picture of many spaces');

describe('what an organization stores', () => {
  it('is counted as it is stored, each part once, and not at all when it is gone', async () => {
    const one = await opened();
    const two = await opened(one.organization);
    await committed(one, 'first', picture);
    await committed(one, 'second', picture);
    await committed(two, 'first', picture);
    expect(await ledger.usedBytesOf(one.organization)).toBe((await stored(one)) + (await stored(two)));
    await purge(one);
    expect(await ledger.usedBytesOf(one.organization)).toBe(await stored(two));
    await purge(two);
    expect(await ledger.usedBytesOf(one.organization)).toBe(0);
  });

  it('never exceeds its quota, however many store at once, and others are not held up', async () => {
    const owners = [await opened()];
    for (let i = 0; i < 3; i++) owners.push(await opened(owners[0]?.organization));
    const { organization } = owners[0] as Owner;
    ledger = new Ledger(store, blobs, 10_000);
    const results = await Promise.allSettled(
      owners.flatMap((owner) =>
        Array.from({ length: 10 }, (_, i) =>
          i % 2
            ? ledger.addFile(owner, Buffer.alloc(900, `${owner.space} ${i}`))
            : ledger.addDocuments(owner, pageDocuments, [page(owner.space, `${i}`.repeat(500))]),
        ),
      ),
    );
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused)
      expect(error).toMatchObject({
        type: 'CONFLICT',
        permanent: true,
        message: expect.stringContaining('no room left'),
      });
    const used = await ledger.usedBytesOf(organization);
    expect(used).toBeLessThanOrEqual(10_000);
    expect(used).toBeGreaterThan(8_000);
    let sum = 0;
    for (const owner of owners) sum += await stored(owner);
    expect(used).toBe(sum);
    await committed(await opened(), 'of another organization', picture);
  });

  it('of an earlier version is counted when its space is used', async () => {
    const owner = await opened();
    await committed(owner, 'first', picture);
    const used = await ledger.usedBytesOf(owner.organization);
    for (const collection of [usages, blobUses, blobCounts]) await store.deleteMany(collection as typeof usages, {});
    await ledger.openUsage(owner);
    expect(await ledger.usedBytesOf(owner.organization)).toBe(used);
    expect(await store.get(blobCounts, sha256(picture))).toMatchObject({ uses: 1 });
  });

  it('loses what no revision reaches, after an import that failed', async () => {
    const owner = await opened();
    await committed(owner, 'first', picture);
    await committed(owner, 'second', picture);
    const [used, documents, parts] = [
      await ledger.usedBytesOf(owner.organization),
      await ids(pageDocuments as never, owner),
      await ids(chunks, owner),
    ];
    await ledger.addDocuments(owner, pageDocuments, [page(owner.space, 'left'), page(owner.space, 'behind')]);
    await ledger.addDocuments(owner, chunks, [{ _id: `${owner.space}:left`, space: owner.space, pages: [] }]);
    await ledger.addFile(owner, Buffer.from('left behind'));
    const job = { payload: { space: owner.space } } as never;
    await tidySpaceJob({ store, ledger, retentionDays: 30 }).run({ job, signal });
    expect(await ledger.usedBytesOf(owner.organization)).toBe(used);
    expect(await ids(pageDocuments as never, owner)).toEqual(documents);
    expect(await ids(chunks, owner)).toEqual(parts);
    expect(await store.count(revisions, { space: owner.space })).toBe(3);
    expect(await store.get(blobCounts, sha256(Buffer.from('left behind')))).toMatchObject({ uses: 0 });
  });
});

describe('a file', () => {
  const id = sha256(picture);
  const later = () => deleteUnusedBlobs({ store, blobs, jobs }, Date.now() + 2 * dayMs);

  it('is deleted a day after the last space that used it', async () => {
    const [one, two] = [await opened(), await opened()];
    await committed(one, 'first', picture);
    await committed(two, 'first', picture);
    await purge(one);
    await later();
    expect(await blobs.read(id)).toEqual(picture);
    await purge(two);
    await deleteUnusedBlobs({ store, blobs, jobs });
    expect(await blobs.read(id)).toEqual(picture);
    await later();
    expect(await blobs.read(id)).toBeNull();
    expect(await store.count(blobCounts, {})).toBe(0);
  });

  it('that was uploaded is removed after a day, unless something has begun to use it', async () => {
    const put = (text: string, createdAt: string) =>
      blobs.put(Buffer.from(text), { expiresAt: new Date(Date.parse(createdAt) + 2 * dayMs) });
    const [unused, kept] = await Promise.all([put('unused', timestamp()), put('kept', timestamp())]);
    for (const { id: blob, size } of [unused, kept])
      await store.insert(uploads, { ...announced, _id: newId(), size, blob, createdAt: timestamp() });
    const owner = await opened();
    await ledger.keepBlob(owner, { blob: kept.id, size: kept.size });
    await deleteUnusedBlobs({ store, blobs, jobs });
    expect([await store.count(uploads, {}), await blobs.read(unused.id)]).toEqual([2, Buffer.from('unused')]);
    await deleteUnusedBlobs({ store, blobs, jobs }, Date.now() + 3 * dayMs);
    expect([await store.count(uploads, {}), await blobs.read(unused.id)]).toEqual([0, null]);
    expect(await blobs.read(kept.id)).toEqual(Buffer.from('kept'));
  });

  it('that is used again in time stays', async () => {
    const one = await opened();
    await committed(one, 'first', picture);
    await purge(one);
    await committed(await opened(), 'again', picture);
    await later();
    expect(await blobs.read(id)).toEqual(picture);
  });

  it('is not used while it is being deleted; a deletion that a crash interrupted is resumed', async () => {
    const [one, two] = [await opened(), await opened()];
    await committed(one, 'first', picture);
    await purge(one);
    await store.update(blobCounts, { _id: id }, { $set: { deleting: true } });
    await expect(ledger.addFile(two, picture)).rejects.toMatchObject({ name: 'StoreConflict' });
    await later();
    expect(await blobs.read(id)).toBeNull();
    expect(await ledger.addFile(two, picture)).toBe(id);
    await later();
    expect(await blobs.read(id)).toEqual(picture);
  });

  it('is kept until every space is counted, which the collector has done', async () => {
    const [one, two] = [await opened(), await opened()];
    await committed(one, 'first', picture);
    await committed(two, 'first', picture);
    for (const collection of [usages, blobUses, blobCounts])
      await store.deleteMany(collection as typeof usages, { space: two.space } as never);
    await store.delete(usages, { _id: two.space });
    await store.update(blobCounts, { _id: id }, { $set: { uses: 1 } });
    await purge(one);
    await later();
    expect(await blobs.read(id)).toEqual(picture);
    const { items } = await store.page(jobCollections('content').jobs, { filter: {}, sort: {}, limit: 10 });
    expect(items).toMatchObject([{ kind: tidySpace, payload: { space: two.space }, orderKey: `git ${two.space}` }]);
    await tidySpaceJob({ store, ledger, retentionDays: 30 }).run({ job: items[0] as never, signal });
    await later();
    expect(await blobs.read(id)).toEqual(picture);
  });
});
