import { splitAutolinks } from './autolinks.js';
import type { Inline } from './syntax.js';

/** An inline while it is read: a list linked both ways, so that a range is wrapped at no cost. */
export interface InlineNode {
  kind: Inline['kind'];
  value: string;
  url: string;
  title: string;
  /** Text that later text must not be joined to. */
  fixed: boolean;
  /** Levels of emphasis and links inside. */
  depth: number;
  prev: InlineNode | undefined;
  next: InlineNode | undefined;
  first: InlineNode | undefined;
}

export interface Delimiter {
  node: InlineNode;
  char: string;
  /** Signs left, and signs there were. */
  count: number;
  length: number;
  canOpen: boolean;
  canClose: boolean;
}

export interface Run {
  first: InlineNode | undefined;
  last: InlineNode | undefined;
  delimiters: Delimiter[];
}

export function node(kind: Inline['kind'], value: string, fixed = false): InlineNode {
  return { kind, value, url: '', title: '', fixed, depth: 0, prev: undefined, next: undefined, first: undefined };
}

export function append(run: Run, added: InlineNode): void {
  added.prev = run.last;
  if (run.last) run.last.next = added;
  else run.first = added;
  run.last = added;
}

/** The list as the tree of the page: neighbouring text joined, bare addresses made links when `autolinks`. */
export function toInlines(first: InlineNode | undefined, autolinks: boolean): Inline[] {
  const out: Inline[] = [];
  let text = '';
  const flush = () => {
    if (text === '') return;
    if (autolinks) splitAutolinks(text, out);
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

function toInline(from: InlineNode, autolinks: boolean): Inline {
  const { kind, value, url, title } = from;
  switch (kind) {
    case 'emphasis':
    case 'strong':
    case 'strike':
      return { kind, children: toInlines(from.first, autolinks) };
    case 'link':
      return { kind, url, title, children: toInlines(from.first, false) };
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

/** The text of a list of nodes; built by `+=`, which copies nothing however often nesting repeats it. */
export function plainNodes(first: InlineNode | undefined): string {
  let text = '';
  for (let at = first; at; at = at.next) {
    if (at.kind === 'break') text += '\n';
    else if (at.kind !== 'html' && at.kind !== 'footnote') text += at.value + plainNodes(at.first);
  }
  return text;
}
