import type { BlobLinks } from '../../../../shared/blobs/links.js';
import { objectJson } from '../../../../shared/contract/encoded.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { FileEntry, GitBlob, ReusableEntry, TagName } from '../../core/revisions/model.js';
import { computedAsWritten, isAbsoluteUrl, resolveLinkPage, resolveRef } from '../../core/revisions/references.js';
import {
  type FileResource,
  type Page,
  type ReusableContent,
  type RevisionTag,
  tagColors,
} from '../../core/revisions/resources.js';
import { isGenerated, type PageEntry, type RevisionView, replaceComputed } from '../../core/revisions/revision-view.js';
import type { PageTag } from '../../format/document/stored-page.js';
import type { ContentRef } from '../../format/resources.js';
import { completeLayout } from '../../format/space/front-matter/front-matter.js';
import { appAddresses } from './other-spaces/app-addresses.js';
import type { Revision } from './resources.js';

/** The dependencies of presenting content. */
export interface Presentation {
  baseUrl: string;
  links: BlobLinks;
}

export interface ContentOptions {
  /** Shows the `git` metadata. */
  metadata: boolean;
  /** Shows the variables that expressions read. */
  variables: boolean;
  /** Shows the pages that were made from computed pages in their place. */
  computed: boolean;
}

/** Content as the answers to its writers show it. */
export const wholeContent: ContentOptions = { metadata: true, variables: true, computed: true };

/** The address of a page in the app. */
export const pageUrl = (baseUrl: string, space: string, path: string) => `${appAddresses(baseUrl)}${space}/${path}`;

const gitOf = (git: GitBlob | undefined, { metadata }: ContentOptions) => (git && metadata ? { git } : {});

const kinds = { document: 'sheet', group: 'group', link: 'link', computed: undefined } as const;

function presentOwn({ baseUrl }: Presentation, view: RevisionView, page: PageEntry, options: ContentOptions): Page {
  const { id, title, type, slug, path, emoji, icon, createdAt, updatedAt } = page;
  const kind = kinds[type];
  return {
    id,
    title,
    type,
    ...(kind ? { kind } : {}),
    ...(emoji ? { emoji } : {}),
    ...(icon ? { icon } : {}),
    ...(createdAt ? { createdAt } : {}),
    ...(updatedAt ? { updatedAt } : {}),
    ...(type === 'document' ? { urls: { app: pageUrl(baseUrl, view.revision.space, path) } } : {}),
    ...(type === 'document' || type === 'group' ? { slug, path } : {}),
    ...gitOf(page.git, options),
  };
}

function presentBodyFields(view: RevisionView, page: PageEntry, options: ContentOptions) {
  const { type, description, document, layout, variables, tags = [] } = page;
  return omitUndefined({
    hidden: type === 'computed' ? undefined : (page.hidden ?? false),
    ...(type === 'document' || type === 'group'
      ? { noIndex: page.noIndex ?? false, noRobotsIndex: page.noRobotsIndex ?? false }
      : {}),
    description: description || undefined,
    documentId: document || undefined,
    ...(type === 'document' ? { layout: completeLayout(layout), tags: tags.map(presentPageTag) } : {}),
    ...presentCover(view, page),
    ...(page.metaLinks ? { metaLinks: presentMetaLinks(view, page) } : {}),
    ...(variables && options.variables ? { variables } : {}),
    ...presentTarget(view, page),
    ...presentComputed(page, options),
  });
}

const presentPageTag = ({ tag, primary }: PageTag) => ({ tag: { kind: 'tag' as const, tag }, primary });

/** The definition that a page was made from; without `options.computed`, as its author wrote it. */
function presentComputed(page: PageEntry, options: ContentOptions): Pick<Page, 'computed' | 'computedSeed'> {
  const { computed, document } = page;
  if (!computed) return {};
  const shown = options.computed ? computed : computedAsWritten(computed);
  return {
    computed: shown as NonNullable<Page['computed']>,
    ...(isGenerated(page) ? { computedSeed: document ?? page.id } : {}),
  };
}

/** The cover of a page; an image that does not exist is left out. */
export function presentCover(view: RevisionView, page: PageEntry): Pick<Page, 'cover'> {
  const { cover } = page;
  const refTo = (url: string | undefined) => {
    const ref = url && (resolveRef(view, page, url, 'image') ?? { kind: 'url', url });
    return ref && (ref.kind === 'url' || view.fileById.has(String(ref.file))) ? ref : undefined;
  };
  const [ref, refDark] = [refTo(cover?.url), refTo(cover?.urlDark)];
  if (!cover || !ref) return {};
  return { cover: { ref, ...(refDark ? { refDark } : {}), yPos: cover.yPos } };
}

/** The links of a page for search engines; those that lead to no page are left out. */
export function presentMetaLinks(view: RevisionView, page: PageEntry): NonNullable<Page['metaLinks']> {
  const { canonical, alternates = [] } = page.metaLinks ?? {};
  const original = canonical === undefined ? undefined : metaLinkTarget(view, page, canonical);
  return {
    ...(original ? { canonical: original } : {}),
    alternates: alternates.flatMap((url) => metaLinkTarget(view, page, url) ?? []),
  };
}

function metaLinkTarget(view: RevisionView, page: PageEntry, url: string): ContentRef | undefined {
  if (isAbsoluteUrl(url)) return /^https?:/i.test(url) && URL.canParse(url) ? { kind: 'url', url } : undefined;
  const ref = resolveRef(view, page, url.split('#', 1)[0] ?? '', 'link');
  if (ref?.kind === 'page' && ref.space === undefined) return view.pageById.has(String(ref.page)) ? ref : undefined;
  return ref?.kind === 'page' || ref?.kind === 'url' ? ref : undefined;
}

/** The target of a link page. A target stored as a URL may be a path of the repository. */
export function presentTarget(view: RevisionView, { target }: PageEntry): Pick<Page, 'target' | 'href'> {
  if (!target) return {};
  const shown = target.kind === 'url' ? resolveLinkPage(view, String(target.url)) : target;
  return { target: shown, ...(shown.kind === 'url' ? { href: String(shown.url) } : {}) };
}

/** A page without its child pages. */
const presentAlone = (
  presentation: Presentation,
  view: RevisionView,
  page: PageEntry,
  options: ContentOptions,
): Page => ({
  ...presentOwn(presentation, view, page, options),
  ...presentBodyFields(view, page, options),
});

const hasChildren = ({ type }: PageEntry) => type === 'document' || type === 'group';

/** The pages that stand at a place. */
const pagesAt = (pages: readonly PageEntry[], { computed }: ContentOptions): readonly PageEntry[] =>
  computed ? replaceComputed(pages) : pages;

export function presentPage(
  presentation: Presentation,
  view: RevisionView,
  page: PageEntry,
  options: ContentOptions,
): Page {
  const children = pagesAt(page.pages, options).map((child) => presentPage(presentation, view, child, options));
  return { ...presentAlone(presentation, view, page, options), ...(hasChildren(page) ? { pages: children } : {}) };
}

/** A page with everything below it; each page is presented when its piece is asked for. */
function* pageJson(
  presentation: Presentation,
  view: RevisionView,
  page: PageEntry,
  options: ContentOptions,
): Generator<string> {
  const children = pagesAt(page.pages, options).map((child) => pageJson(presentation, view, child, options));
  yield* objectJson(presentAlone(presentation, view, page, options), hasChildren(page) ? { pages: children } : {});
}

/** The page tree of a revision, as JSON in pieces. */
export const pagesJson = (presentation: Presentation, view: RevisionView, options: ContentOptions): Iterable<string> =>
  objectJson({}, { pages: pagesAt(view.pages, options).map((page) => pageJson(presentation, view, page, options)) });

export const downloadURL = ({ baseUrl, links }: Presentation, { blob, name }: FileEntry) =>
  baseUrl + links.signedPathOf({ id: blob, name });

export function presentFile(presentation: Presentation, file: FileEntry, options: ContentOptions): FileResource {
  const { id, name, contentType, size, dimensions } = file;
  return {
    id,
    name,
    contentType,
    downloadURL: downloadURL(presentation, file),
    size,
    ...(dimensions ? { dimensions } : {}),
    ...gitOf(file.git, options),
  };
}

export const presentReusable = (
  { id, title, document, git }: ReusableEntry,
  options: ContentOptions,
): ReusableContent => ({ id, title, document, ...gitOf(git, options) });

const presentTag = ({ tag: slug, label, icon, color }: TagName): RevisionTag => ({
  slug,
  label,
  color: tagColors.find((known) => known === color) ?? 'default',
  ...(icon ? { icon } : {}),
});

/** The change request that a revision is the merge of, where it is shown. */
export type MergedFrom = Pick<Revision, 'mergedFrom'>;

/** A revision without its pages, files and reusable content. */
export function presentRevisionAlone(
  { baseUrl }: Presentation,
  { revision }: RevisionView,
  options: ContentOptions & MergedFrom,
) {
  const { _id: id, parents, type, tags = [], variables, createdAt, git, space } = revision;
  const alone: Omit<Revision, 'pages' | 'files' | 'reusableContents'> = {
    object: 'revision',
    id,
    parents,
    type,
    ...(options.mergedFrom ? { mergedFrom: options.mergedFrom } : {}),
    tags: tags.map(presentTag),
    ...(variables && options.variables ? { variables } : {}),
    createdAt,
    ...(git && options.metadata ? { git: { ...git, createdByGitBook: git.createdByService } } : {}),
    urls: { app: `${baseUrl}/app/s/${space}/~/revisions/${id}` },
  };
  return alone;
}

/** A revision with all its pages, files and reusable content, as JSON in pieces. */
export function revisionJson(
  presentation: Presentation,
  view: RevisionView,
  options: ContentOptions & MergedFrom,
): Iterable<string> {
  const { pages, files, reusable } = view;
  return objectJson(presentRevisionAlone(presentation, view, options), {
    pages: pagesAt(pages, options).map((page) => pageJson(presentation, view, page, options)),
    files: eachJson(files, (file) => presentFile(presentation, file, options)),
    reusableContents: eachJson(reusable, (entry) => presentReusable(entry, options)),
  });
}

/** The items as JSON; each is presented when its piece is asked for. */
export function* eachJson<T>(items: readonly T[], present: (item: T) => object): Generator<string[]> {
  for (const item of items) yield [JSON.stringify(present(item))];
}
