import { type Layer, layers } from './layers.js';

/** Microseconds of one request. */
export type Micros = Partial<Record<Layer, number>>;

/** The processor time of an operation, the product's and the floor's. */
export interface Profiled {
  name: string;
  product: Micros;
  floor: Micros;
  /** Statements of the product's store. */
  statements: number;
}

export const sum = (micros: Micros): number => Object.values(micros).reduce((total, each) => total + each, 0);

const width = 860;
const rowHeight = 18;
const labelWidth = 210;
const colors: Record<Layer, string> = {
  socket: '#64748b',
  entrance: '#0ea5e9',
  routing: '#22d3ee',
  identity: '#14b8a6',
  'contract kit': '#84cc16',
  bus: '#eab308',
  handler: '#f97316',
  store: '#ef4444',
  encoding: '#ec4899',
  writing: '#a855f7',
  metrics: '#6366f1',
  runtime: '#94a3b8',
};

const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** Draws two bars for each operation, the floor's below the product's, in the colours of the layers. */
export function drawChart(profiled: Profiled[]): string {
  const longest = Math.max(...profiled.flatMap(({ product, floor }) => [sum(product), sum(floor)]));
  const scale = (width - labelWidth - 60) / longest;
  const parts: string[] = [];
  const drawBar = (y: number, label: string, micros: Micros) => {
    parts.push(`<text x="${labelWidth - 8}" y="${y + 12}" text-anchor="end">${escapeXml(label)}</text>`);
    let x = labelWidth;
    for (const layer of layers) {
      const length = (micros[layer] ?? 0) * scale;
      if (length < 0.05) continue;
      parts.push(
        `<rect x="${x.toFixed(1)}" y="${y}" width="${length.toFixed(1)}" height="${rowHeight - 4}" fill="${colors[layer]}"/>`,
      );
      x += length;
    }
    parts.push(`<text x="${(x + 6).toFixed(1)}" y="${y + 12}">${Math.round(sum(micros))} µs</text>`);
  };
  profiled.forEach(({ name, product, floor }, at) => {
    const y = 44 + at * (2 * rowHeight + 10);
    drawBar(y, name, product);
    drawBar(y + rowHeight, 'floor', floor);
  });
  layers.forEach((layer, at) => {
    const x = 10 + (at % 6) * 142;
    const y = 4 + Math.floor(at / 6) * 17;
    parts.push(`<rect x="${x}" y="${y}" width="12" height="12" fill="${colors[layer]}"/>`);
    parts.push(`<text x="${x + 17}" y="${y + 10}">${layer}</text>`);
  });
  const height = 44 + profiled.length * (2 * rowHeight + 10);
  const style = 'font-family="sans-serif" font-size="12" fill="#334155"';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${style}>\n<rect width="${width}" height="${height}" fill="#ffffff"/>\n${parts.join('\n')}\n</svg>\n`;
}

/** A Markdown table of microseconds by layer, the product's and the floor's side by side. */
export function profileTable(profiled: Profiled[]): string {
  const shown = layers.filter((layer) =>
    profiled.some(({ product, floor }) => (product[layer] ?? 0) + (floor[layer] ?? 0) >= 0.5),
  );
  const rows = profiled.map(({ name, product, floor, statements }) => {
    const cells = shown.map((layer) => `${Math.round(product[layer] ?? 0)} / ${Math.round(floor[layer] ?? 0)}`);
    return [name, `${Math.round(sum(product))} / ${Math.round(sum(floor))}`, ...cells, statements.toFixed(1)];
  });
  const head = ['', 'all', ...shown, 'statements'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
