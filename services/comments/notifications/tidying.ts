import type { JobKind } from '../../../shared/jobs/jobs.js';
import type { HasStore } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import { notifications } from './model.js';

export const trimKind = 'trimNotifications';
export const sweepKind = 'sweepNotifications';

/** Notifications that are kept for a user; older ones are removed within an hour. */
export const maxNotifications = 1000;
const dayMs = 86_400_000;
const keptDays = 90;

/** Removes the oldest notifications of a user who has more than are kept. */
export const trimJob = ({ store }: HasStore): JobKind<{ user: string }> => ({
  kind: trimKind,
  attempts: 5,
  async run({ job }) {
    const { user } = job.payload;
    const list = {
      filter: { user },
      sort: { createdAt: -1 } as const,
      limit: maxNotifications,
      fields: ['createdAt' as const],
    };
    const { items } = await store.page(notifications, list);
    const oldest = items.at(-1);
    if (oldest && items.length === maxNotifications)
      await store.deleteMany(notifications, { user, createdAt: { $lt: oldest.createdAt } });
  },
});

/** Removes notifications after 90 days, every day. */
export const sweepJob = ({ store }: HasStore): JobKind<object> => ({
  kind: sweepKind,
  attempts: Number.POSITIVE_INFINITY,
  async run() {
    const now = Date.now();
    await store.deleteMany(notifications, { createdAt: { $lt: timestamp(new Date(now - keptDays * dayMs)) } });
    return { runAt: timestamp(new Date(now + dayMs)) };
  },
});
