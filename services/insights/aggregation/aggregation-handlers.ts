import { readRows } from '../../../shared/analytics/reading.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import type { aggregationOperations } from '../contract.js';
import type { InsightsDependencies } from '../dependencies.js';
import { aggregationQuery } from './query.js';

/** The operation that aggregates events. */
export const aggregationHandlers = ({
  analytics,
  queries,
}: Pick<InsightsDependencies, 'analytics' | 'queries'>): HandlersOf<typeof aggregationOperations> => ({
  async aggregateSiteEvents({ path: { organizationId: organization, siteId: site }, body }) {
    const { client, table } = await analytics();
    const asked = aggregationQuery({ organization, site, table, body, now: new Date() });
    const read = () => readRows<unknown[]>(client, asked, 'JSONCompactEachRow');
    return asked.decode(await queries.run(organization, read));
  },
});
