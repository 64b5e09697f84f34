import type { Inline, LinkPlace } from '../syntax.js';
import { addWithAutolinks } from './autolinks.js';

/** An inline during parsing: a doubly linked list, so that wrapping a range takes constant time. */
export interface ParsedInline {
  kind: Inline['kind'];
  value: string;
  url: string;
  title: string;
  place: LinkPlace | undefined;
  /** Text that must not be merged with later text. */
  fixed: boolean;
  /** Whether `**`, `~~` or `_` may begin or end emphasis where CommonMark has none. */
  loose: { opens: boolean; closes: boolean } | undefined;
  /** The depth of emphasis and links inside. */
  depth: number;
  prev: ParsedInline | undefined;
  next: ParsedInline | undefined;
  first: ParsedInline | undefined;
}

export interface Delimiter {
  node: ParsedInline;
  char: string;
  /** The number of signs left, and the original number. */
  count: number;
  length: number;
  canOpen: boolean;
  canClose: boolean;
}

export interface Run {
  first: ParsedInline | undefined;
  last: ParsedInline | undefined;
  delimiters: Delimiter[];
}

export function newInline(kind: Inline['kind'], value: string, fixed = false): ParsedInline {
  return {
    kind,
    value,
    url: '',
    title: '',
    place: undefined,
    fixed,
    loose: undefined,
    depth: 0,
    prev: undefined,
    next: undefined,
    first: undefined,
  };
}

export function appendInline(run: Run, added: ParsedInline): void {
  added.prev = run.last;
  if (run.last) run.last.next = added;
  else run.first = added;
  run.last = added;
}

/** Converts the list into syntax nodes: adjacent text is merged, and with `autolinks` bare addresses become links. */
export function toInlines(first: ParsedInline | undefined, autolinks: boolean): Inline[] {
  const out: Inline[] = [];
  let text = '';
  const flush = () => {
    if (text === '') return;
    if (autolinks) addWithAutolinks(text, out);
    else out.push({ kind: 'text', value: text });
    text = '';
  };
  for (let at = first; at; at = at.next) {
    if (at.kind === 'text') {
      text += at.value;
      continue;
    }
    flush();
    out.push(toInline(at, autolinks));
  }
  flush();
  return out;
}

function toInline(from: ParsedInline, autolinks: boolean): Inline {
  const { kind, value, url, title, place } = from;
  switch (kind) {
    case 'emphasis':
    case 'strong':
    case 'strike':
      return { kind, children: toInlines(from.first, autolinks) };
    case 'link':
      return { kind, url, title, ...(place && { place }), children: toInlines(from.first, false) };
    case 'image':
      return { kind, url, title, alt: value };
    case 'math':
      return { kind, formula: value };
    case 'footnote':
      return { kind, label: value };
    case 'html':
      return { kind, html: value };
    case 'break':
      return { kind };
    case 'code-span':
    case 'text':
      return { kind, value };
  }
}

/** The text of a list of nodes. Built with `+=`, which does not copy, so that deep nesting stays linear. */
export function plainTextOfList(first: ParsedInline | undefined): string {
  let text = '';
  for (let at = first; at; at = at.next) {
    if (at.kind === 'break') text += '\n';
    else if (at.kind !== 'html' && at.kind !== 'footnote') text += at.value + plainTextOfList(at.first);
  }
  return text;
}
