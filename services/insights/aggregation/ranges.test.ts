import { timeRange } from './query.js';

const from = (range: Parameters<typeof timeRange>[0], now: string) =>
  timeRange(range, new Date(now)).from.toISOString();

describe('the range of a query', () => {
  it('counts years and months by the calendar, to the last day of shorter months', () => {
    expect(from('lastYear', '2026-07-05T01:02:03.004Z')).toBe('2025-07-05T01:02:03.004Z');
    expect(from('lastYear', '2024-02-29T12:00:00.000Z')).toBe('2023-02-28T12:00:00.000Z');
    expect(from('last3Months', '2026-05-31T23:59:59.999Z')).toBe('2026-02-28T23:59:59.999Z');
    expect(from('last3Months', '2026-01-15T00:00:00.000Z')).toBe('2025-10-15T00:00:00.000Z');
  });

  it('counts days and hours exactly, and has no end', () => {
    const now = '2026-03-01T10:00:00.000Z';
    expect(from('last30Days', now)).toBe('2026-01-30T10:00:00.000Z');
    expect(from('last7Days', now)).toBe('2026-02-22T10:00:00.000Z');
    expect(from('last24Hours', now)).toBe('2026-02-28T10:00:00.000Z');
    expect(timeRange('last24Hours', new Date(now)).to).toBeUndefined();
  });

  it('may be one of its own, in any zone, that does not end before it begins', () => {
    const own = { from: '2026-01-01T00:00:00+02:00', to: '2026-01-01T00:00:00Z' };
    expect(timeRange(own, new Date())).toEqual({
      from: new Date('2025-12-31T22:00:00.000Z'),
      to: new Date('2026-01-01T00:00:00.000Z'),
    });
    expect(() => timeRange({ from: own.to, to: own.from }, new Date())).toThrow('range.to: must not be before `from`');
  });
});
