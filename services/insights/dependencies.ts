import { GroupInserts } from '../../shared/analytics/group-inserts.js';
import { analyticsUnreachable } from '../../shared/analytics/reading.js';
import { prepareTable } from '../../shared/analytics/table.js';
import { callAsSystem } from '../../shared/contract/service.js';
import { isExpected } from '../../shared/errors/errors.js';
import { Jobs, jobCollections } from '../../shared/jobs/jobs.js';
import { onceASecond } from '../../shared/monitoring/log.js';
import type { Host } from '../../shared/process/platform.js';
import type { Collection, Store } from '../../shared/store/port.js';
import type { FairTurns } from '../../shared/work/fair-turns.js';
import { countEvents } from './events/count.js';
import { type EventsTable, eventsTable } from './events/model.js';
import { openQueries } from './events/queries.js';
import { EventLimit } from './tracking/event-limit.js';
import { StoredEventsQuota } from './tracking/event-quota.js';
import { TrackedSites } from './tracking/tracked-sites.js';
import { ViewNotifier } from './tracking/view-notifier.js';
import { Places } from './visitors/places.js';

/** The stores, queues and caches that the rooms of insights share. */
export interface InsightsDependencies {
  store: Store;
  jobs: Jobs;
  /** The analytics database with its table of events, opened and prepared on first use. */
  analytics: () => Promise<EventsTable>;
  inserts: GroupInserts;
  /** Limits queries to the analytics database; organizations take turns. */
  queries: FairTurns;
  places: Places;
  trackedSites: TrackedSites;
  eventLimit: EventLimit;
  eventQuota: StoredEventsQuota;
  viewNotifier: ViewNotifier;
  /** Milliseconds before and after now in which the time of an event may lie. */
  eventWindowMs: number;
}

/** Every collection of the service, to be prepared at start. */
export const insightsCollections = Object.values(jobCollections('insights')) as Collection<never>[];

export function openDependencies(host: Host): InsightsDependencies {
  const { config, store, log, exclusive, broker } = host;
  const analytics = preparedOnce(host);
  return {
    store,
    jobs: new Jobs({ store, service: 'insights', log, exclusive }),
    analytics,
    inserts: new GroupInserts({ client: async () => (await analytics()).client, table: eventsTable.name, log }),
    queries: openQueries(),
    places: new Places(config.GEOIP_DATABASE, log),
    trackedSites: new TrackedSites(),
    viewNotifier: new ViewNotifier({ callAsSystem: () => callAsSystem(broker), log }),
    eventLimit: new EventLimit(config.EVENTS_PER_MINUTE),
    eventQuota: new StoredEventsQuota({
      max: config.ORGANIZATION_EVENTS,
      count: async (organization) => countEvents(await analytics(), organization),
    }),
    eventWindowMs: config.EVENT_WINDOW_MINUTES * 60_000,
  };
}

/** Opens the database and prepares the table, once; after a failure again with the next call. */
function preparedOnce({ analytics, config, log }: Host): () => Promise<EventsTable> {
  const tell = onceASecond(log);
  const { EVENT_RETENTION_DAYS: retentionDays, CLICKHOUSE_CLUSTER: cluster } = config;
  const prepareEvents = async (): Promise<EventsTable> => {
    const { client } = await analytics();
    await prepareTable({ client, table: eventsTable, retentionDays, cluster });
    return { client, table: eventsTable.name, cluster };
  };
  let prepared: Promise<EventsTable> | undefined;
  return () => {
    prepared ??= prepareEvents().catch((error) => {
      prepared = undefined;
      if (!isExpected(error)) tell('error', 'preparing', { err: error }, 'the analytics database cannot be used');
      throw analyticsUnreachable(error);
    });
    return prepared;
  };
}
