import { operation } from '../../../../shared/contract/operation.js';
import { onOrganization } from '../../../identity/resources.js';
import { organizationStorageSchema } from '../resources.js';

export const storageOperations = {
  getOrganizationStorage: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/storage',
    summary: 'Get how much an organization stores',
    tag: 'Organizations',
    access: onOrganization('admin'),
    status: 200,
    response: organizationStorageSchema,
  }),
};
