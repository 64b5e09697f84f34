import { z } from 'zod';
import { timestampSchema } from '../../../shared/contract/fields.js';
import { collectionSchema, spaceSchema } from '../../content/resources.js';
import { roleOrGuestSchema } from '../organizations/resources.js';

// Not part of the service's `resources.ts`: content's resources import that, and invites import content's.

const inviteBase = {
  object: z.literal('invite'),
  id: z.string(),
  redundant: z.boolean().meta({ description: 'Whether the caller already has everything that the invite gives.' }),
  expiresAt: timestampSchema.optional(),
};
export const organizationInviteSchema = z
  .object({ ...inviteBase, role: roleOrGuestSchema })
  .meta({ id: 'InviteLinkToOrganization' });
export type OrganizationInvite = z.output<typeof organizationInviteSchema>;

export const inviteSchema = z
  .union([
    organizationInviteSchema,
    z.object({ ...inviteBase, level: roleOrGuestSchema, space: spaceSchema }).meta({ id: 'InviteLinkToSpace' }),
    z
      .object({ ...inviteBase, level: roleOrGuestSchema, collection: collectionSchema })
      .meta({ id: 'InviteLinkToCollection' }),
  ])
  .meta({ id: 'OrganizationInviteLink' });
export type Invite = z.output<typeof inviteSchema>;

export const userInviteSchema = z
  .object({
    object: z.literal('user-invite'),
    organization: z.object({ id: z.string(), title: z.string() }),
    role: roleOrGuestSchema,
    invitedBy: z.string().meta({ description: 'The display name of who sent it.' }),
    createdAt: timestampSchema,
  })
  .meta({ id: 'UserInvite' });
export type UserInvite = z.output<typeof userInviteSchema>;
