import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../../../shared/contract/fields.js';
import { commentSchema } from '../../../comments/resources.js';
import { userSchema } from '../../../identity/resources.js';
import { fileSchema } from '../revisions/resources.js';

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

/** What a batch of changes did to a page. */
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
