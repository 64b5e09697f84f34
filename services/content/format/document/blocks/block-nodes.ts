import type { Node } from '../../markdown/nesting.js';
import { isBlank } from '../../markdown/source-text.js';
import { assignAnchor } from '../context/anchors.js';
import { blocksOrParagraph, type Context, deferAnchor, newBlock } from '../context/context.js';
import type { BlockNode } from '../document-model.js';
import { convertToInlines } from '../inlines/inlines.js';
import { inlinePlainText } from '../plain-text.js';

/** Levels 2, 3 and 4 of the source become headings 1, 2 and 3; other levels become the nearest of these. */
export function headingBlock(context: Context, node: Node, level: number, from: Node[], depth: number): BlockNode {
  const { nodes, anchor } = splitAnchor(from);
  context.anchors.inHeading = node !== context.lead?.node;
  const inlines = convertToInlines(nodes, context, depth);
  context.anchors.inHeading = false;
  const title = inlinePlainText(inlines).trim();
  const type = `heading-${Math.min(Math.max(level - 1, 1), 3)}`;
  if (node === context.lead?.node) {
    context.lead.made = deferAnchor(context, newBlock(context, type, {}, { nodes: inlines }), title, anchor);
    return context.lead.made;
  }
  const id = assignAnchor(context.anchors, title, anchor);
  return newBlock(context, type, id === anchor ? { id } : {}, { nodes: inlines, meta: { id } });
}

/** Splits an empty `<a href="#x" id="x"></a>` from a heading. */
export function splitAnchor(nodes: Node[]): { nodes: Node[]; anchor?: string } {
  const anchor = nodes.find((node) => node.kind === 'element' && node.name === 'a' && isBlank(node.children));
  if (anchor?.kind !== 'element') return { nodes };
  const { id, name, href } = anchor.attributes;
  const explicit = id ?? name ?? (href?.startsWith('#') ? href.slice(1) : undefined);
  return explicit === undefined
    ? { nodes }
    : { nodes: trimInlines(nodes.filter((node) => node !== anchor)), anchor: explicit };
}

/** The nodes of a run without the blank ones and the spaces at its ends. */
export function trimInlines(run: Node[]): Node[] {
  let [from, to] = [0, run.length];
  while (from < to && isBlank(run.slice(from, from + 1))) from++;
  while (to > from && isBlank(run.slice(to - 1, to))) to--;
  const nodes = run.slice(from, to);
  if (nodes[0]) nodes[0] = trimNode(nodes[0], true);
  const last = nodes.at(-1);
  if (last) nodes[nodes.length - 1] = trimNode(last, false);
  return nodes;
}

function trimNode(node: Node, atStart: boolean): Node {
  if (node.kind === 'html-text') return { kind: 'html-text', text: trimOneSide(node.text, atStart) };
  return node.kind === 'text' ? { kind: 'text', value: trimOneSide(node.value, atStart) } : node;
}

/** The text without spaces and line ends on one side. Protected spaces stay: they were written to be seen. */
function trimOneSide(text: string, atStart: boolean): string {
  let [from, to] = [0, text.length];
  if (atStart) while (from < to && text.charCodeAt(from) <= 32) from++;
  else while (to > from && text.charCodeAt(to - 1) <= 32) to--;
  return text.slice(from, to);
}

export function listItemBlock(context: Context, nodes: Node[], depth: number, checked?: boolean): BlockNode {
  const data = checked === undefined ? {} : { checked };
  return newBlock(context, 'list-item', data, { nodes: blocksOrParagraph(nodes, context, depth + 1) });
}

/** A list of item blocks; `start` is undefined for bullets. */
export function listOfItems(
  context: Context,
  nodes: BlockNode[],
  start: number | undefined,
  tasks: boolean,
): BlockNode {
  if (tasks) return newBlock(context, 'list-tasks', {}, { nodes });
  if (start === undefined) return newBlock(context, 'list-unordered', {}, { nodes });
  return newBlock(context, 'list-ordered', start === 1 ? {} : { start }, { nodes });
}
