import type { VNode } from 'preact';
import { fill } from '../words/languages.js';
import type { Words } from '../words/words.js';
import { type DayVisits, scaleFor } from './daily-visits.js';

interface ChartProps {
  days: readonly DayVisits[];
  words: Words;
  locale: string;
}

/** Percent of the height above the highest line, and below the base, where the days are written. */
const top = 6;
const bottom = 12;
/** Percent of the width that the numbers of the lines take. */
const start = 8;
/** Every so many days, one is named. */
const namedEvery = 7;

const percent = (value: number): string => `${Math.round(value * 1000) / 1000}%`;

/** Names a day of UTC. */
export const dayNames = (locale: string): ((day: string) => string) => {
  const names = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  return (day) => names.format(new Date(`${day}T00:00:00Z`));
};

/**
 * A bar of page views for each day, and in it one of the visitors. Places are in percent and letters in pixels, so that it is legible
 * at every width; colors come from the stylesheet.
 */
export function VisitsChart({ days, words: { visits }, locale }: ChartProps): VNode {
  const highest = Math.max(...days.map(({ views }) => views));
  const lines = scaleFor(highest);
  const height = (value: number) => (value / (lines.at(-1) ?? 1)) * (100 - top - bottom);
  const y = (value: number) => 100 - bottom - height(value);
  const width = (100 - start) / days.length;
  const x = (at: number) => start + at * width;
  const name = dayNames(locale);
  const numbers = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { notation: 'compact' });
  const total = days.reduce((sum, { views }) => sum + views, 0);
  const text = fill(
    visits.chart,
    name(days[0]?.day ?? ''),
    name(days.at(-1)?.day ?? ''),
    numbers.format(total),
    numbers.format(highest),
  );
  const bar = (value: number, at: number, kind: 'views' | 'visitors') => (
    <rect
      class={kind}
      x={percent(x(at) + width * 0.15)}
      width={percent(width * 0.7)}
      y={percent(y(value))}
      height={percent(height(value))}
    />
  );
  return (
    <svg class="visits-chart" role="img" aria-labelledby="visits-chart-title">
      <title id="visits-chart-title">{text}</title>
      {lines.map((line) => (
        <>
          <line x1="0%" x2="100%" y1={percent(y(line))} y2={percent(y(line))} />
          <text class="number" x="0%" y={percent(y(line))} dy="-4">
            {short.format(line)}
          </text>
        </>
      ))}
      {days.map((each, at) => (
        <g>
          <title>
            {fill(visits.dayText, name(each.day), numbers.format(each.views), numbers.format(each.visitors))}
          </title>
          <rect
            class="day"
            x={percent(x(at))}
            width={percent(width)}
            y={percent(top)}
            height={percent(100 - top - bottom)}
          />
          {bar(each.views, at, 'views')}
          {bar(each.visitors, at, 'visitors')}
        </g>
      ))}
      {days.map(
        ({ day }, at) =>
          (days.length - 1 - at) % namedEvery === 0 && (
            <text
              class={at === days.length - 1 ? 'day-name last' : 'day-name'}
              x={percent(at === days.length - 1 ? 100 : x(at) + width / 2)}
              y="100%"
              dy="-6"
            >
              {name(day)}
            </text>
          ),
      )}
    </svg>
  );
}
