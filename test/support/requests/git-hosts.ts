import { newSpace } from '../fixtures.js';
import { gitApi } from '../git-api.js';
import { idOf, type Make, once, type Particulars } from './setting.js';

const github = '/api/v3/repos/acme/docs';
const gitlab = '/api/v4/projects/3/repository';
const repositories = [
  { id: 1, name: 'docs', full_name: 'acme/docs', owner: { login: 'acme' }, default_branch: 'main' },
];
const projects = [{ id: 3, path: 'docs', path_with_namespace: 'acme/docs', namespace: { full_path: 'acme' } }];
const file = { type: 'file', name: 'README.md', path: 'README.md', sha: 'a1', size: 7 };

/** A host of both kinds with one repository, as long as the process lives. */
const openHost = once(async () => {
  const { url } = await gitApi({
    'GET /api/v3/user/repos': { body: repositories },
    [`GET ${github}/branches`]: { body: [{ name: 'main' }] },
    [`GET ${github}/contents/README.md`]: { body: file },
    'GET /api/v4/projects': { body: projects },
    [`GET ${gitlab}/branches`]: { body: [{ name: 'main' }] },
    [`HEAD ${gitlab}/files/README.md`]: { headers: { 'x-gitlab-size': '7', 'x-gitlab-blob-id': 'a1' } },
  });
  return url;
});

/** The connection of a new space with the repository of that host. */
const connectionWith = (provider: string): Make =>
  once(async (setting, caller) => {
    const { admin, organization } = setting;
    const target = { type: 'space', spaceId: await newSpace(admin, organization) };
    const repositoryUrl = `${await openHost(setting, caller)}/acme/docs.git`;
    const providerConfiguration = { repositoryUrl, accessToken: 'secret' };
    return idOf(admin.post('/v1/git/installations', { provider, target, paused: true, providerConfiguration }));
  });

const ofGitHub = { installationId: connectionWith('github') };
const ofGitLab = { installationId: connectionWith('gitlab') };
const repository = { ...ofGitHub, accountName: async () => 'acme', repositoryName: async () => 'docs' };
const project = { ...ofGitLab, projectId: async () => '3' };
const query = async () => 'path=README.md&ref=main';

export const gitHosts: Record<string, Particulars> = {
  listGitHubRepositoriesForGitSyncInstallation: { use: ofGitHub },
  listGitHubRepoBranchesForGitSyncInstallation: { use: repository },
  getGitHubRepoFileForGitSyncInstallation: { use: repository, query },
  listGitLabProjectsForGitSyncInstallation: { use: ofGitLab },
  listGitLabProjectBranchesForGitSyncInstallation: { use: project },
  getGitLabProjectFileForGitSyncInstallation: { use: project, query },
};
