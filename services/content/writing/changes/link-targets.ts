import { posix } from 'node:path';
import { groupBy } from '../../../../shared/values/group-by.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import type { FileEntry, PageDocument } from '../../core/revisions/model.js';
import { isAbsoluteUrl, resolveRef } from '../../core/revisions/references.js';
import { type PageEntry, pageAtPath, type RevisionView } from '../../core/revisions/revision-view.js';
import type { SourceLink } from '../../format/document/links/link-places.js';
import type { ContentRef } from '../../format/resources.js';
import { percentDecode } from '../../format/space/paths.js';
import { placeAtLink, placeAtUrl } from '../../reading/pages/other-spaces/app-addresses.js';
import { pathBetween } from '../../reading/pages/standalone-markdown.js';
import { findNamedPage, isSpace, type OtherSpaces, type SpaceTarget } from './other-spaces.js';

/** The content and the names in which links of a batch are resolved. */
export class BatchLinkScope {
  /** The content before the batch. */
  readonly before: RevisionView;
  /** The content with all changes of the batch, but for the sources that it writes. */
  readonly view: RevisionView;
  /** The ids of the pages and files that the batch names for itself. */
  readonly refs: ReadonlyMap<string, { page: string } | { file: string }>;
  readonly others: OtherSpaces;
  readonly baseUrl: string;
  /** How the addresses of files of this server begin. */
  private readonly ownFiles: string;
  private blobs: Map<string, FileEntry[]> | undefined;

  constructor({ before, view, refs, others, baseUrl }: LinkScopeParts) {
    this.before = before;
    this.view = view;
    this.refs = refs;
    this.others = others;
    this.baseUrl = baseUrl;
    this.ownFiles = fileAddresses(baseUrl);
  }

  /** A file of the space by its own address, as `format=markdown` gives it. */
  ownFile(url: string): FileEntry | undefined {
    if (!url.startsWith(this.ownFiles)) return undefined;
    const [blob = '', name = ''] = url.slice(this.ownFiles.length).split('?', 1)[0]?.split('/') ?? [];
    this.blobs ??= groupBy(this.view.files, ({ blob }) => blob);
    const same = this.blobs.get(blob) ?? [];
    return same.find((file) => file.name === percentDecode(name)) ?? same[0];
  }
}

type LinkScopeParts = Pick<BatchLinkScope, 'before' | 'view' | 'refs' | 'others' | 'baseUrl'>;

/** How the addresses of files of this server begin. */
export const fileAddresses = (baseUrl: string) => `${baseUrl}/~files/`;

/** The meaning of a link: a target by its id, nothing that exists, or (undefined) the link as it is written. */
export type LinkMeaning = PageTarget | SpaceTarget | { file: string } | 'nothing' | undefined;

export interface PageTarget {
  page: string;
  anchor: string | undefined;
  /** The link stays as it is written, unless its anchor has another name. */
  stays?: true;
}

/** A link of a page's new source. */
export interface NewLink extends Pick<SourceLink, 'url' | 'kind'> {
  page: PageEntry;
  /** Whether the page had it before. */
  known: boolean;
  /** The pages that links of the page had led to, by the paths that readers were shown. */
  shown: ReadonlyMap<string, string>;
  /** The targets of links to other spaces, by the links as they are written. */
  elsewhere: ReadonlyMap<string, SpaceTarget>;
}

/** Whether a link of this kind may lead to another space: what is shown in the page itself is a file, or has an address. */
export const mayLeadElsewhere = ({ kind }: Pick<SourceLink, 'kind'>): boolean =>
  kind === 'link' || kind === 'content-ref';

/**
 * Resolves a link. A link by the path of a file in the repository stays as written: such paths do not change when pages move.
 * So does one that the page had before, and one that readers were shown for it means the same. Every other link within the space is
 * to be written by the id of its target, and so is one to a page of another space that the writer may view.
 */
export function meaningOf(scope: BatchLinkScope, link: NewLink): LinkMeaning {
  const { page, url, kind, known, shown } = link;
  if (url === '' || url.startsWith('#') || kind === 'include') return undefined;
  if (isAbsoluteUrl(url)) return atUrl(scope, link);
  const [address = '', anchor] = url.split('#', 2);
  const path = withinOwnSpace(scope, percentDecode(address.split('?', 1)[0] as string));
  const target = meaningOfName(scope, path, anchor);
  if (target) return target;
  const same = known ? undefined : shown.get(path);
  if (same !== undefined && scope.view.pageById.has(same)) return { page: same, anchor };
  if (page.git && isFound(scope, link)) return known ? undefined : meaningOfAnchor(scope, link);
  const found = meaningOfPath(scope, link, { path, anchor });
  if (found || known || (!page.git && isFound(scope, link))) return found;
  return leadsElsewhere(scope, link) ? link.elsewhere.get(url) : 'nothing';
}

/** Resolves an absolute address: a file, a page or a space of this server. */
function atUrl(scope: BatchLinkScope, link: NewLink): LinkMeaning {
  const { url, known, elsewhere } = link;
  const file = scope.ownFile(url);
  if (file) return { file: file.id };
  if (known || !mayLeadElsewhere(link)) return undefined;
  const place = placeAtUrl(scope.baseUrl, url);
  if (place?.space !== scope.view.revision.space) return elsewhere.get(url);
  if (isSpace(place)) return { space: place.space };
  const found = findNamedPage(scope.view, place);
  return found && { page: found.page.id, anchor: found.anchor };
}

/** A link to a page of the space that names the space as well means the same without. */
function withinOwnSpace({ view }: BatchLinkScope, path: string): string {
  const own = `/spaces/${view.revision.space}`;
  return path.startsWith(`${own}/pages/`) ? path.slice(own.length) : path;
}

/** Whether a link names something outside the space by an id, or a page of another space by its path. */
function leadsElsewhere({ view }: BatchLinkScope, link: NewLink): boolean {
  const { page, url, kind } = link;
  const place = mayLeadElsewhere(link) ? placeAtLink(url) : undefined;
  return (place && place.space !== view.revision.space) || isOutside(resolveRef(view, page, url, kind));
}

const isOutside = (ref: ContentRef | undefined): boolean =>
  ref !== undefined && (ref.space !== undefined || ref.kind === 'user' || ref.kind === 'collection');

/** The pages that links of a page lead to, by the paths that `format=markdown` shows for them: such a text may be sent back. */
export async function shownPaths(
  view: RevisionView,
  id: string,
  links: PageDocument['links'],
): Promise<Map<string, string>> {
  const shown = new Map<string, string>();
  const page = view.pageById.get(id);
  if (!page) return shown;
  await eachInSlices(links, ({ url, kind }) => {
    const ref = resolveRef(view, page, url, kind);
    const target = isOutside(ref) ? undefined : view.pageById.get(String(ref?.page));
    if (target) shown.set(pathBetween(page, target), target.id);
  });
  return shown;
}

/** `./<ref>`, `/pages/<id>` and `/files/<id>`. */
function meaningOfName({ view, refs }: BatchLinkScope, path: string, anchor: string | undefined): LinkMeaning {
  const ref = path.startsWith('./') ? path.slice(2) : '';
  const target = refs.get(ref) ?? refs.get(ref.replace(/\.md$/, ''));
  if (target) return 'page' in target ? { ...target, anchor } : target;
  const [, kind, id = ''] = /^\/(pages|files)\/([^/]+)$/.exec(path) ?? [];
  if (kind === 'pages' && view.pageById.has(id)) return { page: id, anchor };
  return kind === 'files' && view.fileById.has(id) ? { file: id } : undefined;
}

/** The page or file at a path: below `/pages`, as seen from the file that the page has or would have, or from the page itself. */
function meaningOfPath(
  { view }: BatchLinkScope,
  { page, kind }: NewLink,
  { path, anchor }: { path: string; anchor: string | undefined },
): LinkMeaning {
  const mayBePage = kind !== 'image' && kind !== 'file';
  for (const candidate of candidates(page, path)) {
    const found = mayBePage ? pageAtPath(view, withoutFile(candidate)) : undefined;
    if (found) return { page: found.id, anchor };
    const file = view.fileByPath.get(candidate);
    if (file) return { file: file.id };
  }
  return undefined;
}

function* candidates(page: PageEntry, path: string): Generator<string> {
  if (path.startsWith('/')) return yield path.replace(/^\/(?:pages\/)?/, '');
  const file = page.pages.length > 0 ? `${page.path}/README.md` : `${page.path}.md`;
  for (const from of [file, page.path]) {
    const joined = posix.join(posix.dirname(from), path);
    if (!joined.startsWith('..')) yield joined === '.' ? '' : joined;
  }
}

/** The path of the page that a file has or would have. */
const withoutFile = (path: string) => path.replace(/(?:^|\/)readme\.md$/i, '').replace(/\.md$/i, '');

/** The anchor that a link by the path of a file names. */
function meaningOfAnchor({ view }: BatchLinkScope, { page, url, kind }: NewLink): LinkMeaning {
  const ref = resolveRef(view, page, url, kind);
  return ref?.kind === 'anchor' && ref.page
    ? { page: String(ref.page), anchor: String(ref.anchor), stays: true }
    : undefined;
}

/** Whether readers find the target of the link, as it is written, in the space or in its repository. */
function isFound({ view }: BatchLinkScope, { page, url, kind }: NewLink): boolean {
  const ref = resolveRef(view, page, url, kind);
  return ref !== undefined && !isOutside(ref) && !Object.values(ref).includes('broken');
}
