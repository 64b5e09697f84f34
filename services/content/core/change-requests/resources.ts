import { z } from 'zod';
import { timestampSchema, urlSchema, webUrlSchema } from '../../../../shared/contract/fields.js';
import { userSchema } from '../../../identity/resources.js';
import { documentSchema } from '../../format/resources.js';
import { commentBodySchema } from '../../format/texts/resources.js';
import { fileSchema } from '../revisions/resources.js';

export const changeRequestStatuses = ['draft', 'open', 'archived', 'merged'] as const;

/** A link to something elsewhere, such as a ticket, without its id. */
export const changeRequestLinkFields = z.object({
  ref: z.object({ kind: z.literal('url'), url: webUrlSchema }),
  title: z.string().max(128).optional().meta({ description: 'Default: its address.' }),
});
const changeRequestLinkSchema = changeRequestLinkFields.extend({ id: z.string() }).meta({ id: 'ChangeRequestLink' });
export type ChangeRequestLink = z.output<typeof changeRequestLinkSchema>;

export const changeRequestSchema = z
  .object({
    object: z.literal('change-request'),
    id: z.string(),
    number: z.number().int().meta({ description: 'Counts the change requests of the space, from 1.' }),
    status: z.enum(changeRequestStatuses),
    subject: z.string().max(100),
    description: documentSchema.optional().meta({ description: 'What it is for; absent without one.' }),
    links: z
      .array(changeRequestLinkSchema)
      .optional()
      .meta({ description: 'To tickets and the like; absent without any.' }),
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
    count: z.number().int().meta({ description: 'How often the user changed its content.' }),
    actionType: z.literal('edit'),
  })
  .meta({ id: 'UserContributor' });

export const requestedReviewerSchema = z
  .object({
    object: z.literal('change-request-requested-reviewer'),
    kind: z.literal('user'),
    user: userSchema,
    requestedBy: userSchema,
    revision: z.string().meta({ description: 'The content of the change request when the review was requested.' }),
    createdAt: timestampSchema,
  })
  .meta({ id: 'ChangeRequestRequestedReviewer' });
export type RequestedReviewer = z.output<typeof requestedReviewerSchema>;

export const commentStatuses = ['open', 'resolved'] as const;
export type CommentStatus = (typeof commentStatuses)[number];

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

/** The fields that comments and replies share. */
export const commentTextFields = {
  id: z.string(),
  postedBy: userSchema,
  postedAt: timestampSchema,
  editedAt: timestampSchema.optional(),
  reactions: z.array(reactionSchema),
  body: commentBodySchema,
  mentions: z.array(z.string()).meta({ description: 'The ids of the users whom the body mentions.' }),
  urls: z.object({ location: urlSchema }),
  permissions: permissionsSchema,
};

export const commentSchema = z
  .object({
    object: z.literal('comment'),
    ...commentTextFields,
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

export const reviewStatuses = ['approved', 'changes-requested'] as const;

export const reviewSchema = z
  .object({
    object: z.literal('change-request-review'),
    id: z.string(),
    revision: z.string().meta({ description: 'The content that was reviewed.' }),
    reviewer: userSchema,
    requestedBy: userSchema.optional(),
    status: z.enum(reviewStatuses),
    outdated: z
      .boolean()
      .meta({ description: 'The reviewer has submitted a newer review, or was asked for one again since.' }),
    comment: commentSchema
      .optional()
      .meta({ description: 'What the reviewer wrote with the review, unless it was deleted.' }),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'ChangeRequestReview' });
export type Review = z.output<typeof reviewSchema>;

const writtenPageSchema = z.object({
  object: z.literal('page'),
  id: z.string(),
  urls: z.object({ location: urlSchema }),
});

/** The outcome of a batch of changes for one page. */
const pageOutcomeSchema = z.discriminatedUnion('object', [
  z.object({ object: z.literal('created_page'), ref: z.string().optional(), page: writtenPageSchema }),
  z.object({ object: z.literal('updated_page'), page: writtenPageSchema }),
  z.object({ object: z.literal('deleted_page'), page: z.string().meta({ description: 'The id of the page.' }) }),
]);

export const contentUpdateSchema = z
  .object({
    changeRequest: changeRequestSchema,
    changes: z.array(pageOutcomeSchema).meta({ description: 'Each page once, in the order of the changes.' }),
    insertedFiles: z.array(fileSchema).optional(),
  })
  .meta({ id: 'ChangeRequestContentUpdate' });
