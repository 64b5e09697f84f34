import { collection } from '../../../shared/store/port.js';

/** That a user is to be told of a comment, or of a reply to it. */
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
