import { defineContract } from '../../shared/contract/operation.js';
import { question, verb } from '../../shared/contract/verb.js';
import { commenterOperations, commentOperations, replyOperations } from './contract/operations.js';
import type { Comment, CommentFormat, SentBody } from './resources.js';

export const commentsContract = defineContract('comments', {
  ...commentOperations.operations,
  ...replyOperations.operations,
  ...commenterOperations.operations,
});

/** The number of open comments of spaces and change requests, by their ids; those without comments are absent. */
export const countOpenComments = question<{ places: string[] }, Record<string, number>>(
  'comments',
  'countOpenComments',
);

/** What somebody wrote with a review of a change request. */
export interface ReviewComment {
  /** Also the id of the comment. */
  review: string;
  organization: string;
  space: string;
  changeRequest: string;
  /** The content that was reviewed. */
  revision: string;
  author: string;
  body: SentBody;
  createdAt: string;
}

/** Makes the comment of a review, once: not again after it was deleted. */
export const postReviewComment = verb<ReviewComment, void>('comments', 'postReviewComment');

export interface PresentComments {
  organization: string;
  space: string;
  /** The id of a change request. */
  changeRequest: string;
  ids: string[];
  format: CommentFormat;
  /** What the caller is to the space. */
  role: string | null;
}

/** Comments of one change request in the order of the ids; null for one that does not exist. */
export const presentComments = question<PresentComments, (Comment | null)[]>('comments', 'presentComments');
