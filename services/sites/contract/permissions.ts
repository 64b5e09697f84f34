import { z } from 'zod';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, orderSchema, pageQuery } from '../../../shared/lists/paging.js';
import { teamContentPermissionSchema, userContentPermissionSchema } from '../../content/resources.js';
import { changedRoleBody, inviteBody } from '../../identity/contract.js';
import { roles } from '../../identity/resources.js';
import { userSitePermissionSchema } from '../resources.js';
import { onSite, site } from './access-rules.js';

const tag = 'Site permissions';
const access = onSite('admin');

export const sitePermissionOperations = {
  inviteToSite: operation({
    method: 'POST',
    path: `${site}/permissions`,
    summary: 'Give members and teams a role on a site',
    description:
      'All or nothing. The role replaces one that a member or team already has there. It counts for the site, not for the spaces that it shows.',
    tag,
    access,
    body: inviteBody('create'),
    status: 204,
  }),
  listTeamPermissionsInSite: operation({
    method: 'GET',
    path: `${site}/permissions/teams`,
    summary: 'List the teams that have a role on a site',
    tag,
    access,
    query: pageQuery,
    status: 200,
    response: listOf(teamContentPermissionSchema),
  }),
  updateTeamPermissionInSite: operation({
    method: 'PATCH',
    path: `${site}/permissions/teams/{teamId}`,
    summary: 'Change the role of a team on a site',
    tag,
    access,
    body: changedRoleBody('review', null),
    status: 204,
  }),
  removeTeamFromSite: operation({
    method: 'DELETE',
    path: `${site}/permissions/teams/{teamId}`,
    summary: 'Remove the role of a team on a site',
    tag,
    access,
    status: 205,
  }),
  listUserPermissionsInSite: operation({
    method: 'GET',
    path: `${site}/permissions/users`,
    summary: 'List the members that have a role of their own on a site',
    tag,
    access,
    query: pageQuery,
    status: 200,
    response: listOf(userContentPermissionSchema),
  }),
  updateUserPermissionInSite: operation({
    method: 'PATCH',
    path: `${site}/permissions/users/{userId}`,
    summary: 'Change the role of a member on a site',
    tag,
    access,
    body: changedRoleBody('edit', null),
    status: 204,
  }),
  removeUserFromSite: operation({
    method: 'DELETE',
    path: `${site}/permissions/users/{userId}`,
    summary: 'Remove the role of a member on a site',
    tag,
    access,
    status: 205,
  }),
  listPermissionsAggregateInSite: operation({
    method: 'GET',
    path: `${site}/permissions/aggregate`,
    summary: 'List every member with access to a site',
    description:
      'With the effective role, and where it comes from. Guests are listed where they have a role, or where anyone may visit the site; disabled members are not.',
    tag,
    access,
    query: pageQuery.extend({
      order: orderSchema,
      role: z
        .enum([...roles, 'guest'])
        .optional()
        .meta({ description: 'Only members with this role on the site.' }),
      search: z.string().max(256).optional().meta({ description: 'Part of the display name or the e-mail address.' }),
      sort: z.enum(['joinedAt', 'lastSeenAt', 'name']).default('joinedAt'),
      team: z.string().min(1).max(100).optional().meta({ description: 'Only members of this team.' }),
    }),
    status: 200,
    response: listOf(userSitePermissionSchema),
  }),
};
