import { z } from 'zod';
import type { AccessRule } from '../../../../shared/contract/access.js';
import { exampleId } from '../../../../shared/contract/examples.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/paging.js';
import { roleOrGuestSchema, roleSchema } from '../../../identity/resources.js';
import { teamContentPermissionSchema, userContentPermissionSchema } from '../access/resources.js';
import { onCollection, onSpace } from './access-rules.js';

const ids = z.array(z.string().min(1).max(100)).min(1).max(500);
const role = roleOrGuestSchema.meta({ description: 'A role, or null for no access.' });

/** The operations that spaces and collections share. `base` is the path, `what` names the resource in texts. */
function permissionsOn<const Base extends string>(base: Base, what: string, access: AccessRule) {
  const tag = 'Permissions';
  return {
    invite: operation({
      method: 'POST',
      path: `${base}/permissions` as const,
      summary: `Give members and teams a role on a ${what}`,
      description: 'All or nothing. The role replaces one that a member or team already has there.',
      tag,
      access,
      body: z
        .object({
          role,
          users: ids.optional().meta({ description: 'Ids of members.' }),
          teams: ids.optional().meta({ description: 'Ids of teams.' }),
        })
        .refine(({ users, teams }) => users || teams, { path: ['users'], error: 'required unless teams are given' })
        .meta({
          examples: [
            { role: 'edit', users: [exampleId('user')] },
            { role: 'read', teams: [exampleId('team')] },
          ],
        }),
      status: 204,
    }),
    listTeams: operation({
      method: 'GET',
      path: `${base}/permissions/teams` as const,
      summary: `List the teams that have a role on a ${what}`,
      tag,
      access,
      query: pageQuery,
      status: 200,
      response: listOf(teamContentPermissionSchema),
    }),
    updateTeam: operation({
      method: 'PATCH',
      path: `${base}/permissions/teams/{teamId}` as const,
      summary: `Change the role of a team on a ${what}`,
      tag,
      access,
      body: z
        .object({ role: role.optional() })
        .default({})
        .meta({ examples: [{ role: 'review' }] }),
      status: 204,
    }),
    removeTeam: operation({
      method: 'DELETE',
      path: `${base}/permissions/teams/{teamId}` as const,
      summary: `Remove the role of a team on a ${what}`,
      tag,
      access,
      status: 205,
    }),
    listUsers: operation({
      method: 'GET',
      path: `${base}/permissions/users` as const,
      summary: `List the members that have a role of their own on a ${what}`,
      tag,
      access,
      query: pageQuery,
      status: 200,
      response: listOf(userContentPermissionSchema),
    }),
    updateUser: operation({
      method: 'PATCH',
      path: `${base}/permissions/users/{userId}` as const,
      summary: `Change the role of a member on a ${what}`,
      tag,
      access,
      body: z
        .object({ role: role.optional() })
        .default({})
        .meta({ examples: [{ role: 'edit' }, { role: null }] }),
      status: 204,
    }),
    removeUser: operation({
      method: 'DELETE',
      path: `${base}/permissions/users/{userId}` as const,
      summary: `Remove the role of a member on a ${what}`,
      tag,
      access,
      status: 205,
    }),
    aggregate: operation({
      method: 'GET',
      path: `${base}/permissions/aggregate` as const,
      summary: `List every member with access to a ${what}`,
      description: 'With the effective role: from grants, default levels and the role in the organization.',
      tag,
      access,
      query: pageQuery.extend({ role: roleSchema.optional().meta({ description: 'Only members with this role.' }) }),
      status: 200,
      response: listOf(userContentPermissionSchema),
    }),
  };
}

const space = permissionsOn('/spaces/{spaceId}', 'space', onSpace('admin'));
const collection = permissionsOn('/collections/{collectionId}', 'collection', onCollection('admin'));

export const permissionOperations = {
  inviteToSpace: space.invite,
  listTeamPermissionsInSpace: space.listTeams,
  updateTeamPermissionInSpace: space.updateTeam,
  removeTeamFromSpace: space.removeTeam,
  listUserPermissionsInSpace: space.listUsers,
  updateUserPermissionInSpace: space.updateUser,
  removeUserFromSpace: space.removeUser,
  listPermissionsAggregateInSpace: space.aggregate,
  inviteToCollection: collection.invite,
  listTeamPermissionsInCollection: collection.listTeams,
  updateTeamPermissionInCollection: collection.updateTeam,
  removeTeamFromCollection: collection.removeTeam,
  listUserPermissionsInCollection: collection.listUsers,
  updateUserPermissionInCollection: collection.updateUser,
  removeUserFromCollection: collection.removeUser,
  listPermissionsAggregateInCollection: collection.aggregate,
};
