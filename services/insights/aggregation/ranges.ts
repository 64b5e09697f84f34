import { invalid } from '../../../shared/errors/errors.js';
import type { Aggregation } from './resources.js';

export interface TimeRange {
  from: Date;
  /** Not part of the range; without it, the range has no end. */
  to?: Date;
}

/** Months of presets that count by the calendar; hours of the others. */
const months = { lastYear: 12, last3Months: 3 } as const;
const hours = { last30Days: 30 * 24, last7Days: 7 * 24, last24Hours: 24 } as const;

/** The times of a range. Presets have no end: events may lie minutes ahead. Throws 400 when a range ends before it begins. */
export function timeRange(range: Aggregation['range'], now: Date): TimeRange {
  if (typeof range === 'object') {
    const [from, to] = [new Date(range.from), new Date(range.to)];
    if (from > to) throw invalid('range.to: must not be before `from`');
    return { from, to };
  }
  if (range === 'lastYear' || range === 'last3Months') return { from: monthsBefore(now, months[range]) };
  return { from: new Date(now.getTime() - hours[range] * 3_600_000) };
}

/** The same time of an earlier month, or of its last day when it has no such day. */
function monthsBefore(now: Date, count: number): Date {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - count];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const before = new Date(now);
  before.setUTCFullYear(year, month, Math.min(now.getUTCDate(), lastDay));
  return before;
}
