import { collection } from '../../../shared/store/port.js';

/** A notice that waits to be mailed to a user: about a comment, a reply to one, or a review. */
export interface NoticeDocument {
  _id: string;
  user: string;
  organization: string;
  space: string;
  reason: MailedReason;
  /** The comment that it is about; of a review, the one that was written with it. */
  comment?: string;
  reply?: string;
  /** The change request that a review is about, and who asked for the review or wrote it. */
  changeRequest?: string;
  actor?: string;
  createdAt: string;
}

/** Why a user is mailed. */
export type MailedReason = 'mention' | 'reply' | 'review-request' | 'approved' | 'changes-requested';

export const notices = collection<NoticeDocument>('comments_notices', [
  { on: { user: 1, createdAt: 1 } },
  { on: { space: 1 } },
]);
