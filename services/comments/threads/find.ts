import { notFound } from '../../../shared/errors/errors.js';
import type { Store } from '../../../shared/store/port.js';
import type { CommentPlace } from '../places/places.js';
import { type CommentDocument, comments, type ReplyDocument, replies } from '../texts/model.js';

/** Throws 404 for a comment that the place does not have. */
export async function findComment(store: Store, place: CommentPlace, id: string): Promise<CommentDocument> {
  const found = await store.get(comments, id);
  if (found?.place !== place.id) throw notFound('Comment');
  return found;
}

/** Throws 404 for a reply that the comment does not have, and for a comment that the place does not have. */
export async function findReply(
  store: Store,
  place: CommentPlace,
  ids: { commentId: string; commentReplyId: string },
): Promise<ReplyDocument> {
  const [comment, reply] = await Promise.all([
    findComment(store, place, ids.commentId),
    store.get(replies, ids.commentReplyId),
  ]);
  if (reply?.comment !== comment._id) throw notFound('Reply');
  return reply;
}
