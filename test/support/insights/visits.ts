import { cellToLatLng, cellToParent, latLngToCell } from 'h3-js';
import type { TrackedSite } from './tracked-site.js';
import { userAgents } from './tracked-site.js';

const ada = { visitorId: 'ada', language: 'en', visitorAuthClaims: { plan: 'pro', company: { size: 12 } } };
const bob = { visitorId: 'bob', sessionId: 'b1', language: 'de-CH', userAgent: userAgents.iPhone };
const bot = {
  visitorId: 'bot',
  sessionId: 'c1',
  userAgent: userAgents.googlebot,
  visitorAuthClaims: { plan: 'free' },
};
const utm = 'utm_source=news&utm_medium=mail&utm_campaign=spring&utm_term=docs&utm_content=top';
const google = { referrer: 'https://www.google.com/search?q=docs' };
const first = { space: 's1', page: 'p1', siteSection: 'sec1', siteSpace: 'ss1' };
const second = { ...first, page: 'p2', siteShareKey: 'key' };
const whole = { space: 's2', siteSpace: 'ss2' };
const external = { kind: 'url', url: 'https://example.com/x' };
const page = { kind: 'page', page: 'p2', space: 's1' };
const operation = { path: '/pets', method: 'GET' };
const ad = { domain: 'ads.example.com', zoneId: 'z', placement: 'aside' };

/** Where ada is, as her renderer says. */
export const zurich = { latitude: 47.3769, longitude: 8.5417 };

const headersOfAda = {
  'x-location-country': 'CH',
  'x-location-latitude': String(zurich.latitude),
  'x-location-longitude': String(zurich.longitude),
};

/** Three visitors of a site: 8 events of ada in two sessions, 9 of bob, 2 of a bot. */
export async function trackVisits(site: TrackedSite): Promise<void> {
  const campaign = { ...first, url: `${site.url}guide?${utm}` };
  const one = { ...ada, sessionId: 'a1' };
  const two = { ...ada, sessionId: 'a2' };
  await site.tracked(
    [
      { session: { ...one, ...google }, location: campaign },
      { session: one, location: second },
      { type: 'search_type_query', session: one, location: second, query: 'install' },
      { type: 'link_click', session: one, location: second, link: { target: external, position: 'header' } },
      { type: 'page_post_feedback', session: one, location: second, feedback: { rating: 'good' } },
      {
        type: 'page_post_feedback_comment',
        session: one,
        location: second,
        feedback: { rating: 'good', comment: 'Nice' },
      },
      { type: 'ask_question', session: two, location: first, query: 'how?' },
      { type: 'ask_rate_response', session: two, location: first, query: 'how?', responseId: 'r1', rating: 1 },
    ],
    { headers: headersOfAda },
  );
  await site.tracked(
    [
      { session: { ...bob, referrer: 'https://news.example/' }, location: first },
      { type: 'search_type_query', session: bob, location: first, query: 'Install' },
      { type: 'page_post_feedback', session: bob, location: first, feedback: { rating: 'bad' } },
      { type: 'api_client_open', session: bob, location: first, operation },
      { type: 'api_client_request', session: bob, location: first, operation: { ...operation, method: 'POST' } },
      { type: 'link_click', session: bob, location: first, link: { target: page, position: 'sidebar' } },
      { type: 'ad_display', session: bob, location: first, ad },
      { type: 'trademark_click', session: bob, location: first, placement: 'footer' },
      { type: 'ask_rate_response', session: bob, location: first, query: 'why?', responseId: 'r2', rating: -1 },
    ],
    { headers: { 'x-location-country': 'US' } },
  );
  await site.tracked([{ session: bot, location: whole }, { session: bot }]);
}

/** The middle of the cell around a place. */
export function pointAt({ latitude, longitude }: typeof zurich, precision: number) {
  const h3 = cellToParent(latLngToCell(latitude, longitude, 15), precision);
  const [lat, long] = cellToLatLng(h3).map((degrees) => Math.round(degrees * 1e6) / 1e6);
  return { latitude: lat, longitude: long, h3 };
}

export interface Dimension {
  column: { column: string; claim?: string; precision?: number };
  /** Each value with the number of its events, in ascending order; those that have none are among them, or left out. */
  groups: [value: unknown, events: number][];
}

type Groups = Dimension['groups'];
const orNull = (events: number, others: Record<string, number>): Groups => [[null, events], ...Object.entries(others)];
const point = (precision: number): Groups => [
  [null, 11],
  [pointAt(zurich, precision), 8],
];
const pages: Groups = [
  [null, 1],
  [{ page: 'p1', space: 's1' }, 12],
  [{ page: 'p2', space: 's1' }, 5],
  [{ page: null, space: 's2' }, 1],
];
const types = {
  ad_display: 1,
  api_client_open: 1,
  api_client_request: 1,
  ask_question: 1,
  ask_rate_response: 2,
  link_click: 2,
  page_post_feedback: 2,
  page_post_feedback_comment: 1,
  page_view: 5,
  search_type_query: 2,
  trademark_click: 1,
};
const ratings: Groups = [
  [-1, 1],
  [1, 1],
];
const targets: Groups = [
  [page, 1],
  [external, 1],
];
const sizes: Groups = [
  ['', 11],
  ['12', 8],
];

/** By the names of columns: the numbers of events by text, in order, or the groups. */
const groupsByColumn = (url: string): Record<string, Groups | Record<string, number>> => ({
  url: { [url]: 18, [`${url}guide?${utm}`]: 1 },
  eventType: types,
  siteSection: orNull(2, { sec1: 17 }),
  siteSpace: orNull(1, { ss1: 17, ss2: 1 }),
  siteShareKey: orNull(14, { key: 5 }),
  page: pages,
  visitorGeoCountry: orNull(2, { CH: 8, US: 9 }),
  visitorGeoPoint: point(5),
  visitorDevice: { desktop: 8, mobile: 9, unknown: 2 },
  visitorBrowser: { chrome: 8, safari: 9, unknown: 2 },
  visitorOS: { ios: 9, unknown: 2, windows: 8 },
  visitorBot: orNull(17, { googlebot: 2 }),
  visitorLanguage: orNull(2, { 'de-CH': 9, en: 8 }),
  eventLinkTargetValue: targets,
  eventLinkTargetKind: { page: 1, url: 1 },
  eventLinkTargetDomain: orNull(18, { 'example.com': 1 }),
  eventLinkPosition: { header: 1, sidebar: 1 },
  eventAPIOperationPath: orNull(17, { '/pets': 2 }),
  eventAPIOperationMethod: orNull(17, { GET: 1, POST: 1 }),
  eventSearchQuery: { '': 14, Install: 1, 'how?': 2, install: 1, 'why?': 1 },
  eventPageFeedbackRating: { bad: 1, good: 2 },
  eventPageFeedbackComment: { '': 18, Nice: 1 },
  eventAskResponseRating: ratings,
  referrer: { '': 17, 'https://news.example/': 1, [google.referrer]: 1 },
  referrerDomain: { '': 17, 'google.com': 1, 'news.example': 1 },
  utmSource: { '': 18, news: 1 },
  utmMedium: { '': 18, mail: 1 },
  utmCampaign: { '': 18, spring: 1 },
  utmTerm: { '': 18, docs: 1 },
  utmContent: { '': 18, top: 1 },
  visitorClaimProperty: { 'company.size': 8, plan: 10 },
  eventAdDomain: { '': 18, 'ads.example.com': 1 },
  eventAdPlacement: { aside: 1 },
  eventTrademarkPlacement: { footer: 1 },
});

/** What the visits are in each column that groups. */
export const dimensions = ({ url }: Pick<TrackedSite, 'url'>): Dimension[] => [
  ...Object.entries(groupsByColumn(url)).map(([column, groups]) => ({
    column: { column },
    groups: Array.isArray(groups) ? groups : Object.entries(groups),
  })),
  { column: { column: 'visitorGeoPoint', precision: 0 }, groups: point(0) },
  { column: { column: 'visitorGeoPoint', precision: 15 }, groups: point(15) },
  { column: { column: 'visitorClaim', claim: 'plan' }, groups: Object.entries({ '': 9, free: 2, pro: 8 }) },
  { column: { column: 'visitorClaim', claim: 'company.size' }, groups: sizes },
];

/** All of them. */
export const visits = 19;
