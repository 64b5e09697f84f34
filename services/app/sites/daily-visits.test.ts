import { daysWithVisits, lastDays, scaleFor } from './daily-visits.js';

describe('the last days', () => {
  it('are thirty with today, of UTC, in the range of their events', () => {
    const { days, range } = lastDays(new Date('2026-03-01T23:59:59.999Z'));
    expect([days.length, days[0], days.at(-2), days.at(-1)]).toEqual([30, '2026-01-31', '2026-02-28', '2026-03-01']);
    expect(range).toEqual({ from: '2026-01-31T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' });
  });

  it('have no visits where the answer has no row', () => {
    const answer = {
      columns: [
        { column: 'datetime' as const, values: ['2026-03-02T00:00:00.000Z'] },
        { column: 'eventsCount' as const, values: [7] },
        { column: 'visitorsCount' as const, values: [3] },
      ],
    };
    expect(daysWithVisits(['2026-03-01', '2026-03-02'], answer)).toEqual([
      { day: '2026-03-01', views: 0, visitors: 0 },
      { day: '2026-03-02', views: 7, visitors: 3 },
    ]);
    expect(daysWithVisits(['2026-03-01'], { columns: [] })).toEqual([{ day: '2026-03-01', views: 0, visitors: 0 }]);
  });
});

describe('the scale of a chart', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [5, [0, 2, 4, 6]],
    [40, [0, 10, 20, 30, 40]],
    [41, [0, 20, 40, 60]],
    [999, [0, 500, 1000]],
    [123_456, [0, 50_000, 100_000, 150_000]],
  ])('reaches %i in few round steps', (most, lines) => {
    expect(scaleFor(most)).toEqual(lines);
  });
});
