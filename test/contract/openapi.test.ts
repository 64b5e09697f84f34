import { createRequire } from 'node:module';
import { operations } from '../../services/gateway/contracts.js';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { shared } from '../support/fixtures.js';
import { officialStatuses } from '../support/official.js';

interface OfficialFile {
  paths: Record<string, Record<string, { operationId?: string }>>;
}
const load = createRequire(import.meta.url);
/** By operationId: of the file that Bindery was made for, and of the newest, where only that has it. */
const officialOperations = new Map(
  ['@gitbook/api-next', '@gitbook/api'].flatMap((name) =>
    Object.entries((load(`${name}/spec/openapi.json`) as OfficialFile).paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId }]): [string, string][] =>
        operationId ? [[operationId, `${method.toUpperCase()} ${path}`]] : [],
      ),
    ),
  ),
);

/** Operations of ours, which the public API has not. */
const ours = [
  'createUserToken',
  'listUserTokens',
  'deleteUserToken',
  'listUserSessions',
  'endUserSession',
  'endUserSessions',
  'listUserPasskeys',
  'updateUserPasskey',
  'deleteUserPasskey',
  'requestSignIn',
  'signIn',
  'listUserInvites',
  'acceptUserInvite',
  'declineUserInvite',
  'listDomainsInOrganization',
  'getDomainInOrganization',
  'checkDomainInOrganization',
  'deleteDomainInOrganization',
  'listOrganizationOIDCProviders',
  'createOrganizationOIDCProvider',
  'getOrganizationOIDCProvider',
  'updateOrganizationOIDCProvider',
  'deleteOrganizationOIDCProvider',
  'getOrganizationStorage',
  'getPublishedOpenAPISpec',
  'getPageDocumentById',
  'getPageDocumentInChangeRequestById',
  'getReusableContentDocumentById',
  'getReusableContentDocumentInChangeRequestById',
  'listChangeRequestConflicts',
  'updateSpaceContent',
  'listRevisions',
  'restoreRevision',
  'exportSiteEvents',
  'exportSiteHTML',
  'exportOrganization',
  'listOrganizationExports',
  'getOrganizationExport',
  'deleteOrganizationExport',
  'listContentImports',
  'getContentImport',
  'cancelContentImport',
  'listInstallationEvents',
  'syncGitInstallation',
  'getInstallationEvent',
  'resendInstallationEvent',
];

/** Operations of later versions of the public API than the official client here has. */
const later = new Map([
  ['installGitSyncProviderOnTarget', 'POST /git/installations'],
  ['getGitSyncInstallationById', 'GET /git/installations/{installationId}'],
  ['updateGitSyncInstallationById', 'PATCH /git/installations/{installationId}'],
  ['uninstallGitSyncInstallation', 'DELETE /git/installations/{installationId}'],
  ['listGitHubRepositoriesForGitSyncInstallation', 'GET /git/installations/{installationId}/github/repos'],
  [
    'listGitHubRepoBranchesForGitSyncInstallation',
    'GET /git/installations/{installationId}/github/repos/{accountName}/{repositoryName}/branches',
  ],
  [
    'getGitHubRepoFileForGitSyncInstallation',
    'GET /git/installations/{installationId}/github/repos/{accountName}/{repositoryName}/file',
  ],
  ['listGitLabProjectsForGitSyncInstallation', 'GET /git/installations/{installationId}/gitlab/projects'],
  [
    'listGitLabProjectBranchesForGitSyncInstallation',
    'GET /git/installations/{installationId}/gitlab/projects/{projectId}/branches',
  ],
  [
    'getGitLabProjectFileForGitSyncInstallation',
    'GET /git/installations/{installationId}/gitlab/projects/{projectId}/file',
  ],
  ['listSiteGitSyncInstallations', 'GET /orgs/{organizationId}/sites/{siteId}/spaces/git/installations'],
  ['listChangeRequestsForOrganization', 'GET /orgs/{organizationId}/change-requests'],
  ['getChangeRequestReviewById', 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/reviews/{reviewId}'],
]);

const shape = (path: string) => path.replace(/\{\w+\}/g, '{}');

/** What takes longer than a request is answered 202, which the public API has not: its requests wait as long. */
const goesOn = operations.filter(({ accepted }) => accepted).map(({ id }) => id);

describe('the contracts', () => {
  it('declare statuses that the public API declares, in both versions', () => {
    const statusesOf = ({ status, accepted }: AnyOperation) => (accepted ? [status, 202] : [status]);
    const others = (['0.137', '0.202'] as const).flatMap((version) =>
      operations.flatMap((operation) => {
        const declared = officialStatuses(operation.id, version);
        const own = declared ? statusesOf(operation).filter((status) => !declared.includes(status)) : [];
        return own.map((status) => [version, operation.id, status]);
      }),
    );
    const goOn = goesOn.filter((id) => officialStatuses(id)).map((id) => ['0.137', id, 202]);
    expect(others).toEqual([...goOn, ['0.202', 'duplicateSpace', 202], ['0.202', 'duplicateSiteSpace', 202]]);
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s stands under its official name, method and path',
    (id, operation) => {
      if (ours.includes(id)) expect(officialOperations.has(id)).toBe(false);
      else
        expect(shape(`${operation.method} ${operation.path}`)).toBe(
          shape(String(officialOperations.get(id) ?? later.get(id))),
        );
    },
  );

  it('name every operation and every path once', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    expect(new Set(operations.map(({ method, path }) => `${method} ${shape(path)}`)).size).toBe(operations.length);
  });

  it('declare what their access needs', () => {
    for (const { id, access, path } of operations) {
      if (access === 'public' || !access.on) continue;
      expect([id, path]).toEqual([id, expect.stringContaining(`{${access.id}}`)]);
      expect([id, access.need !== undefined && access.need in access.on.rights]).toEqual([id, true]);
    }
  });
});

describe('/openapi.json', () => {
  it('describes every operation, with references that resolve', async () => {
    const { body: document } = await shared().get('/openapi.json', { token: null });
    expect(document.openapi).toBe('3.1.0');
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item as object).map(([method, operation]) => [operation.operationId, method.toUpperCase(), path]),
    );
    expect(described.sort()).toEqual(operations.map(({ id, method, path }) => [id, method, path]).sort());
    const references = JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g) ?? [];
    for (const reference of references) {
      const target = reference
        .slice(2)
        .split('/')
        .reduce((node: any, key: string) => node?.[key], document);
      expect([reference, typeof target]).toEqual([reference, 'object']);
    }
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['User', 'Organization', 'Space', 'Collection', 'Revision', 'RevisionPage']),
    );
  });
});
