import { timestamp } from '../../../../../shared/ids.js';
import { scaled } from '../../../../../shared/settings/time-scale.js';
import { type Write, write } from '../../../../../shared/store/port.js';
import type { JobRun } from '../../../../../shared/work/jobs.js';
import { type GitOperationDocument, type GitSettings, type SpaceDocument, spaces } from '../../../core/nodes/model.js';
import type { GitOperation } from '../../../core/nodes/resources.js';
import { tidySpace } from '../../../core/storage/unreached.js';
import type { ContentDependencies } from '../../../dependencies.js';
import type { GitFields } from '../../contract/fields.js';
import { GitFailure } from '../command/failure.js';
import type { SessionOptions } from '../session.js';
import { completedWrites } from './sync-events.js';

/** What the job of an operation needs. `url`, which may carry credentials, is encrypted. */
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

const transient = new Set(['network', 'corrupt', 'aborted', 'moved']);
/** Milliseconds. Only a run that failed sooner is tried again, so that no server can hold an operation for long. */
const quickFailure = scaled(60_000);
/** Milliseconds of a run, without the indexing. */
const longestRun = scaled(15 * 60_000);

/** Records the progress of the operation, unless a later one has taken its place in the space. */
export const operationWrite = ({ space, operation }: GitPayload, changes: Partial<GitOperationDocument>): Write =>
  write.update(
    spaces,
    { _id: space, 'gitOperation.id': operation },
    { $set: Object.fromEntries(Object.entries(changes).map(([field, value]) => [`gitOperation.${field}`, value])) },
  );

/** Records that an operation failed for good; what it stored is collected. */
export async function recordFailure(
  deps: Pick<ContentDependencies, 'store' | 'jobs' | 'outbox'>,
  payload: GitPayload,
  { error, direction }: { error: Error; direction: GitOperation['direction'] },
): Promise<void> {
  const { store, jobs, outbox } = deps;
  const { space } = payload;
  const operation = { state: 'failure', error: errorText(payload, error), completedAt: timestamp() } as const;
  const tidy = jobs.enqueue(tidySpace, { space }, { orderKey: `git ${space}` });
  const told = await completedWrites(deps, payload, { state: 'failure', direction });
  await store.batch([operationWrite(payload, operation), tidy, ...told]);
  outbox.wake();
}

/** What helps the person who syncs; for faults that only the log explains, the request to look for in it. */
function errorText({ requestId }: GitPayload, error: Error): string {
  const ours = error instanceof GitFailure ? error.reason === 'corrupt' : !(error as { type?: string }).type;
  if (!ours) return error.message;
  const what = error instanceof GitFailure ? error.message : 'the operation failed on our side';
  return `${what}; try again, or ask the operator of this server to look for request ${requestId} in its log`;
}

/** Runs the work of a job for a bounded time; its errors say whether another attempt makes sense, and what to log. */
export async function withinLimit<T>(run: JobRun<GitPayload>, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const began = Date.now();
  const limit = AbortSignal.timeout(longestRun);
  try {
    return await work(AbortSignal.any([run.signal, limit]));
  } catch (error) {
    const late = limit.aborted && !run.signal.aborted;
    const failure = late
      ? new GitFailure('timeout', `the operation took more than ${longestRun / 60_000} minutes`)
      : error;
    throw asJobError(run.job.payload, failure as Error, Date.now() - began);
  }
}

function asJobError({ space, requestId }: GitPayload, error: Error & { permanent?: boolean }, tookMs: number): Error {
  const about = { space, requestId };
  if (!(error instanceof GitFailure)) return Object.assign(error, { about });
  const { reason, words } = error;
  return Object.assign(error, {
    permanent: !transient.has(reason) || tookMs > quickFailure,
    expected: reason !== 'corrupt',
    about: { ...about, reason, ...(words ? { git: words } : {}) },
  });
}

/** Ends an operation as skipped when a later one was applied already; whether it did. */
export async function skippedAsOlder(
  { store }: Pick<ContentDependencies, 'store'>,
  payload: GitPayload,
  { git }: Pick<SpaceDocument, 'git'>,
): Promise<boolean> {
  const { timestamp: at, force } = payload;
  const applied = git?.appliedTimestamp;
  if (force || at === undefined || applied === undefined || Date.parse(at) >= Date.parse(applied)) return false;
  const error = `A later operation (${applied}) was already applied`;
  await store.batch([operationWrite(payload, { state: 'skipped', error, completedAt: timestamp() })]);
  return true;
}

/** How the job reaches the repository of a space. */
export const sessionOptions = (
  { secrets, proxy, cacheDir, room }: Pick<ContentDependencies, 'secrets' | 'proxy' | 'cacheDir' | 'room'>,
  { organization }: Pick<SpaceDocument, 'organization'>,
  { job: { payload }, signal }: Pick<JobRun<GitPayload>, 'job' | 'signal'>,
): SessionOptions => ({
  owner: organization,
  url: secrets.decrypt(payload.url),
  proxy,
  cacheDir,
  room,
  ...(payload.repoCacheID ? { cacheId: payload.repoCacheID } : {}),
  signal,
});

/** Names the branch and the folder that are synced: the same commit may hold several sources. */
export const sourceOf = ({ ref, repoProjectDirectory = '' }: GitPayload): string => `${ref} ${repoProjectDirectory}`;

/** The address of a commit for people. */
export const commitURL = ({ repoCommitURL }: GitPayload, oid: string): { url?: string } =>
  repoCommitURL ? { url: `${repoCommitURL.replace(/\/+$/, '')}/${oid}` } : {};

/** The Git state of a space after an operation. `commit`: the one that its primary content is that of, if it is. */
export function settingsAfter(
  payload: GitPayload,
  { git }: Pick<SpaceDocument, 'git'>,
  commit: string | undefined,
): GitSettings {
  const { gitInfo, timestamp: at, operation } = payload;
  const { commit: _, ...kept } = git ?? { updatedAt: '' };
  return {
    ...kept,
    ...(gitInfo ? { ...gitInfo, repoName: repositoryName(gitInfo.url) } : {}),
    ...(at ? { appliedTimestamp: timestamp(new Date(at)) } : {}),
    ...(commit === undefined ? {} : { commit }),
    operation,
    source: sourceOf(payload),
    updatedAt: timestamp(),
  };
}

/** `owner/name` of a repository's tree URL. */
const repositoryName = (url: string): string =>
  new URL(url).pathname
    .split('/')
    .filter(Boolean)
    .slice(0, 2)
    .join('/')
    .replace(/\.git$/, '');
