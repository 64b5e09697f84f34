import { parseInlines } from '../../markdown/inlines/inline.js';
import type { Node } from '../../markdown/nesting.js';
import { isBlank } from '../../markdown/source-text.js';
import { blocksOf, type Context } from '../context/context.js';
import type { BlockNode } from '../document-model.js';

/** The content without the link that other viewers show in place of the block, as blocks. */
export function blocksWithoutFallback(nodes: Node[], context: Context, depth: number): BlockNode[] {
  return blocksOf(
    nodes.filter((node) => !isFallbackLink(node, context)),
    context,
    depth,
  );
}

function isFallbackLink(node: Node, context: Context): boolean {
  if (node.kind !== 'paragraph') return false;
  const inlines = parseInlines(node.text, context.page);
  return node.text === '.' || inlines.every((inline) => inline.kind === 'link' || isBlank([inline as Node]));
}
