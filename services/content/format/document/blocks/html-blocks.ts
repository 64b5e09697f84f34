import type { Element, Node } from '../../markdown/nesting.js';
import { isBlank, nodesText } from '../../markdown/source-text.js';
import { anchorLater, block, blocksOf, type Context, paragraph, refOf, someBlocks } from '../context/context.js';
import { type BlockNode, fragment } from '../document-model.js';
import { styleOf } from '../inlines/html-inlines.js';
import { inlineNodes } from '../inlines/inlines.js';
import { nodesPlainText } from '../plain-text.js';
import { headingBlock, itemBlock, listOf } from './block-nodes.js';
import { preBlock } from './code-blocks.js';
import { captionOf, figureBlocks, figuresOnly } from './figures.js';
import { htmlTable } from './html-tables.js';

type Convert = (element: Element, context: Context, depth: number) => BlockNode[];

const BLOCKS: Record<string, Convert> = {
  p: wrapper,
  div: wrapper,
  center: (element, context, depth) => align(content(element, context, depth), 'center'),
  figure,
  details,
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  ul: list,
  ol: list,
  li: (element, context, depth) => list({ ...element, name: 'ul', children: [element] }, context, depth),
  blockquote: (element, context, depth) => [
    block(context, 'blockquote', {}, { nodes: someBlocks(element.children, context, depth) }),
  ],
  pre: (element, context) => [preBlock(context, element, {})],
  hr: (_element, context) => [block(context, 'divider', {})],
  table: htmlTable,
  iframe: embed,
  video: embed,
  audio: embed,
};

const OTHER_BLOCKS = new Set(
  'address article aside body dd dl dt fieldset figcaption footer form header html legend main nav section summary tbody td tfoot th thead tr'.split(
    ' ',
  ),
);

export function isBlockElement(element: Element): boolean {
  return Object.hasOwn(BLOCKS, element.name) || OTHER_BLOCKS.has(element.name);
}

/** The blocks of an element among blocks; an element that is not a block itself is replaced by its content. */
export function elementBlocks(element: Element, context: Context, depth: number): BlockNode[] {
  const convert = Object.hasOwn(BLOCKS, element.name) ? BLOCKS[element.name] : undefined;
  return convert ? convert(element, context, depth) : content(element, context, depth);
}

const content: Convert = (element, context, depth) => blocksOf(element.children, context, depth);

/** `<div align>`, `<div data-full-width>`, `<div data-with-frame>`: the layout of the blocks inside. */
function wrapper(element: Element, context: Context, depth: number): BlockNode[] {
  const { attributes } = element;
  const figures = figuresOnly(element);
  const inside = figures ? figureBlocks(figures, context, depth).blocks : content(element, context, depth);
  const blocks = align(inside, alignOf(attributes));
  for (const made of blocks) {
    if (attributes['data-full-width'] === 'true' && FULL_WIDTH.has(made.type)) made.data.fullWidth = true;
    if (attributes['data-with-frame'] === 'true' && made.type === 'images') made.data.withFrame = true;
  }
  return blocks;
}

const FULL_WIDTH = new Set(['images', 'code', 'table', 'tabs', 'columns', 'embed', 'swagger', 'integration']);
const TEXT_ALIGN: Record<string, string> = { left: 'start', center: 'center', right: 'end' };

const alignOf = ({ align: written, style }: Record<string, string>): string | undefined =>
  (written ?? styleOf(style, 'text-align'))?.toLowerCase();

function align(blocks: BlockNode[], to: string | undefined): BlockNode[] {
  if (to === undefined || !Object.hasOwn(TEXT_ALIGN, to)) return blocks;
  for (const made of blocks) {
    if (made.type === 'images') made.data.align = to;
    else if (to !== 'left' && (made.type === 'paragraph' || made.type.startsWith('heading-')))
      made.data.align = TEXT_ALIGN[to];
  }
  return blocks;
}

function figure(element: Element, context: Context, depth: number): BlockNode[] {
  const { blocks, others, caption } = figureBlocks([element], context, depth);
  const shown = blocksOf(others, context, depth);
  const [player] = shown;
  if (shown.length !== 1 || player?.type !== 'embed')
    return [...blocks, ...shown, ...blocksOf(caption, context, depth)];
  player.fragments = [...(player.fragments ?? []), ...captionOf(caption, context, depth)];
  return [...blocks, player];
}

function heading(element: Element, context: Context, depth: number): BlockNode[] {
  const explicit: Node[] = element.attributes.id
    ? [{ kind: 'element', name: 'a', attributes: { id: element.attributes.id }, children: [] }]
    : [];
  const made = headingBlock(context, element, Number(element.name[1]), [...element.children, ...explicit], depth);
  return align([made], alignOf(element.attributes));
}

function details(element: Element, context: Context, depth: number): BlockNode[] {
  const at = element.children.findIndex((child) => child.kind === 'element' && child.name === 'summary');
  const summary = element.children[at];
  const title = inlineNodes(summary?.kind === 'element' ? summary.children : [], context, depth);
  const head = fragment('expandable-title', [paragraph(context, title)]);
  const rest = element.children.filter((_, index) => index !== at);
  const body = fragment('expandable-body', someBlocks(rest, context, depth));
  const data = 'open' in element.attributes ? { defaultExpanded: true } : {};
  const made = block(context, 'expandable', data, { fragments: [head, body] });
  return [anchorLater(context, made, nodesPlainText(title))];
}

function list(element: Element, context: Context, depth: number): BlockNode[] {
  const items: BlockNode[] = [];
  let tasks = false;
  for (const child of element.children) {
    if (isBlank([child])) continue;
    const inside = child.kind === 'element' && child.name === 'li' ? child.children : [child];
    const box = inside.find((node) => node.kind === 'element' && node.name === 'input');
    if (box?.kind !== 'element' || box.attributes.type !== 'checkbox') items.push(itemBlock(context, inside, depth));
    else {
      tasks = true;
      const rest = inside.filter((node) => node !== box);
      items.push(itemBlock(context, rest, depth, 'checked' in box.attributes));
    }
  }
  const start = element.name === 'ol' ? Number.parseInt(element.attributes.start ?? '1', 10) || 1 : undefined;
  return items.length > 0 ? [listOf(context, items, start, tasks)] : [];
}

/** A player or frame from another site. */
function embed(element: Element, context: Context, depth: number): BlockNode[] {
  const source = element.children.find((child) => child.kind === 'element' && child.name === 'source');
  const url = element.attributes.src ?? (source?.kind === 'element' ? source.attributes.src : undefined);
  const inside = blocksOf(element.children, context, depth);
  if (url === undefined) return inside;
  return [embedBlock(context, url, {}), ...(nodesText(element.children).trim() === '' ? [] : inside)];
}

/** An embed; its URL is one of the page's links but is not resolved. */
export function embedBlock(context: Context, url: string, parts: { fragments?: BlockNode['fragments'] }): BlockNode {
  const ref = refOf(context, url, 'embed');
  return block(context, 'embed', { url: ref.kind === 'url' ? ref.url : url }, { ...parts, identity: url });
}
