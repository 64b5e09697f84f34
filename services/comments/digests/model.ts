import { collection } from '../../../shared/store/port.js';

/** A notice that waits to be mailed to a user: about a comment, or about a reply to it. */
export interface NoticeDocument {
  _id: string;
  user: string;
  organization: string;
  space: string;
  reason: 'mention' | 'reply';
  comment: string;
  reply?: string;
  createdAt: string;
}

export const notices = collection<NoticeDocument>('comments_notices', [
  { on: { user: 1, createdAt: 1 } },
  { on: { space: 1 } },
]);
