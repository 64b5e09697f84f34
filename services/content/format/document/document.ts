import { parseMarkdown } from '../markdown/markdown.js';
import { type Node, nestPage } from '../markdown/nesting.js';
import { splitAnchor } from './blocks/block-nodes.js';
import { convertNodes } from './blocks/blocks.js';
import type { Anchors } from './context/anchors.js';
import { assignDeferredAnchors, blocksOf, type Context, newContext } from './context/context.js';
import { unusedFootnoteBlocks } from './context/footnotes.js';
import type { BlockNode, JSONDocument, Resolve } from './document-model.js';
import { convertToInlines, parseRawInlines } from './inlines/inlines.js';
import { splitSource } from './page-source.js';
import { inlinePlainText } from './plain-text.js';
import { repeatsTitle } from './titles.js';

export { plainText } from './plain-text.js';

export interface DocumentOptions {
  /** The title shown above the body. A first heading of level 1 is left out when it repeats the title, or without a title. */
  title?: string | undefined;
  /** The labels of the tags of updates. */
  tags?: ReadonlyMap<string, string> | undefined;
  /** `all` makes blocks of updates and prompts; otherwise they become plain blocks, because known clients of the API have no block for them. */
  blocks?: 'all' | undefined;
  /** False leaves out the keys of blocks, which a quarter of the time is spent on. */
  keyed?: boolean | undefined;
}

/**
 * The JSON form of a page's source. Never throws: unknown blocks keep their text. `resolve` is called for every URL; when it
 * returns undefined, the reference is `{kind: 'url', url}`.
 */
export function toDocument(source: string, resolve: Resolve, reading: DocumentOptions = {}): JSONDocument {
  const { nodes } = readBody(splitSource(source).body, resolve, bodyReadingOptions(reading));
  return { object: 'document', data: {}, nodes };
}

/** Options for reading a body as a document. */
export function bodyReadingOptions({ title, tags, blocks, keyed = true }: DocumentOptions): BodyReading {
  const keepLead = (heading: string) => title !== undefined && heading !== '' && !repeatsTitle(title, heading);
  return { keyed, tags, allBlocks: blocks === 'all', keepLead };
}

export interface Body {
  /** The text of the first heading, if it is of level 1. */
  title: string | undefined;
  nodes: BlockNode[];
  /** The first heading, if it is among the nodes. */
  lead: BlockNode | undefined;
  anchors: Anchors;
}

export interface BodyReading {
  /** False leaves out the keys of blocks, which is faster. */
  keyed: boolean;
  keepLead: (heading: string) => boolean;
  tags?: ReadonlyMap<string, string> | undefined;
  allBlocks?: boolean;
}

/** Reads the body of a page. */
export function readBody(body: string, resolve: Resolve, reading: BodyReading): Body {
  const { context, title, nodes } = openBody(body, resolve, reading);
  const blocks = blocksOf(nodes, context, 0);
  for (const made of unusedFootnoteBlocks(context).values()) blocks.push(made);
  assignDeferredAnchors(context);
  return { title, nodes: blocks, lead: context.lead?.made, anchors: context.anchors };
}

/** A body whose nodes are not blocks yet. */
export interface OpenBody {
  context: Context;
  title: string | undefined;
  /** Without the heading that is left out; `all` has it. */
  nodes: Node[];
  all: Node[];
  /** The number of nodes in `all` before each block of the page, as `nestPage` gives it. */
  before: (number | undefined)[];
}

export function openBody(body: string, resolve: Resolve, { keyed, tags, allBlocks, keepLead }: BodyReading): OpenBody {
  const page = parseMarkdown(body);
  const context = newContext(page, resolve, convertNodes, { keyed, tags, allBlocks });
  const { nodes: all, before } = nestPage(page.blocks);
  const found = takeTitleHeading(all);
  const title = found && headingTitleText(found.heading, context);
  if (found && keepLead(title ?? '')) context.lead = { node: found.heading };
  return { context, title, nodes: found && !context.lead ? found.rest : all, all, before };
}

/** The first heading of the page, if it is of level 1; it may be inside a `<div>`. */
function takeTitleHeading(nodes: Node[]): { heading: Node; rest: Node[] } | undefined {
  for (const [at, node] of nodes.entries()) {
    if (node.kind === 'heading' || (node.kind === 'element' && /^h[1-6]$/.test(node.name))) {
      const first = node.kind === 'heading' ? node.depth === 1 : node.name === 'h1';
      return first ? { heading: node, rest: nodes.toSpliced(at, 1) } : undefined;
    }
    const inside = node.kind === 'element' && node.name === 'div' ? takeTitleHeading(node.children) : undefined;
    if (inside && node.kind === 'element') {
      return { heading: inside.heading, rest: nodes.toSpliced(at, 1, { ...node, children: inside.rest }) };
    }
  }
  return undefined;
}

function headingTitleText(heading: Node, context: Context): string {
  const from =
    heading.kind === 'heading'
      ? parseRawInlines(heading.text, context, 0)
      : 'children' in heading
        ? (heading.children as Node[])
        : [];
  const { nodes } = splitAnchor(from);
  return inlinePlainText(convertToInlines(nodes, { ...context, resolve: () => undefined, seen: undefined }, 0))
    .replace(/\s+/g, ' ')
    .trim();
}
