import { z } from 'zod';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, orderSchema, pageQuery } from '../../../shared/lists/paging.js';
import { memberSchema, onOrganization, roleOrGuestSchema, roles } from '../resources.js';
import { onMember } from './access-rules.js';

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
        .meta({ description: '`lastSeenAt` lists only members who have been seen at least once.' }),
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
    summary: 'Change the role of a member, or disable the membership',
    tag: 'Members',
    access: onOrganization('admin'),
    body: z
      .object({
        role: roleOrGuestSchema.optional(),
        disabled: z.boolean().optional().meta({ description: 'True disables the membership.' }),
      })
      .meta({ examples: [{ role: 'edit' }, { disabled: true }] }),
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
    summary: 'Record that the caller is active',
    tag: 'Members',
    access: onOrganization('view'),
    status: 200,
    response: z.object({
      serviceVisitorClaims: z.string().optional().meta({ description: 'A signed JWT that identifies the visitor.' }),
    }),
  }),
  setUserAsSSOMemberForOrganization: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/members/{userId}/sso',
    summary: 'Allow a member to use single sign-on',
    tag: 'Members',
    access: onOrganization('admin'),
    status: 200,
    response: memberSchema,
  }),
};
