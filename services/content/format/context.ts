import GithubSlugger from 'github-slugger';
import { contentHash, textHash } from './block-keys.js';
import type { BlockNode, ContentRef, Data, DocumentNode, Fragment, LinkKind, Resolve } from './document-model.js';
import type { Markdown } from './syntax.js';

/** What is carried along while one page becomes a document. */
export interface Context {
  page: Markdown;
  resolve: Resolve;
  slugger: GithubSlugger;
  /** Tabs and expandables, whose anchors are given after those of all headings. */
  unanchored: { made: BlockNode; title: string }[];
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

export function newContext(page: Markdown, resolve: Resolve, keyed: boolean): Context {
  const footnotes = { open: new Set<string>(), used: new Set<string>(), budget: REPEATED_FOOTNOTES };
  return {
    page,
    resolve,
    slugger: new GithubSlugger(),
    unanchored: [],
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

const ANCHOR = /^[-a-z0-9.+_]+$/;
const MAX_SLUG = 200;

/** The anchor of a heading: the one written, else its text as a slug; numbered when it was used before. */
export function anchorOf(context: Context, title: string, explicit?: string): { id: string; custom: boolean } {
  if (explicit === undefined || explicit === '') {
    return { id: context.slugger.slug(title.trim().slice(0, MAX_SLUG) || 'section'), custom: false };
  }
  const { occurrences } = context.slugger;
  let id = explicit;
  while (Object.hasOwn(occurrences, id)) {
    occurrences[explicit] = (occurrences[explicit] ?? 0) + 1;
    id = `${explicit}-${occurrences[explicit]}`;
  }
  occurrences[id] = 0;
  return { id, custom: ANCHOR.test(id) };
}

/** Leaves the anchor of a block that is no heading for the end: headings have the first choice. */
export function anchorLater(context: Context, made: BlockNode, title: string): BlockNode {
  made.meta = { id: '' };
  context.unanchored.push({ made, title });
  return made;
}

export function anchorRest(context: Context): void {
  for (const { made, title } of context.unanchored) made.meta = { id: anchorOf(context, title).id };
}
