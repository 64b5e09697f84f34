import { z } from 'zod';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, orderSchema, pageQuery } from '../../../shared/paging.js';
import {
  memberSchema,
  onOrganization,
  roleOrGuestSchema,
  roles,
  teamMembershipSchema,
  teamSchema,
} from '../resources.js';

/** A member may see and leave with no more right than to see the organization. */
const onMember = (need: 'listMembers' | 'admin') => ({ ...onOrganization(need), self: 'userId' }) as const;

export const memberOperations = {
  listMembersInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/members',
    summary: 'List the members of an organization',
    tag: 'Members',
    access: onOrganization('listMembers'),
    query: pageQuery.extend({
      order: orderSchema,
      role: z.enum([...roles, 'guest']).optional(),
      search: z.string().max(256).optional().meta({ description: 'Part of the display name or the e-mail address.' }),
      sort: z
        .enum(['joinedAt', 'lastSeenAt'])
        .default('joinedAt')
        .meta({ description: '`lastSeenAt` lists only members who were seen at least once.' }),
    }),
    status: 200,
    response: listOf(memberSchema),
  }),
  getMemberInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/members/{userId}',
    summary: 'Get a member',
    tag: 'Members',
    access: onMember('listMembers'),
    status: 200,
    response: memberSchema,
  }),
  updateMemberInOrganizationById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/members/{userId}',
    summary: 'Change the role of a member',
    tag: 'Members',
    access: onOrganization('admin'),
    body: z.object({
      role: roleOrGuestSchema.optional(),
      disabled: z.boolean().optional().meta({ description: 'True switches the membership off.' }),
    }),
    changesCaller: true,
    status: 200,
    response: memberSchema,
  }),
  removeMemberFromOrganizationById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/members/{userId}',
    summary: 'Remove a member, or leave',
    tag: 'Members',
    access: onMember('admin'),
    changesCaller: true,
    status: 204,
  }),
  updateOrganizationMemberLastSeenAt: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/ping',
    summary: 'Note that the caller was seen',
    tag: 'Members',
    access: onOrganization('view'),
    status: 200,
    response: z.object({
      serviceVisitorClaims: z.string().optional().meta({ description: 'A signed JWT that says who the visitor is.' }),
    }),
  }),
  setUserAsSSOMemberForOrganization: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/members/{userId}/sso',
    summary: 'Let a member sign in by single sign-on',
    tag: 'Members',
    access: onOrganization('admin'),
    status: 200,
    response: memberSchema,
  }),
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
};
