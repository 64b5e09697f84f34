import { createHmac } from 'node:crypto';
import { isExpected } from '../../../shared/errors/errors.js';
import { insightsContract } from '../../insights/contract.js';
import type { ReaderDependencies, SiteRequest } from '../site/reader-context.js';
import { cookiesOf } from '../visits/visitor-input.js';

/** An event of a visitor, without where and by whom. */
export type VisitorEvent = { type: string; page?: string } & Record<string, unknown>;

/** Whether a reader wants no tracking, as the browser says. */
export const isUntracked = ({ request: { headers } }: SiteRequest): boolean =>
  headers.dnt === '1' || headers['sec-gpc'] === '1';

const visitorCookie = 'bindery-visitor';
const dayMs = 24 * 3600 * 1000;
const halfHourMs = 1_800_000;

/**
 * Records an event. Without a cookie, a visitor is the same for a day, by a hash of address and browser that nobody can turn back. What insights
 * refuses is not recorded: the page is shown all the same.
 */
export async function track(
  deps: ReaderDependencies,
  asked: SiteRequest,
  event: VisitorEvent,
  pageUrl: URL,
): Promise<void> {
  const { visit } = asked;
  if (visit.visitor.preview || isUntracked(asked)) return;
  const { shown, visitor, site } = visit;
  const { page, ...own } = event;
  const location = {
    url: pageUrl.href,
    siteSection: shown.siteSection ?? null,
    siteSpace: shown.siteSpace,
    siteShareKey: shown.shareKey ?? null,
    space: shown.space,
    revision: shown.revision ?? null,
    page: page ?? null,
  };
  const path = { organizationId: shown.organization, siteId: site.site.id };
  const events = [{ ...own, session: sessionOf(deps, asked), location }] as never;
  await deps
    .callAs(visitor)(insightsContract.trackEventsInSiteById, { path, body: { events } })
    .catch((error) => {
      if (!isExpected(error)) throw error;
    });
}

function sessionOf({ visitorKey }: ReaderDependencies, { visit, request }: SiteRequest) {
  const { headers, address } = request;
  const userAgent = (headers['user-agent'] ?? '').slice(0, 2048);
  const now = Date.now();
  const hashOf = (period: number) =>
    createHmac('sha256', visitorKey)
      .update(JSON.stringify([visit.shown.site, address, userAgent, period]))
      .digest('base64url')
      .slice(0, 22);
  const cookie = cookiesOf(headers.cookie).get(visitorCookie);
  const isKnown = cookie !== undefined && /^[0-9a-f]{32}$/.test(cookie);
  const language = headers['accept-language']?.split(/[,;]/)[0]?.slice(0, 100) || null;
  return {
    visitorId: isKnown ? cookie : hashOf(Math.floor(now / dayMs)),
    sessionId: hashOf(Math.floor(now / halfHourMs)),
    cookies: {},
    userAgent,
    language,
    referrer: null as string | null,
    ...(Object.keys(visit.visitor.claims).length > 0 ? { visitorAuthClaims: visit.visitor.claims } : {}),
    ip: address,
  };
}
