import type { Node } from '../../markdown/nesting.js';
import type { Markdown } from '../../markdown/syntax.js';
import {
  type BlockNode,
  type Data,
  type DocumentNode,
  type DocumentRef,
  type Fragment,
  type LinkKind,
  type Resolve,
  textNode,
} from '../document-model.js';
import { type Anchors, assignAnchor, newAnchors } from './anchors.js';
import { contentHash, textHash } from './block-keys.js';

type ConvertNodes = (nodes: Node[], context: Context, depth: number) => BlockNode[];

/** The state of converting one page to a document. */
export interface Context {
  page: Markdown;
  resolve: Resolve;
  /** Converts the nodes in a block: it is passed here because the converters of blocks need each other. */
  convertNodes: ConvertNodes;
  anchors: Anchors;
  /** Blocks that get their anchor after all other headings: the page's first heading, tabs and expandables. */
  unanchored: { made: BlockNode; title: string; explicit?: string | undefined }[];
  /** The level-1 heading that the page starts with, if it belongs to the body. */
  lead: { node: Node; made?: BlockNode } | undefined;
  /** The labels of tags. */
  tags: ReadonlyMap<string, string>;
  /** Whether updates and prompts become blocks of their own, which known clients of the API have not. */
  allBlocks: boolean;
  /** The number of blocks of each hash so far; undefined when keys are not needed. */
  seen: Map<string, number> | undefined;
  footnotes: {
    /** The footnotes being converted, which must not contain themselves. */
    open: Set<string>;
    used: Set<string>;
    /** Characters left for repeated bodies: each mention includes the body of its footnote. */
    budget: number;
  };
}

const REPEATED_FOOTNOTES = 1_000_000;

interface ContextOptions {
  keyed: boolean;
  tags?: ReadonlyMap<string, string> | undefined;
  allBlocks?: boolean | undefined;
}

export function newContext(
  page: Markdown,
  resolve: Resolve,
  convertNodes: ConvertNodes,
  { keyed, tags = new Map(), allBlocks = false }: ContextOptions,
): Context {
  const footnotes = { open: new Set<string>(), used: new Set<string>(), budget: REPEATED_FOOTNOTES };
  return {
    page,
    resolve,
    convertNodes,
    anchors: newAnchors(),
    unanchored: [],
    lead: undefined,
    tags,
    allBlocks,
    seen: keyed ? new Map() : undefined,
    footnotes,
  };
}

interface Parts {
  nodes?: DocumentNode[];
  fragments?: Fragment[];
  meta?: { id: string };
  /** Distinguishes blocks without text, for example by the URL of an image. */
  identity?: string;
}

/** A block with its key; it is void when it has no nodes. */
export function newBlock(context: Pick<Context, 'seen'>, type: string, data: Data, parts: Parts = {}): BlockNode {
  const made: BlockNode = { object: 'block', type, key: '', isVoid: parts.nodes === undefined, data };
  if (parts.nodes) made.nodes = parts.nodes;
  if (parts.fragments) made.fragments = parts.fragments;
  if (parts.meta) made.meta = parts.meta;
  if (context.seen) {
    const hash = textHash(`${type}\n${parts.identity ?? ''}\n${contentHash(made)}`);
    const ordinal = context.seen.get(hash) ?? 0;
    context.seen.set(hash, ordinal + 1);
    made.key = ordinal === 0 ? hash : `${hash}-${ordinal}`;
  }
  return made;
}

/** The blocks of mixed nodes; inlines between blocks become paragraphs. `depth` is the level of the nodes. */
export const blocksOf: ConvertNodes = (nodes, context, depth) => context.convertNodes(nodes, context, depth);

/** The blocks of mixed nodes, or one empty paragraph when there are none. */
export function blocksOrParagraph(nodes: Node[], context: Context, depth: number): BlockNode[] {
  const out = blocksOf(nodes, context, depth);
  return out.length > 0 ? out : [paragraph(context, [textNode('')])];
}

export function paragraph(context: Context, nodes: DocumentNode[], data: Data = {}): BlockNode {
  return newBlock(context, 'paragraph', data, { nodes });
}

const ACTIVE_SCHEME = /^(?:javascript|vbscript|data):/i;

/** The reference for a URL of the source. A URL that would run code in the reader's browser becomes an empty one. */
export function refOfUrl(context: Context, url: string, kind: LinkKind): DocumentRef {
  let scheme = '';
  for (let at = 0; at < url.length && scheme.length < 12; at++) if (url.charCodeAt(at) > 32) scheme += url[at];
  if (ACTIVE_SCHEME.test(scheme) && !(kind === 'image' && /^\s*data:image\//i.test(url)))
    return { kind: 'url', url: '' };
  const { given, inHeading } = context.anchors;
  return context.resolve(url, kind, given.length + (inHeading ? 1 : 0)) ?? { kind: 'url', url };
}

/** Defers the anchor of a block, so that the headings below the title get theirs first. */
export function deferAnchor(context: Context, made: BlockNode, title: string, explicit?: string): BlockNode {
  made.meta = { id: '' };
  context.unanchored.push({ made, title, explicit });
  return made;
}

export function assignDeferredAnchors({ anchors, unanchored }: Context): void {
  for (const { made, title, explicit } of unanchored) made.meta = { id: assignAnchor(anchors, title, explicit) };
}
