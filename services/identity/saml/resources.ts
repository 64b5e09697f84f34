import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../../shared/contract/fields.js';
import { roleOrGuestSchema } from '../organizations/resources.js';
import { teamSchema } from '../teams/resources.js';

export const samlProviderSchema = z
  .object({
    object: z.literal('saml-provider'),
    id: z.string(),
    label: z.string().min(1).max(30),
    ssoURL: urlSchema.optional(),
    entityID: z.string().max(1024).optional(),
    certificate: z.string().max(10_000).optional(),
    defaultTeam: teamSchema.optional(),
    defaultRole: roleOrGuestSchema,
    createdAt: timestampSchema,
    status: z
      .enum(['pending', 'active'])
      .meta({ description: '`active` once `entityID`, `certificate` and `ssoURL` are set.' }),
    service: z
      .object({ acsURL: urlSchema, startURL: urlSchema, entityID: urlSchema, metadataURL: urlSchema })
      .meta({ description: 'The service provider settings to enter at the identity provider.' }),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'OrganizationSAMLProvider' });
export type SamlProvider = z.output<typeof samlProviderSchema>;
