import { collection } from '../../../shared/store/port.js';

interface Waiting {
  _id: string;
  user: string;
  organization: string;
  space: string;
  createdAt: string;
}

/** A notice of a comment, or of a reply to one, that waits to be mailed to a user. */
export interface TextNoticeDocument extends Waiting {
  reason: 'mention' | 'reply';
  comment: string;
  reply?: string;
}

/** A notice about the review of a change request that waits to be mailed to a user. */
export interface ReviewNoticeDocument extends Waiting {
  reason: 'review-request' | 'approved' | 'changes-requested';
  changeRequest: string;
  /** Who asked for the review, or wrote it. */
  actor?: string;
  /** The comment that was written with the review. */
  comment?: string;
}

/** A notice of either kind. */
export interface Notice extends Waiting {
  reason: MailedReason;
  comment?: string;
  reply?: string;
  changeRequest?: string;
  actor?: string;
}

/** Why a user is mailed. */
export type MailedReason = (TextNoticeDocument | ReviewNoticeDocument)['reason'];

const byUserAndSpace = [{ on: { user: 1, createdAt: 1 } }, { on: { space: 1 } }] as const;

export const notices = collection<TextNoticeDocument>('comments_notices', [...byUserAndSpace]);

/** Apart from the others, which processes of the release before mail too. */
export const reviewNotices = collection<ReviewNoticeDocument>('comments_review_notices', [...byUserAndSpace]);
