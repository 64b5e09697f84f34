import type { Element, Node } from '../../markdown/nesting.js';
import { isBlank, textOfNodes } from '../../markdown/source-text.js';
import {
  blocksOf,
  blocksOrParagraph,
  type Context,
  deferAnchor,
  newBlock,
  paragraph,
  refOfUrl,
} from '../context/context.js';
import { type BlockNode, newFragment } from '../document-model.js';
import { stylePropertyOf } from '../inlines/html-inlines.js';
import { convertToInlines } from '../inlines/inlines.js';
import { inlinePlainText } from '../plain-text.js';
import { headingBlock, listItemBlock, listOfItems } from './block-nodes.js';
import { preBlock } from './code-blocks.js';
import { captionFragments, figureBlocks, figuresIfAlone } from './figures.js';
import { htmlTableBlocks } from './html-tables.js';

type Convert = (element: Element, context: Context, depth: number) => BlockNode[];

const BLOCKS: Record<string, Convert> = {
  p: divBlocks,
  div: divBlocks,
  center: (element, context, depth) => alignBlocks(childBlocks(element, context, depth), 'center'),
  figure: figureAsBlocks,
  details: detailsBlocks,
  h1: headingBlocks,
  h2: headingBlocks,
  h3: headingBlocks,
  h4: headingBlocks,
  h5: headingBlocks,
  h6: headingBlocks,
  ul: listBlocks,
  ol: listBlocks,
  li: (element, context, depth) => listBlocks({ ...element, name: 'ul', children: [element] }, context, depth),
  blockquote: (element, context, depth) => [
    newBlock(context, 'blockquote', {}, { nodes: blocksOrParagraph(element.children, context, depth) }),
  ],
  pre: (element, context) => [preBlock(context, element, {})],
  hr: (_element, context) => [newBlock(context, 'divider', {})],
  table: htmlTableBlocks,
  iframe: embedBlocks,
  video: embedBlocks,
  audio: embedBlocks,
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
  return convert ? convert(element, context, depth) : childBlocks(element, context, depth);
}

const childBlocks: Convert = (element, context, depth) => blocksOf(element.children, context, depth);

/** `<div align>`, `<div data-full-width>`, `<div data-with-frame>`: the layout of the blocks inside. */
function divBlocks(element: Element, context: Context, depth: number): BlockNode[] {
  const { attributes } = element;
  const figures = figuresIfAlone(element);
  const inside = figures ? figureBlocks(figures, context, depth).blocks : childBlocks(element, context, depth);
  const blocks = alignBlocks(inside, alignmentOf(attributes));
  for (const made of blocks) {
    if (attributes['data-full-width'] === 'true' && FULL_WIDTH.has(made.type)) made.data.fullWidth = true;
    if (attributes['data-with-frame'] === 'true' && made.type === 'images') made.data.withFrame = true;
  }
  return blocks;
}

const FULL_WIDTH = new Set(['images', 'code', 'table', 'tabs', 'columns', 'embed', 'swagger', 'integration']);
const TEXT_ALIGN: Record<string, string> = { left: 'start', center: 'center', right: 'end' };

const alignmentOf = ({ align: written, style }: Record<string, string>): string | undefined =>
  (written ?? stylePropertyOf(style, 'text-align'))?.toLowerCase();

function alignBlocks(blocks: BlockNode[], to: string | undefined): BlockNode[] {
  if (to === undefined || !Object.hasOwn(TEXT_ALIGN, to)) return blocks;
  for (const made of blocks) {
    if (made.type === 'images') made.data.align = to;
    else if (to !== 'left' && (made.type === 'paragraph' || made.type.startsWith('heading-')))
      made.data.align = TEXT_ALIGN[to];
  }
  return blocks;
}

function figureAsBlocks(element: Element, context: Context, depth: number): BlockNode[] {
  const { blocks, others, caption } = figureBlocks([element], context, depth);
  const shown = blocksOf(others, context, depth);
  const [player] = shown;
  if (shown.length !== 1 || player?.type !== 'embed')
    return [...blocks, ...shown, ...blocksOf(caption, context, depth)];
  player.fragments = [...(player.fragments ?? []), ...captionFragments(caption, context, depth)];
  return [...blocks, player];
}

function headingBlocks(element: Element, context: Context, depth: number): BlockNode[] {
  const explicit: Node[] = element.attributes.id
    ? [{ kind: 'element', name: 'a', attributes: { id: element.attributes.id }, children: [] }]
    : [];
  const made = headingBlock(context, element, Number(element.name[1]), [...element.children, ...explicit], depth);
  return alignBlocks([made], alignmentOf(element.attributes));
}

function detailsBlocks(element: Element, context: Context, depth: number): BlockNode[] {
  const at = element.children.findIndex((child) => child.kind === 'element' && child.name === 'summary');
  const summary = element.children[at];
  const title = convertToInlines(summary?.kind === 'element' ? summary.children : [], context, depth);
  const head = newFragment('expandable-title', [paragraph(context, title)]);
  const rest = element.children.filter((_, index) => index !== at);
  const body = newFragment('expandable-body', blocksOrParagraph(rest, context, depth));
  const data = 'open' in element.attributes ? { defaultExpanded: true } : {};
  const made = newBlock(context, 'expandable', data, { fragments: [head, body] });
  return [deferAnchor(context, made, inlinePlainText(title))];
}

function listBlocks(element: Element, context: Context, depth: number): BlockNode[] {
  const items: BlockNode[] = [];
  let tasks = false;
  for (const child of element.children) {
    if (isBlank([child])) continue;
    const inside = child.kind === 'element' && child.name === 'li' ? child.children : [child];
    const box = inside.find((node) => node.kind === 'element' && node.name === 'input');
    if (box?.kind !== 'element' || box.attributes.type !== 'checkbox')
      items.push(listItemBlock(context, inside, depth));
    else {
      tasks = true;
      const rest = inside.filter((node) => node !== box);
      items.push(listItemBlock(context, rest, depth, 'checked' in box.attributes));
    }
  }
  const start = element.name === 'ol' ? Number.parseInt(element.attributes.start ?? '1', 10) || 1 : undefined;
  return items.length > 0 ? [listOfItems(context, items, start, tasks)] : [];
}

/** A player or frame from another site. */
function embedBlocks(element: Element, context: Context, depth: number): BlockNode[] {
  const source = element.children.find((child) => child.kind === 'element' && child.name === 'source');
  const url = element.attributes.src ?? (source?.kind === 'element' ? source.attributes.src : undefined);
  const inside = blocksOf(element.children, context, depth);
  if (url === undefined) return inside;
  return [embedBlock(context, url, {}), ...(textOfNodes(element.children).trim() === '' ? [] : inside)];
}

/** An embed; its URL is one of the page's links but is not resolved. */
export function embedBlock(context: Context, url: string, parts: { fragments?: BlockNode['fragments'] }): BlockNode {
  const ref = refOfUrl(context, url, 'embed');
  return newBlock(context, 'embed', { url: ref.kind === 'url' ? ref.url : url }, { ...parts, identity: url });
}
