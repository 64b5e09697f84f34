import { operation } from '../../../shared/contract/operation.js';
import { listOf, orderSchema, pageQuery } from '../../../shared/paging.js';
import { onOrganization } from '../../identity/resources.js';
import { memberContentPermissionSchema } from '../resources.js';

export const memberSpaceOperations = {
  listSpacesForOrganizationMember: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/members/{userId}/spaces',
    summary: 'List the spaces that a member reaches',
    description: 'Members see of others only the spaces that they read themselves; admins, and the member, see all.',
    tag: 'Members',
    access: { ...onOrganization('listMembers'), self: 'userId' },
    query: pageQuery.extend({ order: orderSchema.meta({ description: 'By creation.' }) }),
    status: 200,
    response: listOf(memberContentPermissionSchema),
  }),
};
