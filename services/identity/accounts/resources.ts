import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../../shared/contract/fields.js';

export const apiTokenSchema = z
  .object({
    object: z.literal('api-token'),
    id: z.string(),
    label: z.string(),
    preview: z.string().meta({ description: 'The first characters of the token.' }),
    createdAt: timestampSchema,
    expiresAt: timestampSchema.optional(),
    lastUsedAt: timestampSchema.optional().meta({ description: 'Accurate to the minute.' }),
    parent: z.string().optional().meta({ description: 'The id of the token that created it, and with which it ends.' }),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'APIToken' });
export type ApiToken = z.output<typeof apiTokenSchema>;

/** The only answer that holds the secret of an API token. */
export const createdApiTokenSchema = apiTokenSchema.extend({ token: z.string() }).meta({ id: 'CreatedAPIToken' });
export type CreatedApiToken = z.output<typeof createdApiTokenSchema>;

export const sessionSchema = z
  .object({
    object: z.literal('session'),
    id: z.string(),
    browser: z.string().meta({ description: 'The browser and its system, in words.' }),
    current: z.boolean().meta({ description: 'Whether this request is of the session itself.' }),
    createdAt: timestampSchema,
    lastUsedAt: timestampSchema.meta({ description: 'Accurate to the minute.' }),
    expiresAt: timestampSchema.meta({ description: 'When it ends unless it is used before.' }),
    organization: z
      .string()
      .optional()
      .meta({ description: 'The id of the one organization that it reaches: its single sign-on let the user in.' }),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof sessionSchema>;
