import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderBlobs } from '../../../../shared/blobs/folder.js';
import type { BlobLinks } from '../../../../shared/blobs/links.js';
import { type Job, Jobs, jobCollections } from '../../../../shared/jobs/jobs.js';
import { Outbox } from '../../../../shared/jobs/outbox.js';
import { createLog } from '../../../../shared/monitoring/log.js';
import { createOutbound, type Outbound } from '../../../../shared/outbound/client.js';
import { createSecrets } from '../../../../shared/secrets/secrets.js';
import type { Store } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { Ledger } from '../../core/storage/ledger.js';
import { blobUses } from '../../core/storage/model.js';
import { contentCollections } from '../../dependencies.js';
import { contentEvents } from '../../events.js';
import type { SpecWork } from '../document/spec-work.js';
import { namedFiles, processSpec, specHtml } from '../document/spec-worker.js';
import { refreshDependents } from '../specs/dependents.js';
import { processOpenAPISpec, recheckOpenAPISpec, removeOpenAPISpec, type SpecCheck } from '../specs/jobs.js';
import { latestOutline } from '../specs/latest-outline.js';
import { ownerOf, type SpecDocument, type SpecVersionDocument, specs, specVersions } from '../specs/model.js';
import { SpecContents } from '../specs/spec-contents.js';
import { SpecFiles } from './fetch-files.js';
import { processSpecJob, recheckSpecJob } from './process-job.js';
import { removeSpecJob } from './removal-job.js';

const hourMs = 3_600_000;
const { signal } = new AbortController();
const { jobs: jobCollection } = jobCollections('content');
/** What otherwise runs in processes of its own. */
const specWork: SpecWork = {
  process: async (processing) => processSpec(processing),
  named: async (file) => namedFiles(file),
  html: async (reading) => specHtml(reading),
  close: async () => {},
};

let served = '';
let hangs = false;
const server = createServer((_, response) => hangs || response.end(served));
let url: string;
let folder: string;
let store: Store;
let outbound: Outbound;
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`;
  outbound = createOutbound({ allowCidrs: ['127.0.0.0/8'] });
  folder = await mkdtemp(join(tmpdir(), 'bindery-openapi-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(contentCollections);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await Promise.all([store.close(), outbound.close()]);
  await rm(folder, { recursive: true });
});

const newOutbox = () =>
  new Outbox({
    store,
    service: 'content',
    emits: contentEvents,
    consumers: new Map(),
    log: createLog('silent'),
    deliver: async () => [],
  });

const dependencies = () => {
  const blobs = openFolderBlobs(join(folder, 'blobs'));
  const jobs = new Jobs({ store, service: 'content', log: createLog('silent'), exclusive: true });
  const secrets = createSecrets([Buffer.alloc(32).toString('base64')]);
  const ledger = new Ledger(store, blobs, 0);
  const scratchDir = join(folder, 'scratch');
  return { store, blobs, jobs, outbox: newOutbox(), secrets, outbound, specWork, ledger, scratchDir };
};

async function newSpec(source: SpecDocument['source']): Promise<SpecDocument> {
  const now = timestamp();
  const _id = newId();
  const spec: SpecDocument = {
    _id,
    organization: 'acme',
    slug: _id.toLowerCase(),
    visibility: 'private',
    source,
    check: newId(),
    processingState: 'pending',
    createdAt: now,
    updatedAt: now,
  };
  await store.insert(specs, spec);
  return spec;
}

const ofUrl = () => newSpec({ kind: 'url', url: dependencies().secrets.encrypt(url) });

async function running<P>(kind: string, payload: P): Promise<Job<P>> {
  const now = timestamp();
  const job = {
    _id: newId(),
    kind,
    state: 'running',
    payload,
    orderKey: newId(),
    sequence: now,
    attempts: 1,
    runAt: now,
    fence: newId(),
    createdAt: now,
    updatedAt: now,
  } as const;
  await store.insert(jobCollection, job as Job);
  return job;
}

async function process({ _id: spec, check }: SpecDocument): Promise<SpecDocument> {
  const job = await running<SpecCheck>(processOpenAPISpec, { spec, check });
  await processSpecJob(dependencies()).run({ job, signal });
  return (await store.get(specs, spec)) as SpecDocument;
}

const queued = async <P>(kind: string): Promise<Job<P>[]> =>
  (await store.page(jobCollection, { filter: { kind, state: 'queued' }, sort: {}, limit: 100 })).items as Job<P>[];
const recheckOf = async (spec: SpecDocument) =>
  (await queued<SpecCheck>(recheckOpenAPISpec)).filter(({ payload }) => payload.check === spec.check);
const specification = (title: string) => JSON.stringify({ openapi: '3.1.0', info: { title }, paths: {} });

describe('the source of a URL', () => {
  it('is read again every six hours, also after a failure, by one job', async () => {
    served = specification('One');
    const first = await process(await ofUrl());
    const [again, ...more] = await recheckOf(first);
    const inHours = (Date.parse(String(again?.runAt)) - Date.now()) / hourMs;
    expect([more, Math.round(inHours)]).toEqual([[], 6]);

    served = specification('Two');
    await recheckSpecJob(dependencies()).run({ job: again as Job<SpecCheck>, signal });
    const due = (await store.get(specs, first._id)) as SpecDocument;
    expect(due.processingState).toBe('pending');
    expect((await queued<SpecCheck>(processOpenAPISpec)).map(({ payload }) => payload)).toContainEqual({
      spec: due._id,
      check: due.check,
    });
    await recheckSpecJob(dependencies()).run({ job: again as Job<SpecCheck>, signal });
    expect((await store.get(specs, first._id))?.check).toBe(due.check);

    const second = await process(due);
    expect(second.lastVersion).not.toBe(first.lastVersion);
    expect((await latestOutline(dependencies(), second))?.outline?.title).toBe('Two');

    served = 'broken: [';
    const failed = await process({ ...second, check: await checked(second) });
    expect([failed.lastVersion, failed.lastProcessError?.code]).toEqual([second.lastVersion, 'PARSE_ERROR']);
    expect(await recheckOf(failed)).toHaveLength(1);
  });

  it('is bounded with all its files together, also while they arrive', async () => {
    served = 'x'.repeat(10_000_000);
    const files = new SpecFiles(outbound, { organization: 'tests', entry: url, folder, signal });
    await files.fetchEntry();
    const others = [1, 2, 3, 4].map((at) => `${url}?${at}`);
    await expect(files.fetchMissing(others)).rejects.toMatchObject({ code: 'FETCH_ERROR' });
    const fetched = (await readdir(folder)).filter((name) => name.startsWith('fetched-'));
    const sizes = await Promise.all(fetched.map(async (name) => (await stat(join(folder, name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(32 * 1024 * 1024);
  });

  it('is not waited for without an end', async () => {
    hangs = true;
    const files = new SpecFiles(outbound, { organization: 'o', entry: url, folder, signal, fileMs: 50 });
    await expect(files.fetchEntry()).rejects.toMatchObject({ code: 'FETCH_TIMEOUT' });
    hangs = false;
  });
});

/** Asks for another check of a specification. */
async function checked({ _id }: SpecDocument): Promise<string> {
  const check = newId();
  await store.update(specs, { _id }, { $set: { check, processingState: 'pending' } });
  return check;
}

describe('the job of a specification', () => {
  it('gives a version of an earlier release the text that it lacks', async () => {
    served = specification('Without');
    const spec = await process(await ofUrl());
    const { lastVersion: id = '' } = spec;
    const made = await store.update(specVersions, { _id: id }, { $unset: { raw: true } });
    const contents = new SpecContents({ ...dependencies(), baseUrl: '', links: {} as BlobLinks });
    await expect(contents.raw(made as SpecVersionDocument)).rejects.toThrow('was not kept');
    await process({ ...spec, check: await checked(spec) });
    const found = (await store.get(specVersions, id)) as SpecVersionDocument;
    const { bytes } = await contents.raw(found);
    expect(JSON.parse(Buffer.from(bytes).toString())).toEqual({ text: served, format: 'json' });
  });

  it('has what depends on it made again only when there is a new version', async () => {
    const refreshes = async (slug: string) =>
      (await queued<{ slug: string }>(refreshDependents)).filter(({ payload }) => payload.slug === slug).length;
    served = specification('Same');
    const first = await process(await ofUrl());
    expect(await refreshes(first.slug)).toBe(1);
    const second = await process({ ...first, check: await checked(first) });
    expect([second.lastVersion, await refreshes(first.slug)]).toEqual([first.lastVersion, 1]);
  });

  it('writes nothing when a later request came, and leaves nothing behind', async () => {
    served = specification('Late');
    const spec = await ofUrl();
    const { _id } = spec;
    const job = await running<SpecCheck>(processOpenAPISpec, { spec: _id, check: spec.check });
    let later = '';
    const slow = {
      ...specWork,
      process: async (processing: Parameters<SpecWork['process']>[0]) => {
        later = await checked(spec);
        return processSpec(processing);
      },
    };
    await processSpecJob({ ...dependencies(), specWork: slow }).run({ job, signal });
    expect(await store.get(specs, _id)).toMatchObject({ check: later, processingState: 'pending' });
    expect([await store.count(specVersions, { spec: _id }), await store.count(blobUses, { space: _id })]).toEqual([
      0, 0,
    ]);
    expect(await readdir(join(folder, 'scratch'))).toEqual([]);
  });

  it('that lost its lease writes nothing', async () => {
    const spec = await ofUrl();
    const job = await running<SpecCheck>(processOpenAPISpec, { spec: spec._id, check: spec.check });
    const lost = processSpecJob(dependencies()).run({ job: { ...job, fence: 'other' }, signal });
    await expect(lost).rejects.toThrow('content_jobs');
    expect(await store.count(specVersions, { spec: spec._id })).toBe(0);
  });

  it('changes nothing when it runs again, and says in the end that it failed', async () => {
    const text = await newSpec({ kind: 'text' });
    const { ledger } = dependencies();
    await ledger.openUsage(ownerOf(text));
    const blob = await ledger.addFile(ownerOf(text), Buffer.from(specification('Text')));
    const given = await store.update(specs, { _id: text._id }, { $set: { source: { kind: 'text', blob } } });
    const first = await process(given as SpecDocument);
    expect(first.source).toEqual({ kind: 'text' });
    expect(await process(first)).toEqual(first);
    const job = await running<SpecCheck>(processOpenAPISpec, { spec: text._id, check: first.check });
    const { failed } = processSpecJob(dependencies());
    await failed?.(job, new Error('a bug'));
    expect(await store.get(specs, text._id)).toEqual(first);
    await failed?.({ ...job, payload: { spec: text._id, check: await checked(first) } }, new Error('a bug'));
    expect((await store.get(specs, text._id))?.lastProcessError).toEqual({
      code: 'PARSE_ERROR',
      message: 'Processing failed on our side; try again',
    });
  });

  it('of one that is deleted removes all that it had, unless it is there after all', async () => {
    served = specification('Gone');
    const spec = await process(await ofUrl());
    const { _id, organization } = spec;
    const owner = ownerOf(spec);
    const remove = async () => {
      const job = await running(removeOpenAPISpec, { spec: _id, organization });
      await removeSpecJob(dependencies()).run({ job, signal });
    };
    const left = async () => [
      await store.count(specVersions, { spec: _id }),
      await store.count(blobUses, { space: _id }),
    ];
    await remove();
    expect(await left()).toEqual([1, 3]);
    const used = await dependencies().ledger.usedBytesOf(owner.organization);
    await store.delete(specs, { _id });
    await remove();
    expect(await left()).toEqual([0, 0]);
    expect(await dependencies().ledger.usedBytesOf(owner.organization)).toBeLessThan(used);
    expect(await latestOutline(dependencies(), spec)).toBeNull();
  });
});
