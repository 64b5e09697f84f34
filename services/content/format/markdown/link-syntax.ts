import { unescapeText } from './html.js';
import type { LinkDestination } from './syntax.js';

/** The text that a scanner read, without escapes, and the index after it. */
export interface Scanned {
  value: string;
  end: number;
}

const MAX_PARENTHESES = 32;

/** A link destination at `from`, `<in angles>` or bare with balanced parentheses. */
export function scanDestination(text: string, from: number): Scanned | undefined {
  if (text[from] === '<') return scanAngledDestination(text, from);
  let depth = 0;
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92 && isPunctuation(text.charCodeAt(at + 1))) at++;
    else if (code === 40) {
      if (++depth > MAX_PARENTHESES) return undefined;
    } else if (code === 41) {
      if (depth-- === 0) break;
    } else if (code <= 32 || code === 127) break;
  }
  if (depth > 0) return undefined;
  return { value: unescapeText(text.slice(from, at)), end: at };
}

function scanAngledDestination(text: string, from: number): Scanned | undefined {
  for (let at = from + 1; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === '>') return { value: unescapeText(text.slice(from + 1, at)), end: at + 1 };
    else if (char === '<' || char === '\n') return undefined;
  }
  return undefined;
}

function isPunctuation(code: number): boolean {
  return (
    (code >= 33 && code <= 47) ||
    (code >= 58 && code <= 64) ||
    (code >= 91 && code <= 96) ||
    (code >= 123 && code <= 126)
  );
}

/** A title in `"…"`, `'…'` or `(…)` at `from`. */
export function scanTitle(text: string, from: number): Scanned | undefined {
  const open = text[from];
  if (open !== '"' && open !== "'" && open !== '(') return undefined;
  const close = open === '(' ? ')' : open;
  for (let at = from + 1; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === close) return { value: unescapeText(text.slice(from + 1, at)), end: at + 1 };
    else if (char === '(' && open === '(') return undefined;
  }
  return undefined;
}

/** Skips spaces, tabs and at most one line ending. */
export function skipLinkSpace(text: string, from: number): number {
  let at = from;
  let lines = 0;
  for (; at < text.length; at++) {
    const char = text[at];
    if (char === '\n') {
      if (++lines > 1) break;
    } else if (char !== ' ' && char !== '\t') break;
  }
  return at;
}

/** `(destination "title")` at `from`. */
export function scanInlineTarget(text: string, from: number): { target: LinkDestination; end: number } | undefined {
  if (text[from] !== '(') return undefined;
  const start = skipLinkSpace(text, from + 1);
  const destination = scanDestination(text, start);
  if (!destination) return undefined;
  const gap = skipLinkSpace(text, destination.end);
  const title = gap > destination.end ? scanTitle(text, gap) : undefined;
  const end = skipLinkSpace(text, title ? title.end : destination.end);
  if (text[end] !== ')') return undefined;
  return { target: { url: destination.value, title: title?.value ?? '' }, end: end + 1 };
}

/** `[label]` at `from`, as written between the brackets; at most 999 characters. */
export function scanLabel(text: string, from: number): Scanned | undefined {
  if (text[from] !== '[') return undefined;
  for (let at = from + 1; at < text.length && at - from < 1001; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === '[') return undefined;
    else if (char === ']') return { value: text.slice(from + 1, at), end: at + 1 };
  }
  return undefined;
}

export function normalizeLabel(label: string): string {
  // Both foldings: `ẞ`, `ß` and `SS` are one label.
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

/** The reference definition at `from`, where a line of a paragraph starts. */
export function scanDefinition(
  text: string,
  from: number,
): { label: string; target: LinkDestination; end: number } | undefined {
  const label = scanLabel(text, from);
  if (!label || text[label.end] !== ':' || label.value.trim() === '') return undefined;
  const start = skipLinkSpace(text, label.end + 1);
  const destination = scanDestination(text, start);
  if (!destination || (destination.end === start && text[start] !== '<')) return undefined;
  const gap = skipLinkSpace(text, destination.end);
  const title = gap > destination.end ? scanTitle(text, gap) : undefined;
  const afterTitle = title && nextLineIfBlank(text, title.end);
  const end = afterTitle ?? nextLineIfBlank(text, destination.end);
  if (end === undefined) return undefined;
  return {
    label: normalizeLabel(label.value),
    target: { url: destination.value, title: afterTitle === undefined ? '' : (title?.value ?? '') },
    end,
  };
}

/** The start of the next line, if the rest of this one is white space. */
function nextLineIfBlank(text: string, from: number): number | undefined {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  if (at >= text.length) return at;
  return text[at] === '\n' ? at + 1 : undefined;
}
