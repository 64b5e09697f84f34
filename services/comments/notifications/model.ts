import { collection } from '../../../shared/store/port.js';
import type { notificationKinds } from '../resources.js';

/** Something that concerns a user. */
export interface NotificationDocument {
  _id: string;
  user: string;
  organization: string;
  space: string;
  /** The id of the change request that it is about. */
  changeRequest?: string;
  kind: (typeof notificationKinds)[number];
  /** The user who did it; absent where that is not known. */
  actor?: string;
  /** The comment that it is about, or whose reply it is about. */
  comment?: string;
  reply?: string;
  createdAt: string;
  read: boolean;
}

export const notifications = collection<NotificationDocument>('comments_notifications', [
  { on: { user: 1, createdAt: -1 } },
  { on: { user: 1, read: 1 } },
  { on: { space: 1 } },
  { on: { createdAt: 1 } },
]);
