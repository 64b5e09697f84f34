import { type Node, nestBlocks } from '../../markdown/nesting.js';
import type { ListItem } from '../../markdown/syntax.js';
import { block, blocksOf, type Context, paragraph, someBlocks } from '../context/context.js';
import type { BlockNode } from '../document-model.js';
import { inlineNodes, parsedInlines } from '../inlines/inlines.js';
import { headingBlock, itemBlock, listOf, trimRun } from './block-nodes.js';
import { codeBlock } from './code-blocks.js';
import { imageBlocks } from './figures.js';
import { elementBlocks, isBlockElement } from './html-blocks.js';
import { pipeTable } from './tables.js';
import { tagBlocks } from './tag-blocks.js';

/** Converts nodes for `blocksOf`. */
export function convertNodes(nodes: Node[], context: Context, depth: number): BlockNode[] {
  const out: BlockNode[] = [];
  let run: Node[] = [];
  const flush = () => {
    if (run.length > 0) out.push(...runBlocks(run, context, depth));
    run = [];
  };
  for (const node of nodes) {
    if (isInline(node)) run.push(node);
    else {
      flush();
      for (const made of nodeBlocks(node, context, depth)) out.push(made);
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

export function isInline(node: Node): boolean {
  if (node.kind !== 'element') return INLINE_KINDS.has(node.kind);
  return !isBlockElement(node) && node.children.every(isInline);
}

/** The blocks of a run of inlines: only images become a block of images, a single formula a block of math. */
function runBlocks(run: Node[], context: Context, depth: number): BlockNode[] {
  const nodes = trimRun(run);
  if (nodes.length === 0) return [];
  const [only] = nodes;
  if (nodes.length === 1 && only?.kind === 'math') return [mathBlock(context, only.formula)];
  return imageBlocks(nodes, context, depth) ?? [paragraph(context, inlineNodes(nodes, context, depth))];
}

function nodeBlocks(node: Node, context: Context, depth: number): BlockNode[] {
  switch (node.kind) {
    case 'paragraph':
      return blocksOf(parsedInlines(node.text, context, depth), context, depth);
    case 'heading':
      return [headingBlock(context, node, node.depth, parsedInlines(node.text, context, depth), depth)];
    case 'rule':
      return [block(context, 'divider', {})];
    case 'code':
      return [codeBlock(context, node.value, node.info)];
    case 'math-block':
      return [mathBlock(context, node.formula)];
    case 'quote': {
      const nodes = someBlocks(nestBlocks(node.children, depth + 1), context, depth + 1);
      return [block(context, 'blockquote', {}, { nodes })];
    }
    case 'list':
      return [listBlock(context, node.ordered ? node.start : undefined, node.items, depth)];
    case 'table':
      return [pipeTable(context, node.rows, node.align, depth)];
    case 'element':
      return elementBlocks(node, context, depth + 1);
    case 'tag-element':
      return tagBlocks(node, context, depth + 1);
    default:
      return [paragraph(context, inlineNodes([node], context, depth))];
  }
}

function mathBlock(context: Context, formula: string): BlockNode {
  return block(context, 'math', { formula }, { identity: formula });
}

const CHECKBOX = /^\[([ xX])\](?:\s+|$)/;

function listBlock(context: Context, start: number | undefined, items: ListItem[], depth: number): BlockNode {
  let tasks = false;
  const nodes = items.map(({ children }) => {
    const first = children[0];
    const box = first?.kind === 'paragraph' ? CHECKBOX.exec(first.text) : undefined;
    if (!box || first?.kind !== 'paragraph') return itemBlock(context, nestBlocks(children, depth + 1), depth);
    tasks = true;
    const rest = [{ ...first, text: first.text.slice(box[0].length) }, ...children.slice(1)];
    return itemBlock(context, nestBlocks(rest, depth + 1), depth, box[1] !== ' ');
  });
  return listOf(context, nodes, start, tasks);
}
