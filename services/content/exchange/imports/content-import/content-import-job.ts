import type { HasBlobs } from '../../../../../shared/blobs/port.js';
import type { HasCallAsSystem } from '../../../../../shared/contract/context.js';
import type { HasRoom } from '../../../../../shared/disk/room.js';
import { apiError, failureOf } from '../../../../../shared/errors/errors.js';
import type { HasJobs, Job, JobKind, JobRun } from '../../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../../shared/jobs/outbox.js';
import type { HasOutbound } from '../../../../../shared/outbound/client.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { scaleMs } from '../../../../../shared/settings/time-scale.js';
import { type HasStore, write } from '../../../../../shared/store/port.js';
import { timestamp } from '../../../../../shared/values/ids.js';
import type { HasTurns } from '../../../../../shared/work/semaphore.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { spaces } from '../../../core/nodes/model.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import type { HasLedger } from '../../../core/storage/ledger.js';
import { runInScratchFolder } from '../../../core/storage/scratch.js';
import { tidySpace } from '../../../core/storage/unreached.js';
import type { HasWork } from '../../../format/workers/page-work.js';
import type { HasIndexer } from '../../../reading/search/indexer.js';
import type { HasConversion } from '../../conversion/conversion-work.js';
import { refusal } from '../../conversion/refused.js';
import type { HasProxy } from '../../git/address/proxy.js';
import { commitContentImport } from './commit-content-import.js';
import { checkImporter } from './import-access.js';
import { linkPages } from './linked-pages.js';
import { type ContentImportDocument, contentImports, hasEnded, unended } from './model.js';
import { Cancelled, Progress, watchCancelling } from './progress.js';
import { PageConverter } from './sources/converting.js';
import { FetchedFiles } from './sources/fetched-files.js';
import { storeImport } from './stored-import.js';
import { openUpload } from './uploads.js';

/** The kinds of the job: for an address, and for a file that was sent. Processes of the release before this one leave the latter alone. */
export const contentImport = 'contentImport';
export const uploadImport = 'uploadImport';

export interface ContentImportPayload {
  /** The id of the import. */
  import: string;
  /** Encrypted: it may carry credentials. */
  url: string;
  /** The request that started it. */
  requestId: string;
}

type Run = JobRun<ContentImportPayload>;

/** Milliseconds of a run. */
const maxRunMs = scaleMs(10 * 60_000);

type Dependencies = HasStore &
  HasSecrets &
  HasOutbox &
  HasCallAsSystem &
  HasJobs &
  HasTrees &
  HasRevisions &
  HasWork &
  HasConversion &
  HasBlobs &
  HasProxy &
  HasOutbound &
  HasLedger &
  HasIndexer &
  HasRoom &
  HasTurns & { cacheDir: string; scratchDir: string };

/** The job behind an import from an address: fetch, convert, store, commit. Safe to run again from any point: only one run commits. */
export const contentImportJob = (deps: Dependencies): JobKind<ContentImportPayload> => importJob(deps, contentImport);

/** As `contentImportJob`, of a file that was sent. */
export const uploadImportJob = (deps: Dependencies): JobKind<ContentImportPayload> => importJob(deps, uploadImport);

const importJob = (deps: Dependencies, kind: string): JobKind<ContentImportPayload> => ({
  kind,
  attempts: 3,
  run: (run) => runImport(deps, run),
  failed: (job, error) => recordImportFailure(deps, job, error),
});

async function runImport(deps: Dependencies, run: Run): Promise<void> {
  const { store } = deps;
  const { import: id } = run.job.payload;
  const item = await store.get(contentImports, id);
  if (!item || hasEnded(item)) return;
  const space = await store.get(spaces, item.space, { fields: ['deletedAt'] });
  if (!space || space.deletedAt) throw refusal('The space was deleted');
  await checkImporter(deps, item);
  await store.updateMany(
    contentImports,
    { _id: id, state: { $in: unended } },
    { $set: { state: 'in-progress', updatedAt: timestamp() } },
  );
  deps.room.refuseIfFull();
  try {
    await runInScratchFolder(deps.scratchDir, (folder) => importInto(deps, run, { item, folder }));
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
  }
}

async function importInto(
  deps: Dependencies,
  run: Run,
  { item, folder }: { item: ContentImportDocument; folder: string },
): Promise<void> {
  const limit = AbortSignal.timeout(maxRunMs);
  const cancelling = new AbortController();
  const signal = AbortSignal.any([run.signal, limit, cancelling.signal]);
  const unwatch = watchCancelling(deps.store, item._id, cancelling);
  const { organization, space, source } = item;
  const owner = { organization, space };
  const progress = new Progress(deps.store, item._id);
  const files = new FetchedFiles(deps.outbound, organization, folder, signal);
  const converting = new PageConverter({ work: deps.conversion, organization, folder, progress });
  try {
    await deps.ledger.openUsage(owner);
    await deps.ledger.checkRoom(organization, 1);
    const { upload, url: name } = item;
    const url = upload
      ? await openUpload(deps, { upload, url: name }, files)
      : deps.secrets.decrypt(run.job.payload.url);
    const { gatherSource } = await import('./sources/gather.js');
    const gathered = await gatherSource(deps, { url, source, organization, files, converting, signal });
    if (gathered.pages.length === 0) throw refusal(converting.problem ?? 'url: no pages were found');
    const linked = await linkPages(gathered, progress);
    const store = () => storeImport(deps, { owner, linked, signal });
    const stored = await store();
    if (stored.pages.size === 0) throw refusal('url: the page makes a document that is too large');
    const total = progress.totalResources;
    await commitContentImport(
      deps,
      { item, job: run.job, linked, stored, total, problems: converting.problems },
      store,
    );
  } catch (error) {
    if (limit.aborted && !run.signal.aborted)
      throw refusal(`url: the import took more than ${maxRunMs / 60_000} minutes`);
    throw cancelling.signal.aborted ? cancelling.signal.reason : error;
  } finally {
    unwatch();
  }
}

/** Records that an import failed for good; what it stored is collected. */
async function recordImportFailure(
  { store, jobs }: HasStore & HasJobs,
  { payload }: Job<ContentImportPayload>,
  error: Error,
): Promise<void> {
  const item = await store.get(contentImports, payload.import);
  if (!item || hasEnded(item)) return;
  const now = timestamp();
  await store.batch([
    write.update(
      contentImports,
      { _id: item._id, state: { $in: unended } },
      { $set: { state: 'failed', error: toShownError(payload, item, error), updatedAt: now, completedAt: now } },
    ),
    jobs.enqueue(tidySpace, { space: item.space }, { orderKey: `git ${item.space}` }),
  ]);
}

/** The message for the person who imports; for faults that only the log explains, it names the request to look for. */
function toShownError(
  { requestId }: ContentImportPayload,
  { upload }: ContentImportDocument,
  error: Error,
): NonNullable<ContentImportDocument['error']> {
  const { type, message } = failureOf(error);
  if (type !== 'INTERNAL') return { type, message: (upload ? aboutFile(message) : message).slice(0, 500) };
  const text = `The import failed on our side; try again, or ask the operator of this server to look for request ${requestId} in its log`;
  return { type: 'UNAVAILABLE', message: text };
}

/** The message about an address as one about a file that was sent. */
const aboutFile = (message: string): string =>
  message.replace(/^url: the answer /, 'file: it ').replace(/^url: /, 'file: ');

/** The error that an import ended with, for who waits for it. */
export const importErrorOf = ({ error }: ContentImportDocument): Error =>
  apiError(error?.type ?? 'UNAVAILABLE', error?.message ?? 'The import failed');
