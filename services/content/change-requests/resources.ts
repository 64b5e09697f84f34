import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../../shared/contract/fields.js';
import { userSchema } from '../../identity/resources.js';

export const changeRequestStatuses = ['draft', 'open', 'archived', 'merged'] as const;

export const changeRequestSchema = z
  .object({
    object: z.literal('change-request'),
    id: z.string(),
    number: z.number().int().meta({ description: 'Counts the change requests of the space, from 1.' }),
    status: z.enum(changeRequestStatuses),
    subject: z.string().max(100),
    createdBy: userSchema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    space: z.string(),
    revision: z.string().meta({ description: 'Its content.' }),
    revisionInitial: z.string().meta({ description: 'The content of the space when it was created.' }),
    revisionMergedAncestor: z
      .string()
      .optional()
      .meta({ description: 'The content of the space that it was last updated with.' }),
    revisionMerged: z.string().optional().meta({ description: 'The revision that it became when it was merged.' }),
    comments: z.number().int(),
    outdated: z.boolean().meta({ description: 'The content of the space changed since.' }),
    urls: z.object({ app: urlSchema, location: urlSchema }),
  })
  .meta({ id: 'ChangeRequest' });
export type ChangeRequest = z.output<typeof changeRequestSchema>;

export const contributorSchema = z
  .object({
    user: userSchema,
    updatedAt: timestampSchema,
    count: z.number().int().meta({ description: 'The number of changes that the user made.' }),
  })
  .meta({ id: 'UserContributor' });
export type Contributor = z.output<typeof contributorSchema>;
