import { type Collection, collection } from '../../../shared/store/port.js';
import type { TargetPage } from '../../content/contract.js';
import type { CommentFormat, CommentStatus, SentBody } from '../../content/resources.js';
import { reactionsByteSize, type StoredReactions } from './reactions.js';

/** A text that somebody wrote: a comment or a reply. */
export interface TextDocument {
  _id: string;
  organization: string;
  space: string;
  /** The id of the change request; absent on the primary content. */
  changeRequest?: string;
  /** The id of the change request, else of the space. */
  place: string;
  author: string;
  postedAt: string;
  editedAt?: string;
  /** As it was sent. */
  body: SentBody;
  /** Markdown to show where it is not what was sent: made safe, or written from a document. */
  shown?: string;
  /** Members whom the body mentions, and who could see it when it was written. */
  mentions: string[];
  reactions?: StoredReactions;
  /** Size of the body, as JSON. */
  bytes: number;
}

export interface CommentDocument extends TextDocument {
  status: CommentStatus;
  resolvedAt?: string;
  resolvedBy?: string;
  replies: number;
  /** The content that it was written on. */
  revision: string;
  /** The id of the page. */
  page?: string;
  /** The page as it was then, with its body. */
  seen?: { page: TargetPage; document?: string };
  node?: { id: string; preview: string };
  review?: string;
}

export interface ReplyDocument extends TextDocument {
  comment: string;
}

/** Marks that the comment of a review was made; `_id` is the id of the review. It stays when the comment is deleted. */
export interface ReviewMarkDocument {
  _id: string;
  space: string;
}

/** Every filter of the lists, with and without the status. */
const filters = [[], ['page'], ['page', 'node.id'], ['author'], ['author', 'page']].flatMap((fields) => [
  fields,
  [...fields, 'status'],
]);

export const comments = collection<CommentDocument>('comments_comments', [
  ...filters.map((fields) => ({
    on: { place: 1, ...Object.fromEntries(fields.map((field) => [field, 1])), postedAt: -1 } as Record<string, 1 | -1>,
    ...(fields.includes('page') ? { where: 'page' as const } : {}),
  })),
  { on: { space: 1 } },
  { on: { organization: 1 } },
]);

export const replies = collection<ReplyDocument>('comments_replies', [
  { on: { comment: 1, postedAt: 1 } },
  { on: { space: 1 } },
  { on: { organization: 1 } },
]);

export const reviewMarks = collection<ReviewMarkDocument>('comments_review_marks', [{ on: { space: 1 } }]);

/** Bytes that a list counts for each reply to a comment, which it reads to show who replied. */
const bytesOfReply = 300;

/** Bounds the pages of lists of texts, in bytes; a document may take 25 times as much as its Markdown. */
export const listSizeBounds = (format: CommentFormat) => ({
  max: format === 'markdown' ? 4_000_000 : 400_000,
  of: ({ bytes, reactions, replies = 0 }: TextDocument & Partial<Pick<CommentDocument, 'replies'>>): number =>
    500 + bytes + reactionsByteSize(reactions) + bytesOfReply * replies,
});

export const textCollections = [comments, replies, reviewMarks] as unknown as Collection<never>[];
