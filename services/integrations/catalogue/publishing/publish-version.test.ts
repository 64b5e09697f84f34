import { system } from '../../../../shared/contract/caller.js';
import { type Job, jobCollections } from '../../../../shared/jobs/jobs.js';
import { write } from '../../../../shared/store/port.js';
import { decryptSecrets, programOf } from '../find.js';
import { integrations } from '../model.js';
import { bodyOf, openCatalogue } from '../testing/integrations-store.js';
import { prefixBytes, removeFilesJob, versionBlobs } from './files.js';
import { readImage } from './images.js';
import { publishVersion } from './publish-version.js';

let deps: Awaited<ReturnType<typeof openCatalogue>>;
beforeEach(async () => {
  deps = await openCatalogue();
});
afterEach(() => deps.close());

const { jobs: jobDocuments } = jobCollections('integrations');
const { signal } = new AbortController();
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const icon = readImage(Buffer.from(png, 'base64'), 'icon');
const audit = () => write.all([]);

const publish = (name: string, changes = {}) =>
  publishVersion(
    deps,
    { name, organization: 'acme', body: bodyOf(changes), images: { icon, previewImages: [icon] } },
    { audit, caller: system },
  );

/** Runs what is to remove files later, now. */
async function removeFiles(): Promise<void> {
  const { items } = await deps.store.page(jobDocuments, { filter: { state: 'queued' }, sort: {}, limit: 100 });
  for (const job of items) await removeFilesJob(deps).run({ job: job as Job<never>, signal });
}

const sizesOf = (ids: string[]) => Promise.all(ids.map((id) => deps.blobs.size(id)));

it('gives each version blobs of its own, and removes those of the last one later', async () => {
  const first = await publish('hello');
  const other = await publish('other');
  const second = await publish('hello');
  const all = [first, second, other].flatMap(versionBlobs);
  expect(new Set(all).size).toBe(all.length);
  expect(await sizesOf(all)).not.toContain(null);
  await removeFiles();
  expect(await sizesOf(versionBlobs(first))).toEqual([null, null, null]);
  expect(await sizesOf([second, other].flatMap(versionBlobs))).not.toContain(null);
});

it('differs in its name from others by more than case, also from those published at once and by an earlier release', async () => {
  await publish('Slack');
  await publish('Slack');
  await expect(publish('sLACK')).rejects.toMatchObject({ type: 'CONFLICT' });
  await deps.store.update(integrations, { _id: 'Slack' }, { $unset: { foldedName: true } });
  await expect(publish('slack')).rejects.toMatchObject({ type: 'CONFLICT' });
  await publish('slack-2');
  const names = ['Jira', 'jira', 'JIRA', 'jirA'];
  const tries = await Promise.allSettled(names.map((name) => publish(name)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(tries.filter((each) => each.status === 'rejected' && each.reason.type !== 'CONFLICT')).toEqual([]);
  expect(await deps.store.count(integrations, {})).toBe(3);
});

it('removes files of an attempt that made no version', async () => {
  const { store, blobs } = deps;
  const failing = {
    ...store,
    get: store.get.bind(store),
    count: store.count.bind(store),
    page: store.page.bind(store),
  } as typeof store;
  const kept: string[] = [];
  failing.batch = async (writes) => {
    if (JSON.stringify(writes).includes(integrations.name)) throw new Error('killed');
    return store.batch(writes);
  };
  const putting = {
    ...blobs,
    put: async (content: Buffer) => {
      const put = await blobs.put(content);
      kept.push(put.id);
      return put;
    },
  } as typeof blobs;
  const attempt = publishVersion(
    { ...deps, store: failing, blobs: putting },
    { name: 'hello', organization: 'acme', body: bodyOf(), images: { icon, previewImages: [] } },
    { audit, caller: system },
  );
  await expect(attempt).rejects.toThrow('killed');
  expect(kept).toHaveLength(2);
  expect(await sizesOf(kept)).not.toContain(null);
  await removeFiles();
  expect(await sizesOf(kept)).toEqual([null, null]);
});

it('answers with the script and the secrets as they were published, under a version of its own', async () => {
  const first = await publish('hello', { script: '// ä 1', secrets: { KEY: 'a', 'a.$b': 'c' } });
  const second = await publish('hello', { script: '// ä 2', runtime: 'v1' });
  expect(await programOf(deps, first)?.script()).toBe('// ä 1');
  expect(await programOf(deps, second)?.script()).toBe('// ä 2');
  expect(programOf(deps, second)).toMatchObject({ name: 'hello', format: 'v1', version: `${first.publication}:2` });
  expect([decryptSecrets(deps, first), decryptSecrets(deps, second)]).toEqual([{ KEY: 'a', 'a.$b': 'c' }, {}]);
  expect(JSON.stringify(await deps.store.get(integrations, 'hello'))).not.toContain('KEY');
  expect(await deps.blobs.size(second.script ?? '')).toBe(prefixBytes + 7);
});
