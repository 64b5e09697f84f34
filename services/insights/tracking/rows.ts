import type { Context } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import { sortKeys } from '../../../shared/text/canonical.js';
import { wellFormed } from '../../../shared/text/well-formed.js';
import { newIdAt } from '../../../shared/values/ids.js';
import type { EventRow } from '../events/model.js';
import type { InsightsEvent } from '../events/resources.js';
import { parseUserAgent } from '../visitors/agent.js';
import { claimColumns, claimsProblem, unverifiedClaims } from '../visitors/claims.js';
import type { Place } from '../visitors/place.js';
import type { Places } from '../visitors/places.js';
import { visitSource } from '../visitors/source.js';

export interface Received {
  organization: string;
  site: string;
  events: InsightsEvent[];
  context: Pick<Context, 'caller' | 'client'>;
}

export interface Reading {
  places: Places;
  windowMs: number;
  now: number;
}

/** The rows of received events. Throws a 400 that names the first event that cannot be taken. */
export function eventRows(received: Received, reading: Reading): EventRow[] {
  const { address, headers } = received.context.client;
  const here = reading.places.placeOf({ address, headers });
  return received.events.map((event, at) => eventRow({ received, event, at, here }, reading));
}

interface One {
  received: Received;
  event: InsightsEvent;
  at: number;
  /** Where the request came from. */
  here: Place;
}

function eventRow({ received, event, at, here }: One, { places, windowMs, now }: Reading): EventRow {
  const { organization, site, context } = received;
  const { session, location, type } = event;
  const { ip: address } = session;
  const time = eventTime(event, { at, windowMs, now });
  const row: EventRow = {
    id: newIdAt(time),
    organization,
    site,
    timestamp: new Date(time).toISOString(),
    type,
    visitor: session.visitorId,
    session: session.sessionId,
    url: location.url,
    siteSection: location.siteSection ?? undefined,
    siteSpace: location.siteSpace ?? undefined,
    shareKey: location.siteShareKey ?? undefined,
    space: location.space ?? undefined,
    revision: location.revision ?? undefined,
    page: location.page ?? undefined,
    language: session.language ?? undefined,
  };
  // `Object.assign` takes half as long as a spread here, and this runs once per event.
  return Object.assign(
    row,
    address === undefined ? here : places.placeOf({ address, headers: context.client.headers }),
    parseUserAgent(session.userAgent),
    visitSource({ url: location.url, referrer: session.referrer }),
    claimColumns(checkedClaims(event, { at, context })),
    ownColumns(event),
  );
}

function eventTime(
  { timestamp }: InsightsEvent,
  { at, windowMs, now }: { at: number } & Omit<Reading, 'places'>,
): number {
  if (timestamp === undefined) return now;
  const time = Date.parse(timestamp);
  // Ids hold no time before 1970.
  if (time < 0 || Math.abs(time - now) > windowMs)
    throw invalid(`events.${at}.timestamp: must be within ${windowMs / 60_000} minutes of now`);
  return time;
}

/** The claims that come with an event, else those of the content token. */
function checkedClaims({ session }: InsightsEvent, { at, context }: Pick<One, 'at'> & Pick<Received, 'context'>) {
  const sent = unverifiedClaims(session);
  if (Object.keys(sent).length === 0) return context.caller.kind === 'content' ? context.caller.claims : sent;
  const problem = claimsProblem(sent);
  if (problem !== undefined) throw invalid(`events.${at}.session.visitorAuthClaims: ${problem}`);
  return sent;
}

/** The columns that only events of a type have. */
function ownColumns(event: InsightsEvent): Partial<EventRow> {
  switch (event.type) {
    case 'search_type_query':
    case 'ask_question':
      return { query: event.query };
    case 'search_open_result':
      return { query: event.query, resultSpace: event.result.spaceId, resultPage: event.result.pageId };
    case 'page_post_feedback':
      return { feedbackRating: event.feedback.rating };
    case 'page_post_feedback_comment':
      return { feedbackRating: event.feedback.rating, feedbackComment: event.feedback.comment };
    case 'ask_rate_response':
      return { query: event.query, response: event.responseId, responseRating: event.rating };
    case 'link_click':
      return linkColumns(event.link);
    case 'api_client_open':
    case 'api_client_request':
      return { apiPath: event.operation.path, apiMethod: event.operation.method };
    case 'trademark_click':
      return { trademarkPlacement: event.placement };
    case 'ad_click':
    case 'ad_display':
      return { adDomain: event.ad.domain, adZone: event.ad.zoneId, adPlacement: event.ad.placement };
    default:
      return {};
  }
}

function linkColumns({ target, position }: Extract<InsightsEvent, { type: 'link_click' }>['link']): Partial<EventRow> {
  const domain = target.kind === 'url' && URL.canParse(target.url) ? new URL(target.url).hostname : undefined;
  return {
    linkTarget: JSON.stringify(sortKeys(target)),
    linkKind: target.kind,
    linkPosition: position,
    linkDomain: domain,
  };
}

/** A row as a line of JSON. */
export function encodeRow(row: EventRow): string {
  const line = `${JSON.stringify(row)}\n`;
  // The escape of half a surrogate pair, in a text, or in claims and targets, which are JSON in JSON.
  if (!line.includes('\\ud')) return line;
  const { claims, linkTarget } = row;
  const mended = { ...row, claims: wellFormedJson(claims), linkTarget: wellFormedJson(linkTarget) };
  return `${JSON.stringify(wellFormed(mended))}\n`;
}

const wellFormedJson = (text: string | undefined): string | undefined =>
  text && JSON.stringify(wellFormed(JSON.parse(text)));
