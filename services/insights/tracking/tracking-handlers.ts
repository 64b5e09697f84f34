import type { GroupInserts } from '../../../shared/analytics/group-inserts.js';
import { type Caller, membershipOf, reachesPlace } from '../../../shared/contract/caller.js';
import type { Context, Handlers } from '../../../shared/contract/service.js';
import { forbidden, invalid, notFound } from '../../../shared/errors/errors.js';
import type { insightsContract } from '../contract.js';
import type { InsightsEvent } from '../events/resources.js';
import type { Places } from '../visitors/places.js';
import type { EventLimit } from './event-limit.js';
import type { StoredEventsQuota } from './event-quota.js';
import { encodeRow, eventRows } from './rows.js';
import type { TrackedSites } from './tracked-sites.js';
import type { ViewNotifier } from './view-notifier.js';

type Tracking = Pick<Handlers<typeof insightsContract>, 'trackEventsInSiteById'>;

export const trackingHandlers = (deps: {
  inserts: GroupInserts;
  places: Places;
  trackedSites: TrackedSites;
  eventLimit: EventLimit;
  eventQuota: StoredEventsQuota;
  viewNotifier: ViewNotifier;
  eventWindowMs: number;
}): Tracking => ({
  async trackEventsInSiteById(
    { path: { organizationId: organization, siteId: site }, body: { events } },
    context: Context,
  ) {
    await checkSender(deps, { organization, site, events }, context);
    if (events.length === 0) return;
    deps.eventQuota.refuseIfFull(organization);
    const reading = { places: deps.places, windowMs: deps.eventWindowMs, now: Date.now() };
    const lines = eventRows({ organization, site, events, context }, reading).map(encodeRow).join('');
    await deps.inserts.insert({ owner: organization, lines, count: events.length, change: context.change });
    void deps.eventQuota.noteStored(organization, events.length);
    deps.viewNotifier.notify({ organization, site, events, client: context.client });
  },
});

interface Sent {
  organization: string;
  site: string;
  events: InsightsEvent[];
}

/**
 * Checks that events may come from where they come from: a member of the organization, an installation on the site, a visitor with a
 * content token of the site, or anybody for a published site, whose pages have no secret. Throws 403, 404 or 429.
 */
async function checkSender(
  { trackedSites, eventLimit }: { trackedSites: TrackedSites; eventLimit: EventLimit },
  { organization, site, events }: Sent,
  { caller, client, network, call }: Context,
): Promise<void> {
  const known = await trackedSites.findAddresses(call, { organization, site });
  if (!known) throw notFound('Site');
  if (isKnown(caller, { organization, site })) return;
  await eventLimit.countOrRefuse(network, events.length);
  if (caller.kind === 'content' && caller.site === site) return;
  if (!known.published) throw notFound('Site');
  const addresses = known.addresses.map((address) => new URL(address));
  checkOrigin(addresses, client.headers.origin);
  for (const [at, { location }] of events.entries())
    if (!isShownAt(addresses, location.url))
      throw invalid(`events.${at}.location.url: must be an address of the site, unless the request has a token`);
}

/** A member of the organization, or an installation on the site. */
const isKnown = (caller: Caller, { organization, site }: Pick<Sent, 'organization' | 'site'>): boolean =>
  (caller.kind === 'installation' && caller.organization === organization && reachesPlace(caller.sites, site)) ||
  (membershipOf(caller, organization)?.role ?? null) !== null;

/** Browsers always send it; a program, such as a renderer that passes events on, does not. */
function checkOrigin(addresses: URL[], origin: string | undefined): void {
  if (origin === undefined) return;
  const host = URL.canParse(origin) ? new URL(origin).hostname : undefined;
  if (!addresses.some(({ hostname }) => hostname === host))
    throw forbidden('Origin: must be an address of the site', 'origin_not_allowed');
}

/** Whether a URL is below one of the addresses, whatever its scheme and port. */
function isShownAt(addresses: URL[], url: string): boolean {
  const { hostname, pathname } = new URL(url);
  const path = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return addresses.some((address) => address.hostname === hostname && path.startsWith(address.pathname));
}
