import { onClusterSql, storageTable } from '../../../shared/analytics/table.js';
import { timeIn } from '../../../shared/jobs/job-records.js';
import type { JobKind, Jobs } from '../../../shared/jobs/jobs.js';
import type { Write } from '../../../shared/store/port.js';
import type { EventsTable } from '../events/model.js';

const kind = 'removeSiteEvents';

interface Removal {
  organization: string;
  site: string;
}

/** By then nothing is on its way any more that was taken before the site was deleted. */
const againMs = 60_000;

const hourMs = 3_600_000;

/** The writes that remove the events of a deleted site: at once, and again what was on its way. */
export const siteRemoval = (jobs: Jobs, { organization, site }: Removal): Write[] => [
  jobs.enqueueOnce(`remove ${site}`, kind, { organization, site }),
  jobs.enqueueOnce(`remove ${site} again`, kind, { organization, site }, { runAt: timeIn(againMs) }),
];

export interface RemovalDependencies {
  analytics: () => Promise<EventsTable>;
  /** Whether any event was ever stored. */
  hasAnalytics: () => boolean;
}

/** Removes the events of a site that was deleted. */
export const removeSiteJob = ({ analytics, hasAnalytics }: RemovalDependencies): JobKind<Removal> => ({
  kind,
  // The database may be away for days.
  attempts: 1000,
  backoff: (attempts) => Math.min(1000 * 2 ** attempts, hourMs),
  async run({ job }) {
    if (!hasAnalytics()) return;
    const { client, table, cluster } = await analytics();
    await client.command({
      query: `DELETE FROM ${storageTable(table, cluster)}${onClusterSql(cluster)} WHERE organization = {organization:String} AND site = {site:String}`,
      query_params: { ...job.payload },
      // It may take minutes for many parts, and goes on after a restart.
      clickhouse_settings: { lightweight_deletes_sync: '0' },
    });
  },
});
