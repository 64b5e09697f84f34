import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import { organizationExportSchema } from '../resources.js';

const access = onOrganization('admin');

export const organizationExportOperations = {
  exportOrganization: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/export',
    summary: 'Export people and content of an organization as one archive',
    description: 'The export goes on after the answer. While one is under way, another is 409.',
    tag: 'Organizations',
    access,
    status: 201,
    response: organizationExportSchema,
  }),
  listOrganizationExports: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/exports',
    summary: 'List the exports of an organization',
    description: 'The latest first, those of the last seven days.',
    tag: 'Organizations',
    access,
    query: pageQuery,
    status: 200,
    response: listOf(organizationExportSchema),
  }),
  getOrganizationExport: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/exports/{exportId}',
    summary: 'Get an export of an organization',
    tag: 'Organizations',
    access,
    status: 200,
    response: organizationExportSchema,
  }),
  deleteOrganizationExport: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/exports/{exportId}',
    summary: 'Delete an export of an organization',
    description: 'One that is under way ends. Its archive can be downloaded no more.',
    tag: 'Organizations',
    access,
    status: 204,
  }),
};
