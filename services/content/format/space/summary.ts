import { readHtmlTag, unescapeText } from '../markdown/html.js';
import { parseInlines } from '../markdown/inline.js';
import { parseMarkdown } from '../markdown/markdown.js';
import type { Block, Inline, LinkTarget, ListItem, Markdown } from '../markdown/syntax.js';
import { percentDecoded } from './paths.js';
import { isFields, readYaml } from './yaml.js';

export type SummaryEntry = SummaryGroup | SummaryItem;

/** Only at the top level. */
export interface SummaryGroup {
  type: 'group';
  title: string;
  /** From the anchor after the title. */
  slug?: string;
  children: SummaryItem[];
}

export interface SummaryItem {
  type: 'item';
  /** May be empty. */
  title: string;
  /** The shorter title for navigation. */
  linkTitle?: string;
  /** Absent when the item is text only. */
  target?: SummaryTarget;
  /** Why the YAML of the item cannot be used; the item then has no target. */
  problem?: string;
  children: SummaryItem[];
}

export type SummaryTarget =
  /** `path` as written, percent-decoded; `''` for a bare `#anchor`. */
  | { kind: 'file'; path: string; anchor?: string }
  | { kind: 'url'; url: string }
  | { kind: 'computed'; computed: ComputedSource };

/** Where generated pages come from. */
export interface ComputedSource {
  /** `builtin:openapi`, `builtin:translation` or `integration:<name>:<source>`. */
  type: string;
  props: Record<string, unknown>;
  dependencies: Record<string, { ref: Record<string, unknown> }>;
}

const COMPUTED_TYPE = /^(?:builtin:[a-z-]{1,50}|integration:[\w.-]{1,100}:[\w.-]{1,100})$/;
const MAX_LEVELS = 50;
const MARKER = /^(?:[*+-]|\d{1,9}[.)])(?:[ \t]{1,4}(?=\S)|(?=[ \t]|$))/;
const DIVIDER = /^([*_-])[ \t]*(?:\1[ \t]*){2,}$/;
const FENCE = /^(?:`{3,}|~{3,})/;
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/**
 * Parses the table of contents of a space. Headings below the first level start a group, a divider ends it, nested lists
 * are pages below pages; everything else is ignored. Never throws; linear in the length; levels beyond 50 become siblings.
 */
export function parseSummary(markdown: string): SummaryEntry[] {
  const page = parseMarkdown(reindented(withoutFrontMatter(markdown.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))));
  const entries: SummaryEntry[] = [];
  let group: SummaryGroup | undefined;
  for (const block of page.blocks) {
    if (block.kind === 'rule') group = undefined;
    else if (block.kind === 'heading' && block.depth > 1) {
      group = groupOf(block.text, page);
      entries.push(group);
    } else if (block.kind === 'list') {
      const items = itemsOf([block], page);
      const siblings: SummaryEntry[] = group ? group.children : entries;
      for (const item of items) siblings.push(item);
    }
  }
  return entries;
}

function withoutFrontMatter(markdown: string): string {
  if (!/^---[ \t]*\n[\w-]+:/.test(markdown)) return markdown;
  const end = markdown.indexOf('\n---', 3);
  const after = end < 0 ? -1 : markdown.indexOf('\n', end + 1);
  return after < 0 ? markdown : markdown.slice(after + 1);
}

interface OpenItem {
  column: number;
  /** The column of the marker, and the content of the item. */
  to: number;
  content: number;
}

/**
 * Moves every item to the column where CommonMark reads it as its author meant it: an item is below the last one that is two
 * columns or more to its left. CommonMark would read a list that skips a level as code or text.
 */
function reindented(markdown: string): string {
  const open: OpenItem[] = [];
  let fence: { mark: string; column: number } | undefined;
  const reindent = (line: string): string => {
    const text = line.trimStart();
    if (text === '') return '';
    const column = columnsOf(line.slice(0, line.length - text.length));
    if (fence && column <= fence.column) fence = undefined;
    const marker = fence || DIVIDER.test(text) ? undefined : MARKER.exec(text)?.[0];
    const sign = marker?.trimEnd();
    if (sign !== undefined) openItem(open, column, sign.length + 1);
    else if (!fence && column < 4 && (text.startsWith('#') || DIVIDER.test(text))) open.length = 0;
    const item = open.at(-1);
    const inside = item !== undefined && (sign !== undefined || column > item.column);
    const body = text.slice(marker?.length ?? 0);
    const mark = FENCE.exec(body)?.[0];
    if (fence) fence = closes(text, fence.mark) ? undefined : fence;
    else if (mark) fence = { mark, column: inside ? item.column : -1 };
    const indent = ' '.repeat(Math.max(inside ? column + item.to - item.column : column, 0));
    return indent + (sign === undefined ? text : `${sign} ${body}`);
  };
  return markdown.split('\n').map(reindent).join('\n');
}

function openItem(open: OpenItem[], column: number, width: number): void {
  while (open.length >= MAX_LEVELS || (open.at(-1)?.column ?? -2) + 2 > column) open.pop();
  const to = open.at(-1)?.content ?? 0;
  open.push({ column, to, content: to + width });
}

function columnsOf(indent: string): number {
  let columns = 0;
  for (const char of indent) columns += char === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}

function closes(text: string, mark: string): boolean {
  const end = text.trimEnd();
  return end.length >= mark.length && end === mark.charAt(0).repeat(end.length);
}

function groupOf(text: string, page: Markdown): SummaryGroup {
  const inlines = parseInlines(text, page);
  const slug = trailingAnchor(inlines);
  return { type: 'group', title: plainText(inlines), ...(slug && { slug }), children: [] };
}

/** The id of an `<a …></a>` at the end. */
function trailingAnchor(inlines: Inline[]): string | undefined {
  const [open, close] = inlines.filter((inline) => inline.kind !== 'text' || inline.value.trim() !== '').slice(-2);
  if (open?.kind !== 'html' || close?.kind !== 'html' || close.html.toLowerCase() !== '</a>') return undefined;
  const tag = readHtmlTag(open.html, 0)?.tag;
  if (tag?.name !== 'a') return undefined;
  return tag.attributes.id || tag.attributes.href?.replace(/^#/, '') || undefined;
}

function itemsOf(blocks: Block[], page: Markdown): SummaryItem[] {
  const items: SummaryItem[] = [];
  for (const block of blocks) {
    if (block.kind !== 'list') continue;
    for (const listItem of block.items) {
      const item = itemOf(listItem, page);
      if (item.title === '' && !item.target && !item.problem) {
        // For markers without text, only the items below them matter.
        for (const child of item.children) items.push(child);
      } else items.push(item);
    }
  }
  return items;
}

function itemOf({ children: blocks }: ListItem, page: Markdown): SummaryItem {
  const text = blocks.find((block) => block.kind === 'paragraph')?.text ?? '';
  const yaml = blocks.find((block) => block.kind === 'code' && /^ya?ml\b/i.test(block.info));
  const children = itemsOf(blocks, page);
  const inlines = parseInlines(text, page);
  const link = firstLink(inlines) ?? spacedLink(text, page);
  if (link) {
    const target = targetOf(link.url);
    const linkTitle = collapsed(link.title);
    const title = plainText(link.children);
    return { type: 'item', title, ...(linkTitle && { linkTitle }), ...(target && { target }), children };
  }
  const title = plainText(inlines).replace(/^\[[ xX]\] /, '');
  if (yaml?.kind !== 'code') return { type: 'item', title, children };
  const read = computedOf(yaml.value);
  if ('problem' in read) return { type: 'item', title, problem: read.problem, children };
  return { type: 'item', title: title || read.title, target: { kind: 'computed', computed: read.computed }, children };
}

type Link = LinkTarget & { children: Inline[] };

function firstLink(inlines: Inline[]): Link | undefined {
  for (const inline of inlines) {
    if (inline.kind === 'link') return inline;
    const inside = 'children' in inline ? firstLink(inline.children) : undefined;
    if (inside) return inside;
  }
  return undefined;
}

/** `[Title](my file.md)`: not a link in CommonMark, but common in practice. */
function spacedLink(text: string, page: Markdown): Link | undefined {
  const open = text.indexOf('[');
  const middle = text.lastIndexOf('](');
  const close = text.lastIndexOf(')');
  if (open < 0 || middle < open || close < middle) return undefined;
  const children = parseInlines(text.slice(open + 1, middle), page);
  return { url: unescapeText(text.slice(middle + 2, close).trim()), title: '', children };
}

function targetOf(url: string): SummaryTarget | undefined {
  if (url === '') return undefined;
  if (SCHEME.test(url)) return { kind: 'url', url };
  const hash = url.indexOf('#');
  const path = percentDecoded(hash < 0 ? url : url.slice(0, hash));
  const anchor = hash < 0 ? '' : percentDecoded(url.slice(hash + 1));
  return path === '' && anchor === '' ? undefined : { kind: 'file', path, ...(anchor && { anchor }) };
}

function computedOf(yaml: string): { computed: ComputedSource; title: string } | { problem: string } {
  const { value, problem } = readYaml(yaml);
  if (problem) return { problem: `a computed page cannot be read: ${problem}` };
  const fields = isFields(value) ? value : {};
  const type = fields.type;
  if (typeof type !== 'string' || !COMPUTED_TYPE.test(type)) return { problem: 'a computed page has no known type' };
  const dependencies = Object.entries(isFields(fields.dependencies) ? fields.dependencies : {}).flatMap(
    ([name, dependency]) => {
      const ref = isFields(dependency) ? dependency.ref : undefined;
      return isFields(ref) ? [[name, { ref }] as const] : [];
    },
  );
  const computed: ComputedSource = {
    type,
    props: isFields(fields.props) ? fields.props : {},
    dependencies: Object.fromEntries(dependencies),
  };
  const names = [fields.title, ...dependencies.map(([, { ref }]) => ref.spec)];
  const title = names.find((name) => typeof name === 'string' && name.trim() !== '');
  return { computed, title: typeof title === 'string' ? title.trim() : type.slice(type.lastIndexOf(':') + 1) };
}

/** The visible text, without marks, tags and icons. */
function plainText(inlines: Inline[]): string {
  return collapsed(rawText(inlines));
}

function rawText(inlines: Inline[]): string {
  let text = '';
  let inIcon = false;
  for (const inline of inlines) {
    if (inline.kind === 'html')
      inIcon = /^<i\s[^>]*\bfa-/i.test(inline.html) || (inIcon && !/^<\/i/i.test(inline.html));
    else if (inIcon) continue;
    else if ('children' in inline) text += rawText(inline.children);
    else if (inline.kind === 'image') text += inline.alt;
    else if (inline.kind === 'math') text += inline.formula;
    else if (inline.kind === 'break') text += ' ';
    else if (inline.kind !== 'footnote') text += inline.value;
  }
  return text;
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
