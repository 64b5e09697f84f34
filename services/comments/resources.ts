import { z } from 'zod';
import { commentTextFields } from '../content/resources.js';
import type { User } from '../identity/resources.js';

export const commentReplySchema = z
  .object({ object: z.literal('comment-reply'), ...commentTextFields })
  .meta({ id: 'CommentReply' });
export type CommentReply = z.output<typeof commentReplySchema>;

/** Why somebody is notified: `comment` and the verdicts are about a change request of theirs. */
export const notificationKinds = [
  'mention',
  'reply',
  'comment',
  'review-request',
  'approved',
  'changes-requested',
  'merged',
] as const;

/** Something that concerns a user, as the user may see it now. */
export interface Notification {
  id: string;
  kind: (typeof notificationKinds)[number];
  /** Who did it; absent where that is not known. */
  actor?: User;
  space: { id: string; title: string };
  changeRequest?: { number: number; subject: string };
  /** The id of the comment that it is about, or whose reply it is about. */
  comment?: string;
  /** The beginning of the text, without its markup. */
  excerpt?: string;
  createdAt: string;
  read: boolean;
}
