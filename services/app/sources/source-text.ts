/** The parts of a source that a text box of a browser does not keep: how its lines end, and the character NUL. */
export interface SourceShape {
  /** The end of most lines, and of new ones. */
  lineEnd: string;
  /** Lines with another end: their numbers from 0. */
  odd: [line: number, lineEnd: string][];
  /** The places of NUL in the text. */
  nulls: number[];
}

export interface ShapedText {
  /** The source with `\n` line ends, and without NUL. */
  text: string;
  shape: SourceShape;
}

/** Stands for NUL, as browsers have it. */
export const replaced = '\uFFFD';

/** Visits the ends of lines: to search for them takes five times as long, which counts where a text has nothing else. */
function eachEnd(source: string, visit: (end: string) => void): void {
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 10) visit('\n');
    if (code !== 13) continue;
    const isTwo = source.charCodeAt(at + 1) === 10;
    visit(isTwo ? '\r\n' : '\r');
    if (isTwo) at += 1;
  }
}

/** The ends that the lines of a source have, that of most lines first. */
export function endsOf(source: string): [usual: string, ...others: string[]] {
  const counts = new Map<string, number>();
  eachEnd(source, (end) => counts.set(end, (counts.get(end) ?? 0) + 1));
  const [usual = '\n', ...others] = [...counts].sort(([, a], [, b]) => b - a).map(([end]) => end);
  return [usual, ...others];
}

/** A text with `\n` at the end of each line. To split and to join takes a quarter of the time of a replacement. */
export const withPlainEnds = (text: string): string =>
  text.includes('\r') ? text.split('\r\n').join('\n').split('\r').join('\n') : text;

/** Splits a source into what a text box shows and what it does not keep. */
export function shapeOf(source: string): ShapedText {
  const [lineEnd, ...others] = endsOf(source);
  const odd: SourceShape['odd'] = [];
  let line = 0;
  if (others.length > 0)
    eachEnd(source, (end) => {
      if (end !== lineEnd) odd.push([line, end]);
      line += 1;
    });
  const whole = withPlainEnds(source);
  const nulls = whole.includes('\0') ? [...whole.matchAll(/\0/g)].map(({ index }) => index) : [];
  return { text: nulls.length > 0 ? whole.replaceAll('\0', replaced) : whole, shape: { lineEnd, odd, nulls } };
}

/** The text with its NULs again, still with `\n` line ends. */
export function withNulls(text: string, { nulls }: Pick<SourceShape, 'nulls'>): string {
  if (nulls.length === 0) return text;
  let out = '';
  let done = 0;
  for (const at of nulls) {
    out += `${text.slice(done, at)}\0`;
    done = at + 1;
  }
  return out + text.slice(done);
}

/** Puts line ends in place of `\n`: the usual one, and others by the numbers of their lines, in order. */
export function withLineEnds(text: string, lineEnd: string, odd: Iterable<[line: number, lineEnd: string]>): string {
  const others = new Map(odd);
  if (lineEnd === '\n' && others.size === 0) return text;
  if (others.size === 0) return text.replaceAll('\n', lineEnd);
  let line = 0;
  return joinLines(
    text.split('\n').map((each, at, all) => (at < all.length - 1 ? each + (others.get(line++) ?? lineEnd) : each)),
  );
}

/** Joins lines with their ends. A `\r` before an empty line must not become one end with the `\n` of that. */
export function joinLines(lines: readonly string[]): string {
  const out: string[] = [];
  for (const line of lines) out.push(line === '\n' && out.at(-1)?.endsWith('\r') ? '\r\n' : line);
  return out.join('');
}

/** The smallest replacement that makes one text of another; null where they are equal. */
export function replacementBetween(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const max = Math.min(before.length, after.length);
  let start = 0;
  while (start < max && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (end < max - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
