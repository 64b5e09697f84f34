import { operationsAtPlaces } from '../../../../shared/contract/at-places.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { changedRoleBody, inviteBody } from '../../../identity/contract.js';
import { roleSchema } from '../../../identity/resources.js';
import { teamContentPermissionSchema, userContentPermissionSchema } from '../resources.js';
import { onCollection, onSpace } from './access-rules.js';

const tag = 'Permissions';

/** The operations that spaces and collections share. */
export const permissionOperations = operationsAtPlaces(
  {
    space: { at: '/spaces/{spaceId}', tag, name: 'space', access: onSpace('admin') },
    collection: { at: '/collections/{collectionId}', tag, name: 'collection', access: onCollection('admin') },
  },
  {
    inviteToContent: {
      ids: { space: 'inviteToSpace', collection: 'inviteToCollection' },
      method: 'POST',
      path: '/permissions',
      summary: (name) => `Give members and teams a role on a ${name}`,
      description: 'All or nothing. The role replaces one that a member or team already has there.',
      body: inviteBody('edit'),
      status: 204,
    },
    listTeamPermissions: {
      ids: { space: 'listTeamPermissionsInSpace', collection: 'listTeamPermissionsInCollection' },
      method: 'GET',
      path: '/permissions/teams',
      summary: (name) => `List the teams that have a role on a ${name}`,
      query: pageQuery,
      status: 200,
      response: listOf(teamContentPermissionSchema),
    },
    updateTeamPermission: {
      ids: { space: 'updateTeamPermissionInSpace', collection: 'updateTeamPermissionInCollection' },
      method: 'PATCH',
      path: '/permissions/teams/{teamId}',
      summary: (name) => `Change the role of a team on a ${name}`,
      body: changedRoleBody('review'),
      status: 204,
    },
    removeTeamPermission: {
      ids: { space: 'removeTeamFromSpace', collection: 'removeTeamFromCollection' },
      method: 'DELETE',
      path: '/permissions/teams/{teamId}',
      summary: (name) => `Remove the role of a team on a ${name}`,
      status: 205,
    },
    listUserPermissions: {
      ids: { space: 'listUserPermissionsInSpace', collection: 'listUserPermissionsInCollection' },
      method: 'GET',
      path: '/permissions/users',
      summary: (name) => `List the members that have a role of their own on a ${name}`,
      query: pageQuery,
      status: 200,
      response: listOf(userContentPermissionSchema),
    },
    updateUserPermission: {
      ids: { space: 'updateUserPermissionInSpace', collection: 'updateUserPermissionInCollection' },
      method: 'PATCH',
      path: '/permissions/users/{userId}',
      summary: (name) => `Change the role of a member on a ${name}`,
      body: changedRoleBody('edit', null),
      status: 204,
    },
    removeUserPermission: {
      ids: { space: 'removeUserFromSpace', collection: 'removeUserFromCollection' },
      method: 'DELETE',
      path: '/permissions/users/{userId}',
      summary: (name) => `Remove the role of a member on a ${name}`,
      status: 205,
    },
    listPermissionsAggregate: {
      ids: { space: 'listPermissionsAggregateInSpace', collection: 'listPermissionsAggregateInCollection' },
      method: 'GET',
      path: '/permissions/aggregate',
      summary: (name) => `List every member with access to a ${name}`,
      description: 'With the effective role: from grants, default levels and the role in the organization.',
      query: pageQuery.extend({ role: roleSchema.optional().meta({ description: 'Only members with this role.' }) }),
      status: 200,
      response: listOf(userContentPermissionSchema),
    },
  },
);
