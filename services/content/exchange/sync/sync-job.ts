import type { JobKind } from '../../../../shared/jobs/jobs.js';
import { type Write, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { type SpaceDocument, spaces } from '../../core/nodes/model.js';
import { exportRevision, finishExport, notedExporting } from '../exports/git-export-job.js';
import { isPushed } from '../exports/push-content.js';
import { GitFailure } from '../git/command/failure.js';
import { transferLanes } from '../git/operations/lanes.js';
import { recordFailure } from '../git/operations/progress.js';
import { runWithinLimit } from '../git/operations/time-limit.js';
import { describeChanges } from './describe-changes.js';
import { releaseWrites, settleHeld } from './held-changes.js';
import { withHostToken } from './hosts/host-token.js';
import { statusWrites } from './hosts/status-job.js';
import { importNews, type Outlook } from './import-news.js';
import { type GitInstallationDocument, gitInstallations } from './model.js';
import { failureFields, summaryWrite } from './outcomes.js';
import { lookSoon, nextTryAt, type SyncGitPayload, syncGit } from './schedule.js';
import { findSyncState } from './sync-payload.js';
import {
  beginStep,
  currentSpace,
  isStepName,
  type SyncDependencies,
  type SyncRun,
  type SyncStep,
  stepName,
  stepOf,
} from './sync-run.js';

/** Rounds while others push to the files that are written. */
const maxRounds = 5;

/** The job that brings both sides of a connection together. Safe to run again from any point. */
export function syncGitJob(deps: SyncDependencies): JobKind<SyncGitPayload> {
  return {
    kind: syncGit,
    attempts: 3,
    lanes: transferLanes,
    async run(run) {
      const found = await deps.store.get(gitInstallations, run.job.payload.installation);
      if (!found || found.syncing !== run.job._id) return;
      const item = await settleHeld(deps, { item: found, run });
      const step = stepOf(deps, { item, run }, { direction: 'import' });
      await runWithinLimit(step, (signal) => syncBoth(deps, { item, run: { ...run, signal } }));
      await deps.store.batch([deps.jobs.stillHeld(run.job), ...(await endWrites(deps, { item, run }))]);
    },
    async failed(job, error) {
      const item = await deps.store.get(gitInstallations, job.payload.installation);
      if (item?.syncing !== job._id) return;
      await recordStepFailure(deps, { item, run: { job, signal: AbortSignal.abort() } }, error);
      await deps.store.batch(
        job.payload.setup === item.updatedAt ? failureWrites(deps, item, error) : outdatedWrites(deps, item),
      );
    },
  };
}

async function syncBoth(deps: SyncDependencies, sync: SyncRun): Promise<void> {
  for (let round = 1; ; round++) {
    try {
      await finishInterrupted(deps, sync);
      return await syncOnce(deps, sync, { waits: round < maxRounds });
    } catch (error) {
      // Somebody pushed since the branch was fetched.
      const isLate = error instanceof GitFailure && error.reason === 'conflict' && sync.item.direction === 'both';
      if (!isLate || round === maxRounds) throw error;
    }
  }
}

/** With `waits`, what others pushed meanwhile is imported before anything is written; a branch with pushes all the time does not wait for ever. */
async function syncOnce(
  deps: SyncDependencies,
  { item: { _id }, run }: SyncRun,
  { waits }: { waits: boolean },
): Promise<void> {
  const found = await deps.store.get(gitInstallations, _id);
  if (!found) throw new GitFailure('aborted', 'the connection was ended');
  const item = await withHostToken(deps, found);
  await deps.ledger.openUsage({ organization: item.organization, space: item.space });
  await exportNews(deps, { item, run }, { outlook: await importNews(deps, { item, run }), waits });
}

/**
 * An earlier run, perhaps of a sync that was given up, may have pushed what it then could not record: that is no news of the branch. What it
 * did not push is forgotten: the space may have other content by now.
 */
async function finishInterrupted(deps: SyncDependencies, sync: SyncRun): Promise<void> {
  const space = await currentSpace(deps, sync);
  const { git, gitExporting: { operation, commit } = {} } = space;
  if (commit === undefined || operation === undefined || operation === git?.operation || !isStepName(operation)) return;
  const signedIn = { ...sync, item: await withHostToken(deps, sync.item) };
  const step = stepOf(deps, signedIn, { direction: 'export', operation });
  if (await isPushed(deps, step, { space, commit })) return exportStep(deps, signedIn, { step, space });
  const noted = { _id: space._id, 'gitExporting.commit': commit };
  await deps.store.update(spaces, noted, { $unset: { gitExporting: true } });
}

/** Writes to the branch what the space has and the branch has not. */
async function exportNews(
  deps: SyncDependencies,
  sync: SyncRun,
  { outlook, waits }: { outlook: Outlook; waits: boolean },
): Promise<void> {
  const { item } = sync;
  const isWritten = item.direction !== 'import' || outlook === 'overwrite';
  if (outlook === 'nothing' || !isWritten) return;
  const space = await currentSpace(deps, sync);
  const state = await findSyncState(deps, item);
  if (outlook === 'export' && state?.revision === space.revision) return;
  await exportStep(deps, sync, {
    step: stepOf(deps, sync, { direction: 'export', force: outlook === 'overwrite' }),
    space,
    onto: waits && outlook === 'export' && item.direction === 'both' ? state?.commit : undefined,
  });
}

async function exportStep(
  deps: SyncDependencies,
  { item: { organization, commitMessage: template } }: SyncRun,
  { step, space, onto }: { step: SyncStep; space: SpaceDocument; onto?: string | undefined },
): Promise<void> {
  await beginStep(deps, step, { space, direction: 'export' });
  const { revision } = notedExporting(step.job.payload, space);
  await exportRevision(deps, step, {
    space,
    revision,
    onto,
    describe: (view) => describeChanges(deps, { organization, template }, view),
  });
  await finishExport(deps, step);
}

/** The writes of the end of a sync, and of the look that finds what changed meanwhile. */
async function endWrites(deps: SyncDependencies, sync: SyncRun): Promise<Write[]> {
  const { item } = sync;
  const { priority } = item;
  const state = await findSyncState(deps, item);
  const { revision } = await currentSpace(deps, sync);
  const synced = { tip: state?.commit ?? item.observed ?? '', revision };
  const changes = { ended: 'connected' as const, failures: 0, lastSyncAt: timestamp() };
  const after = { ...item, ...changes };
  // The branch holds what others pushed meanwhile: the next look finds that new.
  const isDone = !state?.isAhead || item.direction === 'export';
  return [
    write.update(
      gitInstallations,
      { _id: item._id },
      { $set: changes, $unset: { syncing: true, error: true, notBefore: true } },
    ),
    ...(isDone
      ? [write.update(gitInstallations, { _id: item._id, updatedAt: item.updatedAt }, { $set: { synced } })]
      : []),
    ...(priority
      ? [
          write.update(gitInstallations, { _id: item._id, priority }, { $unset: { priority: true } }),
          ...(await releaseWrites(deps, sync)),
        ]
      : []),
    ...tellWrites(deps, after, {
      commit: state?.commit ?? '',
      held: state?.held?.length ?? 0,
    }),
    summaryWrite(after),
    lookSoon(deps, item),
  ];
}

/** The writes that have the host told how the content of a commit fared, if it does not know yet. */
function tellWrites(
  deps: SyncDependencies,
  item: GitInstallationDocument,
  { commit, held = 0, error }: { commit: string; held?: number; error?: string },
): Write[] {
  const settle = `${held} ${held === 1 ? 'conflict waits' : 'conflicts wait'} to be settled`;
  const description = error ?? (held > 0 ? settle : 'The space has this content');
  const state = error !== undefined || held > 0 ? ('failure' as const) : ('success' as const);
  const telling = `${commit} ${state} ${description}`;
  if (telling === item.toldHost) return [];
  const url = `${deps.baseUrl}/app/s/${item.space}`;
  const status = { state, description: description.slice(0, 140), url, context: 'bindery' };
  return [
    ...statusWrites(deps, item, { commit, status }),
    write.update(gitInstallations, { _id: item._id }, { $set: { toldHost: telling } }),
  ];
}

function failureWrites(deps: SyncDependencies, item: GitInstallationDocument, error: Error): Write[] {
  const failures = item.failures + 1;
  const changes = { failures, notBefore: nextTryAt(failures), ...failureFields(error) };
  return [
    write.update(gitInstallations, { _id: item._id }, { $set: changes, $unset: { syncing: true } }),
    ...tellWrites(deps, item, { commit: item.observed ?? '', error: changes.error }),
    summaryWrite({ ...item, ...changes }),
    lookSoon(deps, item),
  ];
}

/** The writes that end a sync under a former setup: its failure says nothing of this one. */
const outdatedWrites = (deps: SyncDependencies, item: GitInstallationDocument): Write[] => [
  write.update(gitInstallations, { _id: item._id }, { $unset: { syncing: true } }),
  lookSoon(deps, item),
];

/** Shows the step that failed as a failed operation of the space. */
async function recordStepFailure(deps: SyncDependencies, sync: SyncRun, error: Error): Promise<void> {
  const space = await deps.store.get(spaces, sync.item.space, { fields: ['gitOperation'] });
  for (const direction of ['import', 'export'] as const)
    if (space?.gitOperation?.id === stepName(sync, direction) && space.gitOperation.state === 'running')
      await recordFailure(deps, stepOf(deps, sync, { direction }).job.payload, { error, direction });
}
