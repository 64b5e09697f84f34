import { z } from 'zod';
import { urlSchema } from '../../../shared/contract/fields.js';

export const userSchema = z
  .object({
    object: z.literal('user'),
    id: z.string(),
    displayName: z.string(),
    email: z.string().optional().meta({ description: 'Shown to members of the same organizations.' }),
    photoURL: z.string().optional(),
    commentMails: z.boolean().optional().meta({
      description: 'Whether mails tell the user of mentions and of replies. Shown to the user alone.',
    }),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'User' });
export type User = z.output<typeof userSchema>;
