import type { Context } from '../../shared/contract/service.js';
import { invalid, notFound } from '../../shared/errors.js';
import { newId, timestamp } from '../../shared/ids.js';
import type { GuardedProxy } from '../../shared/outbound/proxy.js';
import type { Secrets } from '../../shared/secrets/secrets.js';
import { write } from '../../shared/store/port.js';
import { GitFailure } from './git/failure.js';
import { validRef } from './git/ref.js';
import { parseRemote } from './git/remote.js';
import type { ImportRules } from './import.js';
import { presentGit, spaces } from './model.js';
import type { GitInfo, GitOperation } from './resources.js';
import type { Revisions } from './revisions.js';
import type { ContentRules } from './spaces.js';

export const gitImport = 'gitImport';

export interface GitImportInput {
  url: string;
  ref: string;
  repoCacheID?: string | undefined;
  repoTreeURL?: string | undefined;
  repoCommitURL?: string | undefined;
  repoProjectDirectory?: string | undefined;
  timestamp?: string | undefined;
  force: boolean;
  standalone: boolean;
  gitInfo?: { provider: 'github' | 'gitlab'; url: string } | undefined;
}

/** What the job knows. The URL, which may carry credentials, is kept encrypted. */
export interface GitImportPayload extends GitImportInput {
  space: string;
  operation: string;
  /** Of the request that started it. */
  requestId?: string;
}

export interface GitRules extends ContentRules, ImportRules {
  revisions: Revisions;
  proxy: GuardedProxy;
  secrets: Secrets;
  /** Clones; of this process alone. */
  cacheDir: string;
}

/** The repository's address without anything secret in it; 400 names a wrong field. */
function checkInput(
  { url, ref, repoProjectDirectory, ...urls }: GitImportInput,
  allowCidrs: readonly string[],
): string {
  let bare: URL;
  try {
    bare = new URL(parseRemote(url, allowCidrs).href);
    bare.search = '';
  } catch (error) {
    if (error instanceof GitFailure) throw invalid(`url: ${error.message}`);
    throw error;
  }
  if (!validRef(ref)) throw invalid('ref: must be refs/heads/<branch> with a valid branch name');
  if (repoProjectDirectory?.split('/').includes('..'))
    throw invalid('repoProjectDirectory: must stay inside the repository');
  for (const [name, value] of [
    ['repoTreeURL', urls.repoTreeURL],
    ['repoCommitURL', urls.repoCommitURL],
    ['gitInfo.url', urls.gitInfo?.url],
  ])
    if (value !== undefined && !/^https?:\/\/\S+$/.test(value)) throw invalid(`${name}: must be an http or https URL`);
  return bare.href;
}

/** Starts an import; the job's end shows in the space's Git state. */
export async function startGitImport(
  rules: GitRules,
  space: string,
  input: GitImportInput,
  { audit, requestId }: Pick<Context, 'audit' | 'requestId'>,
): Promise<void> {
  const url = checkInput(input, rules.proxy.allowCidrs);
  const operation = newId();
  const { ref, standalone, force } = input;
  const sealed = rules.secrets.encrypt(input.url);
  const payload: GitImportPayload = { ...input, url: sealed, space, operation, requestId };
  const sequence = input.timestamp === undefined ? {} : { sequence: timestamp(new Date(input.timestamp)) };
  await rules.store.batch([
    write.update(
      spaces,
      { _id: space, deletedAt: null },
      { $set: { gitOperation: { id: operation, direction: 'import', state: 'queued', ref } } },
      { expect: 1 },
    ),
    rules.jobs.enqueue(gitImport, payload, { orderKey: `git ${space}`, ...sequence }),
    audit('space', space, { details: { url, ref, standalone, force } }),
  ]);
  rules.jobs.wake();
}

export async function getGitInfo({ store }: ContentRules, id: string): Promise<GitInfo> {
  const space = await store.get(spaces, id);
  if (!space) throw notFound('Space');
  if (!space.git && !space.gitOperation) throw notFound('Git sync');
  const { id: _, ...operation } = space.gitOperation ?? { id: '' };
  return {
    ...(space.git ? presentGit(space.git) : {}),
    ...(space.gitOperation ? { operation: operation as GitOperation } : {}),
  };
}
