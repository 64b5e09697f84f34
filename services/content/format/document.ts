import { blocksOf, takeAnchor } from './blocks.js';
import { anchorRest, type Context, newContext } from './context.js';
import type { BlockNode, JSONDocument, Resolve } from './document-model.js';
import { unusedFootnotes } from './footnotes.js';
import { inlineNodes, parsedInlines } from './inlines.js';
import { parseMarkdown } from './markdown.js';
import { type Node, nestBlocks } from './nesting.js';
import { splitSource } from './page-source.js';
import { nodesPlainText } from './plain-text.js';

export { plainText } from './plain-text.js';

/**
 * The JSON form of a page's source. The level-1 heading that titles the page is not part of it. Never throws: what is no
 * known block keeps its text in a generic one. `resolve` is asked for every URL; undefined leaves `{kind: 'url', url}`.
 */
export function toDocument(source: string, resolve: Resolve): JSONDocument {
  return { object: 'document', data: {}, nodes: readBody(splitSource(source).body, resolve, true).nodes };
}

export interface Body {
  /** Of the level-1 heading. */
  title: string | undefined;
  nodes: BlockNode[];
}

/** Reads the body of a page; without `keyed` its blocks have no keys, which is quicker. */
export function readBody(body: string, resolve: Resolve, keyed: boolean): Body {
  const page = parseMarkdown(body);
  const context = newContext(page, resolve, keyed);
  const nodes = nestBlocks(page.blocks, 0);
  const title = takeTitle(nodes);
  const blocks = blocksOf(title ? title.rest : nodes, context, 0);
  for (const made of unusedFootnotes(context)) blocks.push(made);
  anchorRest(context);
  return { title: title && titleText(title.heading, context), nodes: blocks };
}

/** The first heading of the page, if it is of level 1; it may stand in a `<div>`. */
function takeTitle(nodes: Node[]): { heading: Node; rest: Node[] } | undefined {
  for (const [at, node] of nodes.entries()) {
    if (node.kind === 'heading' || (node.kind === 'element' && /^h[1-6]$/.test(node.name))) {
      const first = node.kind === 'heading' ? node.depth === 1 : node.name === 'h1';
      return first ? { heading: node, rest: nodes.toSpliced(at, 1) } : undefined;
    }
    const inside = node.kind === 'element' && node.name === 'div' ? takeTitle(node.children) : undefined;
    if (inside && node.kind === 'element') {
      return { heading: inside.heading, rest: nodes.toSpliced(at, 1, { ...node, children: inside.rest }) };
    }
  }
  return undefined;
}

function titleText(heading: Node, context: Context): string {
  const from =
    heading.kind === 'heading'
      ? parsedInlines(heading.text, context, 0)
      : 'children' in heading
        ? (heading.children as Node[])
        : [];
  const { nodes } = takeAnchor(from);
  return nodesPlainText(inlineNodes(nodes, { ...context, seen: undefined }, 0))
    .replace(/\s+/g, ' ')
    .trim();
}
