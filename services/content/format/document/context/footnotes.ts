import { nestBlocks } from '../../markdown/nesting.js';
import { type BlockNode, type DocumentNode, type Fragment, fragment, text } from '../document-model.js';
import { block, blocksOf, type Context, paragraph } from './context.js';

const MAX_NESTED = 10;

/** The body of the footnote that `[^label]` mentions. Empty inside itself, too deep in others, or when too much is repeated. */
export function footnoteBody(context: Context, label: string, depth: number): Fragment {
  const { open, used, budget } = context.footnotes;
  const body = context.page.footnotes.get(label);
  if (!body || open.has(label) || open.size >= MAX_NESTED || (used.has(label) && budget <= 0)) {
    return fragment('annotation-body', [paragraph(context, [text('')])]);
  }
  used.add(label);
  open.add(label);
  const nodes = blocksOf(nestBlocks(body, depth + 1), context, depth + 1);
  open.delete(label);
  context.footnotes.budget -= weight(nodes);
  return fragment('annotation-body', nodes.length > 0 ? nodes : [paragraph(context, [text('')])]);
}

function weight(nodes: DocumentNode[]): number {
  let sum = 0;
  for (const node of nodes) {
    sum += 20;
    if (node.object === 'text') for (const leaf of node.leaves) sum += leaf.text.length;
    else {
      sum += weight(node.nodes ?? []);
      for (const part of node.fragments ?? []) sum += weight(part.nodes);
    }
  }
  return sum;
}

/** Footnotes without a mention by their label, as text at the end of the page. */
export function unusedFootnotes(context: Context): Map<string, BlockNode> {
  const out = new Map<string, BlockNode>();
  for (const [label, body] of context.page.footnotes) {
    if (context.footnotes.used.has(label) || body.length === 0) continue;
    const nodes = blocksOf(nestBlocks(body, 1), context, 1);
    out.set(label, block(context, 'blockquote', {}, { nodes }));
  }
  return out;
}
