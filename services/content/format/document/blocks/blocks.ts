import { type Node, nestBlocks } from '../../markdown/nesting.js';
import type { ListItem } from '../../markdown/syntax.js';
import { blocksOf, blocksOrParagraph, type Context, newBlock, paragraph } from '../context/context.js';
import type { BlockNode } from '../document-model.js';
import { convertToInlines, parseRawInlines } from '../inlines/inlines.js';
import { headingBlock, listItemBlock, listOfItems, trimInlines } from './block-nodes.js';
import { codeBlock } from './code-blocks.js';
import { imageBlocks } from './figures.js';
import { elementBlocks, isBlockElement } from './html-blocks.js';
import { pipeTableBlock } from './tables.js';
import { tagBlocks } from './tag-blocks.js';

/** Converts nodes for `blocksOf`. */
export function convertNodes(nodes: Node[], context: Context, depth: number): BlockNode[] {
  const out: BlockNode[] = [];
  let run: Node[] = [];
  const flush = () => {
    if (run.length > 0) out.push(...inlineRunBlocks(run, context, depth));
    run = [];
  };
  for (const node of nodes) {
    if (isInlineNode(node)) run.push(node);
    else {
      flush();
      for (const made of blocksOfNode(node, context, depth)) out.push(made);
    }
  }
  flush();
  return out;
}

const INLINE_KINDS = new Set<Node['kind']>([
  'text',
  'html-text',
  'code-span',
  'emphasis',
  'strong',
  'strike',
  'link',
  'image',
  'break',
  'math',
  'footnote',
]);

export function isInlineNode(node: Node): boolean {
  if (node.kind !== 'element') return INLINE_KINDS.has(node.kind);
  return !isBlockElement(node) && node.children.every(isInlineNode);
}

/** The blocks of a run of inlines: only images become a block of images, a single formula a block of math. */
function inlineRunBlocks(run: Node[], context: Context, depth: number): BlockNode[] {
  const nodes = trimInlines(run);
  if (nodes.length === 0) return [];
  const [only] = nodes;
  if (nodes.length === 1 && only?.kind === 'math') return [mathBlock(context, only.formula)];
  return imageBlocks(nodes, context, depth) ?? [paragraph(context, convertToInlines(nodes, context, depth))];
}

function blocksOfNode(node: Node, context: Context, depth: number): BlockNode[] {
  switch (node.kind) {
    case 'paragraph':
      return blocksOf(parseRawInlines(node.text, context, depth), context, depth);
    case 'heading':
      return [headingBlock(context, node, node.depth, parseRawInlines(node.text, context, depth), depth)];
    case 'rule':
      return [newBlock(context, 'divider', {})];
    case 'code':
      return [codeBlock(context, node.value, node.info)];
    case 'math-block':
      return [mathBlock(context, node.formula)];
    case 'quote': {
      const nodes = blocksOrParagraph(nestBlocks(node.children, depth + 1), context, depth + 1);
      return [newBlock(context, 'blockquote', {}, { nodes })];
    }
    case 'list':
      return [listBlock(context, node.ordered ? node.start : undefined, node.items, depth)];
    case 'table':
      return [pipeTableBlock(context, node.rows, node.align, depth)];
    case 'element':
      return elementBlocks(node, context, depth + 1);
    case 'tag-element':
      return tagBlocks(node, context, depth + 1);
    default:
      return [paragraph(context, convertToInlines([node], context, depth))];
  }
}

function mathBlock(context: Context, formula: string): BlockNode {
  return newBlock(context, 'math', { formula }, { identity: formula });
}

const CHECKBOX = /^\[([ xX])\](?:\s+|$)/;

function listBlock(context: Context, start: number | undefined, items: ListItem[], depth: number): BlockNode {
  let tasks = false;
  const nodes = items.map(({ children }) => {
    const first = children[0];
    const box = first?.kind === 'paragraph' ? CHECKBOX.exec(first.text) : undefined;
    if (!box || first?.kind !== 'paragraph') return listItemBlock(context, nestBlocks(children, depth + 1), depth);
    tasks = true;
    const rest = [{ ...first, text: first.text.slice(box[0].length) }, ...children.slice(1)];
    return listItemBlock(context, nestBlocks(rest, depth + 1), depth, box[1] !== ' ');
  });
  return listOfItems(context, nodes, start, tasks);
}
