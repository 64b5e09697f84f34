import { readScalar, writeScalar } from './yaml-scalars.js';

/** A part of a text to be replaced. */
export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/** A field of front matter: a text, or whether something holds; null where it is not there. */
export type FieldValue = string | boolean | null;

/** Front matter as a form sees it. Paths are keys, from the outside. */
export interface FrontMatter {
  /** Undefined where it is written in a way that a form leaves alone. */
  read(path: readonly string[]): FieldValue | undefined;
  /** The change that gives a field a value, and touches no line of another; null where there is nothing to do, undefined as for `read`. */
  change(path: readonly string[], value: FieldValue): TextChange | null | undefined;
}

interface Line {
  from: number;
  /** Where the next line begins. */
  to: number;
  /** Without its end. */
  text: string;
  indent: number;
}

/** A key with its value; its lines end before the comments and blank lines that follow. */
interface Entry {
  key: string;
  indent: number;
  lines: Line[];
  /** Where the value stands on the line of the key, without a comment behind it. */
  valueFrom: number;
  valueTo: number;
  /** The entries inside. */
  inside?: Entry[];
  /** The value, where it is read. */
  value?: string | boolean;
}

interface Located {
  /** Where the entries begin and end; both the same without front matter. */
  from: number;
  to: number;
  isThere: boolean;
  lineEnd: string;
}

/** Characters in which front matter ends, as content reads it. */
export const maxFrontMatter = 64_000;

/** Reads the front matter at the beginning of a text: as much of YAML as people write there by hand. What comes after the bound need not be given. */
export function openFrontMatter(text: string): FrontMatter {
  const place = locate(text.slice(0, maxFrontMatter));
  const isCut = !place.isThere && text.length > maxFrontMatter && opening.test(text);
  const entries = isCut ? undefined : entriesOf(linesOf(text, place), 0);
  return {
    read(path) {
      if (!entries) return undefined;
      const { entry, rest } = find(entries, path);
      if (!entry) return null;
      if (rest.length > 0) return switchOf(entry, rest) ?? (entry.inside ? null : undefined);
      return entry.inside ? undefined : entry.value;
    },
    change(path, value) {
      if (!entries) return undefined;
      const { entry, above, rest } = find(entries, path);
      if (!entry) return value === null ? null : insertion({ text, place, path, value });
      if (rest.length === 0) {
        if (entry.inside || entry.value === undefined) return undefined;
        return value === null ? removal([...above, entry]) : replacement(entry, value);
      }
      if (switchOf(entry, rest) !== undefined)
        return value === null ? removal([...above, entry]) : replacement(entry, value);
      if (!entry.inside) return undefined;
      return value === null ? null : addition(entry, { rest, value, place });
    },
  };
}

/** Where the line that ends the front matter of a text begins; undefined without one. */
export function endOfFrontMatter(text: string): number | undefined {
  const { isThere, to } = locate(text.slice(0, maxFrontMatter));
  return isThere ? to : undefined;
}

const opening = /^\uFEFF?---[ \t]*(\r\n?|\n)/;

function locate(text: string): Located {
  const open = opening.exec(text);
  const lineEnd = open?.[1] ?? /\r\n?|\n/.exec(text)?.[0] ?? '\n';
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  if (!open) return { from: start, to: start, isThere: false, lineEnd };
  const close = /^---[ \t]*$/gm;
  close.lastIndex = open[0].length;
  const found = close.exec(text);
  if (!found) return { from: start, to: start, isThere: false, lineEnd };
  return { from: open[0].length, to: found.index, isThere: true, lineEnd };
}

function linesOf(text: string, { from, to }: Located): Line[] {
  const lines: Line[] = [];
  for (const match of text.slice(from, to).matchAll(/([^\r\n]*)(?:\r\n?|\n)/g)) {
    const start = from + match.index;
    const written = match[1] as string;
    lines.push({ from: start, to: start + match[0].length, text: written, indent: written.search(/[^ ]|$/) });
  }
  return lines;
}

const isSilent = ({ text }: Line): boolean => /^[ \t]*(?:#|$)/.test(text);
const keyLine = /^ *(?:([A-Za-z_][\w.-]*)|"([\w.-]+)"|'([\w.-]+)') *:(?: +|\t+|$)/;

/** The entries of lines that all belong to one map; undefined for what is none. */
function entriesOf(lines: Line[], indent: number): Entry[] | undefined {
  const entries: Entry[] = [];
  for (const line of lines) {
    const last = entries.at(-1);
    if (isSilent(line) || line.indent > indent || (line.text.startsWith(`${' '.repeat(indent)}- `) && last)) {
      last?.lines.push(line);
      if (!last && !isSilent(line)) return undefined;
      continue;
    }
    const found = line.indent === indent ? keyLine.exec(line.text) : null;
    if (!found) return undefined;
    const key = (found[1] ?? found[2] ?? found[3]) as string;
    if (entries.some((each) => each.key === key)) return undefined;
    const valueFrom = line.from + found[0].length;
    entries.push({ key, indent, lines: [line], valueFrom, valueTo: valueFrom });
  }
  return entries.every(readEntry) ? entries : undefined;
}

/** A list or a map on one line that does not end there. */
const openFlow = /^[[{](?!.*[\]}][ \t]*(?:#.*)?$)/;

/** Answers whether the entry is one. */
function readEntry(entry: Entry): boolean {
  const [own, ...following] = withoutSilentEnd(entry.lines) as [Line, ...Line[]];
  entry.lines = [own, ...following];
  const written = own.text.slice(entry.valueFrom - own.from);
  const scalar = readScalar(
    written,
    following.map(({ text }) => text),
  );
  entry.valueTo = entry.valueFrom + (scalar?.length ?? written.length);
  if (scalar) entry.value = scalar.value;
  const inner = following.find((line) => !isSilent(line));
  if (openFlow.test(written) && !inner) return false;
  if (/^(?:#.*)?$/.test(written) && inner && inner.indent > entry.indent) {
    const inside = entriesOf(following, inner.indent);
    if (inside) entry.inside = inside;
  }
  return true;
}

function withoutSilentEnd(lines: Line[]): Line[] {
  let end = lines.length;
  // A block of text may end in what looks like a comment.
  const isBlock = /[|>][-+\d]*[ \t]*(?:#.*)?$/.test(lines[0]?.text ?? '');
  while (end > 1 && (isBlock ? /^[ \t]*$/.test(lines[end - 1]?.text ?? '') : isSilent(lines[end - 1] as Line))) end--;
  return lines.slice(0, end);
}

/** The innermost entry on a path, those above it, and the rest of the path. */
function find(entries: Entry[], path: readonly string[]): { entry?: Entry; above: Entry[]; rest: readonly string[] } {
  const above: Entry[] = [];
  let entry: Entry | undefined;
  let inside: Entry[] | undefined = entries;
  for (const [at, key] of path.entries()) {
    const next: Entry | undefined = inside?.find((each) => each.key === key);
    if (!next) return entry ? { entry, above, rest: path.slice(at) } : { above, rest: path.slice(at) };
    if (entry) above.push(entry);
    entry = next;
    inside = next.inside;
  }
  return { ...(entry ? { entry } : {}), above, rest: [] };
}

/** A switch may stand in place of the map that has it: `title: false` for `title: { visible: false }`. */
const switchOf = ({ value }: Entry, rest: readonly string[]): boolean | undefined =>
  rest.length === 1 && rest[0] === 'visible' && typeof value === 'boolean' ? value : undefined;

function replacement(entry: Entry, value: string | boolean): TextChange | null {
  if (entry.value === value) return null;
  const [own, ...following] = entry.lines as [Line, ...Line[]];
  const to = following.length > 0 ? endOfText(following.at(-1) as Line) : entry.valueTo;
  const isApart = entry.valueFrom > own.from && /[ \t]$/.test(own.text.slice(0, entry.valueFrom - own.from));
  // Without a space before it, a comment is part of the value.
  const isBeforeComment = own.text[to - own.from] === '#';
  const insert = `${isApart ? '' : ' '}${writeScalar(value)}${isBeforeComment ? ' ' : ''}`;
  return { from: entry.valueFrom, to, insert };
}

const endOfText = ({ from, text }: Line): number => from + text.length;

/** Removes the lines of the innermost entry, and of those around it that hold nothing else. */
function removal(chain: Entry[]): TextChange {
  let at = chain.length - 1;
  while (at > 0 && chain[at - 1]?.inside?.length === 1) at--;
  const { lines } = chain[at] as Entry;
  return { from: (lines[0] as Line).from, to: (lines.at(-1) as Line).to, insert: '' };
}

interface Adding {
  value: string | boolean;
  place: Located;
}

/** Adds an entry after the last one inside of another. */
function addition(
  { inside = [], lines }: Entry,
  { rest, value, place }: Adding & { rest: readonly string[] },
): TextChange {
  const indent = inside[0]?.indent ?? 0;
  const { to } = lines.at(-1) as Line;
  return { from: to, to, insert: newLines(rest, { value, indent, lineEnd: place.lineEnd }) };
}

/** Adds an entry at the end, with front matter where there is none. */
function insertion({ text, place, path, value }: Adding & { text: string; path: readonly string[] }): TextChange {
  const { to, lineEnd, isThere } = place;
  const added = newLines(path, { value, indent: 0, lineEnd });
  if (isThere) return { from: to, to, insert: added };
  const after = text.slice(to) === '' ? '' : lineEnd;
  return { from: to, to, insert: `---${lineEnd}${added}---${lineEnd}${after}` };
}

const newLines = (
  path: readonly string[],
  { value, indent, lineEnd }: { value: string | boolean; indent: number; lineEnd: string },
): string =>
  path
    .map((key, at) => {
      const written = at === path.length - 1 ? ` ${writeScalar(value)}` : '';
      return `${' '.repeat(indent + 2 * at)}${key}:${written}${lineEnd}`;
    })
    .join('');
