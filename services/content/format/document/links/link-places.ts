import { decodeEntities } from '../../markdown/html.js';
import { parseInlines } from '../../markdown/inlines/inline.js';
import {
  type Scanned,
  scanDefinition,
  scanDestination,
  scanInlineTarget,
  skipLinkSpace,
} from '../../markdown/link-syntax.js';
import { parseMarkdown } from '../../markdown/markdown.js';
import { type Node, nestBlocks, nestInlines, type TagElement } from '../../markdown/nesting.js';
import type { Markdown } from '../../markdown/syntax.js';
import { parseTagAttributes, readTag } from '../../markdown/tags.js';
import type { LinkKind } from '../document-model.js';

/** Markdown with the places in it that refer to the repository. */
export interface PlacedMarkdown {
  text: string;
  /** In order; they do not overlap. */
  places: SourceLink[];
}

/** A place in the markdown of a page that refers to the repository: a link, an image, a file or an include. */
export interface SourceLink {
  kind: LinkKind;
  /** The URL, with entities and escapes decoded. */
  url: string;
  /** The range that the new address replaces; for an include the whole tag, which its content replaces. */
  from: number;
  to: number;
  /** The range and the text that replace the place when its target does not exist. */
  without: { from: number; to: number; text: string };
}

type Written = Omit<SourceLink, 'kind'> & {
  /** The range of the address itself. */
  address: { from: number; to: number };
};

/**
 * The places of links, images, files and includes in the body of a page. Something that looks like one may be code, so each
 * candidate gets a unique name in a copy of the body, and the names that the parser finds there are places. Linear in the length.
 * `own`: absolute addresses that begin so are places as well.
 */
export function findLinkPlaces(body: string, { own = [] }: { own?: readonly string[] | undefined } = {}): SourceLink[] {
  const written = [...candidateAddresses(body, own)];
  if (written.length === 0) return [];
  const kinds = kindsOfMarkers(parseMarkdown(replaceByMarkers(body, written)));
  const places: SourceLink[] = [];
  for (const [at, { url, from, to, address, without }] of written.entries()) {
    const kind = kinds.get(at);
    if (kind === undefined) continue;
    places.push({ kind, url, ...(kind === 'include' ? { from, to } : address), without });
  }
  return places;
}

const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|$)/i;
const STARTS =
  /\](?=[(:])|([\s"'])(?:href|src|srcset|poster|url|page)\s{0,99}=\s{0,99}|\{%\s{0,99}(?:include|content-ref|page-ref)\s{1,99}(?=["'])/gi;

function* candidateAddresses(body: string, own: readonly string[]): Generator<Written> {
  let after = 0;
  for (const start of body.matchAll(STARTS)) {
    if (start.index < after) continue;
    const found =
      start[0] === ']'
        ? body[start.index + 1] === '('
          ? inlineAddressAt(body, start.index + 1)
          : definitionAddressAt(body, start.index)
        : attributeAddressAt(body, start);
    if (!found || (ELSEWHERE.test(found.url) && !own.some((start) => found.url.startsWith(start)))) continue;
    yield found;
    after = Math.max(found.to, found.address.to);
  }
}

/** `(address "title")` after a text in brackets. Without it the text must not become another link. */
function inlineAddressAt(body: string, open: number): Written | undefined {
  const end = scanInlineTarget(body, open)?.end;
  const from = skipLinkSpace(body, open + 1);
  const scanned = scanDestination(body, from);
  if (end === undefined || !scanned) return undefined;
  return addressUnlessCode(body, { from, ...scanned }, rangeWithoutAddress(body, { open, end }));
}

/** The text alone; in its brackets where it is more than words. */
function rangeWithoutAddress(body: string, { open, end }: { open: number; end: number }): SourceLink['without'] {
  const start = startOfWords(body, open - 1);
  if (start === undefined) return { from: open, to: end, text: '([:'.includes(body[end] ?? ' ') ? '\\' : '' };
  const isImage = body[start - 1] === '!' && body[start - 2] !== '\\';
  return { from: isImage ? start - 1 : start, to: end, text: body.slice(start + 1, open - 1) };
}

/** Words that are the same without brackets around them, also at the start of a line. */
const WORDS = /^(?!\s|[#>+=~|-]|\*\s|\d{1,9}[.)])/;

/** Where the bracket stands that opens the text before `close`; undefined for a text of more than words. */
function startOfWords(body: string, close: number): number | undefined {
  let start = close - 1;
  while (start >= Math.max(0, close - MAX_LABEL) && !'[]`<\\\n'.includes(body[start] as string)) start--;
  if (body[start] !== '[' || body[start - 1] === '\\') return undefined;
  return WORDS.test(body.slice(start + 1, close)) ? start : undefined;
}

const MAX_LABEL = 1001;

/** `[label]: address "title"`, which is removed as a whole. */
function definitionAddressAt(body: string, close: number): Written | undefined {
  const near = Math.max(0, close - MAX_LABEL);
  const open = near + body.slice(near, close).lastIndexOf('[');
  if (body[open] !== '[' || !' \t\n>'.includes(body[open - 1] ?? '\n')) return undefined;
  const defined = scanDefinition(body, open);
  const from = skipLinkSpace(body, close + 2);
  const scanned = scanDestination(body, from);
  if (!defined || !scanned) return undefined;
  const to = body[defined.end - 1] === '\n' ? defined.end - 1 : defined.end;
  return addressUnlessCode(body, { from, ...scanned }, { from: open, to, text: '' });
}

/** Text that only looks like an address may contain the end of code, or a link. */
const CODE_OR_LINK = /[`\n]|\]\(/;

function addressUnlessCode(
  body: string,
  { from, value, end }: Scanned & { from: number },
  without: SourceLink['without'],
): Written | undefined {
  if (CODE_OR_LINK.test(body.slice(from, end))) return undefined;
  const address = { from, to: end };
  return { url: value, ...address, address, without };
}

const QUOTED = /"([^"\n]{0,4000})"|'([^'\n]{0,4000})'|([^\s"'=<>`%]{1,4000})/y;

/** The value of an attribute of an HTML element or a tag, or the one word of a tag. */
function attributeAddressAt(body: string, start: RegExpExecArray): Written | undefined {
  const at = start.index + start[0].length;
  QUOTED.lastIndex = at;
  const match = QUOTED.exec(body);
  if (!match) return undefined;
  const value = match[1] ?? match[2] ?? match[3] ?? '';
  if (CODE_OR_LINK.test(value)) return undefined;
  const quoted = match[3] === undefined ? 1 : 0;
  const address = { from: at + quoted, to: at + quoted + value.length };
  const to = at + match[0].length;
  const url = decodeEntities(value.trim());
  if (!start[0].startsWith('{%')) {
    const from = start.index + (start[1]?.trim() === '' ? 0 : 1);
    return { url, ...address, address, without: { from, to, text: '' } };
  }
  const tag = readTag(body.slice(start.index, to + MAX_TAG_END), 0);
  const whole = tag && { from: start.index, to: start.index + tag.end };
  return whole && { url, ...whole, address, without: { from: at, to, text: '' } };
}

const MAX_TAG_END = 1000;

const markerName = (at: number) => `bindery-place-${at}`;
const NAME = /^bindery-place-(\d{1,9})$/;

function replaceByMarkers(body: string, written: Written[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const [at, { address }] of written.entries()) {
    parts.push(body.slice(from, address.from), markerName(at));
    from = address.to;
  }
  return parts.join('') + body.slice(from);
}

/** The kinds of the named places that the parser finds. */
function kindsOfMarkers(page: Markdown): Map<number, LinkKind> {
  const kinds = new Map<number, LinkKind>();
  const noteUse = (url: string | undefined, kind: LinkKind | undefined) => {
    const at = url === undefined ? undefined : NAME.exec(url)?.[1];
    if (at !== undefined && kind !== undefined && !kinds.has(Number(at))) kinds.set(Number(at), kind);
  };
  const noteTag = ({ name, args, attributes }: TagElement) => {
    const tag = TAGS[name];
    for (const attribute of tag?.attributes ?? []) noteUse(attributes[attribute], tag?.kind);
    if (tag?.word) noteUse(parseTagAttributes(args).rest, tag.kind);
  };
  const readInlines = (text: string, depth: number) => read(nestInlines(parseInlines(text, page), depth), depth);
  const read = (nodes: Node[], depth: number): void => {
    for (const node of nodes) readNode(node, depth);
  };
  const readNode = (node: Node, depth: number): void => {
    switch (node.kind) {
      case 'paragraph':
      case 'heading':
        readInlines(node.text, depth);
        break;
      case 'table':
        for (const cell of node.rows.flat()) readInlines(cell, depth);
        break;
      case 'quote':
        read(nestBlocks(node.children, depth + 1), depth + 1);
        break;
      case 'list':
        for (const { children } of node.items) read(nestBlocks(children, depth + 1), depth + 1);
        break;
      case 'link':
      case 'emphasis':
      case 'strong':
      case 'strike':
        if (node.kind === 'link') noteUse(node.url, 'link');
        read(nestInlines(node.children, depth + 1), depth + 1);
        break;
      case 'image':
        noteUse(node.url, 'image');
        break;
      case 'element':
        for (const name of ELEMENT_ATTRIBUTES)
          noteUse(node.attributes[name]?.trim(), linkKindOfAttribute(node.name, name));
        read(node.children, depth + 1);
        break;
      case 'tag-element':
        noteTag(node);
        read(node.children, depth + 1);
    }
  };
  read(nestBlocks(page.blocks, 0), 0);
  for (const blocks of page.footnotes.values()) read(nestBlocks(blocks, 1), 1);
  return kinds;
}

const ELEMENT_ATTRIBUTES = ['href', 'src', 'srcset', 'poster'];
/** The attributes of tags that refer to something; `word`: also the text of the tag that is not an attribute. */
const TAGS: Record<string, { kind: LinkKind; attributes: string[]; word?: true }> = {
  include: { kind: 'include', attributes: [], word: true },
  'content-ref': { kind: 'content-ref', attributes: ['url', 'page'], word: true },
  'page-ref': { kind: 'content-ref', attributes: ['url', 'page'], word: true },
  file: { kind: 'file', attributes: ['src'] },
  swagger: { kind: 'file', attributes: ['src'] },
  openapi: { kind: 'file', attributes: ['src'] },
  embed: { kind: 'embed', attributes: ['url'] },
};

function linkKindOfAttribute(element: string, attribute: string): LinkKind {
  if (attribute === 'href') return 'link';
  return element === 'img' || attribute !== 'src' ? 'image' : 'file';
}
