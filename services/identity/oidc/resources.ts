import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../../shared/contract/fields.js';
import { roleOrGuestSchema, roleSchema } from '../organizations/resources.js';
import { teamSchema } from '../teams/resources.js';

export const groupMappingSchema = z
  .object({
    group: z.string().min(1).max(256).meta({ description: 'The name or id that the provider sends.' }),
    team: z.string().min(1).max(100).optional().meta({ description: 'The id of the team that these people are in.' }),
    role: roleSchema.optional(),
  })
  .meta({ description: 'At least one of `team` and `role`.' });

export const oidcProviderSchema = z
  .object({
    object: z.literal('oidc-provider'),
    id: z.string(),
    label: z.string().min(1).max(30),
    issuer: urlSchema,
    clientId: z.string(),
    hasClientSecret: z.boolean(),
    scopes: z.array(z.string()),
    groupsClaim: z.string().optional(),
    groups: z.array(groupMappingSchema),
    emailDomains: z.array(z.string()),
    defaultTeam: teamSchema.optional(),
    defaultRole: roleOrGuestSchema,
    active: z.boolean(),
    createdAt: timestampSchema,
    service: z.object({ startURL: urlSchema, callbackURL: urlSchema }).meta({
      description: 'The addresses of Bindery: where a sign-in starts, and the callback to enter at the provider.',
    }),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'OrganizationOIDCProvider' });
export type OidcProvider = z.output<typeof oidcProviderSchema>;
