import type { EventRow } from '../events/model.js';
import type { RecordedEvent } from '../events/resources.js';
import { centerOfCell, h3Of } from '../visitors/cells.js';

/** A row as it is read: every column has a value. */
export type StoredEvent = Omit<Required<{ [K in keyof EventRow]: NonNullable<EventRow[K]> }>, 'claimValues'>;

/** An event as the export has it: in the form in which it was sent, and what was derived. */
export function presentEvent(row: StoredEvent): RecordedEvent {
  const { claims } = row;
  return {
    id: row.id,
    type: row.type,
    timestamp: new Date(`${row.timestamp.replace(' ', 'T')}Z`).toISOString(),
    session: {
      visitorId: row.visitor,
      sessionId: row.session,
      language: orNull(row.language),
      referrer: orNull(row.referrer),
      ...(claims === '' ? {} : { visitorAuthClaims: JSON.parse(claims) }),
    },
    location: {
      url: row.url,
      siteSection: orNull(row.siteSection),
      siteSpace: orNull(row.siteSpace),
      siteShareKey: orNull(row.shareKey),
      space: orNull(row.space),
      revision: orNull(row.revision),
      page: orNull(row.page),
    },
    ...ownFields(row),
    visitor: presentVisitor(row),
  };
}

const orNull = (text: string): string | null => text || null;

const omitEmpty = <K extends string>(name: K, value: string): { [N in K]?: string } =>
  (value === '' ? {} : { [name]: value }) as { [N in K]?: string };

function presentVisitor({
  country,
  continent,
  city,
  cell,
  device,
  browser,
  os,
  bot,
}: StoredEvent): RecordedEvent['visitor'] {
  const { latitude, longitude } = cell === '0' ? {} : centerOfCell(h3Of(cell));
  return {
    ...omitEmpty('country', country),
    ...omitEmpty('continent', continent),
    ...omitEmpty('city', city),
    ...(latitude === undefined ? {} : { latitude, longitude }),
    ...({ device, browser, os, ...omitEmpty('bot', bot) } as RecordedEvent['visitor']),
  };
}

/** The fields that only events of this type have. */
function ownFields(row: StoredEvent): object {
  switch (row.type) {
    case 'search_type_query':
    case 'ask_question':
      return { query: row.query };
    case 'search_open_result':
      return { query: row.query, result: { spaceId: row.resultSpace, pageId: row.resultPage } };
    case 'page_post_feedback':
      return { feedback: { rating: row.feedbackRating } };
    case 'page_post_feedback_comment':
      return { feedback: { rating: row.feedbackRating, comment: row.feedbackComment } };
    case 'ask_rate_response':
      return { query: row.query, responseId: row.response, rating: row.responseRating };
    case 'link_click':
      return { link: { target: JSON.parse(row.linkTarget), position: row.linkPosition } };
    case 'api_client_open':
    case 'api_client_request':
      return { operation: { path: row.apiPath, method: row.apiMethod } };
    case 'trademark_click':
      return { placement: row.trademarkPlacement };
    case 'ad_click':
    case 'ad_display':
      return { ad: { domain: row.adDomain, zoneId: row.adZone, placement: row.adPlacement } };
    default:
      return {};
  }
}
