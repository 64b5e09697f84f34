import type { Node } from '../markdown/nesting.js';
import type { Markdown } from '../markdown/syntax.js';
import { type Anchors, giveAnchor, newAnchors } from './anchors.js';
import { contentHash, textHash } from './block-keys.js';
import type { BlockNode, ContentRef, Data, DocumentNode, Fragment, LinkKind, Resolve } from './document-model.js';

/** What is carried along while one page becomes a document. */
export interface Context {
  page: Markdown;
  resolve: Resolve;
  anchors: Anchors;
  /** What is given its anchor after all other headings: the page's first heading, tabs and expandables. */
  unanchored: { made: BlockNode; title: string; explicit?: string | undefined }[];
  /** The level-1 heading that a page begins with, where it is part of the body. */
  lead: { node: Node; made?: BlockNode } | undefined;
  /** What tags are called. */
  tags: ReadonlyMap<string, string>;
  /** How many blocks of each hash there are so far; undefined where nobody reads keys. */
  seen: Map<string, number> | undefined;
  footnotes: {
    /** Those being read now, which must not contain themselves. */
    open: Set<string>;
    used: Set<string>;
    /** Characters that may still be repeated: each mention brings its body. */
    budget: number;
  };
}

const REPEATED_FOOTNOTES = 1_000_000;

export function newContext(
  page: Markdown,
  resolve: Resolve,
  { keyed, tags = new Map() }: { keyed: boolean; tags?: ReadonlyMap<string, string> | undefined },
): Context {
  const footnotes = { open: new Set<string>(), used: new Set<string>(), budget: REPEATED_FOOTNOTES };
  return {
    page,
    resolve,
    anchors: newAnchors(),
    unanchored: [],
    lead: undefined,
    tags,
    seen: keyed ? new Map() : undefined,
    footnotes,
  };
}

interface Parts {
  nodes?: DocumentNode[];
  fragments?: Fragment[];
  meta?: { id: string };
  /** What tells blocks without text apart, such as the URL of an image. */
  identity?: string;
}

/** A block with its key; void when it has no nodes. */
export function block(context: Context, type: string, data: Data, parts: Parts = {}): BlockNode {
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

const ACTIVE_SCHEME = /^(?:javascript|vbscript|data):/i;

/** The reference for a URL of the source. Addresses that would run code in the reader's browser come out empty. */
export function refOf(context: Context, url: string, kind: LinkKind): ContentRef {
  let scheme = '';
  for (let at = 0; at < url.length && scheme.length < 12; at++) if (url.charCodeAt(at) > 32) scheme += url[at];
  if (ACTIVE_SCHEME.test(scheme) && !(kind === 'image' && /^\s*data:image\//i.test(url)))
    return { kind: 'url', url: '' };
  return context.resolve(url, kind) ?? { kind: 'url', url };
}

/** Leaves the anchor of a block for the end: the headings below the title have the first choice. */
export function anchorLater(context: Context, made: BlockNode, title: string, explicit?: string): BlockNode {
  made.meta = { id: '' };
  context.unanchored.push({ made, title, explicit });
  return made;
}

export function anchorRest({ anchors, unanchored }: Context): void {
  for (const { made, title, explicit } of unanchored) made.meta = { id: giveAnchor(anchors, title, explicit) };
}
