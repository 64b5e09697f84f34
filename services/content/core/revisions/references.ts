import { posix } from 'node:path';
import type { ContentRef } from '../../format/resources.js';
import { composeLetters, findKnownPath } from '../../format/space/path-names.js';
import { fileNameOf, folderOf, isReadmeFile, percentDecode } from '../../format/space/paths.js';
import type { PageNode } from './model.js';
import type { PageEntry, RevisionView } from './revision-view.js';

const scheme = /^[a-z][a-z0-9+.-]*:|^\/\//i;

/** Whether a URL names a scheme or a host, and so no file of the repository. */
export const isAbsoluteUrl = (url: string): boolean => scheme.test(url);

/** The path in the repository that a link of a file leads to; undefined for a link out of the tree. */
export function resolveRepositoryPath(fromFile: string, link: string): string | undefined {
  const path = link.startsWith('/') ? link.slice(1) : posix.join(posix.dirname(fromFile), link);
  const normal = posix.normalize(percentDecode(path)).replace(/^\.\//, '');
  return normal.startsWith('..') ? undefined : normal;
}

const index = /^(?:readme|index)\.(?:md|markdown)$/i;

/** The lower, the more likely the page of its folder. */
const folderPageRank = (file: string): number => (fileNameOf(file) === 'README.md' ? 0 : isReadmeFile(file) ? 1 : 2);

const trimEndSlashes = (path: string): string => path.replace(/\/+$/, '').replace(/^\.$/, '');

/** Finds the file that a link to a path means: the file itself, the page of that folder, or the file without its ending. */
export function openPageFileFinder(files: ReadonlyMap<string, unknown>): (path: string) => string | undefined {
  const pageOf = new Map<string, string>();
  for (const file of files.keys()) {
    const known = index.test(fileNameOf(file)) ? pageOf.get(folderOf(file)) : file;
    if (known === undefined || folderPageRank(file) < folderPageRank(known)) pageOf.set(folderOf(file), file);
  }
  return (path) => {
    const plain = trimEndSlashes(path);
    const inFolder = pageOf.get(findKnownPath(pageOf, plain) ?? plain);
    const found =
      inFolder !== undefined && isReadmeFile(inFolder) ? [inFolder, `${plain}.md`] : [`${plain}.md`, inFolder];
    return firstPathAmong(files, [plain, ...found]);
  };
}

/** The first of some paths that is among the files, as it is there. */
function firstPathAmong(
  files: ReadonlyMap<string, unknown>,
  paths: readonly (string | undefined)[],
): string | undefined {
  for (const path of paths) {
    const known = path === undefined ? undefined : findKnownPath(files, path);
    if (known !== undefined) return known;
  }
  return undefined;
}

/** Whether a link to a path may mean this file. */
export function mayPathMeanFile(path: string, file: string): boolean {
  const [plain, known] = [composeLetters(trimEndSlashes(path)), composeLetters(file)];
  return (
    [composeLetters(path), plain, `${plain}.md`].includes(known) ||
    (index.test(fileNameOf(known)) && folderOf(known) === plain)
  );
}

const finders = new WeakMap<RevisionView['pageByFile'], (path: string) => string | undefined>();

/** The page that a link to a path of the repository means. */
export function pageAtRepositoryPath({ pageByFile }: RevisionView, path: string): PageEntry | undefined {
  const find = finders.get(pageByFile) ?? openPageFileFinder(pageByFile);
  finders.set(pageByFile, find);
  return pageByFile.get(find(path) ?? '');
}

const maxFoldersAbove = 50;

/** The files that an include may mean, most likely first: seen from its own file, from the top, and from the folders between. */
export function includeCandidates(fromFile: string, link: string): string[] {
  const own = resolveRepositoryPath(fromFile, link);
  const found = own === undefined ? [] : [own];
  if (/^\.{1,2}\//.test(link)) return found;
  const path = posix.normalize(percentDecode(link.replace(/^\/+/, '')));
  const folders = fromFile.split('/').slice(0, -1).slice(0, maxFoldersAbove);
  for (let depth = 0; depth <= folders.length; depth++) found.push([...folders.slice(0, depth), path].join('/'));
  return found;
}

type Aliased = Pick<PageEntry, 'aliases'>;

const lookups = new WeakMap<NonNullable<Aliased['aliases']>, ReadonlyMap<string, string>>();

/** The anchor that an alias names. */
export function anchorByAlias(aliases: NonNullable<Aliased['aliases']>, alias: string): string | undefined {
  const lookup = lookups.get(aliases) ?? new Map(aliases);
  lookups.set(aliases, lookup);
  return lookup.get(alias);
}

/** The anchor that a link means, by its own name or by an alias of it. */
function resolveAnchor({ aliases }: Aliased, anchor: string): string {
  const name = percentDecode(anchor);
  return (aliases && anchorByAlias(aliases, name)) ?? name;
}

export type Computed = NonNullable<PageNode['computed']>;

/** The pages of a specification of OpenAPI. */
const openApi = 'builtin:openapi';

type Dependencies = Record<string, { ref?: Record<string, unknown>; value?: unknown } | undefined>;

export const computedDependencies = ({ dependencies }: Computed): Dependencies => (dependencies ?? {}) as Dependencies;

/** The slug of the specification whose pages stand in place of a computed page; undefined for any other page. */
export function specReplacingPage({ type, computed }: Pick<PageEntry, 'type' | 'computed'>): string | undefined {
  if (type !== 'computed' || computed?.type !== openApi) return undefined;
  const { kind, spec } = computedDependencies(computed).spec?.ref ?? {};
  return kind === 'openapi' && typeof spec === 'string' ? spec : undefined;
}

/** The definition of a computed page as its author wrote it, without the state of its dependencies when it was made. */
export function computedAsWritten(computed: Computed): Computed {
  const written = Object.entries(computedDependencies(computed)).map(([name, dependency]) => [
    name,
    { ref: dependency?.ref },
  ]);
  return { ...computed, ...(written.length > 0 ? { dependencies: Object.fromEntries(written) } : {}) };
}

/** The slugs of the OpenAPI specifications that the pages of a computed page are made from. */
export const specsOfComputed = ({ computed }: Pick<PageEntry, 'computed'>): string[] =>
  Object.values(computed ? computedDependencies(computed) : {}).flatMap((dependency) => {
    const { kind, spec } = dependency?.ref ?? {};
    return kind === 'openapi' && typeof spec === 'string' ? [spec] : [];
  });

/** An id that no page, file or reusable content has: clients do not find it and show the reference as broken. */
const nowhere = 'broken';

/** Resolves a URL in a page within its revision; undefined for an absolute URL, which stays as written. */
export function resolveRef(
  view: RevisionView,
  page: Pick<PageEntry, 'git' | 'aliases'>,
  url: string,
  kind: string,
): ContentRef | undefined {
  if (url === '' || isAbsoluteUrl(url)) return undefined;
  const [link = '', anchor] = url.split('#', 2);
  if (link === '') return anchor ? { kind: 'anchor', anchor: resolveAnchor(page, anchor) } : undefined;
  const file = page.git?.path ?? '';
  const [written = ''] = link.split('?', 1);
  const path = resolveRepositoryPath(file, written);
  const ref =
    (kind === 'include' ? resolveInclude(view, file, written) : undefined) ??
    (path === undefined ? undefined : resolveRefByPath(view, path, anchor));
  return (
    ref ??
    resolveRefById(view, link, anchor) ??
    (isEmbedded(kind) ? undefined : resolveOuterRef(view, link, anchor)) ??
    newBrokenRef(kind)
  );
}

const idLink = /^\/(pages|files)\/([a-zA-Z0-9]{1,40})\/?(?:\?|$)/;

/** Resolves `/pages/<id>` or `/files/<id>`, as written by pages that are not files of a repository. */
function resolveRefById(view: RevisionView, link: string, anchor: string | undefined): ContentRef | undefined {
  const [, kind, id = ''] = idLink.exec(link) ?? [];
  if (kind === 'files') return view.fileById.has(id) ? { kind: 'file', file: id } : undefined;
  const page = kind === 'pages' ? view.pageById.get(id) : undefined;
  return page && newPageRef(page, anchor);
}

const spaceLink = /^\/spaces\/([a-zA-Z0-9]{1,40})(?:\/pages\/([a-zA-Z0-9]{1,40}))?\/?(?:\?|$)/;
const otherLink = /^\/(collections|users)\/([a-zA-Z0-9]{1,40})\/?(?:\?|$)/;

/**
 * Resolves a link outside the space by its id: `/spaces/<id>`, `/spaces/<id>/pages/<id>`, `/collections/<id>` or `/users/<id>`. Whether
 * the target exists is not known here, except for a page of the space itself.
 */
function resolveOuterRef(view: RevisionView, link: string, anchor: string | undefined): ContentRef | undefined {
  const [, named, id] = otherLink.exec(link) ?? [];
  if (named === 'collections') return { kind: 'collection', collection: id };
  if (named === 'users') return { kind: 'user', user: id };
  const [, space, page] = spaceLink.exec(link) ?? [];
  if (space === undefined) return undefined;
  if (page === undefined) return { kind: 'space', space };
  if (space === view.revision.space) return resolveRefById(view, `/pages/${page}`, anchor);
  return anchor ? { kind: 'anchor', anchor, page, space } : { kind: 'page', page, space };
}

/** Whether a link of this kind shows what it leads to in the page itself. */
const isEmbedded = (kind: string): boolean => kind === 'image' || kind === 'file' || kind === 'include';

const newPageRef = (page: PageEntry, anchor: string | undefined): ContentRef =>
  anchor ? { kind: 'anchor', anchor: resolveAnchor(page, anchor), page: page.id } : { kind: 'page', page: page.id };

/** Resolves a link of the navigation that is not a page of the space; one that leads nowhere becomes a broken reference. */
export function resolveLinkPage(view: RevisionView, href: string): ContentRef {
  if (isAbsoluteUrl(href)) return { kind: 'url', url: href };
  const [path = '', anchor] = href.split('#', 2);
  const ref = resolveRefByPath(view, path.replace(/^\/+/, ''), anchor) ?? resolveOuterRef(view, path, anchor);
  return ref ?? newBrokenRef('link');
}

function resolveInclude({ reusableByPath }: RevisionView, fromFile: string, link: string): ContentRef | undefined {
  const path = firstPathAmong(reusableByPath, includeCandidates(fromFile, link));
  const reusable = reusableByPath.get(path ?? '');
  return reusable && { kind: 'reusable-content', reusableContent: reusable.id };
}

function resolveRefByPath(view: RevisionView, path: string, anchor: string | undefined): ContentRef | undefined {
  const file = view.fileByPath.get(findKnownPath(view.fileByPath, path) ?? path);
  if (file) return { kind: 'file', file: file.id };
  const page = pageAtRepositoryPath(view, path);
  return page ? newPageRef(page, anchor) : resolveOutside(view, path, anchor);
}

/** The address of a file or folder of the repository outside the space; undefined when the repository has no web address. */
function resolveOutside(view: RevisionView, path: string, anchor: string | undefined): ContentRef | undefined {
  const { treeURL } = view.revision;
  const plain = findKnownPath(view.outside, path.replace(/\/+$/, ''));
  if (!treeURL || plain === undefined) return undefined;
  const place = plain.split('/').map(encodeURIComponent).join('/');
  return { kind: 'url', url: `${treeURL.replace(/\/+$/, '')}/${place}${anchor ? `#${anchor}` : ''}` };
}

function newBrokenRef(kind: string): ContentRef {
  if (kind === 'image' || kind === 'file') return { kind: 'file', file: nowhere };
  if (kind === 'include') return { kind: 'reusable-content', reusableContent: nowhere };
  return { kind: 'page', page: nowhere };
}
