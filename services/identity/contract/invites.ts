import { z } from 'zod';
import { timestampSchema } from '../../../shared/contract/fields.js';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/paging.js';
import { collectionSchema, spaceSchema } from '../../content/resources.js';
import { onOrganization, roleOrGuestSchema } from '../resources.js';
import { anyUser } from './access.js';

const email = z.email().max(254);
const id = z.string().min(1).max(100);
const expiresAt = timestampSchema.optional().meta({ description: 'From then on nobody joins by it. Default: never.' });

const inviteBase = {
  object: z.literal('invite'),
  id: z.string(),
  redundant: z.boolean().meta({ description: 'The caller has all that it gives.' }),
  expiresAt: timestampSchema.optional(),
};
const organizationInviteSchema = z
  .object({ ...inviteBase, role: roleOrGuestSchema })
  .meta({ id: 'InviteLinkToOrganization' });
export type OrganizationInvite = z.output<typeof organizationInviteSchema>;
const inviteSchema = z
  .union([
    organizationInviteSchema,
    z.object({ ...inviteBase, level: roleOrGuestSchema, space: spaceSchema }).meta({ id: 'InviteLinkToSpace' }),
    z
      .object({ ...inviteBase, level: roleOrGuestSchema, collection: collectionSchema })
      .meta({ id: 'InviteLinkToCollection' }),
  ])
  .meta({ id: 'OrganizationInviteLink' });
export type Invite = z.output<typeof inviteSchema>;

export const inviteOperations = {
  inviteUsersToOrganization: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/invites',
    summary: 'Invite people by e-mail',
    description:
      'They are members at once; an unknown address becomes an account. A message with a sign-in link goes out where mail is configured.',
    tag: 'Invites',
    access: onOrganization('admin'),
    body: z.object({
      emails: z
        .array(z.union([email, z.object({ email, role: roleOrGuestSchema })]))
        .min(1)
        .max(500),
      role: roleOrGuestSchema
        .optional()
        .meta({ description: 'For those who come without one. Default: the default role of the organization.' }),
      sso: z.boolean().default(false).meta({ description: 'They sign in by single sign-on.' }),
    }),
    status: 200,
    response: z.object({
      users: z.array(z.string()).meta({ description: 'Ids, in the order of the addresses.' }),
      invited: z.number().int().meta({ description: 'How many of them are new members.' }),
      failedSSOEmails: z
        .array(z.string())
        .optional()
        .meta({ description: 'Those who are members already, but not by single sign-on.' }),
    }),
  }),
  joinOrganizationWithInvite: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/invites/{inviteId}',
    summary: 'Join by an invite link',
    description: 'Never lowers what the caller has already.',
    tag: 'Invites',
    access: anyUser,
    changesCaller: true,
    status: 200,
    response: z.object({}),
  }),
  joinOrganization: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/join',
    summary: 'Join by the domain of the own e-mail address',
    tag: 'Invites',
    access: anyUser,
    changesCaller: true,
    status: 204,
  }),
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
    description: 'To the organization (`role`), or to a space or a collection of it (`level`).',
    tag: 'Invites',
    access: onOrganization('admin'),
    body: z.union([
      z.strictObject({ role: roleOrGuestSchema, expiresAt }),
      z.strictObject({ level: roleOrGuestSchema, space: id, expiresAt }),
      z.strictObject({ level: roleOrGuestSchema, collection: id, expiresAt }),
    ]),
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
    summary: 'Change what an invite link gives',
    tag: 'Invites',
    access: onOrganization('admin'),
    body: z.union([z.object({ role: roleOrGuestSchema }), z.object({ level: roleOrGuestSchema })]),
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
