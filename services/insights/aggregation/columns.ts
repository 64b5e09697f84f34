import { invalid } from '../../../shared/errors/errors.js';
import { sortKeys } from '../../../shared/text/canonical.js';
import type { Point } from '../visitors/cells.js';
import { type Asked, type Column, count, counts, nullableText, ownText, scalar, text } from './column-kinds.js';
import { cellOf, cellSqlAt, storedPoint, usualResolution } from './geo-cells.js';
import { amongSql } from './parameters.js';
import type { ColumnName, intervals } from './resources.js';
import { storedTime, timeOf, timeType } from './times.js';

const intervalSql: Record<(typeof intervals)[number], string> = {
  hour: 'toStartOfHour(timestamp)',
  day: 'toDate(timestamp)',
  week: 'toMonday(timestamp)',
  month: 'toStartOfMonth(timestamp)',
};

/** The start of an interval, or the exact time, which is also what conditions compare. */
const time = {
  type: timeType,
  encode: (value: unknown) => storedTime(new Date(value as string)),
};
const datetime = scalar({
  sql: ({ interval }) => [interval ? intervalSql[interval] : 'timestamp'],
  listed: time,
  compared: time,
  decode: timeOf,
});

type Page = { page: string | null; space: string } | null;

/** A page in a space. Without a space there is no page. */
const page: Column = {
  isMetric: false,
  parts: () => ['space', "if(space = '', '', page)"],
  decode: (space, id) => (space === '' ? null : { page: id || null, space }),
  among({ condition, bind }) {
    const values = condition.values as Page[];
    const pages = values.filter((value) => value !== null && value.space !== '' && value.page !== '');
    const texts = (each: (value: Page) => string) => bind('Array(String)', pages.map(each));
    return anyOf([
      ...(values.includes(null) ? ["space = ''"] : []),
      ...(pages.length > 0
        ? [`(space, page) IN arrayZip(${texts((value) => value?.space ?? '')}, ${texts((value) => value?.page ?? '')})`]
        : []),
    ]);
  },
};

/** A cell, by the precision that is asked for; a condition names cells of any precision. */
const visitorGeoPoint: Column = {
  isMetric: false,
  parts: ({ precision = usualResolution }) => [cellSqlAt(precision)],
  decode: storedPoint,
  among(asked) {
    const cells = new Map<number, bigint[]>();
    for (const { resolution, cell } of cellsOf(asked)) cells.set(resolution, [...(cells.get(resolution) ?? []), cell]);
    return anyOf([
      ...(asked.condition.values.includes(null) ? ['cell = 0'] : []),
      ...[...cells].map(([at, values]) => amongSql(cellSqlAt(at), { type: 'UInt64', values }, asked.bind)),
    ]);
  },
};

const cellsOf = ({ condition, path }: Asked) =>
  (condition.values as (Point | null)[]).flatMap((value, at) => {
    if (value === null) return [];
    const found = cellOf(value.h3);
    if (!found) throw invalid(`${path}.values.${at}.h3: not an H3 cell`);
    return [found];
  });

const anyOf = (sql: string[]): string => (sql.length === 0 ? 'false' : sql.map((each) => `(${each})`).join(' OR '));

/** The path of each claim of an event, which counts once for each. A condition holds for events with one of the claims. */
const visitorClaimProperty: Column = {
  isMetric: false,
  parts: () => ['arrayJoin(claimValues.keys)'],
  decode: (path) => path,
  among: ({ condition, bind }) => `hasAny(claimValues.keys, ${bind('Array(String)', condition.values)})`,
};

const feedback = (rating: string) => `type = 'page_post_feedback' AND feedbackRating = '${rating}'`;

export const columns: Record<ColumnName, Column> = {
  datetime,
  url: text('url'),
  eventType: text('type'),
  eventsCount: count('count()'),
  sessionsCount: count('uniqExact(sessionKey)'),
  visitorsCount: count('uniqExact(visitorKey)'),
  siteSection: nullableText('siteSection'),
  siteSpace: nullableText('siteSpace'),
  siteShareKey: nullableText('shareKey'),
  page,
  visitorGeoCountry: nullableText('country'),
  visitorGeoPoint,
  visitorDevice: text('device'),
  visitorBrowser: text('browser'),
  visitorOS: text('os'),
  visitorBot: nullableText('bot', { isNullEmpty: true }),
  visitorLanguage: nullableText('language'),
  eventLinkTargetValue: scalar({
    sql: 'linkTarget',
    listed: { type: 'String', encode: (target) => JSON.stringify(sortKeys(target)) },
    absent: "''",
    isLeftOut: true,
    decode: (stored) => JSON.parse(stored as string),
  }),
  eventLinkTargetKind: ownText('linkKind'),
  eventLinkTargetDomain: nullableText('linkDomain'),
  eventLinkPosition: ownText('linkPosition'),
  eventAPIOperationPath: nullableText('apiPath'),
  eventAPIOperationMethod: nullableText('apiMethod'),
  eventSearchQuery: text('query'),
  eventPageFeedbackRating: ownText('feedbackRating'),
  eventPageFeedbackComment: text('feedbackComment'),
  eventAskResponseRating: scalar({
    sql: 'responseRating',
    listed: { type: 'Int8', encode: Number },
    compared: { type: 'Int8', encode: Number },
    absent: '0',
    isLeftOut: true,
    decode: Number,
  }),
  // A comment repeats the rating that it belongs to.
  pageFeedbackRating: counts({ bad: feedback('bad'), ok: feedback('ok'), good: feedback('good') }),
  askResponseRating: counts({ positive: 'responseRating = 1', negative: 'responseRating = -1' }),
  referrer: text('referrer'),
  referrerDomain: text('referrerDomain'),
  utmSource: text('utmSource'),
  utmMedium: text('utmMedium'),
  utmCampaign: text('utmCampaign'),
  utmTerm: text('utmTerm'),
  utmContent: text('utmContent'),
  visitorClaimProperty,
  visitorClaim: text(({ claim = '' }, bind) => [`claimValues[${bind('String', claim)}]`]),
  eventAdDomain: text('adDomain'),
  eventAdPlacement: ownText('adPlacement'),
  eventTrademarkPlacement: ownText('trademarkPlacement'),
};
