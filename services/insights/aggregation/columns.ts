import { invalid } from '../../../shared/errors/errors.js';
import { sortKeys } from '../../../shared/text/canonical.js';
import type { Point } from '../visitors/cells.js';
import {
  type Asked,
  type Column,
  countColumn,
  countsColumn,
  nullableTextColumn,
  ownTextColumn,
  scalarColumn,
  textColumn,
} from './column-kinds.js';
import { cellSqlAt, parseCell, storedPoint, usualResolution } from './geo-cells.js';
import { amongSql } from './parameters.js';
import type { ColumnName, intervals } from './resources.js';
import { isoTime, storedTime, timeType } from './times.js';

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
const datetime = scalarColumn({
  sql: ({ interval }) => [interval ? intervalSql[interval] : 'timestamp'],
  listed: time,
  compared: time,
  decode: isoTime,
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
    const bindTexts = (each: (value: Page) => string) => bind('Array(String)', pages.map(each));
    return anySql([
      ...(values.includes(null) ? ["space = ''"] : []),
      ...(pages.length > 0
        ? [
            `(space, page) IN arrayZip(${bindTexts((value) => value?.space ?? '')}, ${bindTexts((value) => value?.page ?? '')})`,
          ]
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
    for (const { resolution, cell } of namedCells(asked))
      cells.set(resolution, [...(cells.get(resolution) ?? []), cell]);
    return anySql([
      ...(asked.condition.values.includes(null) ? ['cell = 0'] : []),
      ...[...cells].map(([at, values]) => amongSql(cellSqlAt(at), { type: 'UInt64', values }, asked.bind)),
    ]);
  },
};

const namedCells = ({ condition, path }: Asked) =>
  (condition.values as (Point | null)[]).flatMap((value, at) => {
    if (value === null) return [];
    const found = parseCell(value.h3);
    if (!found) throw invalid(`${path}.values.${at}.h3: not an H3 cell`);
    return [found];
  });

const anySql = (sql: string[]): string => (sql.length === 0 ? 'false' : sql.map((each) => `(${each})`).join(' OR '));

/** The path of each claim of an event, which counts once for each. A condition holds for events with one of the claims. */
const visitorClaimProperty: Column = {
  isMetric: false,
  parts: () => ['arrayJoin(claimValues.keys)'],
  decode: (path) => path,
  among: ({ condition, bind }) => `hasAny(claimValues.keys, ${bind('Array(String)', condition.values)})`,
};

const feedbackSql = (rating: string) => `type = 'page_post_feedback' AND feedbackRating = '${rating}'`;

export const columns: Record<ColumnName, Column> = {
  datetime,
  url: textColumn('url'),
  eventType: textColumn('type'),
  eventsCount: countColumn('count()'),
  sessionsCount: countColumn('uniqExact(sessionKey)'),
  visitorsCount: countColumn('uniqExact(visitorKey)'),
  siteSection: nullableTextColumn('siteSection'),
  siteSpace: nullableTextColumn('siteSpace'),
  siteShareKey: nullableTextColumn('shareKey'),
  page,
  visitorGeoCountry: nullableTextColumn('country'),
  visitorGeoPoint,
  visitorDevice: textColumn('device'),
  visitorBrowser: textColumn('browser'),
  visitorOS: textColumn('os'),
  visitorBot: nullableTextColumn('bot', { isNullEmpty: true }),
  visitorLanguage: nullableTextColumn('language'),
  eventLinkTargetValue: scalarColumn({
    sql: 'linkTarget',
    listed: { type: 'String', encode: (target) => JSON.stringify(sortKeys(target)) },
    absent: "''",
    isLeftOut: true,
    decode: (stored) => JSON.parse(stored as string),
  }),
  eventLinkTargetKind: ownTextColumn('linkKind'),
  eventLinkTargetDomain: nullableTextColumn('linkDomain'),
  eventLinkPosition: ownTextColumn('linkPosition'),
  eventAPIOperationPath: nullableTextColumn('apiPath'),
  eventAPIOperationMethod: nullableTextColumn('apiMethod'),
  eventSearchQuery: textColumn('query'),
  eventPageFeedbackRating: ownTextColumn('feedbackRating'),
  eventPageFeedbackComment: textColumn('feedbackComment'),
  eventAskResponseRating: scalarColumn({
    sql: 'responseRating',
    listed: { type: 'Int8', encode: Number },
    compared: { type: 'Int8', encode: Number },
    absent: '0',
    isLeftOut: true,
    decode: Number,
  }),
  // A comment repeats the rating that it belongs to.
  pageFeedbackRating: countsColumn({ bad: feedbackSql('bad'), ok: feedbackSql('ok'), good: feedbackSql('good') }),
  askResponseRating: countsColumn({ positive: 'responseRating = 1', negative: 'responseRating = -1' }),
  referrer: textColumn('referrer'),
  referrerDomain: textColumn('referrerDomain'),
  utmSource: textColumn('utmSource'),
  utmMedium: textColumn('utmMedium'),
  utmCampaign: textColumn('utmCampaign'),
  utmTerm: textColumn('utmTerm'),
  utmContent: textColumn('utmContent'),
  visitorClaimProperty,
  visitorClaim: textColumn(({ claim = '' }, bind) => [`claimValues[${bind('String', claim)}]`]),
  eventAdDomain: textColumn('adDomain'),
  eventAdPlacement: ownTextColumn('adPlacement'),
  eventTrademarkPlacement: ownTextColumn('trademarkPlacement'),
};
