import { operation } from '../../../../shared/contract/operation.js';
import { listOf, orderSchema, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import { memberContentPermissionSchema } from '../resources.js';

export const memberSpaceOperations = {
  listSpacesForOrganizationMember: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/members/{userId}/spaces',
    summary: 'List the spaces that a member has access to',
    description:
      'Admins and the member see all of them; other members see only the spaces that they have access to themselves.',
    tag: 'Members',
    access: { ...onOrganization('listMembers'), self: 'userId' },
    query: pageQuery.extend({ order: orderSchema.meta({ description: 'By time of creation.' }) }),
    status: 200,
    response: listOf(memberContentPermissionSchema),
  }),
};
