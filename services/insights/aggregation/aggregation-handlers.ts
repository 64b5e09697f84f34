import { readRows } from '../../../shared/analytics/reading.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import type { FairTurns } from '../../../shared/work/fair-turns.js';

import type { aggregationOperations } from '../contract.js';
import type { EventsTable } from '../events/model.js';
import { aggregationQuery } from './query.js';

/** The operation that aggregates events. */
export const aggregationHandlers = ({
  analytics,
  queries,
}: {
  queries: FairTurns;
  analytics: () => Promise<EventsTable>;
}): HandlersOf<typeof aggregationOperations> => ({
  async aggregateSiteEvents({ path: { organizationId: organization, siteId: site }, body }) {
    const { client, table } = await analytics();
    const asked = aggregationQuery({ organization, site, table, body, now: new Date() });
    const readGroups = () => readRows<unknown[]>(client, asked, 'JSONCompactEachRow');
    return asked.decode(await queries.run(organization, readGroups));
  },
});
