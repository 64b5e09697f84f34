import { question } from '../../../shared/contract/verb.js';

/** A page of a space, or of a change request of it, that the one who asks may view. */
export interface CommentedPage {
  /** The id of the change request, else of the space. */
  place: string;
  page: string;
}

/** The number of open comments on each block of a page; blocks without one are absent. */
export const countCommentsOnBlocks = question<CommentedPage, Record<string, number>>(
  'comments',
  'countCommentsOnBlocks',
);
