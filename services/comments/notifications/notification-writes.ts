import type { HasJobs } from '../../../shared/jobs/jobs.js';
import { type Write, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import { type NotificationDocument, notifications } from './model.js';
import { trimKind } from './tidying.js';

/** The writes of a notification, and of the job that keeps its user within the limit. */
export function notificationWrites(
  { jobs }: HasJobs,
  { _id = newId(), ...about }: Omit<NotificationDocument, '_id' | 'read'> & { _id?: string },
): Write[] {
  const { user } = about;
  const hourMs = 3_600_000;
  const hour = timestamp(new Date((Math.floor(Date.now() / hourMs) + 1) * hourMs));
  return [
    write.insert(notifications, { _id, ...about, read: false }),
    jobs.enqueueOnce(`notifications ${user} ${hour}`, trimKind, { user }, { runAt: hour }),
  ];
}
