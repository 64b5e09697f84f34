import { z } from 'zod';
import { timestampSchema } from '../../../shared/contract/fields.js';
import { roleOrGuestSchema, userSchema } from '../../identity/resources.js';

export const userSitePermissionSchema = z
  .object({
    permission: roleOrGuestSchema,
    user: userSchema,
    origin: z
      .union([
        z.object({ type: z.literal('organization'), organization: z.string() }),
        z.object({
          type: z.literal('site'),
          site: z.string(),
          reason: z.enum(['member', 'team']),
          team: z.string().optional().meta({ description: 'The team whose role on the site it is.' }),
        }),
      ])
      .meta({ description: 'The role in the organization, or one that was given on the site.' }),
    disabled: z.literal(false).meta({ description: 'Disabled members have no access.' }),
    lastSeenAt: timestampSchema.optional(),
  })
  .meta({ id: 'UserSitePermission' });
export type UserSitePermission = z.output<typeof userSitePermissionSchema>;
