import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import {
  onOrganization,
  teamKind,
  teamMemberSchema,
  teamMembershipSchema,
  teamRoles,
  teamSchema,
} from '../resources.js';
import { onMember } from './access-rules.js';

const onTeam = (need: keyof typeof teamKind.rights) =>
  ({ caller: ['user'], on: teamKind, id: 'teamId', within: 'organizationId', need }) as const;

const title = z.string().min(1).max(64);
const userId = z.string().min(1).max(100);
const userKey = z.string().min(1).max(254).meta({ description: 'The id of a user, or an e-mail address.' });

export const teamOperations = {
  listTeamsForOrganizationMember: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/members/{userId}/teams',
    summary: 'List the teams of a member',
    tag: 'Members',
    access: onMember('listMembers'),
    query: pageQuery.extend({ title: z.string().max(64).optional().meta({ description: 'Part of the title.' }) }),
    status: 200,
    response: listOf(z.object({ team: teamSchema, member: teamMembershipSchema })),
  }),
  listTeamsInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/teams',
    summary: 'List the teams of an organization',
    tag: 'Teams',
    access: onOrganization('listTeams'),
    query: pageQuery.extend({
      owner: userId.optional().meta({ description: 'The id of a member: only the teams that this member may manage.' }),
      title: z.string().max(64).optional().meta({ description: 'Part of the title.' }),
    }),
    status: 200,
    response: listOf(teamSchema),
  }),
  createOrganizationTeam: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/teams',
    summary: 'Create a team',
    tag: 'Teams',
    access: onOrganization('admin'),
    body: z
      .object({
        title,
        members: z.array(userId).max(1000).default([]).meta({ description: 'Ids of members of the organization.' }),
      })
      .meta({ examples: [{ title: 'Technical writers', members: [exampleId('user')] }] }),
    changesCaller: true,
    status: 201,
    response: teamSchema,
  }),
  getTeamInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/teams/{teamId}',
    summary: 'Get a team',
    tag: 'Teams',
    access: onTeam('view'),
    status: 200,
    response: teamSchema,
  }),
  updateTeamInOrganizationById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/teams/{teamId}',
    summary: 'Rename a team',
    tag: 'Teams',
    access: onTeam('admin'),
    body: z.object({ title }).meta({ examples: [{ title: 'Technical writers' }] }),
    status: 200,
    response: teamSchema,
  }),
  removeTeamFromOrganizationById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/teams/{teamId}',
    summary: 'Delete a team',
    tag: 'Teams',
    access: onOrganization('admin'),
    changesCaller: true,
    status: 204,
  }),
};

export const teamMemberOperations = {
  listTeamMembersInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/teams/{teamId}/members',
    summary: 'List the members of a team',
    tag: 'Teams',
    access: onTeam('view'),
    query: pageQuery,
    status: 200,
    response: listOf(teamMemberSchema),
  }),
  updateMembersInOrganizationTeam: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/teams/{teamId}/members',
    summary: 'Add and remove members of a team',
    description: 'All changes apply, or none. A user in both `add` and `remove` is removed.',
    tag: 'Teams',
    access: onTeam('admin'),
    body: z
      .object({
        add: z.array(userKey).max(1000).default([]),
        remove: z.array(userKey).max(1000).default([]),
        memberships: z
          .record(userKey, teamMembershipSchema)
          .default({})
          .refine((map) => Object.keys(map).length <= 1000, 'at most 1000 items')
          .meta({ description: 'Roles by user. Users who are not in the team yet are added.' }),
      })
      .meta({ examples: [{ add: [exampleId('user')] }, { memberships: { [exampleId('user')]: { role: 'owner' } } }] }),
    changesCaller: true,
    status: 204,
  }),
  addMemberToOrganizationTeamById: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/teams/{teamId}/members/{userId}',
    summary: 'Add a member to a team, or change the role in the team',
    tag: 'Teams',
    access: onTeam('admin'),
    body: z
      .object({ role: z.enum(teamRoles).optional() })
      .default({})
      .meta({ examples: [{ role: 'owner' }] }),
    changesCaller: true,
    status: 204,
  }),
  deleteMemberFromOrganizationTeamById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/teams/{teamId}/members/{userId}',
    summary: 'Remove a member from a team',
    tag: 'Teams',
    access: { ...onTeam('admin'), self: 'userId' },
    changesCaller: true,
    status: 204,
  }),
};
