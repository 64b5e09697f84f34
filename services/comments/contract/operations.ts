import { z } from 'zod';
import { by } from '../../../shared/contract/access.js';
import { operationsAtPlaces } from '../../../shared/contract/at-places.js';
import { exampleId } from '../../../shared/contract/examples.js';
import { listOf, orderSchema, pageQuery } from '../../../shared/lists/paging.js';
import { commentFormats, commentSchema, commentStatuses, sentBodySchema, spaceKind } from '../../content/resources.js';
import { memberSchema } from '../../identity/resources.js';
import { commentReplySchema } from '../resources.js';

const onSpace = { on: spaceKind, id: 'spaceId' } as const;
const viewing = { ...by(['user'], 'space:content:read'), ...onSpace, need: 'view' } as const;
const commenting = { ...by(['user']), ...onSpace, need: 'comment' } as const;

/** Where comments stand: on the primary content of a space, or on a change request. */
const commentPlaces = {
  space: { at: '/spaces/{spaceId}', tag: 'Space comments', name: 'a space', access: viewing },
  changeRequest: {
    at: '/spaces/{spaceId}/change-requests/{changeRequestId}',
    tag: 'Change request comments',
    name: 'a change request',
    note: 'The change request is named by its id or its number.',
    access: viewing,
  },
} as const;

const format = z.enum(commentFormats).default('markdown').meta({ description: 'The format of bodies.' });
const inFormat = z.object({ format });
const id = z.string().min(1).max(100);
/** Authors that one list is filtered by. */
const maxAuthors = 50;

const list = '/comments';
const one = `${list}/{commentId}` as const;
const replies = `${one}/replies` as const;
const reply = `${replies}/{commentReplyId}` as const;

const reactionsSchema = (what: string) =>
  z
    .array(z.string().max(50))
    .max(20)
    .optional()
    .meta({
      description: `Emoji, or their code points in hexadecimal, that the caller ${what}.`,
    });
const changedReactions = {
  addedReactions: reactionsSchema('reacts with'),
  removedReactions: reactionsSchema('takes back'),
};

export const commentOperations = operationsAtPlaces(commentPlaces, {
  listComments: {
    ids: { space: 'listCommentsInSpace', changeRequest: 'listCommentsInChangeRequest' },
    method: 'GET',
    path: list,
    summary: (place) => `List the comments on ${place}`,
    description: 'In the order in which they were posted, the latest first by default.',
    query: pageQuery.extend({
      order: orderSchema,
      format,
      status: z.enum(['all', ...commentStatuses]).default('all'),
      targetPage: id.optional().meta({ description: 'The id of a page: lists the comments on it.' }),
      targetNode: id
        .optional()
        .meta({ description: 'The key of a block: lists the comments on it, beside `targetPage`.' }),
      authors: z.array(id).max(maxAuthors).optional().meta({ description: 'The ids of users: lists what they wrote.' }),
    }),
    status: 200,
    response: listOf(commentSchema),
  },
  postComment: {
    ids: { space: 'postCommentInSpace', changeRequest: 'postCommentInChangeRequest' },
    method: 'POST',
    path: list,
    summary: (place) => `Comment on ${place}`,
    access: commenting,
    body: z
      .object({
        body: sentBodySchema,
        page: id.optional().meta({ description: 'The id of the page that the comment is about.' }),
        node: id.optional().meta({ description: 'The key of the block that the comment is about; needs `page`.' }),
      })
      .meta({
        examples: [
          { body: { markdown: 'The second step is missing.' }, page: exampleId('page') },
          { body: { markdown: `What do you think, [Ada](/users/${exampleId('user')})?` } },
        ],
      }),
    status: 200,
    response: commentSchema,
  },
  getComment: {
    ids: { space: 'getCommentInSpace', changeRequest: 'getCommentInChangeRequest' },
    method: 'GET',
    path: one,
    summary: (place) => `Get a comment on ${place}`,
    query: inFormat,
    status: 200,
    response: commentSchema,
  },
  updateComment: {
    ids: { space: 'updateCommentInSpace', changeRequest: 'updateCommentInChangeRequest' },
    method: 'PUT',
    path: one,
    summary: (place) => `Update a comment on ${place}`,
    description: 'Whoever may comment may react to it, resolve it and open it again. Only its author changes the body.',
    access: commenting,
    body: z
      .object({ resolved: z.boolean().optional(), body: sentBodySchema.optional(), ...changedReactions })
      .meta({ examples: [{ resolved: true, addedReactions: ['👍'] }] }),
    status: 200,
    response: commentSchema,
  },
  deleteComment: {
    ids: { space: 'deleteCommentInSpace', changeRequest: 'deleteCommentInChangeRequest' },
    method: 'DELETE',
    path: one,
    summary: (place) => `Delete a comment on ${place}`,
    description: 'With its replies. Its author may, and whoever has the right "admin" on the space.',
    access: commenting,
    status: 205,
  },
});

export const replyOperations = operationsAtPlaces(commentPlaces, {
  listCommentReplies: {
    ids: { space: 'listCommentRepliesInSpace', changeRequest: 'listCommentRepliesInChangeRequest' },
    method: 'GET',
    path: replies,
    summary: (place) => `List the replies to a comment on ${place}`,
    description: 'The earliest first.',
    query: pageQuery.extend({ format }),
    status: 200,
    response: listOf(commentReplySchema),
  },
  postCommentReply: {
    ids: { space: 'postCommentReplyInSpace', changeRequest: 'postCommentReplyInChangeRequest' },
    method: 'POST',
    path: replies,
    summary: (place) => `Reply to a comment on ${place}`,
    access: commenting,
    query: inFormat,
    body: z.object({ body: sentBodySchema }).meta({ examples: [{ body: { markdown: 'It is there now.' } }] }),
    status: 200,
    response: commentReplySchema,
  },
  getCommentReply: {
    ids: { space: 'getCommentReplyInSpace', changeRequest: 'getCommentReplyInChangeRequest' },
    method: 'GET',
    path: reply,
    summary: (place) => `Get a reply to a comment on ${place}`,
    query: inFormat,
    status: 200,
    response: commentReplySchema,
  },
  updateCommentReply: {
    ids: { space: 'updateCommentReplyInSpace', changeRequest: 'updateCommentReplyInChangeRequest' },
    method: 'PUT',
    path: reply,
    summary: (place) => `Update a reply to a comment on ${place}`,
    description: 'Whoever may comment may react to it. Only its author changes the body.',
    access: commenting,
    body: z
      .object({ body: sentBodySchema.optional(), ...changedReactions })
      .meta({ examples: [{ body: { markdown: 'It is there since yesterday.' } }] }),
    status: 200,
    response: commentReplySchema,
  },
  deleteCommentReply: {
    ids: { space: 'deleteCommentReplyInSpace', changeRequest: 'deleteCommentReplyInChangeRequest' },
    method: 'DELETE',
    path: reply,
    summary: (place) => `Delete a reply to a comment on ${place}`,
    description: 'Its author may, and whoever has the right "admin" on the space.',
    access: commenting,
    status: 205,
  },
});

export const commenterOperations = operationsAtPlaces(commentPlaces, {
  listCommenters: {
    ids: { space: 'listCommentersInSpace', changeRequest: 'listCommentersInChangeRequest' },
    method: 'GET',
    path: '/commenters',
    summary: (place) => `List who commented on ${place}`,
    description: 'Members who wrote a comment or a reply that still exists, whoever did so last first.',
    query: pageQuery,
    status: 200,
    response: listOf(memberSchema),
  },
});
