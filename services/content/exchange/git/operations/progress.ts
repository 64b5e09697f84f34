import type { HasJobs } from '../../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../../shared/jobs/outbox.js';
import { type HasStore, type Write, write } from '../../../../../shared/store/port.js';
import { timestamp } from '../../../../../shared/values/ids.js';
import { type GitOperationDocument, type SpaceDocument, spaces } from '../../../core/nodes/model.js';
import type { GitOperation } from '../../../core/nodes/resources.js';
import { tidySpace } from '../../../core/storage/unreached.js';
import type { GitFields } from '../../contract/fields.js';
import { GitFailure } from '../command/failure.js';
import { syncCompletedWrites } from './sync-events.js';

/** The payload of an operation's job. `url`, which may carry credentials, is encrypted. */
export type GitPayload<B extends GitFields = GitFields> = B & {
  space: string;
  operation: string;
  /** The request that started it. */
  requestId?: string;
  /** The user who started it; jobs of earlier releases do not name one. */
  user?: string;
  /** The installation of an integration that started it. */
  installation?: string;
  /** The tunnel to the developer of the integration by which it was started. */
  tunnel?: string;
};

/** Records the progress of the operation, unless a later one has taken its place in the space. */
export const progressWrite = ({ space, operation }: GitPayload, changes: Partial<GitOperationDocument>): Write =>
  write.update(
    spaces,
    { _id: space, 'gitOperation.id': operation },
    { $set: Object.fromEntries(Object.entries(changes).map(([field, value]) => [`gitOperation.${field}`, value])) },
  );

/** Records that an operation failed for good; what it stored is collected. */
export async function recordFailure(
  deps: HasStore & HasOutbox & HasJobs,
  payload: GitPayload,
  { error, direction }: { error: Error; direction: GitOperation['direction'] },
): Promise<void> {
  const { store, jobs } = deps;
  const { space } = payload;
  const operation = { state: 'failure', error: syncErrorText(payload, error), completedAt: timestamp() } as const;
  const tidy = jobs.enqueue(tidySpace, { space }, { orderKey: `git ${space}` });
  const events = await syncCompletedWrites(deps, payload, { state: 'failure', direction });
  await store.batch([progressWrite(payload, operation), tidy, ...events]);
}

/** The message for the person who syncs; for faults that only the log explains, it names the request to look for. */
function syncErrorText({ requestId }: GitPayload, error: Error): string {
  const ours = error instanceof GitFailure ? error.reason === 'corrupt' : !(error as { type?: string }).type;
  if (!ours) return error.message;
  const what = error instanceof GitFailure ? error.message : 'the operation failed on our side';
  return `${what}; try again, or ask the operator of this server to look for request ${requestId} in its log`;
}

/** Ends an operation as skipped when a later one was applied already; whether it did. */
export async function skipIfOlder(
  { store }: HasStore,
  payload: GitPayload,
  { git }: Pick<SpaceDocument, 'git'>,
): Promise<boolean> {
  const { timestamp: at, force } = payload;
  const applied = git?.appliedTimestamp;
  if (force || at === undefined || applied === undefined || Date.parse(at) >= Date.parse(applied)) return false;
  const error = `A later operation (${applied}) was already applied`;
  await store.batch([progressWrite(payload, { state: 'skipped', error, completedAt: timestamp() })]);
  return true;
}
