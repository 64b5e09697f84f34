import type { ReplyDocument, TextDocument } from '../texts/model.js';

/** The fields of audit records and events that say where a text is. */
export const whereIs = ({ space, changeRequest }: TextDocument) => ({
  space,
  ...(changeRequest ? { changeRequest } : {}),
});

/** The fields that every event of a comment has. */
export const commentPayload = (comment: TextDocument, actor: string) => ({
  organization: comment.organization,
  ...whereIs(comment),
  comment: comment._id,
  actor,
});

/** The fields that every event of a reply has. */
export const replyPayload = (reply: ReplyDocument, actor: string) => ({
  ...commentPayload(reply, actor),
  comment: reply.comment,
  reply: reply._id,
});
