import type { HandlersOf } from '../../../../../shared/contract/service.js';
import { apiError, conflict, notFound } from '../../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import { KeyedSemaphore } from '../../../../../shared/work/semaphore.js';
import type { hostListOperations } from '../../contract/git-installation-lists.js';
import { readCredentials } from '../installations/installation-setup.js';
import { gitInstallations } from '../model.js';
import type { GitHost } from '../resources.js';
import { type AskedConnection, type AsksHosts, type HostAccess, hostAccessesOf } from './ask-host.js';
import {
  listGitHubRepositories,
  listGitLabProjects,
  listHostBranches,
  readGitHubFile,
  readGitLabFile,
} from './host-lists.js';

const githubLike: readonly GitHost[] = ['github', 'gitea'];
const gitlab: readonly GitHost[] = ['gitlab'];

/** Requests that one organization has its hosts asked at a time: they may hang. */
const maxAtOnce = 4;

export function hostHandlers(deps: HasStore & AsksHosts): HandlersOf<typeof hostListOperations> {
  const turns = new KeyedSemaphore(maxAtOnce, () =>
    apiError('RATE_LIMITED', `${maxAtOnce} requests of this organization are asking Git hosts; try again later`),
  );
  const find = (id: string, providers: readonly GitHost[]) => findConnection(deps, id, providers);
  return {
    async listGitHubRepositoriesForGitSyncInstallation({ path: { installationId }, query: { page } }) {
      const item = await find(installationId, githubLike);
      return turns.run(item.organization, async () => {
        const ofApp = item.credentials.accessToken === undefined;
        return listGitHubRepositories(deps, await hostAccessesOf(deps, item), { page, ofApp });
      });
    },

    async listGitHubRepoBranchesForGitSyncInstallation({ path: { installationId, ...named }, query: { page } }) {
      const item = await find(installationId, githubLike);
      return turns.run(item.organization, async () => {
        const { repository, accesses } = await githubRepository(deps, item, named);
        return listHostBranches(deps, accesses, { repository, page });
      });
    },

    async getGitHubRepoFileForGitSyncInstallation({ path: { installationId, ...named }, query: { path, ref } }) {
      const item = await find(installationId, githubLike);
      return turns.run(item.organization, async () => {
        const { repository, accesses } = await githubRepository(deps, item, named);
        return readGitHubFile(deps, accesses[0] as HostAccess, { repository, path, ref });
      });
    },

    async listGitLabProjectsForGitSyncInstallation({ path: { installationId }, query: { page } }) {
      const item = await find(installationId, gitlab);
      return turns.run(item.organization, async () => listGitLabProjects(deps, await hostAccessesOf(deps, item), page));
    },

    async listGitLabProjectBranchesForGitSyncInstallation({ path: { installationId, projectId }, query: { page } }) {
      const item = await find(installationId, gitlab);
      const repository = gitlabRepository(projectId);
      return turns.run(item.organization, async () =>
        listHostBranches(deps, await hostAccessesOf(deps, item), { repository, page }),
      );
    },

    async getGitLabProjectFileForGitSyncInstallation({ path: { installationId, projectId }, query: { path, ref } }) {
      const item = await find(installationId, gitlab);
      const repository = gitlabRepository(projectId);
      return turns.run(item.organization, async () => {
        const [access] = await hostAccessesOf(deps, item);
        return readGitLabFile(deps, access as HostAccess, { repository, path, ref });
      });
    },
  };
}

async function findConnection(
  deps: HasStore & AsksHosts,
  id: string,
  providers: readonly GitHost[],
): Promise<AskedConnection> {
  const item = await deps.store.get(gitInstallations, id);
  if (!item) throw notFound('Git installation');
  if (!providers.includes(item.provider))
    throw conflict(`This connection is with a repository of ${item.provider}`, 'wrong_state');
  return { ...item, credentials: readCredentials(deps, item) };
}

async function githubRepository(
  deps: AsksHosts,
  item: AskedConnection,
  { accountName, repositoryName }: { accountName: string; repositoryName: string },
) {
  const isName = (name: string) => /^[\w.-]{1,100}$/.test(name) && !/^\.+$/.test(name);
  if (!isName(accountName) || !isName(repositoryName)) throw notFound('Repository');
  const name = `${accountName}/${repositoryName}`;
  return { repository: `/repos/${name}`, accesses: await hostAccessesOf(deps, item, name) };
}

function gitlabRepository(projectId: string): string {
  if (!/^\d{1,15}$/.test(projectId)) throw notFound('Project');
  return `/projects/${projectId}/repository`;
}
