import { question, verb } from '../../../shared/contract/verb.js';
import type { Notification } from '../resources.js';

export interface ListNotifications {
  limit: number;
  /** Where to continue: `next` of the previous answer. */
  page?: string;
}

/** The notifications of the user who calls, the latest first, without those about what the user may not see now. */
export const listNotifications = question<ListNotifications, { items: Notification[]; next?: string }>(
  'comments',
  'listNotifications',
);

/** The number of unread notifications of the user who calls, up to 100. */
export const countUnreadNotifications = question<Record<never, never>, number>('comments', 'countUnreadNotifications');

/** Marks notifications of the user who calls as read: those with these ids, or all. */
export const readNotifications = verb<{ ids?: string[] }, void>('comments', 'readNotifications');
