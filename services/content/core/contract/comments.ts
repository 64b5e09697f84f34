import type { z } from 'zod';
import { question, verb } from '../../../../shared/contract/verb.js';
import type { CommentFormat, SentBody } from '../../format/texts/resources.js';
import type { reviewSubmitted } from '../events.js';
import type { Comment } from '../resources.js';

// Content declares what it asks of the service of comments, which implements it: comments stand on content.

/** The number of open comments of spaces and change requests, by their ids; those without comments are absent. */
export const countOpenComments = question<{ places: string[] }, Record<string, number>>(
  'comments',
  'countOpenComments',
);

/** A comment that somebody wrote with a review of a change request. */
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

/**
 * Makes the comment of a review, once: not again after it was deleted. Content calls it for every review that it has written, so that the
 * reviewer finds the comment at once; from the event of the review, comments make it where that call was lost.
 */
export const postReviewComment = verb<ReviewComment, void>('comments', 'postReviewComment');

/** The comment that the event of a review carries; undefined for a review without one. */
export const commentOfReview = ({
  review,
  organization,
  space,
  changeRequest,
  revision,
  reviewer: author,
  comment: body,
  createdAt,
}: z.output<typeof reviewSubmitted.payload>): ReviewComment | undefined =>
  body && { review, organization, space, changeRequest, revision, author, body, createdAt };

export interface PresentComments {
  organization: string;
  space: string;
  /** The id of a change request. */
  changeRequest: string;
  ids: string[];
  format: CommentFormat;
  /** The role of the caller on the space. */
  role: string | null;
}

/** Comments of one change request in the order of the ids; null for one that does not exist. */
export const presentComments = question<PresentComments, (Comment | null)[]>('comments', 'presentComments');
