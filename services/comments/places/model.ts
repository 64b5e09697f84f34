import { type Collection, collection } from '../../../shared/store/port.js';
import type { CommentStatus } from '../../content/resources.js';

/** The number of comments by status; an absent one is 0. */
export type Counts = Partial<Record<CommentStatus, number>>;

/** Where comments stand: a space or a change request, whose id is `_id`. */
export interface PlaceDocument extends Counts {
  _id: string;
  space: string;
  /** Absent where nobody wrote since organizations are counted. */
  organization?: string;
  /** Total size of all comments and replies. */
  bytes?: number;
}

/** The bytes of all comments of an organization, whose id is `_id`, since they are counted. */
export interface CommentUsageDocument {
  _id: string;
  bytes: number;
}

/** A page that comments of a place are about; `_id` is `<place>:<page>`. */
export interface TargetPageDocument extends Counts {
  _id: string;
  space: string;
}

/** Somebody who wrote in a place; `_id` is `<place>:<user>`. */
export interface CommenterDocument extends Counts {
  _id: string;
  organization: string;
  space: string;
  place: string;
  user: string;
  /** Comments and replies that exist. */
  texts: number;
  lastAt: string;
  /** No member of the organization since. */
  left?: true;
}

export const places = collection<PlaceDocument>('comments_places', [{ on: { space: 1 } }]);

export const commenters = collection<CommenterDocument>('comments_commenters', [
  { on: { place: 1, left: 1, lastAt: -1 } },
  { on: { organization: 1, user: 1 } },
  { on: { space: 1 } },
]);

export const targetPages = collection<TargetPageDocument>('comments_target_pages', [{ on: { space: 1 } }]);

export const commentUsages = collection<CommentUsageDocument>('comments_usages');

export const placeCollections = [places, commenters, targetPages] as unknown as Collection<never>[];
