import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../../shared/contract/fields.js';

export const passkeySchema = z
  .object({
    object: z.literal('passkey'),
    id: z.string(),
    label: z.string(),
    createdAt: timestampSchema,
    lastUsedAt: timestampSchema.optional(),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.output<typeof passkeySchema>;
