import { type HtmlTag, tokenizeHtml } from './html.js';
import { type Block, type Inline, MAX_DEPTH, type Tag } from './syntax.js';
import { CONTAINER_TAGS, parseTagAttributes } from './tags.js';

/** An HTML element around markdown or HTML. */
export interface Element {
  kind: 'element';
  name: string;
  attributes: Record<string, string>;
  children: Node[];
}

/** A `{% name %}` with the content up to its end; `closed` when the end was found. */
export interface TagElement {
  kind: 'tag-element';
  name: string;
  args: string;
  attributes: Record<string, string>;
  closed: boolean;
  children: Node[];
}

/** Text of HTML, with its white space as written. */
export interface HtmlText {
  kind: 'html-text';
  text: string;
}

export type Node =
  | Exclude<Block, { kind: 'tag' | 'html-block' }>
  | Exclude<Inline, { kind: 'html' }>
  | Element
  | TagElement
  | HtmlText;

type Token =
  | { leaf: Node }
  | { open: Element | TagElement; key: string; source: string }
  | { close: string; source: string };

/** Nests the HTML elements and tags of one container's blocks; `depth` is the depth of the container. */
export function nestBlocks(blocks: Block[], depth: number): Node[] {
  return needsNoNesting(blocks) ? (blocks as Node[]) : nestTokens(tokenizeBlocks(blocks).tokens, depth);
}

/** The same for a page, with the number of nodes before each block and after the last; undefined inside an element. */
export function nestPage(blocks: Block[]): { nodes: Node[]; before: (number | undefined)[] } {
  if (needsNoNesting(blocks)) return { nodes: blocks as Node[], before: [...blocks.keys(), blocks.length] };
  const { tokens, firsts } = tokenizeBlocks(blocks);
  const tops = new Map<number, number>();
  const nodes = nestTokens(tokens, 0, tops);
  return { nodes, before: [...firsts, tokens.length].map((first) => tops.get(first)) };
}

const needsNoNesting = (blocks: Block[]) =>
  blocks.every((block) => block.kind !== 'tag' && block.kind !== 'html-block');

/** The tokens of blocks, and the index of the first one of each. */
function tokenizeBlocks(blocks: Block[]): { tokens: Token[]; firsts: number[] } {
  const tokens: Token[] = [];
  const firsts: number[] = [];
  const opened = new Set<string>();
  for (const block of blocks) {
    firsts.push(tokens.length);
    if (block.kind === 'tag') tokens.push(tagToken(block.tag));
    else if (block.kind === 'html-block') {
      const from = tokens.length;
      pushHtmlTokens(tokens, block.html);
      for (let at = from; at < tokens.length; at++) {
        const token = tokens[at];
        if (token && 'open' in token) opened.add(token.key);
      }
    } else if (block.kind === 'paragraph' && opened.size > 0) pushParagraph(tokens, block.text, opened);
    else tokens.push({ leaf: block });
  }
  return { tokens, firsts };
}

/** A paragraph, and the ends after its text of elements that earlier blocks opened: `text</td></tr>` closes the cell. */
function pushParagraph(tokens: Token[], text: string, opened: Set<string>): void {
  const to = endOfParagraph(text, opened);
  const own = text.slice(0, to).trimEnd();
  if (own !== '') tokens.push({ leaf: { kind: 'paragraph', text: own } });
  if (to < text.length) pushHtmlTokens(tokens, text.slice(to));
}

const LAST_END = /^<\/([A-Za-z][A-Za-z0-9-]*)\s*>$/;

/** Where the ends of `opened` elements begin that the text ends with; its length when there are none. */
function endOfParagraph(text: string, opened: Set<string>): number {
  let to = text.length;
  for (let end = to, count = 0; text[end - 1] === '>' && count < MAX_DEPTH; count++) {
    const start = text.lastIndexOf('</', end - 1);
    const name = start < 0 || text[start - 1] === '\\' ? undefined : LAST_END.exec(text.slice(start, end))?.[1];
    if (name === undefined) break;
    if (opened.has(`html:${name.toLowerCase()}`) && !text.includes(`<${name}`)) to = start;
    for (end = start; /\s/.test(text[end - 1] ?? ''); ) end--;
  }
  return to;
}

/** The same for the inlines of one paragraph, heading, emphasis or link. */
export function nestInlines(inlines: Inline[], depth: number): Node[] {
  if (inlines.every((inline) => inline.kind !== 'html')) return inlines as Node[];
  const tokens: Token[] = [];
  for (const inline of inlines) {
    if (inline.kind === 'html') pushHtmlTokens(tokens, inline.html);
    else tokens.push({ leaf: inline });
  }
  return nestTokens(tokens, depth);
}

function tagToken(tag: Tag): Token {
  const key = `tag:${tag.name}`;
  if (tag.closing) return { close: key, source: tag.source };
  const { attributes } = parseTagAttributes(tag.args);
  const open: TagElement = {
    kind: 'tag-element',
    name: tag.name,
    args: tag.args,
    attributes,
    closed: false,
    children: [],
  };
  return { open, key, source: tag.source };
}

function pushHtmlTokens(tokens: Token[], html: string): void {
  for (const token of tokenizeHtml(html)) {
    if (token.kind === 'text') tokens.push({ leaf: { kind: 'html-text', text: token.text } });
    else tokens.push(elementToken(token.tag));
  }
}

function elementToken(tag: HtmlTag): Token {
  const { name, attributes, source } = tag;
  const key = `html:${name}`;
  if (tag.closing) return { close: key, source };
  const custom = 'data-gb-custom-block' in attributes ? attributes['data-tag'] : undefined;
  if (custom) return { open: tagOfCustomBlock(custom, attributes), key, source };
  const open: Element = { kind: 'element', name, attributes, children: [] };
  return VOID_ELEMENTS.has(name) ? { leaf: open } : { open, key, source };
}

/** `<div data-gb-custom-block data-tag="hint" data-style="info">`: a tag written as HTML, for places that take no tags. */
function tagOfCustomBlock(name: string, from: Record<string, string>): TagElement {
  const attributes: Record<string, string> = {};
  for (const [key, value] of Object.entries(from)) {
    if (key.startsWith('data-') && key !== 'data-tag' && key !== 'data-gb-custom-block')
      attributes[key.slice(5)] = value;
  }
  return { kind: 'tag-element', name, args: attributes.expression ?? '', attributes, closed: true, children: [] };
}

const wordSet = (text: string) => new Set(text.split(' '));
const VOID_ELEMENTS = wordSet('area base br col embed hr img input link meta param source track wbr');
/** Tags that, left open, extend to the end of their container; other known tags left open are ignored. */
const OPEN_ENDED = wordSet(
  'article aside blockquote body center colgroup dd details dl div dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header html ' +
    'li main nav ol optgroup option picture pre section select summary table tbody td tfoot th thead tr ul video audio iframe',
);
const KNOWN_ELEMENTS = wordSet(
  'a abbr address b bdi bdo big button cite code del dfn em fieldset font frame head i ins kbd label legend mark menu noscript object p ' +
    'q rp rt ruby s samp script small span strike strong style sub sup svg path time title tt u var',
);
const GROUPS: Record<string, Set<string>> = {
  p: wordSet('p'),
  li: wordSet('li'),
  td: wordSet('td th'),
  th: wordSet('td th'),
  tr: wordSet('tr td th'),
  thead: wordSet('tr td th'),
  tbody: wordSet('thead tr td th'),
  option: wordSet('option'),
  dt: wordSet('dt dd'),
  dd: wordSet('dt dd'),
};

/**
 * Nests in two passes: first which opening has an end (so that a lone `{% embed %}` or `<placeholder>` takes no content),
 * then the tree. Linear in the number of nodes; the whole page nests at most MAX_DEPTH deep. `tops` gets the number of nodes at the
 * top before each token that is inside no element.
 */
function nestTokens(tokens: Token[], depth: number, tops?: Map<number, number>): Node[] {
  const ended = findEndedOpenings(tokens);
  const root: Node[] = [];
  const stack: { key: string; node: Element | TagElement }[] = [];
  const counts = new Map<string, number>();
  const top = () => stack.at(-1)?.node.children ?? root;
  const pop = () => {
    const last = stack.pop();
    if (last) counts.set(last.key, (counts.get(last.key) ?? 1) - 1);
    return last?.key;
  };
  const noteTopNode = (at: number) => stack.length === 0 && tops?.set(at, root.length);
  for (const [at, token] of tokens.entries()) {
    noteTopNode(at);
    if ('leaf' in token) top().push(token.leaf);
    else if ('close' in token) {
      if ((counts.get(token.close) ?? 0) > 0) while (pop() !== token.close) {}
      else if (isUnknownElement(token.close)) top().push({ kind: 'text', value: token.source });
    } else {
      for (let last = stack.at(-1); last && endsInnermost(last, token.key, ended); last = stack.at(-1)) pop();
      noteTopNode(at);
      const fits = depth + stack.length < MAX_DEPTH;
      if (fits && (ended.has(token.open) || isOpenEnded(token.open))) {
        if (token.open.kind === 'tag-element') token.open.closed ||= ended.has(token.open);
        top().push(token.open);
        stack.push({ key: token.key, node: token.open });
        counts.set(token.key, (counts.get(token.key) ?? 0) + 1);
      } else if (token.open.kind === 'tag-element' || !isUnknownElement(token.key)) top().push(token.open);
      else top().push({ kind: 'text', value: token.source });
    }
  }
  noteTopNode(tokens.length);
  return root;
}

function findEndedOpenings(tokens: Token[]): Set<Element | TagElement> {
  const ended = new Set<Element | TagElement>();
  const open = new Map<string, (Element | TagElement)[]>();
  for (const token of tokens) {
    if ('open' in token) {
      const list = open.get(token.key);
      if (list) list.push(token.open);
      else open.set(token.key, [token.open]);
    } else if ('close' in token) {
      const start = open.get(token.close)?.pop();
      if (start) ended.add(start);
    }
  }
  return ended;
}

const isOpenEnded = (node: Element | TagElement) =>
  (node.kind === 'element' ? OPEN_ENDED : CONTAINER_TAGS).has(node.name);

function isUnknownElement(key: string): boolean {
  if (!key.startsWith('html:')) return false;
  const name = key.slice(5);
  return !KNOWN_ELEMENTS.has(name) && !OPEN_ENDED.has(name) && !VOID_ELEMENTS.has(name);
}

/** Whether the start of another element ends the innermost open one: `<li>` before `<li>`, a tab without an end before a tab. */
function endsInnermost(
  last: { key: string; node: Element | TagElement },
  key: string,
  ended: Set<Element | TagElement>,
): boolean {
  if (ended.has(last.node)) return false;
  if (last.node.kind === 'tag-element') return last.key === key;
  const name = key.slice(5);
  return Object.hasOwn(GROUPS, name) && (GROUPS[name]?.has(last.node.name) ?? false);
}
