import type { GroupInserts } from '../../../shared/analytics/group-inserts.js';
import type { Context, Handlers } from '../../../shared/contract/service.js';
import type { insightsContract } from '../contract.js';
import type { Places } from '../visitors/places.js';
import type { EventLimit } from './event-limit.js';
import type { EventQuota } from './event-quota.js';
import { lineOf, rowsOf } from './rows.js';
import { checkSender } from './senders.js';
import type { TrackedSites } from './tracked-sites.js';
import type { ViewNotifier } from './view-notifier.js';

type Tracking = Pick<Handlers<typeof insightsContract>, 'trackEventsInSiteById'>;

export const trackingHandlers = (deps: {
  inserts: GroupInserts;
  places: Places;
  trackedSites: TrackedSites;
  eventLimit: EventLimit;
  eventQuota: EventQuota;
  viewNotifier: ViewNotifier;
  eventWindowMs: number;
}): Tracking => ({
  async trackEventsInSiteById(
    { path: { organizationId: organization, siteId: site }, body: { events } },
    context: Context,
  ) {
    await checkSender(deps, { organization, site, events }, context);
    if (events.length === 0) return;
    deps.eventQuota.check(organization);
    const reading = { places: deps.places, windowMs: deps.eventWindowMs, now: Date.now() };
    const lines = rowsOf({ organization, site, events, context }, reading).map(lineOf).join('');
    await deps.inserts.insert({ owner: organization, lines, count: events.length, change: context.change });
    void deps.eventQuota.note(organization, events.length);
    deps.viewNotifier.notify({ organization, site, events, client: context.client });
  },
});
