import type { HasJobs, JobRun } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import { type HasStore, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import type { HasTurns } from '../../../../shared/work/semaphore.js';
import { type SpaceDocument, spaces } from '../../core/nodes/model.js';
import type { GitOperation } from '../../core/nodes/resources.js';
import type { ExportDependencies } from '../exports/git-export-job.js';
import { GitFailure } from '../git/command/failure.js';
import { syncStartedWrite } from '../git/operations/sync-events.js';
import type { ImportDependencies } from '../imports/git-import/git-import-job.js';
import type { HasGitHubApp } from './hosts/github-app.js';
import type { GitInstallationDocument } from './model.js';
import type { InstallationPayload } from './schedule.js';
import { type SyncPayload, syncPayload } from './sync-payload.js';

export type SyncDependencies = ImportDependencies & ExportDependencies & HasTurns & HasGitHubApp & { baseUrl: string };

/** One run of the sync of a connection. */
export interface SyncRun {
  item: GitInstallationDocument;
  run: JobRun<InstallationPayload>;
}

/** An import or an export as a step of a sync. */
export type SyncStep = JobRun<SyncPayload>;

/** The name of a step: the same for every run of the job. */
export const stepName = ({ run }: SyncRun, direction: GitOperation['direction']): string =>
  `${run.job._id}-${direction}`;

/** Whether an operation of a space is the step of a sync, of any connection. */
export const isStepName = (operation: string): boolean => /-(import|export)$/.test(operation);

interface NewStep {
  direction: GitOperation['direction'];
  force?: boolean;
  /** The name of an earlier step that is gone on with. */
  operation?: string;
}

/** Makes a step, which the imports and exports of spaces take for a run of theirs. */
export function stepOf(
  deps: HasSecrets,
  sync: SyncRun,
  { direction, force = false, operation = stepName(sync, direction) }: NewStep,
): SyncStep {
  const { item, run } = sync;
  const payload = { ...syncPayload(deps, item, operation), force };
  return { ...run, job: { ...run.job, payload } };
}

/** Shows a step as the Git operation of the space, and tells that it begins. */
export async function beginStep(
  deps: HasStore & HasOutbox & HasJobs,
  { job }: SyncStep,
  { space, direction }: { space: SpaceDocument; direction: GitOperation['direction'] },
): Promise<void> {
  const { operation: id, ref } = job.payload;
  const gitOperation = { id, direction, state: 'running' as const, ref, startedAt: timestamp() };
  await deps.store.batch([
    deps.jobs.stillHeld(job),
    write.update(spaces, { _id: space._id }, { $set: { gitOperation } }),
    syncStartedWrite(deps, job.payload, { space, direction }),
  ]);
}

/** The space of a sync as it is now. */
export async function currentSpace({ store }: HasStore, { item }: SyncRun): Promise<SpaceDocument> {
  const space = await store.get(spaces, item.space);
  if (!space || space.deletedAt) throw new GitFailure('aborted', 'the space was deleted');
  return space;
}
