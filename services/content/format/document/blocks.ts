import { type Node, nestBlocks } from '../markdown/nesting.js';
import { isBlank } from '../markdown/source-text.js';
import type { ListItem } from '../markdown/syntax.js';
import { giveAnchor } from './anchors.js';
import { codeBlock } from './code-blocks.js';
import { anchorLater, block, type Context } from './context.js';
import type { BlockNode, Data, DocumentNode } from './document-model.js';
import { text } from './document-model.js';
import { imageBlocks } from './figures.js';
import { elementBlocks, isBlockElement } from './html-blocks.js';
import { inlineNodes, parsedInlines } from './inlines.js';
import { nodesPlainText } from './plain-text.js';
import { pipeTable } from './tables.js';
import { tagBlocks } from './tag-blocks.js';

/** The blocks of mixed nodes; inlines between blocks become paragraphs. `depth` is the level of the nodes. */
export function blocksOf(nodes: Node[], context: Context, depth: number): BlockNode[] {
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

/** The blocks of mixed nodes, or one empty paragraph when there are none. */
export function someBlocks(nodes: Node[], context: Context, depth: number): BlockNode[] {
  const out = blocksOf(nodes, context, depth);
  return out.length > 0 ? out : [paragraph(context, [text('')])];
}

export function paragraph(context: Context, nodes: DocumentNode[], data: Data = {}): BlockNode {
  return block(context, 'paragraph', data, { nodes });
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

function trimRun(run: Node[]): Node[] {
  let [from, to] = [0, run.length];
  while (from < to && isBlank(run.slice(from, from + 1))) from++;
  while (to > from && isBlank(run.slice(to - 1, to))) to--;
  const nodes = run.slice(from, to);
  if (nodes[0]) nodes[0] = trimmed(nodes[0], true);
  const last = nodes.at(-1);
  if (last) nodes[nodes.length - 1] = trimmed(last, false);
  return nodes;
}

function trimmed(node: Node, atStart: boolean): Node {
  if (node.kind === 'html-text') return { kind: 'html-text', text: withoutSpace(node.text, atStart) };
  return node.kind === 'text' ? { kind: 'text', value: withoutSpace(node.value, atStart) } : node;
}

/** The text without spaces and line ends on one side. Protected spaces stay: they were written to be seen. */
function withoutSpace(text: string, atStart: boolean): string {
  let [from, to] = [0, text.length];
  if (atStart) while (from < to && text.charCodeAt(from) <= 32) from++;
  else while (to > from && text.charCodeAt(to - 1) <= 32) to--;
  return text.slice(from, to);
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

/** Levels 2, 3 and 4 of the source become headings 1, 2 and 3; other levels become the nearest of these. */
export function headingBlock(context: Context, node: Node, level: number, from: Node[], depth: number): BlockNode {
  const { nodes, anchor } = takeAnchor(from);
  context.anchors.inHeading = node !== context.lead?.node;
  const inlines = inlineNodes(nodes, context, depth);
  context.anchors.inHeading = false;
  const title = nodesPlainText(inlines).trim();
  const type = `heading-${Math.min(Math.max(level - 1, 1), 3)}`;
  if (node === context.lead?.node) {
    context.lead.made = anchorLater(context, block(context, type, {}, { nodes: inlines }), title, anchor);
    return context.lead.made;
  }
  const id = giveAnchor(context.anchors, title, anchor);
  return block(context, type, id === anchor ? { id } : {}, { nodes: inlines, meta: { id } });
}

/** Splits an empty `<a href="#x" id="x"></a>` from a heading. */
export function takeAnchor(nodes: Node[]): { nodes: Node[]; anchor?: string } {
  const anchor = nodes.find((node) => node.kind === 'element' && node.name === 'a' && isBlank(node.children));
  if (anchor?.kind !== 'element') return { nodes };
  const { id, name, href } = anchor.attributes;
  const explicit = id ?? name ?? (href?.startsWith('#') ? href.slice(1) : undefined);
  return explicit === undefined
    ? { nodes }
    : { nodes: trimRun(nodes.filter((node) => node !== anchor)), anchor: explicit };
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

export function itemBlock(context: Context, nodes: Node[], depth: number, checked?: boolean): BlockNode {
  const data = checked === undefined ? {} : { checked };
  return block(context, 'list-item', data, { nodes: someBlocks(nodes, context, depth + 1) });
}

/** A list of item blocks; `start` is undefined for bullets. */
export function listOf(context: Context, nodes: BlockNode[], start: number | undefined, tasks: boolean): BlockNode {
  if (tasks) return block(context, 'list-tasks', {}, { nodes });
  if (start === undefined) return block(context, 'list-unordered', {}, { nodes });
  return block(context, 'list-ordered', start === 1 ? {} : { start }, { nodes });
}
