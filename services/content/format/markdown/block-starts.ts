import { endOfHtmlTag } from './html.js';
import type { Align } from './syntax.js';

export interface ListMarker {
  ordered: boolean;
  start: number;
  /** `*`, `-`, `+`, `.` or `)`; a different sign starts a new list. */
  marker: string;
  width: number;
}

/** The list marker at `at`, which must be followed by white space or the end of the line. */
export function listMarkerAt(text: string, at: number): ListMarker | undefined {
  const char = text[at];
  if (char === '*' || char === '-' || char === '+') {
    return isMarkerEnd(text, at + 1) ? { ordered: false, start: 1, marker: char, width: 1 } : undefined;
  }
  let end = at;
  while (end - at < 10 && isDigit(text.charCodeAt(end))) end++;
  const delimiter = text[end];
  if (end === at || end - at > 9 || (delimiter !== '.' && delimiter !== ')') || !isMarkerEnd(text, end + 1)) {
    return undefined;
  }
  return { ordered: true, start: Number(text.slice(at, end)), marker: delimiter, width: end + 1 - at };
}

const isDigit = (code: number) => code >= 48 && code <= 57;

const isMarkerEnd = (text: string, at: number) => at >= text.length || text[at] === ' ' || text[at] === '\t';

export interface Fence {
  char: string;
  length: number;
  info: string;
}

export function fenceAt(text: string, at: number): Fence | undefined {
  const char = text[at] ?? '';
  let end = at;
  while (text[end] === char) end++;
  if (end - at < 3) return undefined;
  const info = text.slice(end).trim();
  return char === '`' && info.includes('`') ? undefined : { char, length: end - at, info };
}

export function closesFence(text: string, at: number, fence: Fence): boolean {
  let end = at;
  while (text[end] === fence.char) end++;
  return end - at >= fence.length && text.slice(end).trim() === '';
}

/** `* * *`, `---`, `___`: three or more of one sign, alone on the line. */
export function isThematicBreak(text: string, at: number): boolean {
  const char = text[at];
  if (char !== '*' && char !== '-' && char !== '_') return false;
  let count = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === char) count++;
    else if (text[i] !== ' ' && text[i] !== '\t') return false;
  }
  return count >= 3;
}

export function atxHeadingAt(text: string, at: number): { depth: number; text: string } | undefined {
  let depth = 0;
  while (text[at + depth] === '#') depth++;
  const after = text[at + depth];
  if (depth > 6 || (after !== undefined && after !== ' ' && after !== '\t')) return undefined;
  let content = text.slice(at + depth).trim();
  let end = content.length;
  while (end > 0 && content[end - 1] === '#') end--;
  if (end < content.length && (end === 0 || content[end - 1] === ' ' || content[end - 1] === '\t')) {
    content = content.slice(0, end).trimEnd();
  }
  return { depth, text: content };
}

/** 1 for a line of `=`, 2 for a line of `-`. */
export function setextDepthAt(text: string, at: number): number | undefined {
  const char = text[at];
  if (char !== '=' && char !== '-') return undefined;
  let end = at;
  while (text[end] === char) end++;
  return text.slice(end).trim() !== '' ? undefined : char === '=' ? 1 : 2;
}

const BLOCK_ELEMENTS = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link ' +
    'main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead ' +
    'title tr track ul'
  ).split(' '),
);
const BLOCK_TAG = /<\/?([A-Za-z][A-Za-z0-9]*)(?:[\s>]|\/>|$)/y;
const RAW_TAG = /<(?:script|pre|textarea|style)(?:[\s>]|$)/iy;
const RAW_END = /<\/(?:script|pre|textarea|style)>/i;

export interface HtmlStart {
  /** Matches the line that ends the block; undefined for a blank line. */
  end: RegExp | undefined;
  interruptsParagraph: boolean;
}

/** CommonMark's seven kinds of HTML block. */
export function htmlStartAt(text: string, at: number): HtmlStart | undefined {
  if (matchesAt(RAW_TAG, text, at)) return { end: RAW_END, interruptsParagraph: true };
  if (text.startsWith('<!--', at)) return { end: /-->/, interruptsParagraph: true };
  if (text.startsWith('<?', at)) return { end: /\?>/, interruptsParagraph: true };
  if (text.startsWith('<![CDATA[', at)) return { end: /\]\]>/, interruptsParagraph: true };
  if (text[at + 1] === '!' && /[A-Za-z]/.test(text[at + 2] ?? '')) return { end: />/, interruptsParagraph: true };
  BLOCK_TAG.lastIndex = at;
  const name = BLOCK_TAG.exec(text)?.[1];
  if (name && BLOCK_ELEMENTS.has(name.toLowerCase())) return { end: undefined, interruptsParagraph: true };
  const end = endOfHtmlTag(text, at);
  return end >= 0 && text.slice(end).trim() === '' ? { end: undefined, interruptsParagraph: false } : undefined;
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Cells of a table line, without the outer pipes; `\|` is a pipe. */
export function splitTableCells(line: string): string[] {
  const text = line.trim();
  const cells: string[] = [];
  let from = text.startsWith('|') ? 1 : 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '|') {
      cells.push(cellText(text, from, at));
      from = at + 1;
    }
  }
  if (from < text.length) cells.push(cellText(text, from, text.length));
  return cells;
}

const cellText = (text: string, from: number, to: number) => text.slice(from, to).trim().replaceAll('\\|', '|');

/** `| --- | :-: |` -> alignments; undefined when the line is no delimiter row. */
export function readDelimiterRow(line: string): Align[] | undefined {
  if (!/^[\s|:-]+$/.test(line) || !line.includes('-') || !/[|:]/.test(line)) return undefined;
  const align: Align[] = [];
  for (const part of splitTableCells(line)) {
    if (!/^:?-+:?$/.test(part)) return undefined;
    const [left, right] = [part.startsWith(':'), part.endsWith(':')];
    align.push(left && right ? 'center' : left ? 'left' : right ? 'right' : undefined);
  }
  return align.length > 0 ? align : undefined;
}
