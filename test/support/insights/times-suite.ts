import type { Client } from '../server.js';
import { type EventFields, newTrackedSite } from './tracked-site.js';

const hour = 3_600_000;
const day = 24 * hour;

const eventsAt = (times: string[]): EventFields[] =>
  times.map((timestamp) => ({ timestamp, session: { visitorId: timestamp } }));

const counted = (interval?: string) => [
  { column: 'datetime', ...(interval ? { interval } : {}) },
  { column: 'eventsCount' },
];

/** What holds for events of earlier months and days, on a server that takes them. */
export function timesSuite(client: () => Client): void {
  const monthAgo = (months: number, ms: number) => {
    const time = new Date();
    time.setUTCDate(1);
    time.setUTCMonth(time.getUTCMonth() - months);
    return new Date(time.getTime() + ms).toISOString();
  };

  it('a preset has the events of its time before now', async () => {
    const site = await newTrackedSite(client());
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
    const times = [ago(-hour), ago(hour), ago(23 * hour), ago(25 * hour), ago(6 * day), ago(8 * day), ago(29 * day)];
    await site.tracked(
      eventsAt([...times, ago(31 * day), ago(85 * day), ago(95 * day), ago(360 * day), ago(370 * day)]),
    );
    const presets = ['last24Hours', 'last7Days', 'last30Days', 'last3Months', 'lastYear'];
    const counts = await Promise.all(presets.map((range) => site.count({ range })));
    expect(counts).toEqual([3, 5, 7, 9, 11]);
  });

  it('events of twelve years, in one request, are all kept', async () => {
    const site = await newTrackedSite(client());
    await site.tracked(eventsAt(Array.from({ length: 13 }, (_, years) => monthAgo(12 * years, 0))));
    const range = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    expect(await site.rows({ range, select: counted('month') })).toHaveLength(13);
    expect(await site.exported()).toHaveLength(13);
  });

  it('a range begins with `from` and ends before `to`, in any time zone', async () => {
    const site = await newTrackedSite(client());
    await site.tracked(eventsAt(['2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.001Z', '2026-03-01T00:00:00.002Z']));
    const count = (from: string, to: string) => site.count({ range: { from, to } });
    expect(await count('2026-03-01T00:00:00Z', '2026-03-01T00:00:00.002Z')).toBe(2);
    expect(await count('2026-03-01T00:00:00.001Z', '2027-01-01T00:00:00Z')).toBe(2);
    expect(await count('2026-02-28T19:00:00-05:00', '2026-03-01T05:30:00.001+05:30')).toBe(1);
    expect(await count('2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z')).toBe(0);
    expect(await count('0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z')).toBe(3);
  });

  it('intervals are those of UTC, and weeks begin on Monday', async () => {
    const site = await newTrackedSite(client());
    // A Sunday, the Monday after it, the end of that day, and the next month.
    const times = [
      '2026-03-29T23:59:59.999Z',
      '2026-03-30T00:00:00.000Z',
      '2026-03-30T23:30:00.000Z',
      '2026-04-01T01:00:00.000Z',
    ];
    await site.tracked(eventsAt(times));
    const range = { from: '2026-03-01T00:00:00Z', to: '2026-05-01T00:00:00Z' };
    const rows = (interval?: string) => site.rows({ range, select: counted(interval) });
    const start = (time: string) => `2026-${time}:00.000Z`;
    expect(await rows()).toEqual(times.map((time) => [time, 1]));
    expect(await rows('hour')).toEqual([
      [start('03-29T23:00'), 1],
      [start('03-30T00:00'), 1],
      [start('03-30T23:00'), 1],
      [start('04-01T01:00'), 1],
    ]);
    expect(await rows('day')).toEqual([
      [start('03-29T00:00'), 1],
      [start('03-30T00:00'), 2],
      [start('04-01T00:00'), 1],
    ]);
    expect(await rows('week')).toEqual([
      [start('03-23T00:00'), 1],
      [start('03-30T00:00'), 3],
    ]);
    expect(await rows('month')).toEqual([
      [start('03-01T00:00'), 3],
      [start('04-01T00:00'), 1],
    ]);
    const newest = { by: counted('day')[0], direction: 'desc' };
    expect((await site.rows({ range, select: counted('day'), order: newest, limit: 1 }))[0]).toEqual([
      start('04-01T00:00'),
      1,
    ]);
  });

  it('conditions compare exact times, also where an interval is shown', async () => {
    const site = await newTrackedSite(client());
    const times = [0, 1, 2, 3].map((ms) => `2026-03-02T10:00:00.00${ms}Z`);
    await site.tracked(eventsAt(times));
    const range = { from: '2026-03-01T00:00:00Z', to: '2026-05-01T00:00:00Z' };
    const count = (operator: string, ...values: string[]) =>
      site.count({ range, where: [{ column: 'datetime', operator, values }] });
    expect(await count('greaterThan', times[1] as string)).toBe(2);
    expect(await count('greaterThanOrEqual', times[1] as string)).toBe(3);
    expect(await count('lessThan', times[1] as string)).toBe(1);
    expect(await count('lessThanOrEqual', '2026-03-02T12:00:00.001+02:00')).toBe(2);
    expect(await count('in', times[0] as string, times[3] as string)).toBe(2);
    expect(await count('notIn', times[0] as string)).toBe(3);
    const where = [{ column: 'datetime', operator: 'lessThan', values: [times[2]] }];
    expect(await site.rows({ range, select: counted('month'), where })).toEqual([['2026-03-01T00:00:00.000Z', 2]]);
  });

  it('an export has the events of days far apart, in order, and goes on with any of them', async () => {
    const site = await newTrackedSite(client());
    const times = [14, 11, 11, 5, 2, 0].flatMap((months) => [
      monthAgo(months, 0),
      monthAgo(months, 1),
      monthAgo(months, -5 * day),
    ]);
    await site.tracked(eventsAt(times));
    const events = await site.exported();
    expect(events.map(({ timestamp }) => timestamp)).toEqual([...times].sort());
    for (const at of [0, 7, 16]) expect(await site.exported({ after: events[at].id })).toEqual(events.slice(at + 1));
    const from = monthAgo(3, 0);
    expect(await site.exported({ from })).toEqual(events.filter(({ timestamp }) => timestamp >= from));
  });
}
