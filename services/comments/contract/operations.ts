import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import { listOf, orderSchema, pageQuery } from '../../../shared/paging.js';
import { memberSchema } from '../../identity/resources.js';
import { commentFormats, commentReplySchema, commentSchema, commentStatuses, sentBodySchema } from '../resources.js';
import { inBothPlaces, inEitherPlace } from './places.js';

const format = z.enum(commentFormats).default('markdown').meta({ description: 'The format of bodies.' });
const inFormat = z.object({ format });
const id = z.string().min(1).max(100);
/** Authors that one list is filtered by. */
const mostAuthors = 50;

const list = '/comments';
const one = `${list}/{commentId}` as const;
const replies = `${one}/replies` as const;
const reply = `${replies}/{commentReplyId}` as const;

const reactions = (what: string) =>
  z
    .array(z.string().max(50))
    .max(20)
    .optional()
    .meta({
      description: `Emoji, or their code points in hexadecimal, that the caller ${what}.`,
    });
const changedReactions = { addedReactions: reactions('reacts with'), removedReactions: reactions('takes back') };

const comments = {
  listComments: inEitherPlace({
    method: 'GET',
    path: list,
    summary: (place) => `List the comments on ${place}`,
    description: 'In the order in which they were posted, the latest first by default.',
    need: 'view',
    query: pageQuery.extend({
      order: orderSchema,
      format,
      status: z.enum(['all', ...commentStatuses]).default('all'),
      targetPage: id.optional().meta({ description: 'The id of a page: lists the comments on it.' }),
      authors: z
        .array(id)
        .max(mostAuthors)
        .optional()
        .meta({ description: 'The ids of users: lists what they wrote.' }),
    }),
    status: 200,
    response: listOf(commentSchema),
  }),
  postComment: inEitherPlace({
    method: 'POST',
    path: list,
    summary: (place) => `Comment on ${place}`,
    need: 'comment',
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
  }),
  getComment: inEitherPlace({
    method: 'GET',
    path: one,
    summary: (place) => `Get a comment on ${place}`,
    need: 'view',
    query: inFormat,
    status: 200,
    response: commentSchema,
  }),
  updateComment: inEitherPlace({
    method: 'PUT',
    path: one,
    summary: (place) => `Update a comment on ${place}`,
    description: 'Whoever may comment may react to it, resolve it and open it again. Only its author changes the body.',
    need: 'comment',
    body: z
      .object({ resolved: z.boolean().optional(), body: sentBodySchema.optional(), ...changedReactions })
      .meta({ examples: [{ resolved: true, addedReactions: ['👍'] }] }),
    status: 200,
    response: commentSchema,
  }),
  deleteComment: inEitherPlace({
    method: 'DELETE',
    path: one,
    summary: (place) => `Delete a comment on ${place}`,
    description: 'With its replies. Its author may, and whoever has the right "admin" on the space.',
    need: 'comment',
    status: 205,
  }),
};

const commentReplies = {
  listCommentReplies: inEitherPlace({
    method: 'GET',
    path: replies,
    summary: (place) => `List the replies to a comment on ${place}`,
    description: 'The earliest first.',
    need: 'view',
    query: pageQuery.extend({ format }),
    status: 200,
    response: listOf(commentReplySchema),
  }),
  postCommentReply: inEitherPlace({
    method: 'POST',
    path: replies,
    summary: (place) => `Reply to a comment on ${place}`,
    need: 'comment',
    query: inFormat,
    body: z.object({ body: sentBodySchema }).meta({ examples: [{ body: { markdown: 'It is there now.' } }] }),
    status: 200,
    response: commentReplySchema,
  }),
  getCommentReply: inEitherPlace({
    method: 'GET',
    path: reply,
    summary: (place) => `Get a reply to a comment on ${place}`,
    need: 'view',
    query: inFormat,
    status: 200,
    response: commentReplySchema,
  }),
  updateCommentReply: inEitherPlace({
    method: 'PUT',
    path: reply,
    summary: (place) => `Update a reply to a comment on ${place}`,
    description: 'Whoever may comment may react to it. Only its author changes the body.',
    need: 'comment',
    body: z
      .object({ body: sentBodySchema.optional(), ...changedReactions })
      .meta({ examples: [{ body: { markdown: 'It is there since yesterday.' } }] }),
    status: 200,
    response: commentReplySchema,
  }),
  deleteCommentReply: inEitherPlace({
    method: 'DELETE',
    path: reply,
    summary: (place) => `Delete a reply to a comment on ${place}`,
    description: 'Its author may, and whoever has the right "admin" on the space.',
    need: 'comment',
    status: 205,
  }),
};

const commenters = {
  listCommenters: inEitherPlace({
    method: 'GET',
    path: '/commenters',
    summary: (place) => `List who commented on ${place}`,
    description: 'Members who wrote a comment or a reply that still exists, whoever did so last first.',
    need: 'view',
    query: pageQuery,
    status: 200,
    response: listOf(memberSchema),
  }),
};

/** The operations of each room, by their names without the place. */
export const placeable = { ...comments, ...commentReplies, ...commenters };

export const commentOperations = inBothPlaces(comments);
export const replyOperations = inBothPlaces(commentReplies);
export const commenterOperations = inBothPlaces(commenters);
