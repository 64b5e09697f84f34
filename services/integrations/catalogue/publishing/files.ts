import { randomBytes } from 'node:crypto';
import type { Blobs } from '../../../../shared/blobs/port.js';
import { timeIn } from '../../../../shared/jobs/job-records.js';
import type { JobKind, Jobs } from '../../../../shared/jobs/jobs.js';
import { sha256InSlices } from '../../../../shared/values/ids.js';
import type { CatalogueDependencies } from '../dependencies.js';
import { type IntegrationDocument, integrations } from '../model.js';

/**
 * Bytes at the start of each of our blobs: random and shown to nobody. So no blob is equal to another one, of ours or of a space, which the
 * content service would delete when the space uses it no longer; and each is deleted with the version of the integration that it belongs to.
 */
export const prefixBytes = 32;

const withPrefix = (content: Uint8Array): Buffer => Buffer.concat([randomBytes(prefixBytes), content]);

/** The content of one of our blobs; null when it is gone. */
export async function readFile({ blobs }: { blobs: Blobs }, id: string): Promise<Buffer | null> {
  return (await blobs.read(id))?.subarray(prefixBytes) ?? null;
}

/** The blobs of a version. */
export const versionBlobs = ({ script, icon, previewImages }: IntegrationDocument): string[] => [
  ...(script === undefined ? [] : [script]),
  ...[...(icon ? [icon] : []), ...previewImages].map(({ blob }) => blob),
];

export const removeFilesKind = 'removeFiles';
export interface RemoveFilesPayload {
  integration: string;
  blobs: string[];
}

/** Answers and processes may still need the files of an earlier version, and a publisher those that it has just stored. */
const keptMs = 3_600_000;

/** The write that has files removed after a while, except those that the integration uses then. */
export const removeFilesLater = ({ jobs }: { jobs: Jobs }, { id, ...payload }: RemoveFilesPayload & { id: string }) =>
  jobs.enqueueOnce<RemoveFilesPayload>(id, removeFilesKind, payload, { runAt: timeIn(keptMs) });

/** Deletes files that their integration does not use. */
export const removeFilesJob = ({
  store,
  blobs,
}: Pick<CatalogueDependencies, 'store' | 'blobs'>): JobKind<RemoveFilesPayload> => ({
  kind: removeFilesKind,
  attempts: 5,
  async run({ job, signal }) {
    const { integration, blobs: ids } = job.payload;
    const current = await store.get(integrations, integration);
    const used = new Set(current ? versionBlobs(current) : []);
    for (const id of ids.filter((each) => !used.has(each))) {
      signal.throwIfAborted();
      await blobs.delete(id);
    }
  },
});

/**
 * Stores files of an integration and returns their blobs, in their order. They are noted first under `job`, so that those that no version comes
 * to use are removed; `jobs.forget(job)` ends that.
 */
export async function storeFiles(
  deps: Pick<CatalogueDependencies, 'store' | 'blobs' | 'jobs'>,
  { job, integration, contents }: { job: string; integration: string; contents: Uint8Array[] },
): Promise<string[]> {
  const files = contents.map(withPrefix);
  const ids = await Promise.all(files.map((file) => sha256InSlices(file)));
  await deps.store.batch([removeFilesLater(deps, { id: job, integration, blobs: ids })]);
  for (const file of files) await deps.blobs.put(file);
  return ids;
}
