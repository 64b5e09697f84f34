import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../../../shared/contract/fields.js';
import { userSchema } from '../../../identity/resources.js';
import { changeRequestSchema } from '../../core/change-requests/resources.js';
import { layoutSchema, revisionTypes } from '../../core/revisions/resources.js';
import { contentRefSchema } from '../../format/resources.js';

/** The former and the new value of an attribute; absent where it was not there. */
const change = <T extends z.ZodType>(value: T) =>
  z.object({ before: value.optional(), after: value.optional() }).optional();

const text = change(z.string());
const flag = change(z.boolean());
const cover = z.object({ ref: contentRefSchema.optional(), refDark: contentRefSchema.optional(), yPos: z.number() });
const variables = z.record(z.string(), z.unknown());

const changedPageSchema = z.object({
  id: z.string(),
  type: z.enum(['document', 'group', 'link', 'computed']),
  title: z.string(),
  path: z.string().optional(),
});

const pageAttributesSchema = z.object({
  title: text,
  description: text,
  slug: text,
  document: text,
  emoji: text,
  icon: text,
  cover: change(cover),
  layout: change(layoutSchema),
  variables: change(variables),
  target: change(contentRefSchema),
  hidden: flag,
  noIndex: flag,
  noRobotsIndex: flag,
  condition: text,
});
export type PageAttributes = z.output<typeof pageAttributesSchema>;

const changedFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  contentType: z.string(),
  downloadURL: urlSchema,
});

const fileAttributesSchema = z.object({
  name: text,
  downloadURL: text,
  size: change(z.number().int()),
  contentType: text,
  dimensions: change(z.object({ width: z.number(), height: z.number() })),
});

const changedReusableSchema = z.object({ id: z.string(), title: z.string(), document: z.string().optional() });

export const semanticChangeSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('page_created'), page: changedPageSchema }),
    z.object({ type: z.literal('page_edited'), page: changedPageSchema, attributes: pageAttributesSchema }),
    z.object({ type: z.literal('page_deleted'), page: changedPageSchema }),
    z.object({
      type: z.literal('page_moved'),
      page: changedPageSchema,
      parent: z.object({ before: changedPageSchema.optional(), after: changedPageSchema.optional() }),
    }),
    z.object({ type: z.literal('file_created'), file: changedFileSchema }),
    z.object({ type: z.literal('file_edited'), file: changedFileSchema, attributes: fileAttributesSchema }),
    z.object({ type: z.literal('file_deleted'), file: changedFileSchema }),
    z.object({
      type: z.literal('variables_edited'),
      variables: z.record(z.string(), z.object({ before: z.unknown().optional(), after: z.unknown().optional() })),
    }),
    z.object({ type: z.literal('reusable_content_created'), reusableContent: changedReusableSchema }),
    z.object({
      type: z.literal('reusable_content_edited'),
      reusableContent: changedReusableSchema,
      attributes: z.object({ title: text, document: text }),
    }),
    z.object({ type: z.literal('reusable_content_deleted'), reusableContent: changedReusableSchema }),
  ])
  .meta({ id: 'RevisionSemanticChange' });
export type SemanticChange = z.output<typeof semanticChangeSchema>;

export const semanticChangesSchema = z
  .object({
    mergedFrom: changeRequestSchema.optional().meta({ description: 'Of a merge: the change request.' }),
    changes: z.array(semanticChangeSchema),
    more: z.number().int().optional().meta({ description: 'The number of changes beyond `limit`.' }),
  })
  .meta({ id: 'RevisionSemanticChanges' });
export type SemanticChanges = z.output<typeof semanticChangesSchema>;

export const historyItemSchema = z
  .object({
    object: z.literal('history-item'),
    revision: z.string(),
    type: z.enum(revisionTypes),
    parents: z.array(z.string()),
    author: userSchema.optional().meta({ description: 'Absent for what the system did, such as an import.' }),
    subject: z.string().optional().meta({ description: 'What it is about: of a change request, or of a commit.' }),
    changeRequest: z.string().optional().meta({ description: 'The change request that was merged.' }),
    createdAt: timestampSchema,
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'HistoryItem' });
export type HistoryItem = z.output<typeof historyItemSchema>;
