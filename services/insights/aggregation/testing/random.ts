import fc from 'fast-check';
import { cellToParent, latLngToCell } from 'h3-js';
import { sortKeys } from '../../../../shared/text/canonical.js';
import type { EventRow } from '../../events/model.js';
import {
  bots,
  browsers,
  devices,
  eventTypes,
  feedbackRatings,
  type LinkTarget,
  linkPositions,
  systems,
  trademarkPlacements,
} from '../../events/resources.js';
import { intervals, operators, presets } from '../resources.js';

/** Random events, and random aggregations of them that hit their values. */

export const organizations = ['org-a', 'org-b'];
export const sites = ['site-a', 'site-b'];
/** The time of all queries. */
export const now = new Date('2026-03-31T12:34:56.789Z');

const hostile = [
  '',
  'a',
  'B',
  'zürich',
  '日本',
  "' OR 1=1 --",
  '\\',
  '{p0:String}',
  'tab\tnew\nline',
  '\0',
  '\uFFEE',
  '😀',
];
const ids = ['', 'id-1', 'id-2', 'id-10'];
const claims = ['plan', 'company.plan', "it's", 'a\tb'];
const cells = [
  [48.2, 16.37],
  [48.2001, 16.3701],
  [48.5, 16.5],
  [-33.9, 151.2],
].map(([latitude = 0, longitude = 0]) => latLngToCell(latitude, longitude, 15));
const targets: LinkTarget[] = [
  { kind: 'url', url: "https://a.test/'\\" },
  { kind: 'page', space: 'id-1', page: 'id-2' },
  { kind: 'anchor', space: 'id-1', anchor: 'top', page: 'id-2' },
];
const hour = 3_600_000;
const times = [0, 1, -1, -24, -7 * 24, -30 * 24, -90 * 24, -365 * 24].map((hours) => now.getTime() + hours * hour);
const time = fc.oneof(
  fc.constantFrom(...times),
  fc.integer({ min: now.getTime() - 400 * 24 * hour, max: now.getTime() + 300_000 }),
);

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const rating = oneOf(['', ...feedbackRatings]);

export const randomEvent: fc.Arbitrary<EventRow> = fc
  .record({
    id: fc.constant('id'),
    organization: oneOf(organizations),
    site: oneOf(sites),
    timestamp: time.map((at) => new Date(at).toISOString().replace('T', ' ').slice(0, -1)),
    type: oneOf(eventTypes),
    visitor: oneOf(['v1', 'v2', 'v3', 'v4', 'v5']),
    session: oneOf(['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8']),
    url: oneOf(hostile),
    siteSection: oneOf(ids),
    siteSpace: oneOf(ids),
    shareKey: oneOf(ids),
    space: oneOf(ids),
    page: oneOf(ids),
    country: oneOf(['', 'AT', 'AU']),
    cell: oneOf(['0', ...cells.map((cell) => BigInt(`0x${cell}`).toString())]),
    device: oneOf(devices),
    browser: oneOf(browsers),
    os: oneOf(systems),
    bot: oneOf(['', ...bots]),
    language: oneOf(['', 'de', 'en-US']),
  })
  .chain((event) =>
    fc
      .record(
        {
          referrer: oneOf(hostile),
          referrerDomain: oneOf(hostile),
          utmSource: oneOf(hostile),
          utmMedium: oneOf(hostile),
          utmCampaign: oneOf(hostile),
          utmTerm: oneOf(hostile),
          utmContent: oneOf(hostile),
          claimValues: fc.dictionary(oneOf(claims), oneOf(hostile), { maxKeys: 3, noNullPrototype: true }),
          query: oneOf(hostile),
          feedbackRating: rating,
          feedbackComment: oneOf(hostile),
          responseRating: oneOf([0, 1, -1]),
          linkTarget: oneOf(targets.map((target) => JSON.stringify(sortKeys(target)))),
          linkKind: oneOf(targets.map(({ kind }) => kind)),
          linkDomain: oneOf(hostile),
          linkPosition: oneOf(linkPositions),
          apiPath: oneOf(hostile),
          apiMethod: oneOf(['', 'GET', 'POST']),
          adDomain: oneOf(hostile),
          adPlacement: oneOf(['', 'aside']),
          trademarkPlacement: oneOf(['', ...trademarkPlacements]),
        },
        { requiredKeys: [] },
      )
      .map((more) => ({ ...event, ...more })),
  );

const nullable = (values: string[]) => oneOf([null, ...values]);
const text = oneOf(hostile);
const number = oneOf([0, 1, 2, 3, 5, 20, 300, 1.5, -1, 1e21]);
const small = fc.integer({ min: 0, max: 3 });
/** Some value of each column of the API. */
const values = {
  datetime: time.map((at) => new Date(at).toISOString()),
  visitorGeoPoint: oneOf([null, ...cells]).chain((cell) =>
    fc
      .integer({ min: 0, max: 15 })
      .map((precision) => cell && { latitude: 0, longitude: 0, h3: cellToParent(cell, precision) }),
  ),
  visitorClaim: text,
  url: text,
  eventType: oneOf(eventTypes),
  eventsCount: number,
  sessionsCount: number,
  visitorsCount: number,
  siteSection: nullable(ids),
  siteSpace: nullable(ids),
  siteShareKey: nullable(ids),
  page: fc.option(fc.record({ page: nullable(ids), space: oneOf(ids) })),
  visitorGeoCountry: nullable(['', 'AT', 'XX']),
  visitorDevice: oneOf(devices),
  visitorBrowser: oneOf(browsers),
  visitorOS: oneOf(systems),
  visitorBot: nullable(['', ...bots]),
  visitorLanguage: nullable(['', 'de', 'fr']),
  eventLinkTargetValue: oneOf(targets),
  eventLinkTargetKind: oneOf(['url', 'page', 'file', 'openapi']),
  eventLinkTargetDomain: nullable(hostile),
  eventLinkPosition: oneOf(linkPositions),
  eventAPIOperationPath: nullable(hostile),
  eventAPIOperationMethod: nullable(['', 'GET', 'PUT']),
  eventSearchQuery: text,
  eventPageFeedbackRating: oneOf(feedbackRatings),
  eventPageFeedbackComment: text,
  eventAskResponseRating: oneOf([1, -1]),
  pageFeedbackRating: fc.record({ bad: small, ok: small, good: small }),
  askResponseRating: fc.record({ positive: small, negative: small }),
  referrer: text,
  referrerDomain: text,
  utmSource: text,
  utmMedium: text,
  utmCampaign: text,
  utmTerm: text,
  utmContent: text,
  visitorClaimProperty: oneOf([...claims, 'none']),
  eventAdDomain: text,
  eventAdPlacement: oneOf(['aside']),
  eventTrademarkPlacement: oneOf(trademarkPlacements),
};
type Name = keyof typeof values;
const names = Object.keys(values) as Name[];
/** Columns whose values have no order. */
const withoutOrder = new Set<Name>([
  'page',
  'visitorGeoPoint',
  'visitorClaimProperty',
  'eventLinkTargetValue',
  'pageFeedbackRating',
  'askResponseRating',
]);

const parameters = (column: Name): fc.Arbitrary<object> => {
  if (column === 'datetime') return fc.record({ interval: oneOf(intervals) }, { requiredKeys: [] });
  if (column === 'visitorGeoPoint')
    return fc.record({ precision: fc.integer({ min: 0, max: 15 }) }, { requiredKeys: [] });
  return column === 'visitorClaim' ? fc.record({ claim: oneOf([...claims, 'none']) }) : fc.constant({});
};
/** Metrics and columns with parameters more often than one of 41. */
const name = fc.oneof(
  { weight: 3, arbitrary: oneOf(names) },
  {
    weight: 2,
    arbitrary: oneOf<Name>([
      'eventsCount',
      'visitorsCount',
      'pageFeedbackRating',
      'askResponseRating',
      'datetime',
      'page',
      'visitorGeoPoint',
      'visitorClaim',
      'visitorClaimProperty',
    ]),
  },
);
const column = name.chain((each) => parameters(each).map((more) => ({ column: each, ...more })));

const condition = name.chain((each) =>
  oneOf(['in', 'in', 'notIn', 'notIn', ...operators] as const).chain((operator) => {
    const isList = operator === 'in' || operator === 'notIn' || withoutOrder.has(each);
    const value = values[each] as fc.Arbitrary<unknown>;
    const list = isList
      ? fc.array(value, { maxLength: 4 })
      : fc.array(
          value.filter((it) => it !== null),
          { minLength: 1, maxLength: 2 },
        );
    return fc.record({
      column: fc.constant(each),
      operator: fc.constant(isList && operator !== 'notIn' ? 'in' : operator),
      values: list,
      ...(each === 'visitorClaim' ? { claim: oneOf([...claims, 'none']) } : {}),
    });
  }),
);

const range = fc.oneof(
  oneOf(presets),
  fc.tuple(time, time).map(([a, b]) => ({
    from: new Date(Math.min(a, b)).toISOString(),
    to: new Date(Math.max(a, b)).toISOString(),
  })),
);

/** A valid body of the operation. */
export const randomAggregation = fc
  .record(
    {
      range,
      select: fc.array(column, { minLength: 1, maxLength: 4 }),
      groupBy: fc.array(column, { maxLength: 3 }),
      where: fc.array(condition, { maxLength: 2 }),
      limit: oneOf([1, 2, 10, 1000]),
    },
    { requiredKeys: ['range'] },
  )
  .chain((body) => {
    const shown = [...(body.select ?? []), ...(body.groupBy ?? [])];
    if (shown.length === 0) return fc.constant(body);
    const order = fc.record({ by: oneOf(shown), direction: oneOf(['asc', 'desc'] as const) });
    return fc.option(order, { nil: undefined }).map((each) => (each ? { ...body, order: each } : body));
  });
