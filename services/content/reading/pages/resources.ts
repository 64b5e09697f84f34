import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../../../shared/contract/fields.js';
import { changeRequestSchema } from '../../core/change-requests/resources.js';
import {
  fileSchema,
  pageSchema,
  reusableContentSchema,
  revisionTypes,
  tagSchema,
} from '../../core/revisions/resources.js';

/** `document`: the JSON form. `markdown`: for readers. `source`: the file as stored. */
export const bodyFormats = ['document', 'markdown', 'source'] as const;

export const revisionSchema = z
  .object({
    object: z.literal('revision'),
    id: z.string(),
    parents: z.array(z.string()),
    type: z.enum(revisionTypes),
    mergedFrom: changeRequestSchema
      .optional()
      .meta({ description: 'Of a merge: the change request. Visitors of a site are not shown it.' }),
    pages: z.array(pageSchema),
    files: z.array(fileSchema),
    reusableContents: z.array(reusableContentSchema),
    tags: z.array(tagSchema).meta({ description: 'Tags of pages and of updates.' }),
    variables: z.record(z.string(), z.unknown()).optional(),
    createdAt: timestampSchema,
    git: z
      .object({
        oid: z.string(),
        message: z.string(),
        createdByService: z.boolean(),
        createdByGitBook: z.boolean().meta({ description: 'The same as `createdByService`.' }),
        url: z.string().optional(),
        ref: z.string().optional(),
      })
      .optional(),
    urls: z.object({ app: urlSchema, published: urlSchema.optional(), public: urlSchema.optional() }),
  })
  .meta({ id: 'Revision' });
export type Revision = z.output<typeof revisionSchema>;
