import type { HasRoom } from '../../../../../shared/disk/room.js';
import type { JobRun } from '../../../../../shared/jobs/jobs.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { timestamp } from '../../../../../shared/values/ids.js';
import type { GitSettings, SpaceDocument } from '../../../core/nodes/model.js';
import type { HasProxy } from '../address/proxy.js';
import type { SessionOptions } from '../clone-session.js';
import type { GitPayload } from './progress.js';

/** Options for a Git session with the repository of a space. */
export const sessionOptions = (
  { secrets, proxy, cacheDir, room }: HasSecrets & HasProxy & HasRoom & { cacheDir: string },
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
export const syncSourceOf = ({ ref, repoProjectDirectory = '' }: GitPayload): string =>
  `${ref} ${repoProjectDirectory}`;

/** The address of a commit for people. */
export const commitURL = ({ repoCommitURL }: GitPayload, oid: string): { url?: string } =>
  repoCommitURL ? { url: `${repoCommitURL.replace(/\/+$/, '')}/${oid}` } : {};

/** The Git state of a space after an operation. `commit`: the one that its primary content is that of, if it is. */
export function gitSettingsAfter(
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
    source: syncSourceOf(payload),
    updatedAt: timestamp(),
  };
}

/** `owner/name` of a repository's tree URL. */
export const repositoryName = (url: string): string =>
  new URL(url).pathname
    .split('/')
    .filter(Boolean)
    .slice(0, 2)
    .join('/')
    .replace(/\.git$/, '');
