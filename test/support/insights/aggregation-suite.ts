import { columnSchema } from '../../../services/insights/resources.js';
import type { Client } from '../server.js';
import { newTrackedSite, rowsOf, type TrackedSite } from './tracked-site.js';
import { dimensions, pointAt, trackVisits, visits, zurich } from './visits.js';

const count = { column: 'eventsCount' };
const metrics = {
  eventsCount: visits,
  sessionsCount: 4,
  visitorsCount: 3,
  pageFeedbackRating: { bad: 1, ok: 0, good: 1 },
  askResponseRating: { positive: 1, negative: 1 },
};
const none = {
  eventsCount: 0,
  sessionsCount: 0,
  visitorsCount: 0,
  pageFeedbackRating: { bad: 0, ok: 0, good: 0 },
  askResponseRating: { positive: 0, negative: 0 },
};
const metricColumns = Object.keys(metrics).map((column) => ({ column }));

/** What holds for aggregates of events, whichever database they are stored in. */
export function aggregationSuite(client: () => Client): void {
  let site: TrackedSite;
  beforeAll(async () => {
    site = await newTrackedSite(client());
    const others = await Promise.all([
      newTrackedSite(client(), { organization: site.organization }),
      newTrackedSite(client()),
    ]);
    await Promise.all([site, ...others].map(trackVisits));
  });

  const named = (references: { column: string; claim?: string }[]) =>
    references.map(({ column, claim }) => [column, claim]);

  /** An answer as its columns say, and its rows. */
  async function asked(query: object) {
    const { status, body } = await site.aggregate(query);
    expect([status, status === 200 ? undefined : body]).toEqual([200, undefined]);
    return { columns: named(body.columns), rows: rowsOf(body) };
  }

  const names = dimensionNames();
  it.each(names)('%s is selected, grouped by, filtered, ordered by and limited', async (name) => {
    for (const { column, groups } of dimensions(site).filter((each) => each.column.column === name)) {
      const columns = named([column, count]);
      expect(await asked({ select: [column, count] })).toEqual({ columns, rows: groups });
      expect(await asked({ groupBy: [column] })).toEqual({ columns, rows: groups });
      const order = { by: column, direction: 'desc' };
      expect((await asked({ select: [column, count], order })).rows).toEqual([...groups].reverse());
      const [last] = (await asked({ groupBy: [column], order, limit: 1 })).rows;
      expect(last).toEqual(groups.at(-1));
      const { precision: _, ...condition } = column;
      const among = (operator: string, value: unknown) => ({ where: [{ ...condition, operator, values: [value] }] });
      for (const [value, events] of [groups[0], groups.at(-1)] as [unknown, number][])
        expect([value, await site.count(among('in', value)), await site.count(among('notIn', value))]).toEqual([
          value,
          events,
          visits - events,
        ]);
      const every = [{ ...condition, values: groups.map(([value]) => value) }];
      expect((await asked({ select: [column, count], where: every })).rows).toEqual(groups);
      expect((await asked({ groupBy: [column], where: [{ ...condition, values: [] }] })).rows).toEqual([]);
      const anything = [{ ...condition, operator: 'notIn', values: [] }];
      expect((await asked({ groupBy: [column], where: anything })).rows).toEqual(groups);
    }
  });

  it('these are all columns', () => {
    const schema = JSON.stringify(columnSchema.options.map((option) => [...option.shape.column.values]));
    const all = (JSON.parse(schema) as string[][]).flat();
    expect([...names, ...Object.keys(metrics), 'datetime'].sort()).toEqual(all.sort());
  });

  it('metrics alone are one row, also where nothing matches', async () => {
    const expected = { columns: named(metricColumns), rows: [Object.values(metrics)] };
    expect(await asked({ select: metricColumns })).toEqual(expected);
    const where = [{ column: 'siteSpace', values: ['unknown'] }];
    expect(await asked({ select: metricColumns, where })).toEqual({ ...expected, rows: [Object.values(none)] });
    expect(await asked({})).toEqual({ columns: [['eventsCount', undefined]], rows: [[visits]] });
  });

  it.each(metricColumns.slice(0, 3))('%j orders and chooses groups', async (metric) => {
    const browser = { column: 'visitorBrowser' };
    const rows = [
      ['chrome', { eventsCount: 8, sessionsCount: 2, visitorsCount: 1 }[metric.column]],
      ['safari', { eventsCount: 9, sessionsCount: 1, visitorsCount: 1 }[metric.column]],
      ['unknown', { eventsCount: 2, sessionsCount: 1, visitorsCount: 1 }[metric.column]],
    ] as [string, number][];
    const select = [browser, metric];
    for (const direction of ['asc', 'desc'])
      expect((await asked({ select, order: { by: metric, direction } })).rows).toEqual(
        [...rows].sort(([, a], [, b]) => (direction === 'asc' ? a - b : b - a)),
      );
    const chosen = async (operator: string, ...values: number[]) =>
      (await asked({ select, where: [{ ...metric, operator, values }] })).rows;
    for (const limit of [1, 2, 8, 9, 1.5]) {
      expect(await chosen('greaterThan', limit)).toEqual(rows.filter(([, value]) => value > limit));
      expect(await chosen('greaterThanOrEqual', limit)).toEqual(rows.filter(([, value]) => value >= limit));
      expect(await chosen('lessThan', limit)).toEqual(rows.filter(([, value]) => value < limit));
      expect(await chosen('lessThanOrEqual', limit)).toEqual(rows.filter(([, value]) => value <= limit));
      expect(await chosen('in', limit, -1)).toEqual(rows.filter(([, value]) => value === limit));
      expect(await chosen('notIn', limit)).toEqual(rows.filter(([, value]) => value !== limit));
    }
  });

  it.each([
    ['pageFeedbackRating', { bad: 0, ok: 0, good: 1 }, { bad: 1, ok: 0, good: 0 }],
    ['askResponseRating', { positive: 1, negative: 0 }, { positive: 0, negative: 1 }],
  ])('%s counts by rating', async (column, ofAda, ofBob) => {
    const select = [{ column: 'visitorGeoCountry' }, { column }];
    const where = [{ column: 'visitorGeoCountry', values: ['CH', 'US'] }];
    expect((await asked({ select, where })).rows).toEqual([
      ['CH', ofAda],
      ['US', ofBob],
    ]);
    expect((await asked({ select, where: [{ column, values: [ofAda] }] })).rows).toEqual([['CH', ofAda]]);
    const order = { by: { column }, direction: 'desc' };
    expect((await asked({ select, where, order })).rows).toHaveLength(2);
  });

  it('texts, numbers and ratings are compared with the first value', async () => {
    const counted = (column: object, operator: string, ...values: unknown[]) =>
      site.count({ where: [{ ...column, operator, values }] });
    const language = { column: 'visitorLanguage' };
    expect(await counted(language, 'greaterThan', 'de')).toBe(17);
    expect(await counted(language, 'greaterThan', 'de-CH', 'a')).toBe(8);
    expect(await counted(language, 'greaterThanOrEqual', 'de-CH')).toBe(17);
    expect(await counted(language, 'lessThan', 'en')).toBe(9);
    expect(await counted({ column: 'eventSearchQuery' }, 'lessThanOrEqual', 'a')).toBe(15);
    expect(await counted({ column: 'visitorClaim', claim: 'plan' }, 'greaterThan', 'g')).toBe(8);
    expect(await counted({ column: 'eventAskResponseRating' }, 'greaterThan', -1)).toBe(1);
    expect(await counted({ column: 'eventAskResponseRating' }, 'lessThan', 1)).toBe(1);
  });

  it('conditions all hold, before and after grouping', async () => {
    const where = [
      { column: 'visitorBrowser', values: ['chrome', 'safari'] },
      { column: 'eventType', operator: 'notIn', values: ['page_view'] },
      { column: 'eventsCount', operator: 'greaterThanOrEqual', values: [2] },
    ];
    const columns = ['visitorBrowser', 'eventType', 'eventsCount'].map((column) => ({ column }));
    const [browser, , often] = where;
    expect((await asked({ select: columns, where })).rows).toEqual([]);
    expect((await asked({ select: columns, where: [browser, often] })).rows).toEqual([['chrome', 'page_view', 2]]);
  });

  it('columns come in the order in which they are selected, each as often, and grouped ones tell rows apart', async () => {
    const select = [count, { column: 'visitorOS' }, count, { column: 'visitorDevice' }, { column: 'visitorOS' }];
    expect(await asked({ select })).toEqual({
      columns: named(select),
      rows: [
        [9, 'ios', 9, 'mobile', 'ios'],
        [2, 'unknown', 2, 'unknown', 'unknown'],
        [8, 'windows', 8, 'desktop', 'windows'],
      ],
    });
    const apart = await asked({ select: [count], groupBy: [{ column: 'visitorOS' }] });
    expect(apart).toEqual({ columns: named([count]), rows: [[9], [2], [8]] });
    const by = { order: { by: { column: 'visitorOS' }, direction: 'desc' } };
    expect((await asked({ select: [count], groupBy: [{ column: 'visitorOS' }], ...by })).rows).toEqual([[8], [2], [9]]);
    const claims = ['plan', 'company.size', 'plan'].map((claim) => ({ column: 'visitorClaim', claim }));
    expect(await asked({ select: claims })).toEqual({
      columns: named(claims),
      rows: [
        ['', '', ''],
        ['free', '', 'free'],
        ['pro', '12', 'pro'],
      ],
    });
  });

  it('positions are of the precision that is asked for, and filtered by cells of any', async () => {
    const near = { latitude: zurich.latitude + 0.02, longitude: zurich.longitude };
    const where = (...cells: object[]) => [{ column: 'visitorGeoPoint', values: cells }];
    const counts = [0, 3, 5, 9, 15].map((precision) => site.count({ where: where(pointAt(zurich, precision)) }));
    expect(await Promise.all(counts)).toEqual([8, 8, 8, 8, 8]);
    expect(await site.count({ where: where(pointAt(near, 3)) })).toBe(8);
    expect(await site.count({ where: where(pointAt(near, 9)) })).toBe(0);
    const both = [0, 5].map((precision) => ({ column: 'visitorGeoPoint', precision }));
    expect((await asked({ select: both, where: where(pointAt(zurich, 7)) })).rows).toEqual([
      [pointAt(zurich, 0), pointAt(zurich, 5)],
    ]);
  });

  it('exact times are those of the events', async () => {
    const { rows } = await asked({ select: [{ column: 'datetime' }, count] });
    const expected = new Map<string, number>();
    for (const { timestamp } of await site.exported()) expected.set(timestamp, (expected.get(timestamp) ?? 0) + 1);
    expect(rows).toEqual([...expected].sort());
    const hour = { column: 'datetime', interval: 'hour' };
    const { rows: hours } = await asked({ groupBy: [hour] });
    expect(hours.map(([time]) => time)).toEqual([
      ...new Set([...expected.keys()].map((time) => `${time.slice(0, 13)}:00:00.000Z`)),
    ]);
  });
}

const dimensionNames = () => [...new Set(dimensions({ url: '' }).map(({ column: { column } }) => column))];
