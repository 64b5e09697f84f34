import type { ServiceSchema } from 'moleculer';
import { eventReceiver } from '../../shared/contract/event.js';
import { KeyedRequests } from '../../shared/contract/keyed-requests.js';
import { bindService } from '../../shared/contract/service.js';
import { type Host, hasAnalytics } from '../../shared/process/platform.js';
import { sitePublished } from '../sites/events.js';
import { aggregationHandlers } from './aggregation/aggregation-handlers.js';
import { freezeEventsJob } from './backup/freeze-events-job.js';
import { insightsContract } from './contract.js';
import { insightsCollections, openDependencies } from './dependencies.js';
import { countEvents } from './events/count.js';
import { exportHandlers } from './exports/export-handlers.js';
import { removeSiteJob } from './removal/remove-site-job.js';
import { segmentHandlers } from './segments/segment-handlers.js';
import { insightsConsumes, insightsSubscribers } from './subscriptions.js';
import { trackingHandlers } from './tracking/tracking-handlers.js';

export function insightsService(host: Host): ServiceSchema {
  const { config, ready, writable } = host;
  const deps = openDependencies(host);
  const { store, jobs, inserts, analytics, places } = deps;
  /** No event of a visitor waits for the start of the embedded engine. What fails is logged, and tried again with the next event. */
  const startEngine = () => void analytics().catch(() => undefined);
  return bindService({
    name: 'insights',
    contract: insightsContract,
    ready,
    writable,
    keyedRequests: new KeyedRequests({ ...host, service: 'insights' }),
    async usage(organization) {
      const used = hasAnalytics(config) ? await countEvents(await analytics(), organization) : 0;
      return [{ kind: 'events', unit: 'items', used, limit: config.ORGANIZATION_EVENTS }];
    },
    checkResponses: config.CHECK_RESPONSES,
    handlers: {
      ...trackingHandlers(deps),
      ...exportHandlers(deps),
      ...aggregationHandlers(deps),
      ...segmentHandlers(deps),
    },
    receive: eventReceiver(insightsConsumes, insightsSubscribers(deps)),
    hints: { [sitePublished.name]: startEngine },
    async started() {
      await store.prepare(insightsCollections);
      await places.open();
      if (config.CLICKHOUSE_URL) await analytics();
    },
    async background() {
      // Where no site was ever published, the embedded engine does not start: it takes memory that a small installation may not need.
      if (hasAnalytics(config)) startEngine();
      jobs.register(removeSiteJob({ analytics, hasAnalytics: () => hasAnalytics(config) }));
      jobs.register(freezeEventsJob({ analytics, dataDir: config.DATA_DIR }));
      await jobs.start();
    },
    async stopped() {
      await jobs.stop();
      await inserts.drain();
      places.close();
    },
  });
}
