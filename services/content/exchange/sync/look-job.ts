import type { HasJobs, JobKind, JobRun, NextRun } from '../../../../shared/jobs/jobs.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { type HasStore, StoreConflict, type Update, write } from '../../../../shared/store/port.js';
import { newId, timeIn, timestamp } from '../../../../shared/values/ids.js';
import { type SpaceDocument, spaces } from '../../core/nodes/model.js';
import type { HasProxy } from '../git/address/proxy.js';
import { GitFailure } from '../git/command/failure.js';
import { lookAtRefs } from '../git/look.js';
import { lookLanes } from '../git/operations/lanes.js';
import type { HasGitHubApp } from './hosts/github-app.js';
import { forgetHostToken, withHostToken } from './hosts/host-token.js';
import { isConfigured } from './installations/present.js';
import { type GitInstallationDocument, gitInstallations } from './model.js';
import { failureFields, summaryWrite } from './outcomes.js';
import {
  type InstallationPayload,
  lookAtGit,
  nextLookAt,
  nextTryAt,
  type SyncGitPayload,
  syncGit,
} from './schedule.js';
import { remoteUrlOf } from './sync-payload.js';

type Dependencies = HasStore & HasSecrets & HasJobs & HasProxy & HasGitHubApp & { cacheDir: string };

/** Milliseconds of a look. */
const maxLookMs = scaleMs(30_000);
const hourMs = 3_600_000;

/** The standing job that looks whether a side of a connection has something new, and has both synced then. */
export function lookAtGitJob(deps: Dependencies): JobKind<InstallationPayload> {
  return { kind: lookAtGit, attempts: Number.POSITIVE_INFINITY, lanes: lookLanes, run: (run) => look(deps, run) };
}

/** Plans the next look; a connection that is gone, paused or not configured needs none. */
async function look(deps: Dependencies, { job, signal }: JobRun<InstallationPayload>): Promise<NextRun | undefined> {
  const { store } = deps;
  const item = await store.get(gitInstallations, job.payload.installation);
  if (!item || item.paused || !isConfigured(item)) return undefined;
  const space = await store.get(spaces, item.space, { fields: ['revision', 'deletedAt'] });
  // The end of a sync asks for a look, and so does whoever restores or changes the space.
  if (!space || space.deletedAt || item.syncing !== undefined) return { runAt: timeIn(hourMs) };
  if (item.notBefore !== undefined && item.notBefore > timestamp()) return { runAt: item.notBefore };
  try {
    const tip = await readTip(deps, item, AbortSignal.any([signal, AbortSignal.timeout(maxLookMs)]));
    if (isNew(item, { tip, revision: space.revision })) return await startSync(deps, item, tip);
    return await noteQuiet(deps, item, tip);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GitFailure && error.reason === 'authentication') forgetHostToken(deps, item);
    return noteFailure(deps, item, error as Error);
  }
}

/** The commit of the branch; an empty text where the repository does not have the branch. */
async function readTip(deps: Dependencies, item: GitInstallationDocument, signal: AbortSignal): Promise<string> {
  const { organization: owner, ref = '' } = item;
  const { proxy, cacheDir } = deps;
  const { refs, hostKey } = await lookAtRefs({
    owner,
    url: remoteUrlOf(deps, await withHostToken(deps, item)),
    proxy,
    cacheDir,
    refs: [ref],
    signal,
  });
  if (hostKey !== undefined && item.hostKey === undefined)
    await deps.store.update(gitInstallations, { _id: item._id, url: item.url ?? '' }, { $set: { hostKey } });
  return refs.get(ref) ?? '';
}

const isNew = (
  { synced, priority }: GitInstallationDocument,
  now: { tip: string; revision: SpaceDocument['revision'] },
): boolean => priority !== undefined || synced?.tip !== now.tip || synced.revision !== now.revision;

async function startSync({ store, jobs }: Dependencies, item: GitInstallationDocument, tip: string): Promise<NextRun> {
  const { _id: installation, organization, space } = item;
  const syncing = newId();
  await store.batch([
    write.update(
      gitInstallations,
      { _id: installation, syncing: null },
      { $set: { syncing, observed: tip, quiet: 0 } },
      { expect: 1 },
    ),
    jobs.enqueueOnce<SyncGitPayload>(
      syncing,
      syncGit,
      { installation, setup: item.updatedAt },
      { orderKey: `git ${space}`, share: organization },
    ),
  ]);
  return { runAt: timeIn(hourMs) };
}

async function noteQuiet({ store }: Dependencies, item: GitInstallationDocument, tip: string): Promise<NextRun> {
  const quiet = item.quiet + 1;
  const update: Update<GitInstallationDocument> = {
    $set: { quiet, failures: 0, observed: tip, ...(item.failures > 0 ? { ended: 'connected' as const } : {}) },
    $unset: { notBefore: true, ...(item.failures > 0 ? { error: true as const } : {}) },
  };
  await store.update(gitInstallations, sameSetup(item), update);
  return { runAt: nextLookAt({ quiet }) };
}

/** Finds a connection that nobody has configured, or asked to sync, since it was read: what failed before counts for nothing then. */
const sameSetup = ({ _id, updatedAt, failures }: GitInstallationDocument) => ({ _id, updatedAt, failures });

/** Notes why a repository cannot be read; it is tried again, later each time. */
async function noteFailure({ store }: HasStore, item: GitInstallationDocument, error: Error): Promise<NextRun> {
  const failures = item.failures + 1;
  const runAt = nextTryAt(failures);
  const after = { ...item, failures, notBefore: runAt, ...failureFields(error) };
  const { ended, error: text } = after;
  const $set = { failures, notBefore: runAt, ended, error: text };
  try {
    await store.batch([write.update(gitInstallations, sameSetup(item), { $set }, { expect: 1 }), summaryWrite(after)]);
    return { runAt };
  } catch (conflict) {
    if (conflict instanceof StoreConflict) return { runAt: timestamp() };
    throw conflict;
  }
}
