import type { ReplyDocument, TextDocument } from '../texts/model.js';

/** Where a text is, as audit records tell it. */
export const whereIs = ({ space, changeRequest }: TextDocument) => ({
  space,
  ...(changeRequest ? { changeRequest } : {}),
});

/** What every event tells of a comment. */
export const told = (comment: TextDocument, actor: string) => ({
  organization: comment.organization,
  ...whereIs(comment),
  comment: comment._id,
  actor,
});

/** What every event tells of a reply. */
export const toldOfReply = (reply: ReplyDocument, actor: string) => ({
  ...told(reply, actor),
  comment: reply.comment,
  reply: reply._id,
});
