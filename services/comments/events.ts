import { z } from 'zod';
import { domainEvent } from '../../shared/contract/event.js';

const comment = z.object({
  organization: z.string(),
  space: z.string(),
  /** The id of the change request; absent for a comment on the primary content. */
  changeRequest: z.string().optional(),
  comment: z.string(),
  /** The user who did it. */
  actor: z.string(),
});
const reply = comment.extend({ reply: z.string() });

const written = { mentions: z.array(z.string()) };
/** Emoji. */
const reacted = { added: z.array(z.string()), removed: z.array(z.string()) };

const defineEvent = <S extends z.ZodType>(name: string, payload: S) => domainEvent('comments', name, payload);

/** `page`: the id of the page that it is about; `review`: that it was written with. */
export const commentCreated = defineEvent(
  'commentCreated',
  comment.extend({ ...written, page: z.string().optional(), review: z.string().optional() }),
);

/** The body of a comment changed, or it was opened again. */
export const commentUpdated = defineEvent('commentUpdated', comment.extend({ ...written, status: z.string() }));
export const commentResolved = defineEvent('commentResolved', comment);
export const commentReacted = defineEvent('commentReacted', comment.extend(reacted));

/** A comment was deleted, with its replies. */
export const commentDeleted = defineEvent('commentDeleted', comment);

export const replyCreated = defineEvent('replyCreated', reply.extend(written));

/** The body of a reply changed. */
export const replyUpdated = defineEvent('replyUpdated', reply.extend(written));
export const replyReacted = defineEvent('replyReacted', reply.extend(reacted));
export const replyDeleted = defineEvent('replyDeleted', reply);

/** The events that comments emits, besides audit records. */
export const commentsEvents = [
  commentCreated,
  commentUpdated,
  commentResolved,
  commentReacted,
  commentDeleted,
  replyCreated,
  replyUpdated,
  replyReacted,
  replyDeleted,
];
