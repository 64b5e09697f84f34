import type { ContentCaller } from '../../../../shared/contract/caller.js';
import { Encoded } from '../../../../shared/contract/encoded.js';
import { question } from '../../../../shared/contract/verb.js';
import type { ContentRef } from '../../format/resources.js';
import type { completeLayout } from '../../format/space/front-matter/front-matter.js';

/** A page as a link to it shows it. */
export interface PageLink {
  id: string;
  title: string;
  /** Within the space; empty for its first page. */
  path: string;
  /** A character. */
  emoji?: string;
  /** The name of an icon. */
  icon?: string;
}

/** An image of a page: the signed path of a file, or the URL of another host. */
export interface ShownImage {
  src: string;
  isFile: boolean;
}

/** Everything about a page but its body. */
export interface PageDetails extends PageLink {
  description?: string;
  cover?: { image: ShownImage; dark?: ShownImage; yPos: number };
  layout: ReturnType<typeof completeLayout>;
  noIndex: boolean;
  noRobotsIndex: boolean;
  tags: { slug: string; label: string; icon?: string }[];
  createdAt?: string;
  updatedAt?: string;
  /** Where its source is edited: its file on a Git host. */
  edit?: { url: string; host: string };
  /** Groups and pages above it, from the top; a group leads to its first page. */
  ancestors: PageLink[];
  previous?: PageLink;
  next?: PageLink;
  metaLinks: { canonical?: OutsideTarget; alternates: OutsideTarget[] };
}

/** Where a reference out of the space leads: to a URL, or to a place that the reader knows the address of. */
export type OutsideTarget =
  | { kind: 'url'; url: string; title?: string }
  /** Empty path: the space itself. */
  | { kind: 'page'; space: string; path: string; anchor?: string; title: string };

/** The HTML of a page, with marks: see `format/html/marks.ts`. */
export interface ShownBody {
  html: string;
  outline: { id: string; title: string; level: number }[];
  /** By the position that marks name; null for what leads nowhere. */
  outside: (OutsideTarget | null)[];
  /** Origins of frames in it. */
  frames: string[];
  updates: { id: string; date: string; title: string; tags: string[]; html: string }[];
}

/** The place that a visitor reads: the space that it opened, as its caller names it. */
interface Visited {
  visitor: ContentCaller;
}

export interface ShowPage extends Visited {
  /** Within the space; the empty path is the first page. */
  path: string;
  /** The key of the page that the reader has. */
  known?: string | undefined;
  /** Blocks of the body carry their keys, and marks at their ends; not with `known`. */
  namesBlocks?: boolean;
}

/** `page` and `body` are absent where `known` is the key. */
export interface ShownPage {
  /** The same for the same page as the same kinds of visitors see it. */
  key: string;
  /** The key of the navigation (`showTree`). */
  tree: string;
  page?: PageDetails;
  body?: ShownBody;
}

const lineEnd = Buffer.from('\n');

/** Something to be sent with the HTML of a body: that follows the rest as it is, since a long one takes a while to be written as JSON, and to be read. */
export function encodeShownPage<S extends { body?: ShownBody }>(shown: S | null): Encoded<S | null> {
  if (!shown?.body) return Encoded.of(shown);
  const { html, ...body } = shown.body;
  const rest = Buffer.from(JSON.stringify({ ...shown, body }));
  return new Encoded(Buffer.concat([rest, lineEnd, Buffer.from(html)]));
}

export function decodeShownPage<S extends { body?: ShownBody }>({ bytes }: Encoded<S | null>): S | null {
  const end = bytes.indexOf(lineEnd);
  const shown = JSON.parse((end < 0 ? bytes : bytes.subarray(0, end)).toString());
  if (end >= 0) shown.body.html = bytes.subarray(end + 1).toString();
  return shown;
}

/** For the reader: a page as a visitor sees it, with its body as HTML (`decodeShownPage`). Null where the path has no page. */
export const showPage = question<ShowPage, Encoded<ShownPage | null>>('content', 'showPage');

/** A text of a page that is not stored. */
export interface PreviewPage extends Visited {
  /** The id of the page that it is written for; absent for one that is not there yet. */
  page?: string | undefined;
  markdown: string;
}

/** A page as it will be shown when its text is saved. */
export interface PreviewedPage {
  title?: string;
  description?: string;
  /** A character. */
  emoji?: string;
  /** The name of an icon. */
  icon?: string;
  /** Why its front matter is not read, for its author. */
  problem?: string;
  body: ShownBody;
}

/**
 * For the editor: a text as a page of the space, or of the change request, that the visitor reads (`decodeShownPage`). The caller vouches that somebody who
 * may write the page asks. Throws 400 for more than 2,000,000 characters, 404 where the space has no such page, 422 for what takes too much to show.
 */
export const previewPage = question<PreviewPage, Encoded<PreviewedPage | null>>('content', 'previewPage');

/** An entry of the navigation. */
export interface TreeEntry extends PageLink {
  kind: 'document' | 'group' | 'link';
  description?: string;
  /** The target of a link; absent where it leads nowhere. */
  target?: OutsideTarget;
  /** Not for the search of the site, and for lists of it. */
  noIndex?: true;
  /** Not for search engines. */
  noRobotsIndex?: true;
  updatedAt?: string;
  pages: TreeEntry[];
}

export interface ShowTree extends Visited {
  /** A space of the visitor other than the one that it opened. */
  space?: string;
  known?: string | undefined;
  /** Hidden pages, and what is below them, are among the entries; not with `known`. */
  withHidden?: boolean;
}

/** The navigation of a space, by default without hidden pages. `pages` is absent where `known` is the key. */
export interface ShownTree {
  key: string;
  revision: string;
  pages?: TreeEntry[];
}

export const showTree = question<ShowTree, Encoded<ShownTree>>('content', 'showTree');

export interface ShownMarkdown {
  title: string;
  path: string;
  markdown: string;
}

/** For machines: a page as Markdown that can be read outside the space. Null where the path has no page. */
export const showMarkdown = question<ShowPage & { space?: string }, Encoded<ShownMarkdown | null>>(
  'content',
  'showMarkdown',
);

export interface ShowTargets extends Visited {
  refs: ContentRef[];
}

/** For the reader: where references of a site's customization lead; null for nowhere. */
export const showReferences = question<ShowTargets, (OutsideTarget | null)[]>('content', 'showReferences');

/** The component of an integration in a document, rendered for a visitor: its whole answer. Asks integrations; null where there is nothing to show. */
export const renderBlock = question<
  {
    organization: string;
    space: string;
    integration: string;
    component: string;
    props: Record<string, unknown>;
  },
  Record<string, unknown> | null
>('integrations', 'renderBlock');
