import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../shared/contract/fields.js';
import { userSchema } from '../identity/resources.js';

export const commentFormats = ['markdown', 'document'] as const;
export type CommentFormat = (typeof commentFormats)[number];

export const commentStatuses = ['open', 'resolved'] as const;
export type CommentStatus = (typeof commentStatuses)[number];

/** Of a body in Markdown. */
const mostCharacters = 20_000;

/** A document as comments hold it. The schema of content is out of reach: its reviews hold comments. */
const bodyDocumentSchema = z.looseObject({
  object: z.literal('document'),
  nodes: z.array(z.looseObject({ object: z.string() })),
});

/** A body as clients send it. */
export const sentBodySchema = z
  .object({
    markdown: z
      .string()
      .max(mostCharacters)
      .optional()
      .meta({ description: 'GitHub-flavored Markdown. HTML is shown as text. `[name](/users/<id>)` mentions a user.' }),
    document: bodyDocumentSchema.optional(),
  })
  .refine(({ markdown, document }) => (markdown === undefined) !== (document === undefined), {
    error: 'must be either markdown or a document',
  });
export type SentBody = z.output<typeof sentBodySchema>;

const bodySchema = z
  .union([z.object({ markdown: z.string() }), z.object({ document: bodyDocumentSchema })])
  .meta({ id: 'CommentBody', description: 'In the format that was asked for.' });

const reactionSchema = z.object({
  emoji: z.string(),
  count: z.number().int(),
  users: z.array(z.object({ user: userSchema, reactedAt: timestampSchema })),
});
export type Reaction = z.output<typeof reactionSchema>;

const targetPageSchema = z.object({
  id: z.string(),
  title: z.string(),
  emoji: z.string().optional(),
  icon: z.string().optional(),
  createdAt: timestampSchema.optional(),
  updatedAt: timestampSchema.optional(),
  path: z.string(),
  outdated: z.boolean().meta({
    description:
      'The page, or the node, is gone from the content; the page is shown as it was when it was commented on.',
  }),
});

const targetSchema = z.object({
  space: z.string(),
  revision: z.string().meta({ description: 'The content that the comment was written on.' }),
  changeRequest: z.string().optional(),
  review: z.string().optional().meta({ description: 'The review that the comment belongs to.' }),
  page: targetPageSchema.optional(),
  node: z.object({ id: z.string(), preview: z.string() }).optional().meta({ description: 'A block of the page.' }),
});
export type CommentTarget = z.output<typeof targetSchema>;

const permissionsSchema = z.object({
  view: z.boolean(),
  edit: z.boolean(),
  reply: z.boolean().meta({ description: 'Includes reacting, and resolving a comment.' }),
  delete: z.boolean(),
});

const posted = {
  id: z.string(),
  postedBy: userSchema,
  postedAt: timestampSchema,
  editedAt: timestampSchema.optional(),
  reactions: z.array(reactionSchema),
  body: bodySchema,
  mentions: z.array(z.string()).meta({ description: 'The ids of the users whom the body mentions.' }),
  urls: z.object({ location: urlSchema }),
  permissions: permissionsSchema,
};

export const commentSchema = z
  .object({
    object: z.literal('comment'),
    ...posted,
    replies: z.number().int(),
    repliers: z
      .array(z.object({ user: userSchema, count: z.number().int(), updatedAt: timestampSchema }))
      .meta({ description: 'Who replied, how often, and when last; the latest first.' }),
    target: targetSchema,
    status: z.enum(commentStatuses),
    resolvedAt: timestampSchema.optional(),
    resolvedBy: userSchema.optional(),
  })
  .meta({ id: 'Comment' });
export type Comment = z.output<typeof commentSchema>;

export const commentReplySchema = z
  .object({ object: z.literal('comment-reply'), ...posted })
  .meta({ id: 'CommentReply' });
export type CommentReply = z.output<typeof commentReplySchema>;
