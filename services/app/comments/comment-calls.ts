import type { Call } from '../../../shared/contract/service.js';
import { commentsContract as contract } from '../../comments/contract.js';
import type { SentBody } from '../../content/resources.js';
import type { Place } from '../reading/places.js';

interface ListQuery {
  status: 'all' | 'open' | 'resolved';
  limit: number;
  page?: string;
  targetPage?: string;
  targetNode?: string;
}

interface Reacting {
  addedReactions?: string[];
  removedReactions?: string[];
}

/** The operations on comments of a place: a space, or a change request of it. */
export function commentCalls({ call }: { call: Call }, { space, changeRequest }: Place) {
  const inSpace = { spaceId: space.id };
  const inRequest = changeRequest && { ...inSpace, changeRequestId: changeRequest.id };
  return {
    list: (query: ListQuery) =>
      inRequest
        ? call(contract.listCommentsInChangeRequest, { path: inRequest, query })
        : call(contract.listCommentsInSpace, { path: inSpace, query }),
    post: (body: { body: SentBody; page?: string; node?: string }) =>
      inRequest
        ? call(contract.postCommentInChangeRequest, { path: inRequest, body })
        : call(contract.postCommentInSpace, { path: inSpace, body }),
    update: (commentId: string, body: { body?: SentBody; resolved?: boolean } & Reacting) =>
      inRequest
        ? call(contract.updateCommentInChangeRequest, { path: { ...inRequest, commentId }, body })
        : call(contract.updateCommentInSpace, { path: { ...inSpace, commentId }, body }),
    remove: (commentId: string) =>
      inRequest
        ? call(contract.deleteCommentInChangeRequest, { path: { ...inRequest, commentId } })
        : call(contract.deleteCommentInSpace, { path: { ...inSpace, commentId } }),
    replies: (commentId: string, query: { limit: number }) =>
      inRequest
        ? call(contract.listCommentRepliesInChangeRequest, { path: { ...inRequest, commentId }, query })
        : call(contract.listCommentRepliesInSpace, { path: { ...inSpace, commentId }, query }),
    reply: (commentId: string, body: { body: SentBody }) =>
      inRequest
        ? call(contract.postCommentReplyInChangeRequest, { path: { ...inRequest, commentId }, body })
        : call(contract.postCommentReplyInSpace, { path: { ...inSpace, commentId }, body }),
    updateReply: (commentId: string, commentReplyId: string, body: { body?: SentBody } & Reacting) =>
      inRequest
        ? call(contract.updateCommentReplyInChangeRequest, { path: { ...inRequest, commentId, commentReplyId }, body })
        : call(contract.updateCommentReplyInSpace, { path: { ...inSpace, commentId, commentReplyId }, body }),
    removeReply: (commentId: string, commentReplyId: string) =>
      inRequest
        ? call(contract.deleteCommentReplyInChangeRequest, { path: { ...inRequest, commentId, commentReplyId } })
        : call(contract.deleteCommentReplyInSpace, { path: { ...inSpace, commentId, commentReplyId } }),
  };
}
