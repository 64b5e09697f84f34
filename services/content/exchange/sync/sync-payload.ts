import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { GitExportPayload } from '../exports/push-content.js';
import type { HasProxy } from '../git/address/proxy.js';
import { isSshUrl } from '../git/address/remote.js';
import { sshKeyText } from '../git/address/ssh.js';
import { treeURLOf } from '../git/address/tree-url.js';
import { type SharedState, sharedStates } from '../git/model.js';
import { sharedStateId } from '../git/operations/shared-states.js';
import type { GitImportPayload } from '../imports/git-import/git-import-job.js';
import { readCredentials } from './installations/installation-setup.js';
import { isConfigured } from './installations/present.js';
import type { GitInstallationDocument } from './model.js';

/** The payload of an import and of an export, for the steps of a sync. */
export type SyncPayload = GitImportPayload & GitExportPayload;

/** The user that hosts take with a token as its password. */
const tokenUser = {
  github: 'x-access-token',
  gitlab: 'oauth2',
  gitea: 'oauth2',
  bitbucket: 'x-token-auth',
  git: 'git',
};

/** The address of the repository with its credentials. */
export function remoteUrlOf(deps: HasSecrets, item: GitInstallationDocument): string {
  const { username, accessToken, privateKey } = readCredentials(deps, item);
  const url = new URL(item.url ?? '');
  if (isSshUrl(url.href) && privateKey !== undefined) {
    url.password = sshKeyText({ privateKey, hostKey: item.hostKey });
    return url.href;
  }
  if (accessToken === undefined || !/^https?:$/.test(url.protocol)) return url.href;
  url.username = encodeURIComponent(username ?? tokenUser[item.provider]);
  url.password = encodeURIComponent(accessToken);
  return url.href;
}

/** Makes the payload of a step. `operation` names it: the same for every run of its job. */
export function syncPayload(deps: HasSecrets, item: GitInstallationDocument, operation: string): SyncPayload {
  const { space, url = '', ref = '', directory, commitMessage } = item;
  const repoTreeURL = /^https?:/.test(url) ? treeURLOf({ url, ref }) : undefined;
  return {
    url: deps.secrets.encrypt(remoteUrlOf(deps, item)),
    ref,
    ...(directory === '' ? {} : { repoProjectDirectory: directory }),
    ...(repoTreeURL === undefined ? {} : { repoTreeURL }),
    ...commitPrefix(item),
    commitMessage,
    force: false,
    standalone: false,
    space,
    operation,
  };
}

const commitPaths = { github: '/commit', gitlab: '/-/commit', gitea: '/commit', bitbucket: '/commits' };

/** The prefix of the addresses of commits. */
function commitPrefix({ provider, url = '' }: GitInstallationDocument): { repoCommitURL?: string } {
  if (provider === 'git' || !/^https?:/.test(url)) return {};
  return { repoCommitURL: `${url.replace(/\/+$/, '').replace(/\.git$/, '')}${commitPaths[provider]}` };
}

/** Finds the state that the space and its branch share; undefined before the first sync. */
export const findSyncState = async (
  deps: HasStore & HasSecrets & HasProxy,
  item: GitInstallationDocument,
): Promise<SharedState | undefined> => (await findSyncStates(deps, [item]))(item);

/** As `findSyncState`, for several connections. */
export async function findSyncStates(
  deps: HasStore & HasSecrets & HasProxy,
  items: readonly GitInstallationDocument[],
): Promise<(item: GitInstallationDocument) => SharedState | undefined> {
  const configured = items.filter(isConfigured);
  const ids = new Map(configured.map((item) => [item._id, sharedStateId(deps, syncPayload(deps, item, ''))]));
  const found = await deps.store.getMany(sharedStates, [...ids.values()]);
  const byId = new Map(found.map((state) => [state._id, state]));
  return ({ _id }) => byId.get(ids.get(_id) ?? '');
}
