/** A table of contents as it is parsed. */
interface SummaryLines {
  markdown: string;
  /** Lines of front matter before it. */
  skipped: number;
}

/** The lines of a table of contents without byte order mark and front matter, indented so that CommonMark nests its items. */
export function prepareSummaryLines(text: string): SummaryLines {
  const whole = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const from = endOfFrontMatter(whole);
  const { reindented } = newItemNesting();
  const markdown = whole.slice(from).split('\n').map(reindented).join('\n');
  return { markdown, skipped: whole.slice(0, from).split('\n').length - 1 };
}

function endOfFrontMatter(markdown: string): number {
  if (!/^---[ \t]*\n[\w-]+:/.test(markdown)) return 0;
  const end = markdown.indexOf('\n---', 3);
  const after = end < 0 ? -1 : markdown.indexOf('\n', end + 1);
  return after + 1;
}

export const MAX_LEVELS = 50;
const MARKER = /^(?:[*+-]|\d{1,9}[.)])(?:[ \t]{1,4}(?=\S)|(?=[ \t]|$))/;
const DIVIDER = /^([*_-])[ \t]*(?:\1[ \t]*){2,}$/;
const FENCE = /^(?:`{3,}|~{3,})/;

/** The marker of a list at the start of a text, with the white space after it. */
export const readListMarker = (text: string): string | undefined =>
  DIVIDER.test(text) ? undefined : MARKER.exec(text)?.[0];

/** An item that later items may be below. */
export interface OpenItem {
  column: number;
  /** The column that its marker is moved to, and that of its content. */
  to: number;
  content: number;
}

/** The items that are open after the lines that were read. */
export interface ItemNesting {
  open: readonly OpenItem[];
  /** Reads the next line; returns it with the indentation that CommonMark needs. */
  reindented(line: string): string;
}

/**
 * Moves every item to the column where CommonMark reads it as its author meant it: an item is below the last one that is two
 * columns or more to its left. CommonMark would read a list that skips a level as code or text.
 */
export function newItemNesting(): ItemNesting {
  const open: OpenItem[] = [];
  let fence: { mark: string; column: number } | undefined;
  const reindented = (line: string): string => {
    const text = line.trimStart();
    if (text === '') return '';
    const column = indentColumns(line.slice(0, line.length - text.length));
    if (fence && column <= fence.column) fence = undefined;
    const marker = fence ? undefined : readListMarker(text);
    const sign = marker?.trimEnd();
    if (sign !== undefined) openItemAt(open, column, sign.length + 1);
    else if (!fence && column < 4 && (text.startsWith('#') || DIVIDER.test(text))) open.length = 0;
    const item = open.at(-1);
    const inside = item !== undefined && (sign !== undefined || column > item.column);
    const body = text.slice(marker?.length ?? 0);
    const mark = FENCE.exec(body)?.[0];
    if (fence) fence = isClosingFence(text, fence.mark) ? undefined : fence;
    else if (mark) fence = { mark, column: inside ? item.column : -1 };
    const indent = ' '.repeat(Math.max(inside ? column + item.to - item.column : column, 0));
    return indent + (sign === undefined ? text : `${sign} ${body}`);
  };
  return { open, reindented };
}

function openItemAt(open: OpenItem[], column: number, width: number): void {
  open.length = levelOfColumn(open, column);
  const to = open.at(-1)?.content ?? 0;
  open.push({ column, to, content: to + width });
}

/** The number of open items that an item in this column is below. */
export function levelOfColumn(open: readonly OpenItem[], column: number): number {
  let level = Math.min(open.length, MAX_LEVELS - 1);
  while (level > 0 && (open[level - 1]?.column ?? 0) + 2 > column) level--;
  return level;
}

/** The columns that white space at the start of a line takes. */
export function indentColumns(indent: string): number {
  let columns = 0;
  for (const char of indent) columns += char === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}

function isClosingFence(text: string, mark: string): boolean {
  const end = text.trimEnd();
  return end.length >= mark.length && end === mark.charAt(0).repeat(end.length);
}
