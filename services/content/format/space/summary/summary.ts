import { readHtmlTag, unescapeText } from '../../markdown/html.js';
import { parseInlines } from '../../markdown/inlines/inline.js';
import { parseMarkdown } from '../../markdown/markdown.js';
import type { Block, Inline, LinkDestination, LinkPlace, Markdown } from '../../markdown/syntax.js';
import { percentDecode } from '../paths.js';
import { isFields, readYaml } from '../yaml.js';
import { prepareSummaryLines } from './summary-lines.js';

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

/** A table of contents. */
export interface Summary {
  entries: SummaryEntry[];
  /** Its parts, line after line; text between has no part. */
  parts: SummaryPart[];
  /** The number of lines of front matter before it. */
  front: number;
}

/** A part on lines of its own. `line`: counted from 0; `end`: the line after it and the parts inside it. */
export type SummaryPart = { line: number; end: number } & (
  | { kind: 'group'; entry: SummaryGroup }
  /** `text`: its first paragraph. `link`: the place in it of the link that it is read from. */
  | { kind: 'item'; entry: SummaryItem; text: string; link?: LinkPlace }
  /** A list marker without text. */
  | { kind: 'marker' }
  | { kind: 'divider' }
);

const COMPUTED_TYPE = /^(?:builtin:[a-z-]{1,50}|integration:[\w.-]{1,100}:[\w.-]{1,100})$/;
/** Begins an address that is no path of a file. */
export const SCHEME = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/** Paths that name no file: what exports write for links to deleted pages, and other spaces and their pages by their ids. */
export const NO_FILE =
  /^(?:\/broken\/|broken-reference$|\/spaces\/[a-zA-Z0-9]{1,40}(?:\/pages\/[a-zA-Z0-9]{1,40})?(?:#|$))/;

interface Reading {
  page: Markdown;
  parts: SummaryPart[];
}

/**
 * Parses the table of contents of a space. Headings below the first level start a group, a divider ends it, nested lists
 * are pages below pages; everything else is ignored. Never throws; linear in the length; levels beyond 50 become siblings.
 */
export function parseSummary(text: string): Summary {
  const { markdown, skipped } = prepareSummaryLines(text);
  const page = parseMarkdown(markdown);
  const reading: Reading = { page, parts: [] };
  const entries: SummaryEntry[] = [];
  let group: SummaryGroup | undefined;
  const lines = blockLineRanges(page);
  for (const [at, block] of page.blocks.entries()) {
    const { line, end } = lines[at] ?? { line: 0, end: 0 };
    if (block.kind === 'rule') {
      group = undefined;
      reading.parts.push({ kind: 'divider', line, end: line + 1 });
    } else if (block.kind === 'heading' && block.depth > 1) {
      group = readGroup(block.text, page);
      entries.push(group);
      reading.parts.push({ kind: 'group', line, end, entry: group });
    } else if (block.kind === 'list') {
      const items = readItems([block], reading);
      const siblings: SummaryEntry[] = group ? group.children : entries;
      for (const item of items) siblings.push(item);
    }
  }
  const placed = reading.parts.map((part) => ({ ...part, line: part.line + skipped, end: part.end + skipped }));
  return { entries, parts: placed.sort((one, other) => one.line - other.line), front: skipped };
}

/** The line on which each block begins, and that of what follows it. */
function blockLineRanges({ blocks, tops, lines }: Markdown): { line: number; end: number }[] {
  const found = blocks.map(() => ({ line: 0, end: lines }));
  for (const { line, block } of tops) {
    const [own, before] = [found[block], found[block - 1]];
    // Definitions before a block are noted with it.
    if (own) own.line = line;
    if (before) before.end = Math.min(before.end, line);
  }
  return found;
}

function readGroup(text: string, page: Markdown): SummaryGroup {
  const inlines = parseInlines(text, page);
  const slug = trailingAnchor(inlines);
  return { type: 'group', title: visibleText(inlines), ...(slug && { slug }), children: [] };
}

/** The id of an `<a …></a>` at the end. */
function trailingAnchor(inlines: Inline[]): string | undefined {
  const [open, close] = inlines.filter((inline) => inline.kind !== 'text' || inline.value.trim() !== '').slice(-2);
  if (open?.kind !== 'html' || close?.kind !== 'html' || close.html.toLowerCase() !== '</a>') return undefined;
  const tag = readHtmlTag(open.html, 0)?.tag;
  if (tag?.name !== 'a') return undefined;
  return tag.attributes.id || tag.attributes.href?.replace(/^#/, '') || undefined;
}

function readItems(blocks: Block[], reading: Reading): SummaryItem[] {
  const items: SummaryItem[] = [];
  for (const block of blocks) {
    if (block.kind !== 'list') continue;
    for (const { children: content, line, end } of block.items) {
      const { item, ...source } = readItem(content, reading);
      if (item.title === '' && !item.target && !item.problem) {
        // For markers without text, only the items below them matter.
        reading.parts.push({ kind: 'marker', line, end });
        for (const child of item.children) items.push(child);
      } else {
        reading.parts.push({ kind: 'item', line, end, entry: item, ...source });
        items.push(item);
      }
    }
  }
  return items;
}

interface ReadItem {
  item: SummaryItem;
  text: string;
  link?: LinkPlace;
}

function readItem(blocks: Block[], reading: Reading): ReadItem {
  const { page } = reading;
  const text = blocks.find((block) => block.kind === 'paragraph')?.text ?? '';
  const yaml = blocks.find((block) => block.kind === 'code' && /^ya?ml\b/i.test(block.info));
  const children = readItems(blocks, reading);
  const inlines = parseInlines(text, page);
  const link = firstLink(inlines) ?? readSpacedLink(text, page);
  if (link) {
    const target = readTarget(link.url);
    const linkTitle = collapseSpace(link.title);
    const title = visibleText(link.children);
    const item = { title, ...(linkTitle && { linkTitle }), ...(target && { target }), children };
    return { item: { type: 'item', ...item }, text, ...(link.place && { link: link.place }) };
  }
  const title = visibleText(inlines).replace(/^\[[ xX]\] /, '');
  if (yaml?.kind !== 'code') return { item: { type: 'item', title, children }, text };
  const read = readComputedPage(yaml.value);
  if ('problem' in read) return { item: { type: 'item', title, problem: read.problem, children }, text };
  const target = { kind: 'computed' as const, computed: read.computed };
  return { item: { type: 'item', title: title || read.title, target, children }, text };
}

type Link = LinkDestination & { children: Inline[]; place?: LinkPlace };

function firstLink(inlines: Inline[]): Link | undefined {
  for (const inline of inlines) {
    if (inline.kind === 'link') return inline;
    const inside = 'children' in inline ? firstLink(inline.children) : undefined;
    if (inside) return inside;
  }
  return undefined;
}

/** `[Title](my file.md)`: not a link in CommonMark, but common in practice. */
function readSpacedLink(text: string, page: Markdown): Link | undefined {
  const open = text.indexOf('[');
  const middle = text.lastIndexOf('](');
  const close = text.lastIndexOf(')');
  if (open < 0 || middle < open || close < middle) return undefined;
  const children = parseInlines(text.slice(open + 1, middle), page);
  const place = { from: open + 1, to: middle, end: close + 1 };
  return { url: unescapeText(text.slice(middle + 2, close).trim()), title: '', place, children };
}

function readTarget(url: string): SummaryTarget | undefined {
  if (url === '') return undefined;
  if (SCHEME.test(url)) return { kind: 'url', url };
  const hash = url.indexOf('#');
  const path = percentDecode(hash < 0 ? url : url.slice(0, hash));
  const anchor = hash < 0 ? '' : percentDecode(url.slice(hash + 1));
  return path === '' && anchor === '' ? undefined : { kind: 'file', path, ...(anchor && { anchor }) };
}

function readComputedPage(yaml: string): { computed: ComputedSource; title: string } | { problem: string } {
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
function visibleText(inlines: Inline[]): string {
  return collapseSpace(collectText(inlines));
}

function collectText(inlines: Inline[]): string {
  let text = '';
  let inIcon = false;
  for (const inline of inlines) {
    if (inline.kind === 'html')
      inIcon = /^<i\s[^>]*\bfa-/i.test(inline.html) || (inIcon && !/^<\/i/i.test(inline.html));
    else if (inIcon) continue;
    else if ('children' in inline) text += collectText(inline.children);
    else if (inline.kind === 'image') text += inline.alt;
    else if (inline.kind === 'math') text += inline.formula;
    else if (inline.kind === 'break') text += ' ';
    else if (inline.kind !== 'footnote') text += inline.value;
  }
  return text;
}

/** The text in one line. */
export function collapseSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
