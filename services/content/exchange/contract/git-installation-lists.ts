import { z } from 'zod';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import {
  gitInstallationKind,
  gitInstallationSchema,
  hostBranchSchema,
  hostFileSchema,
  hostRepositorySchema,
} from '../resources.js';

const tag = 'Git sync';
const at = '/git/installations/{installationId}';
const github = `${at}/github/repos/{accountName}/{repositoryName}` as const;
const gitlab = `${at}/gitlab/projects/{projectId}` as const;

const access = { caller: ['user'], on: gitInstallationKind, id: 'installationId', need: 'admin' } as const;

const hostPage = z.object({
  page: z.string().max(20).optional().meta({ description: 'Where to continue: `next.page` of the previous answer.' }),
});

/** A page as long as the host makes it; hosts do not tell how many there are. */
const listOfHost = <T extends z.ZodType>(item: T) =>
  z.object({
    next: z.object({ page: z.string() }).optional().meta({ description: 'Absent on the last page.' }),
    items: z.array(item),
  });

const fileQuery = z.object({
  path: z.string().min(1).max(1024).meta({ description: 'From the root of the repository.', example: 'README.md' }),
  ref: z.string().min(1).max(512).meta({ description: 'A branch, a tag or a commit.', example: 'refs/heads/main' }),
});

const ofGitea = 'Also of Gitea and Forgejo, where the connection is with one.';

export const installationListOperations = {
  listSiteGitSyncInstallations: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/spaces/git/installations',
    summary: 'List the connections of the spaces of a site with Git repositories',
    description: 'Those of spaces that the caller may sync. A site itself has none.',
    tag,
    access: onOrganization('view'),
    query: pageQuery,
    status: 200,
    response: listOf(gitInstallationSchema),
  }),
};

export const hostListOperations = {
  listGitHubRepositoriesForGitSyncInstallation: operation({
    method: 'GET',
    path: `${at}/github/repos`,
    summary: 'List the GitHub repositories that a connection could use',
    description: `Those that its token reaches, or the installations of the GitHub App. ${ofGitea}`,
    tag,
    access,
    query: hostPage,
    status: 200,
    response: listOfHost(hostRepositorySchema),
  }),
  listGitHubRepoBranchesForGitSyncInstallation: operation({
    method: 'GET',
    path: `${github}/branches`,
    summary: 'List the branches of a GitHub repository',
    description: ofGitea,
    tag,
    access,
    query: hostPage,
    status: 200,
    response: listOfHost(hostBranchSchema),
  }),
  getGitHubRepoFileForGitSyncInstallation: operation({
    method: 'GET',
    path: `${github}/file`,
    summary: 'Find a file in a GitHub repository',
    description: `Whether it is there, such as \`.gitbook.yaml\`. ${ofGitea}`,
    tag,
    access,
    query: fileQuery,
    status: 200,
    response: hostFileSchema,
  }),
  listGitLabProjectsForGitSyncInstallation: operation({
    method: 'GET',
    path: `${at}/gitlab/projects`,
    summary: 'List the GitLab projects that a connection could use',
    description: 'Those whose members the owner of its token is among.',
    tag,
    access,
    query: hostPage,
    status: 200,
    response: listOfHost(hostRepositorySchema),
  }),
  listGitLabProjectBranchesForGitSyncInstallation: operation({
    method: 'GET',
    path: `${gitlab}/branches`,
    summary: 'List the branches of a GitLab project',
    tag,
    access,
    query: hostPage,
    status: 200,
    response: listOfHost(hostBranchSchema),
  }),
  getGitLabProjectFileForGitSyncInstallation: operation({
    method: 'GET',
    path: `${gitlab}/file`,
    summary: 'Find a file in a GitLab project',
    description: 'Whether it is there, such as `.gitbook.yaml`.',
    tag,
    access,
    query: fileQuery,
    status: 200,
    response: hostFileSchema,
  }),
};
