import { z } from 'zod';
import type { ResourceKind } from '../../../shared/contract/access.js';
import type { Call } from '../../../shared/contract/context.js';
import { timestampSchema } from '../../../shared/contract/fields.js';
import { roleOrGuestSchema } from '../organizations/resources.js';

/** A resource of a service above that an invite may lead to. Its service registers it. */
export interface InviteTarget {
  kind: ResourceKind;
  schema: z.ZodType<object>;
  /** Reads the resource as the caller sees it. */
  read: (call: Call, id: string) => Promise<object>;
}

type TargetName = 'space' | 'collection';
const inviteTargets = new Map<TargetName, InviteTarget>();

export const registerInviteTarget = (name: TargetName, target: InviteTarget) => inviteTargets.set(name, target);

export function inviteTarget(name: TargetName): InviteTarget {
  const target = inviteTargets.get(name);
  if (!target) throw new Error(`no service has registered the ${name} as a target of invites`);
  return target;
}

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
    z
      .object({ ...inviteBase, level: roleOrGuestSchema, space: z.lazy(() => inviteTarget('space').schema) })
      .meta({ id: 'InviteLinkToSpace' }),
    z
      .object({ ...inviteBase, level: roleOrGuestSchema, collection: z.lazy(() => inviteTarget('collection').schema) })
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
