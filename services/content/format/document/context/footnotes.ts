import { nestBlocks } from '../../markdown/nesting.js';
import { type BlockNode, type DocumentNode, type Fragment, newFragment, textNode } from '../document-model.js';
import { blocksOf, type Context, newBlock, paragraph } from './context.js';

const MAX_NESTED = 10;

/** The body of the footnote that `[^label]` mentions. Empty inside itself, too deep in others, or when too much is repeated. */
export function footnoteFragment(context: Context, label: string, depth: number): Fragment {
  const { open, used, budget } = context.footnotes;
  const body = context.page.footnotes.get(label);
  if (!body || open.has(label) || open.size >= MAX_NESTED || (used.has(label) && budget <= 0)) {
    return newFragment('annotation-body', [paragraph(context, [textNode('')])]);
  }
  used.add(label);
  open.add(label);
  const nodes = blocksOf(nestBlocks(body, depth + 1), context, depth + 1);
  open.delete(label);
  context.footnotes.budget -= repeatedSize(nodes);
  return newFragment('annotation-body', nodes.length > 0 ? nodes : [paragraph(context, [textNode('')])]);
}

function repeatedSize(nodes: DocumentNode[]): number {
  let sum = 0;
  for (const node of nodes) {
    sum += 20;
    if (node.object === 'text') for (const leaf of node.leaves) sum += leaf.text.length;
    else {
      sum += repeatedSize(node.nodes ?? []);
      for (const part of node.fragments ?? []) sum += repeatedSize(part.nodes);
    }
  }
  return sum;
}

/** Footnotes without a mention by their label, as text at the end of the page. */
export function unusedFootnoteBlocks(context: Context): Map<string, BlockNode> {
  const out = new Map<string, BlockNode>();
  for (const [label, body] of context.page.footnotes) {
    if (context.footnotes.used.has(label) || body.length === 0) continue;
    const nodes = blocksOf(nestBlocks(body, 1), context, 1);
    out.set(label, newBlock(context, 'blockquote', {}, { nodes }));
  }
  return out;
}
