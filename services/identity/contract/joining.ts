import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { timestampSchema } from '../../../shared/contract/fields.js';
import { operation } from '../../../shared/contract/operation.js';
import { question } from '../../../shared/contract/verb.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import {
  inviteSchema,
  onOrganization,
  organizationInviteSchema,
  type Role,
  roleOrGuestSchema,
  userInviteSchema,
} from '../resources.js';
import { anyUser } from './access-rules.js';

const email = z.email().max(254);
const id = z.string().min(1).max(100);
const expiresAt = timestampSchema.optional().meta({ description: 'When the link expires. Default: never.' });

export const joiningOperations = {
  inviteUsersToOrganization: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/invites',
    summary: 'Invite people by e-mail',
    description:
      'An unknown address gets an account and is a member at once; somebody who has an account becomes a member by accepting. The answer is the same. Where mail is configured, each receives a link to sign in and join by.',
    tag: 'Invites',
    access: onOrganization('admin'),
    body: z
      .object({
        emails: z
          .array(z.union([email, z.object({ email, role: roleOrGuestSchema })]))
          .min(1)
          .max(500),
        role: roleOrGuestSchema.optional().meta({
          description: 'For addresses without a role of their own. Default: the default role of the organization.',
        }),
        sso: z.boolean().default(false).meta({ description: 'Whether they use single sign-on.' }),
      })
      .meta({
        examples: [{ emails: ['ada@example.com', { email: 'grace@example.com', role: 'admin' }], role: 'edit' }],
      }),
    status: 200,
    response: z.object({
      users: z.array(z.string()).meta({ description: 'Ids of users, in the order of the addresses.' }),
      invited: z.number().int().meta({ description: 'The number of people who were not members or invited before.' }),
      failedSSOEmails: z
        .array(z.string())
        .optional()
        .meta({ description: 'Addresses of members who may not use single sign-on.' }),
    }),
  }),
  joinOrganizationWithInvite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/invites/{inviteId}',
    summary: 'Join by an invite link',
    description: 'A role or level that the caller already has is never lowered.',
    tag: 'Invites',
    access: anyUser,
    changesCaller: true,
    status: 200,
    response: z.object({}),
  }),
  joinOrganization: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/join',
    summary: "Join by the domain of the caller's e-mail address",
    tag: 'Invites',
    access: anyUser,
    changesCaller: true,
    status: 204,
  }),
};

export const userInviteOperations = {
  listUserInvites: operation({
    method: 'GET',
    path: '/user/invites',
    summary: 'List the invites that wait for the user to accept',
    description: 'The newest first.',
    tag: 'Invites',
    access: anyUser,
    query: pageQuery,
    status: 200,
    response: listOf(userInviteSchema),
  }),
  acceptUserInvite: operation({
    method: 'POST',
    path: '/user/invites/{organizationId}',
    summary: 'Accept the invite to an organization',
    description: '404 without one, and when who sent it is no longer an admin of the organization.',
    tag: 'Invites',
    access: anyUser,
    changesCaller: true,
    status: 204,
  }),
  declineUserInvite: operation({
    method: 'DELETE',
    path: '/user/invites/{organizationId}',
    summary: 'Decline the invite to an organization',
    tag: 'Invites',
    access: anyUser,
    status: 204,
  }),
};

export const inviteOperations = {
  listOrganizationInviteLinks: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/link-invites',
    summary: 'List the invite links to an organization',
    tag: 'Invites',
    access: onOrganization('admin'),
    query: pageQuery,
    status: 200,
    response: listOf(organizationInviteSchema),
  }),
  createOrganizationInvite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/link-invites',
    summary: 'Create an invite link',
    description: 'To the organization (`role`), or to one of its spaces or collections (`level`).',
    tag: 'Invites',
    access: onOrganization('admin'),
    body: z
      .union([
        z.strictObject({ role: roleOrGuestSchema, expiresAt }),
        z.strictObject({ level: roleOrGuestSchema, space: id, expiresAt }),
        z.strictObject({ level: roleOrGuestSchema, collection: id, expiresAt }),
      ])
      .meta({
        examples: [
          { role: 'read', expiresAt: '2035-01-01T00:00:00.000Z' },
          { level: 'comment', space: exampleId('space') },
          { level: 'edit', collection: exampleId('collection') },
        ],
      }),
    status: 201,
    response: inviteSchema,
  }),
  getOrganizationInviteLink: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/link-invites/{inviteId}',
    summary: 'Get an invite link',
    tag: 'Invites',
    access: onOrganization('admin'),
    status: 200,
    response: inviteSchema,
  }),
  updateOrganizationInviteById: operation({
    method: 'PATCH',
    path: '/orgs/{organizationId}/link-invites/{inviteId}',
    summary: 'Change the role or level of an invite link',
    tag: 'Invites',
    access: onOrganization('admin'),
    body: z
      .union([z.object({ role: roleOrGuestSchema }), z.object({ level: roleOrGuestSchema })])
      .meta({ examples: [{ role: 'comment' }] }),
    status: 200,
    response: inviteSchema,
  }),
  deleteOrganizationInviteById: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/link-invites/{inviteId}',
    summary: 'Delete an invite link',
    tag: 'Invites',
    access: onOrganization('admin'),
    status: 205,
  }),
};

/** The offer of an invite link to somebody who has it. */
export interface InviteDescription {
  organization: { id: string; title: string };
  to: 'organization' | 'space' | 'collection';
  /** The id of what it leads to. */
  target: string;
  role: Role | null;
  /** Whether the caller has everything that it gives. */
  redundant: boolean;
  /** Whether the organization has switched its invite links off. */
  linksOff: boolean;
}

/** Says what an invite link offers to the caller; null for one that is unknown, has expired, or lets nobody in since its maker is no admin. */
export const describeInvite = question<{ organization: string; invite: string }, InviteDescription | null>(
  'identity',
  'describeInvite',
);
