const [width, height] = [860, 320];
const [left, top, bottom, right] = [60, 30, 40, 10];
const colors = ['#0ea5e9', '#f97316', '#84cc16', '#a855f7', '#ef4444', '#64748b'];

/** Draws memory over time, in MiB and seconds, a line for each process; the time of the attack is shaded. */
export function drawTrace(memory: Map<string, number[]>, { attack, end }: { attack: number; end: number }): string {
  const all = [...memory.values()];
  const last = Math.max(...all.map((samples) => samples.length));
  const most = Math.ceil(Math.max(...all.flat()) / 256) * 256;
  const x = (second: number) => (left + (second / last) * (width - left - right)).toFixed(1);
  const y = (mebibytes: number) => (height - bottom - (mebibytes / most) * (height - top - bottom)).toFixed(1);
  const text = (at: [x: string | number, y: string | number], anchor: string, label: string) =>
    `<text x="${at[0]}" y="${at[1]}" text-anchor="${anchor}">${label}</text>`;
  const ticks = (step: number, until: number) =>
    Array.from({ length: Math.floor(until / step) + 1 }, (_, at) => at * step);
  const parts = [
    `<rect x="${x(attack)}" y="${top}" width="${Number(x(end)) - Number(x(attack))}" height="${height - top - bottom}" fill="#fee2e2"/>`,
    ...ticks(256, most).flatMap((tick) => [
      `<path d="M${left} ${y(tick)}H${width - right}" stroke="#cbd5e1"/>`,
      text([left - 8, Number(y(tick)) + 4], 'end', `${tick}`),
    ]),
    ...ticks(60, last).map((tick) => text([x(tick), height - bottom + 18], 'middle', `${tick / 60}`)),
    text([width / 2, height - 4], 'middle', 'minutes'),
    text([left - 8, top - 12], 'end', 'MiB'),
    ...[...memory].flatMap(([name, samples], at) => {
      const color = colors[at % colors.length];
      const points = samples.map((sample, second) => `${x(second)},${y(sample)}`).join(' ');
      return [
        `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="1.5"/>`,
        `<rect x="${left + at * 110}" y="8" width="12" height="12" fill="${color}"/>`,
        text([left + 17 + at * 110, 18], 'start', name),
      ];
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#334155">\n<rect width="${width}" height="${height}" fill="#ffffff"/>\n${parts.join('\n')}\n</svg>\n`;
}
