import type { HasBlobs } from '../../../../shared/blobs/port.js';
import { auditRecord, auditRecorded } from '../../../../shared/contract/audit.js';
import { system } from '../../../../shared/contract/caller.js';
import type { HasCallAsSystem } from '../../../../shared/contract/context.js';
import type { HasRoom } from '../../../../shared/disk/room.js';
import { apiError, failureOf, markLasting } from '../../../../shared/errors/errors.js';
import type { HasJobs, Job, JobKind, JobRun } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { type HasStore, StoreConflict, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { zipBytes } from '../../../../shared/zip/zip-stream.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { archiveEntries } from './entries/archive-entries.js';
import { withSums } from './entries/sums.js';
import { deleteArchive, expiryFromNow } from './expiry.js';
import { type OrganizationExportDocument, organizationExports } from './model.js';

/** The kind of the job. */
export const organizationExport = 'organizationExport';

export interface OrganizationExportPayload {
  /** The id of the export. */
  export: string;
  /** The request that started it. */
  requestId: string;
}

type Run = JobRun<OrganizationExportPayload>;

type Dependencies = HasStore &
  HasBlobs &
  HasCallAsSystem &
  HasJobs &
  HasOutbox &
  HasRevisions &
  HasSecrets &
  HasWork &
  HasRoom & { maxExportBytes: number; scratchDir: string };

/** Milliseconds of a run. */
const maxRunMs = scaleMs(2 * 3600_000);

/** Somebody deleted the export: nothing is left to do. */
class Deleted extends Error {}

/** The job behind an export of an organization: writes the archive and keeps it for a time. Safe to run again from any point. */
export const organizationExportJob = (deps: Dependencies): JobKind<OrganizationExportPayload> => ({
  kind: organizationExport,
  attempts: 3,
  run: (run) => runExport(deps, run),
  failed: (job, error) => recordFailure(deps, job, error),
});

async function runExport(deps: Dependencies, run: Run): Promise<void> {
  const { store, room } = deps;
  const item = await store.get(organizationExports, run.job.payload.export);
  if (!item?.unended) return;
  room.refuseIfFull();
  const limit = AbortSignal.timeout(maxRunMs);
  try {
    await endExport(deps, run, await storeArchive(deps, item, AbortSignal.any([run.signal, limit])));
  } catch (error) {
    if (error instanceof Deleted) return;
    if (limit.aborted && !run.signal.aborted) throw refusal(`The export took more than ${maxRunMs / 3600_000} hours`);
    throw error;
  }
}

interface StoredArchive {
  item: OrganizationExportDocument;
  blob: string;
  size: number;
  expiresAt: Date;
}

/** Streams the archive into a blob. It holds the content of each space as it is when its turn comes. */
async function storeArchive(
  deps: Dependencies,
  item: OrganizationExportDocument,
  signal: AbortSignal,
): Promise<StoredArchive> {
  const { organization } = item;
  let left = deps.maxExportBytes || Number.POSITIVE_INFINITY;
  const onBytes = (bytes: number) => {
    signal.throwIfAborted();
    left -= bytes;
    if (left < 0) throw refusal(`The organization has more content than an export may: ${deps.maxExportBytes} bytes`);
  };
  const onSpaces = (exportedSpaces: number, totalSpaces: number) =>
    saveProgress(deps, item, { exportedSpaces, totalSpaces });
  const entries = withSums(archiveEntries(deps, { organization, onSpaces, signal }), onBytes);
  const expiresAt = expiryFromNow();
  const { id: blob, size } = await deps.blobs.put(zipBytes(entries), { expiresAt });
  return { item, blob, size, expiresAt };
}

async function saveProgress(
  { store }: HasStore,
  { _id, unended }: OrganizationExportDocument,
  counts: Pick<OrganizationExportDocument, 'exportedSpaces' | 'totalSpaces'>,
): Promise<void> {
  const update = { $set: { state: 'in-progress' as const, ...counts, updatedAt: timestamp() } };
  if ((await store.updateMany(organizationExports, { _id, unended }, update)) === 0) throw new Deleted();
}

async function endExport(
  deps: Dependencies,
  { job }: Run,
  { item, blob, size, expiresAt }: StoredArchive,
): Promise<void> {
  const { _id, organization, unended } = item;
  const now = timestamp();
  const record = auditRecord(
    { operation: 'exportOrganization', caller: system, organization, requestId: job.payload.requestId },
    { type: 'organization', id: organization },
    { details: { export: _id, size } },
  );
  const end = {
    state: 'completed' as const,
    blob,
    size,
    updatedAt: now,
    completedAt: now,
    expiresAt: timestamp(expiresAt),
  };
  try {
    await deps.store.batch([
      deps.jobs.stillHeld(job),
      write.update(organizationExports, { _id, unended }, { $set: end, $unset: { unended: true } }, { expect: 1 }),
      deps.outbox.add(auditRecorded, record),
    ]);
  } catch (error) {
    if (!(error instanceof StoreConflict) || (await deps.store.get(organizationExports, _id))) throw error;
    await deleteArchive(deps, blob);
  }
}

async function recordFailure(
  { store }: HasStore,
  { payload }: Job<OrganizationExportPayload>,
  error: Error,
): Promise<void> {
  const now = timestamp();
  const end = { state: 'failed' as const, error: toShownError(payload, error), updatedAt: now, completedAt: now };
  await store.updateMany(
    organizationExports,
    { _id: payload.export, unended: { $exists: true } },
    { $set: end, $unset: { unended: true } },
  );
}

/** The message for the person who exports; for faults that only the log explains, it names the request to look for. */
function toShownError(
  { requestId }: OrganizationExportPayload,
  error: Error,
): NonNullable<OrganizationExportDocument['error']> {
  const { type, message } = failureOf(error);
  if (type !== 'INTERNAL') return { type, message: message.slice(0, 500) };
  const text = `The export failed on our side; try again, or ask the operator of this server to look for request ${requestId} in its log`;
  return { type: 'UNAVAILABLE', message: text };
}

/** Another attempt would end the same way. */
const refusal = (message: string): Error => markLasting(apiError('UNPROCESSABLE', message));
