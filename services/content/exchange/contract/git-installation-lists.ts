import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import { gitInstallationSchema } from '../resources.js';

export const installationListOperations = {
  listSiteGitSyncInstallations: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/sites/{siteId}/spaces/git/installations',
    summary: 'List the connections of the spaces of a site with Git repositories',
    description: 'Those of spaces that the caller may sync. A site itself has none.',
    tag: 'Git sync',
    access: onOrganization('view'),
    query: pageQuery,
    status: 200,
    response: listOf(gitInstallationSchema),
  }),
};
