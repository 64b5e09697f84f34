import type { Aggregated } from '../../insights/resources.js';

/** The visits of one day. */
export interface DayVisits {
  /** `2026-03-01`, of UTC. */
  day: string;
  views: number;
  visitors: number;
}

const dayMs = 86_400_000;
/** Days of the chart, with today. */
export const shownDays = 30;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The last days until now, the earliest first, and the range of their events: from the start of the first one until the end of today. */
export function lastDays(now: Date): { days: string[]; range: { from: string; to: string } } {
  const today = Date.parse(dayOf(now.getTime()));
  const days = Array.from({ length: shownDays }, (_, at) => dayOf(today - (shownDays - 1 - at) * dayMs));
  return {
    days,
    range: { from: `${days[0]}T00:00:00.000Z`, to: new Date(today + dayMs).toISOString() },
  };
}

/** The columns that the app asks for, as the contract has their values. */
interface AskedColumns {
  datetime: string[];
  eventsCount: number[];
  visitorsCount: number[];
  page: ({ page: string | null; space: string } | null)[];
}

/** The values of a column of an answer. */
export const valuesOf = <C extends keyof AskedColumns>({ columns }: Aggregated, name: C): AskedColumns[C] =>
  (columns.find(({ column }) => column === name)?.values ?? []) as AskedColumns[C];

/** Gives each day its visits: those of the answer, and none where it has no row. */
export function daysWithVisits(days: readonly string[], answer: Aggregated): DayVisits[] {
  const views = valuesOf(answer, 'eventsCount');
  const visitors = valuesOf(answer, 'visitorsCount');
  const rowOf = new Map(valuesOf(answer, 'datetime').map((time, row) => [time.slice(0, 10), row]));
  return days.map((day) => {
    const row = rowOf.get(day);
    return row === undefined
      ? { day, views: 0, visitors: 0 }
      : { day, views: views[row] ?? 0, visitors: visitors[row] ?? 0 };
  });
}

/** The most lines of a chart above its base. */
const maxLines = 4;

/** The numbers at which a chart has lines, from 0 up to at least `highest`, in steps of 1, 2 or 5 and so many zeros. */
export function scaleFor(highest: number): number[] {
  let step = 1;
  for (let place = 1; ; place *= 10) {
    const found = [1, 2, 5].map((digit) => digit * place).find((each) => each * maxLines >= highest);
    if (found !== undefined) {
      step = found;
      break;
    }
  }
  const lines = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: lines + 1 }, (_, at) => at * step);
}
