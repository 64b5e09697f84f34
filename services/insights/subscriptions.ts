import type { Subscribers } from '../../shared/contract/event.js';
import type { HasJobs } from '../../shared/jobs/jobs.js';
import type { HasStore } from '../../shared/store/port.js';
import { siteDeleted } from '../sites/events.js';
import { siteRemoval } from './removal/remove-site-job.js';

/** The events that insights consumes. */
export const insightsConsumes = { siteDeleted };

export const insightsSubscribers = ({ store, jobs }: HasStore & HasJobs): Subscribers<typeof insightsConsumes> => ({
  async siteDeleted(deleted) {
    await store.batch(deleted.flatMap((each) => siteRemoval(jobs, each)));
  },
});
