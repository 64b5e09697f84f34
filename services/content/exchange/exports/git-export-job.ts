import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HasCallAsSystem } from '../../../../shared/contract/context.js';
import type { HasRoom } from '../../../../shared/disk/room.js';
import type { HasJobs, JobKind, JobRun } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import { type HasStore, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { type GitExporting, type SpaceDocument, spaces } from '../../core/nodes/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { indexPrimary } from '../../reading/search/search-index.js';
import type { HasProxy } from '../git/address/proxy.js';
import { treeURLOf } from '../git/address/tree-url.js';
import { GitFailure } from '../git/command/failure.js';
import { transferLanes } from '../git/operations/lanes.js';
import { newOperationMetrics } from '../git/operations/operation-metrics.js';
import { progressWrite, recordFailure, skipIfOlder } from '../git/operations/progress.js';
import { commitURL, gitSettingsAfter } from '../git/operations/repository.js';
import { directoryOf, newSharedStateNote } from '../git/operations/shared-states.js';
import { syncCompletedWrites, syncStartedWrite } from '../git/operations/sync-events.js';
import { runWithinLimit } from '../git/operations/time-limit.js';
import { commitExport } from './commit-export.js';
import { type GitExportPayload, noteExportingWrite, type Pushed, type Pushing, pushContent } from './push-content.js';

/** The kind of the job. */
export const gitExport = 'gitExport';

export type ExportDependencies = HasStore &
  HasBlobs &
  HasSecrets &
  HasOutbox &
  HasJobs &
  HasTrees &
  HasCallAsSystem &
  HasRevisions &
  HasWork &
  HasLedger &
  HasProxy &
  HasRoom & { cacheDir: string; commitAuthor: string };
export type ExportRun = JobRun<GitExportPayload>;

const countExport = newOperationMetrics('export');

/** Attempts while others push to the branch. */
const maxAttempts = 5;

/** The job behind an export: write what changed, push it, record it. Safe to run again from any point. */
export function gitExportJob(deps: ExportDependencies): JobKind<GitExportPayload> {
  return {
    kind: gitExport,
    attempts: 3,
    lanes: transferLanes,
    run: (run) => runExport(deps, run),
    async failed({ payload, createdAt }, error) {
      await recordFailure(deps, payload, { error, direction: 'export' });
      countExport('failure', createdAt);
    },
  };
}

async function runExport(deps: ExportDependencies, run: ExportRun): Promise<void> {
  const { store, jobs } = deps;
  const { payload, createdAt } = run.job;
  const space = await store.get(spaces, payload.space);
  if (!space || space.deletedAt) return;
  if (space.git?.operation === payload.operation) {
    await finishExport(deps, run);
    return countExport('success', createdAt);
  }
  if (await skipIfOlder(deps, payload, space)) return countExport('skipped', createdAt);
  const { revision } = notedExporting(payload, space);
  await store.batch([
    progressWrite(payload, { state: 'running', startedAt: timestamp() }),
    syncStartedWrite(deps, payload, { space, direction: 'export' }),
    ...(space.gitExporting?.operation === payload.operation
      ? []
      : [jobs.stillHeld(run.job), noteExportingWrite(space, { operation: payload.operation, revision })]),
  ]);
  await deps.ledger.openUsage({ organization: space.organization, space: space._id });
  const isNew = await runWithinLimit(run, (signal) => exportRevision(deps, { ...run, signal }, { space, revision }));
  await finishExport(deps, run);
  countExport(isNew ? 'success' : 'unchanged', createdAt);
}

/** The state that an earlier attempt noted; without one, an export of the primary content. */
export const notedExporting = (
  { operation }: GitExportPayload,
  { revision, gitExporting }: SpaceDocument,
): GitExporting => (gitExporting?.operation === operation ? gitExporting : { operation, revision });

/** Returns false where the branch has the content already. */
export async function exportRevision(
  deps: ExportDependencies,
  run: ExportRun,
  { revision, ...pushing }: Pick<Pushing, 'space' | 'onto' | 'describe'> & { revision: string },
): Promise<boolean> {
  const { space } = pushing;
  const view = await deps.revisions.get(space._id, revision);
  for (let attempt = 1; ; attempt++) {
    try {
      const exporting = notedExporting(run.job.payload, (await deps.store.get(spaces, space._id)) ?? space);
      const pushed = await pushContent(deps, run, { ...pushing, view, exporting });
      await recordExport(deps, run, { space, pushed });
      return pushed.isNew;
    } catch (error) {
      if (!(error instanceof GitFailure) || error.reason !== 'moved' || attempt === maxAttempts) throw error;
    }
  }
}

async function recordExport(
  deps: ExportDependencies,
  { job }: ExportRun,
  { space, pushed }: { space: SpaceDocument; pushed: Pushed },
): Promise<void> {
  const { payload } = job;
  const { commit, view, isNew, isAhead } = pushed;
  const note = await newSharedStateNote(deps, payload);
  const settings = (now: SpaceDocument) => gitSettingsAfter(payload, now, isAhead ? undefined : commit.oid);
  const writes = (revision: string) => [
    deps.jobs.stillHeld(job),
    ...note({ commit: commit.oid, revision, isAhead, ...(payload.force ? { held: [] } : {}) }),
    progressWrite(payload, { commit: commit.oid, revision }),
    write.update(
      spaces,
      { _id: space._id, 'gitExporting.operation': payload.operation },
      { $unset: { gitExporting: true } },
    ),
  ];
  if (view.revision.git?.oid === commit.oid) {
    const unchanged = write.update(spaces, { _id: space._id }, { $set: { git: settings(space) } });
    return deps.store.batch([unchanged, ...writes(view.revision._id)]);
  }
  await commitExport(deps, {
    space,
    view,
    content: pushed.content,
    directory: directoryOf(payload),
    git: { ...commit, createdByService: isNew, ref: payload.ref, ...commitURL(payload, commit.oid) },
    treeURL: treeURLOf({ ...payload, url: deps.secrets.decrypt(payload.url) }),
    settings,
    writes,
  });
}

/** The last step: makes the content searchable as it is now, then records the end of the operation. */
export async function finishExport(deps: ExportDependencies, { job, signal }: ExportRun): Promise<void> {
  const { payload } = job;
  await indexPrimary(deps, { space: payload.space, signal });
  const end = { state: 'success', completedAt: timestamp() } as const;
  const events = await syncCompletedWrites(deps, payload, { state: 'success', direction: 'export' });
  await deps.store.batch([deps.jobs.stillHeld(job), progressWrite(payload, end), ...events]);
}
