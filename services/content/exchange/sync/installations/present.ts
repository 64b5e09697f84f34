import type { GitInstallationSummary } from '../../../core/nodes/model.js';
import { treeURLOf } from '../../git/address/tree-url.js';
import type { SharedState } from '../../git/model.js';
import { repositoryName } from '../../git/operations/repository.js';
import type { GitCredentials, GitInstallationDocument } from '../model.js';
import type { GitInstallation } from '../resources.js';

/** Whether a connection has all that a sync needs. */
export const isConfigured = ({ url, ref }: Pick<GitInstallationDocument, 'url' | 'ref'>): boolean =>
  url !== undefined && ref !== undefined;

export function statusOf({ ended }: Pick<GitInstallationDocument, 'ended'>): GitInstallation['status'] {
  if (ended === 'unauthenticated') return 'unauthenticated';
  return ended === undefined || ended === 'pending' ? 'pending' : 'active';
}

function stateOf(item: GitInstallationDocument, held: readonly unknown[]): GitInstallation['state'] {
  const { paused, syncing, ended } = item;
  if (!isConfigured(item)) return 'pending';
  if (paused) return 'paused';
  if (syncing !== undefined) return 'syncing';
  if (ended === 'connected') return held.length > 0 ? 'conflict' : 'connected';
  return ended === undefined || ended === 'pending' ? 'pending' : 'broken';
}

/** The part of a connection that its space shows. */
export function summarizeInstallation(item: GitInstallationDocument): GitInstallationSummary {
  const { _id: id, provider, url, ref } = item;
  const name = url === undefined ? undefined : repositoryName(url);
  const tree = url === undefined || ref === undefined || !/^https?:/.test(url) ? undefined : treeURLOf({ url, ref });
  return {
    id,
    status: statusOf(item) === 'active' ? 'active' : 'pending',
    ...(provider === 'github' || provider === 'gitlab' ? { provider } : {}),
    ...(name ? { repoName: name } : {}),
    ...(tree ? { url: tree } : {}),
  };
}

interface Shown {
  baseUrl: string;
  /** The state that the space and the branch share. */
  state: SharedState | undefined;
  credentials: GitCredentials;
  /** The secret of its webhook, if it was just made. */
  secret?: string | undefined;
}

export function presentInstallation(
  item: GitInstallationDocument,
  { baseUrl, state, credentials, secret }: Shown,
): GitInstallation {
  const { _id: id, provider, space, directory, commitMessage, previews, direction, priority, url, ref } = item;
  const { createdAt, createdBy, updatedAt, error, conflict, observed, lastSyncAt } = item;
  const { username, publicKey } = credentials;
  const held = state?.held ?? [];
  return {
    object: 'git-sync-installation',
    id,
    provider,
    providerConfiguration: {
      ...(url === undefined ? {} : { repositoryUrl: url }),
      ...presentChoice(item),
      ...(ref === undefined ? {} : { branch: ref }),
      ...(username === undefined ? {} : { username }),
      ...(publicKey === undefined ? {} : { publicKey }),
    },
    ...(directory === '' ? {} : { projectDirectory: directory }),
    commitMessageTemplate: commitMessage,
    previewExternalBranches: previews,
    direction,
    ...(priority ? { priority } : {}),
    target: { type: 'space', spaceId: space },
    status: statusOf(item),
    state: stateOf(item, held),
    ...(error === undefined ? {} : { error }),
    conflicts: held.map(({ agreed: _, ...shown }) => shown),
    ...(held.length > 0 && conflict ? { changeRequest: conflict.changeRequest } : {}),
    ...(url === undefined ? {} : { repositoryConnection: presentConnection(item, url) }),
    ...(ref === undefined
      ? {}
      : {
          repositoryRef: {
            object: 'git-repository-ref' as const,
            id: `${id}-ref`,
            name: ref,
            type: 'branch' as const,
            ...(observed === undefined ? {} : { latestObservedCommitId: observed }),
            ...(state ? { latestImportedCommitId: state.commit } : {}),
            updatedAt: lastSyncAt ?? updatedAt,
          },
        }),
    webhook: { url: `${baseUrl}/~git/hooks/${id}`, ...(secret === undefined ? {} : { secret }) },
    ...(lastSyncAt === undefined ? {} : { lastSyncAt }),
    createdAt,
    createdBy,
    updatedAt,
    urls: { location: `${baseUrl}/v1/git/installations/${id}` },
  };
}

/** How the repository was chosen, other than by its address. */
const presentChoice = ({ provider, repositoryId, instanceUrl }: GitInstallationDocument) => ({
  ...(typeof repositoryId !== 'number' ? {} : provider === 'gitlab' ? { projectId: repositoryId } : { repositoryId }),
  ...(instanceUrl ? { customInstanceURL: instanceUrl } : {}),
});

const authStates = { unauthenticated: 'unauthenticated', pending: 'pending', active: 'active' } as const;

function presentConnection(
  item: GitInstallationDocument,
  url: string,
): NonNullable<GitInstallation['repositoryConnection']> {
  const { _id, provider, createdAt, updatedAt, repositoryId } = item;
  const name = repositoryName(url);
  const hasApi = provider !== 'git';
  return {
    object: 'git-repository-connection',
    id: `${_id}-repository`,
    provider,
    repositoryId: typeof repositoryId === 'number' ? String(repositoryId) : name,
    repositoryName: name,
    repositoryUrl: url,
    authState: authStates[statusOf(item)],
    capabilities: { pullRequests: hasApi, commitStatuses: hasApi },
    createdAt,
    updatedAt,
  };
}
