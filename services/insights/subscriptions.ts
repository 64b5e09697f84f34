import type { Subscribers } from '../../shared/contract/event.js';
import { siteDeleted } from '../sites/events.js';
import type { InsightsDependencies } from './dependencies.js';
import { siteRemoval } from './removal/remove-site-job.js';

/** The events that insights consumes. */
export const insightsConsumes = { siteDeleted };

export const insightsSubscribers = ({
  store,
  jobs,
}: Pick<InsightsDependencies, 'store' | 'jobs'>): Subscribers<typeof insightsConsumes> => ({
  async siteDeleted(deleted) {
    await store.batch(deleted.flatMap((each) => siteRemoval(jobs, each)));
  },
});
