import { z } from 'zod';
import { exampleId } from '../../../../shared/contract/examples.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import { documentSchema } from '../../format/resources.js';
import { commentFormats, sentBodySchema } from '../../format/texts/resources.js';
import {
  changeRequestLinkFields,
  changeRequestSchema,
  changeRequestStatuses,
  contributorSchema,
  requestedReviewerSchema,
  reviewSchema,
  reviewStatuses,
} from '../resources.js';
import { changingContent, onSpace, readingSpace, viewingContent } from './access-rules.js';

const tag = 'Change requests';
const list = '/spaces/{spaceId}/change-requests';
const one = `${list}/{changeRequestId}` as const;
const exampleDocument = (text: string) => ({
  object: 'document' as const,
  data: {},
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
    },
  ],
});
const subject = z.string().max(100);
const description = documentSchema.nullable().optional().meta({
  description: 'A document of the blocks that comments have, of 50,000 characters as JSON at most; `null` removes it.',
});
const id = z.string().min(1).max(100).optional();
const links = z
  .array(changeRequestLinkFields.extend({ id: id.meta({ description: 'Of a link that stays; a new one has none.' }) }))
  .max(10)
  .meta({ description: 'In place of all that are there.' });

export const changeRequestOperations = {
  createChangeRequest: operation({
    method: 'POST',
    path: list,
    summary: 'Create a change request',
    description: 'It starts as a draft that shows the current content of the space.',
    tag,
    access: changingContent('edit'),
    body: z
      .object({ subject: subject.optional() })
      .default({})
      .meta({ examples: [{ subject: 'Describe the new installer' }] }),
    status: 201,
    response: changeRequestSchema,
  }),
  listChangeRequestsForSpace: operation({
    method: 'GET',
    path: list,
    summary: 'List the change requests of a space',
    description: 'The latest first.',
    tag,
    access: viewingContent,
    query: pageQuery.extend({
      status: z.enum(changeRequestStatuses).default('open').meta({ description: 'Default: those that are open.' }),
      creator: id.meta({ description: 'Only those that this user made.' }),
      contributor: z.string().max(100).optional().meta({ description: 'Only those whose content this user changed.' }),
      requestedReviewer: id.meta({ description: 'Only those that this user is asked to review.' }),
      topic: id.meta({ description: 'Sites have no topics: with one, the list is empty.' }),
      orderBy: z
        .enum(['updatedAt', 'createdAt'])
        .default('createdAt')
        .meta({ description: 'The latest first. Default: by their numbers, as they were created.' }),
    }),
    status: 200,
    response: listOf(changeRequestSchema),
  }),
  listChangeRequestsForOrganization: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/change-requests',
    summary: 'List the change requests of an organization',
    description: 'Those of the spaces that the caller may read.',
    tag,
    access: onOrganization('view', 'space:content:read'),
    query: pageQuery.extend({
      status: z
        .array(z.enum(changeRequestStatuses))
        .max(changeRequestStatuses.length)
        .default(['open'])
        .meta({ description: 'Default: those that are open.' }),
      creator: id.meta({ description: 'Only those that this user made.' }),
      contributor: id.meta({ description: 'Only those whose content this user changed.' }),
      requestedReviewer: id.meta({ description: 'Only those that this user is asked to review.' }),
      site: id.meta({ description: 'Only those of spaces that this site shows.' }),
      space: id.meta({ description: 'Only those of this space.' }),
      topic: id.meta({ description: 'Sites have no topics: with one, the list is empty.' }),
      styleguideRun: id.meta({ description: 'There are no style guides: with a run of one, the list is empty.' }),
      finding: z.enum(['none', 'all']).default('none').meta({ description: 'No change request comes of a finding.' }),
      orderBy: z.enum(['updatedAt', 'createdAt']).default('updatedAt').meta({ description: 'The latest first.' }),
    }),
    status: 200,
    response: listOf(changeRequestSchema),
  }),
  getChangeRequestById: operation({
    method: 'GET',
    path: one,
    summary: 'Get a change request',
    description: 'By its id or its number. Visitors of a site read change requests in previews only.',
    tag,
    access: readingSpace,
    status: 200,
    response: changeRequestSchema,
    cacheTags: ({ path }, { id }) => [`space:${path.spaceId}:change-request:${id}`],
  }),
  updateChangeRequestById: operation({
    method: 'PATCH',
    path: one,
    summary: 'Update a change request',
    description:
      'Changes its subject, description or links, opens it for review, archives it, or opens an archived one again. A merged one cannot change.',
    tag,
    access: changingContent('edit'),
    body: z
      .object({
        subject: subject.optional(),
        description,
        links: links.optional(),
        status: z.enum(['draft', 'open', 'archived']).optional(),
      })
      .meta({
        examples: [
          { subject: 'Describe the installer', status: 'open' },
          { description: exampleDocument('The new installer asks fewer questions.') },
          { description: null },
          { links: [{ ref: { kind: 'url', url: 'https://tickets.example.com/DOCS-7' }, title: 'DOCS-7' }] },
        ],
      }),
    status: 200,
    response: changeRequestSchema,
  }),
  getContributorsByChangeRequestId: operation({
    method: 'GET',
    path: `${one}/contributors`,
    summary: 'List who changed the content of a change request',
    description: 'The latest contributor first.',
    tag,
    access: viewingContent,
    query: pageQuery,
    status: 200,
    response: listOf(contributorSchema),
  }),
  getRequestedReviewersByChangeRequestId: operation({
    method: 'GET',
    path: `${one}/requested-reviewers`,
    summary: 'List the requested reviewers of a change request',
    tag,
    access: viewingContent,
    query: pageQuery,
    status: 200,
    response: listOf(requestedReviewerSchema),
  }),
  requestReviewersForChangeRequest: operation({
    method: 'POST',
    path: `${one}/requested-reviewers`,
    summary: 'Request reviewers for a change request',
    description:
      'A draft becomes open. Without users, everybody with the right to review the space is asked. Asking somebody again renews the request.',
    tag,
    access: onSpace('edit'),
    body: z
      .object({
        users: z.array(z.string().min(1).max(100)).max(100).meta({ description: 'The ids of users.' }),
        subject: subject.optional().meta({ description: 'A new subject of the change request.' }),
        description,
      })
      .meta({ examples: [{ users: [exampleId('user')], subject: 'Describe the new installer' }] }),
    status: 200,
    response: z.object({ users: z.array(requestedReviewerSchema) }),
  }),
  removeRequestedReviewerFromChangeRequest: operation({
    method: 'DELETE',
    path: `${one}/requested-reviewers/{userId}`,
    summary: 'Withdraw the request to a reviewer',
    tag,
    access: onSpace('edit'),
    status: 205,
  }),
  getReviewsByChangeRequestId: operation({
    method: 'GET',
    path: `${one}/reviews`,
    summary: 'List the reviews of a change request',
    description: 'The latest first.',
    tag,
    access: viewingContent,
    query: pageQuery.extend({
      format: z.enum(commentFormats).default('markdown').meta({ description: 'The format of the comments.' }),
      outdated: z
        .boolean()
        .optional()
        .meta({ description: 'Only those that are outdated, or only those that are not.' }),
    }),
    status: 200,
    response: listOf(reviewSchema),
  }),
  getChangeRequestReviewById: operation({
    method: 'GET',
    path: `${one}/reviews/{reviewId}`,
    summary: 'Get a review of a change request',
    tag,
    access: viewingContent,
    query: z.object({
      format: z.enum(commentFormats).default('markdown').meta({ description: 'The format of the comment.' }),
    }),
    status: 200,
    response: reviewSchema,
  }),
  submitChangeRequestReview: operation({
    method: 'POST',
    path: `${one}/reviews`,
    summary: 'Review a change request',
    description:
      'The review is of the content that the change request has at that time. It neither merges the change request nor keeps others from merging it. Its `comment` becomes a comment on the change request, with the id of the review.',
    tag,
    access: onSpace('review'),
    body: z
      .object({
        status: z.enum(reviewStatuses),
        comment: sentBodySchema.optional(),
      })
      .meta({ examples: [{ status: 'changes-requested', comment: { markdown: 'The second step is missing.' } }] }),
    status: 201,
    response: reviewSchema,
  }),
};
