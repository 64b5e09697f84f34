import { eachInSlices } from '../../../../shared/work/slices.js';
import { redirectKey } from '../../format/space/paths.js';
import type { FileEntry, PageNode, RedirectEntry, ReusableEntry, RevisionDocument, TagName } from './model.js';

export interface PageEntry extends Omit<PageNode, 'children'> {
  pages: PageEntry[];
}

/** A whole revision in memory: immutable, so it is never stale. */
export interface RevisionView {
  revision: RevisionDocument;
  pages: PageEntry[];
  files: FileEntry[];
  reusable: ReusableEntry[];
  /** Files and folders of the repository that pages link to and that do not belong to the space. */
  outside: ReadonlySet<string>;
  pageById: ReadonlyMap<string, PageEntry>;
  /** The id of the page above, by the id of the page; the pages at the top are absent. */
  parentById: ReadonlyMap<string, string>;
  /** Documents and groups, by `pathKey`. */
  pageByPath: ReadonlyMap<string, PageEntry>;
  /** Whether pages share a path; the first of them is found by it. */
  clashes: boolean;
  /** Pages with a condition of their own. */
  conditional: PageEntry[];
  /** By the path of the file in the repository. */
  pageByFile: ReadonlyMap<string, PageEntry>;
  fileByPath: ReadonlyMap<string, FileEntry>;
  fileById: ReadonlyMap<string, FileEntry>;
  reusableByPath: ReadonlyMap<string, ReusableEntry>;
  /** By `redirectKey`. */
  redirects: ReadonlyMap<string, RedirectEntry>;
  /** About how many bytes of memory it takes. */
  bytes: number;
}

/** The content of a revision, whole. */
export interface RevisionContent {
  pages: PageEntry[];
  files: FileEntry[];
  reusable: ReusableEntry[];
  redirects?: RedirectEntry[];
  outside: string[];
}

/** A revision to be made: its content, and what goes into its document. */
export interface NewRevision extends RevisionContent {
  variables: Record<string, unknown>;
  tags: TagName[];
  repository?: RevisionDocument['repository'];
}

export function* eachPageOf(pages: PageEntry[]): Generator<PageEntry> {
  for (const page of pages) {
    yield page;
    yield* eachPageOf(page.pages);
  }
}

export const indexByGitPath = <T extends { git?: { path: string } }>(items: T[]) =>
  new Map(items.flatMap((item): [string, T][] => (item.git ? [[item.git.path, item]] : [])));

/** The paths of the repository files that the content is made of. */
export const repositoryPathsIn = ({ pages, files, reusable }: Omit<RevisionContent, 'outside'>): Set<string> =>
  new Set(indexByGitPath<{ git?: { path: string } }>([...eachPageOf(pages), ...files, ...reusable]).keys());

/** Bytes of the lookups of a page, and of anything else. */
export const lookupsOf = { page: 600, other: 200 };

/** The whole revision in memory, with its lookups. `bytes`: what its content takes without them. */
export async function buildView(
  revision: RevisionDocument,
  { pages, files, reusable, redirects = [], outside }: RevisionContent,
  bytes: number,
): Promise<RevisionView> {
  const pageById = new Map<string, PageEntry>();
  const pageByPath = new Map<string, PageEntry>();
  const pageByFile = new Map<string, PageEntry>();
  const parentById = new Map<string, string>();
  const conditional: PageEntry[] = [];
  let clashes = false;
  await eachInSlices(eachPageOf(pages), (page) => {
    if (!indexPage({ pageById, pageByPath }, page)) clashes = true;
    for (const { id } of page.pages) parentById.set(id, page.id);
    if (page.git) pageByFile.set(page.git.path, page);
    if (page.condition !== undefined) conditional.push(page);
  });
  const others = files.length + reusable.length + redirects.length + outside.length;
  return {
    revision,
    pages,
    files,
    reusable,
    outside: new Set(outside),
    pageById,
    parentById,
    pageByPath,
    clashes,
    conditional,
    pageByFile,
    ...(await buildFileLookups(files)),
    reusableByPath: indexByGitPath(reusable),
    redirects: indexRedirects(redirects),
    bytes: bytes + lookupsOf.page * pageById.size + lookupsOf.other * others,
  };
}

export async function buildFileLookups(files: FileEntry[]): Promise<Pick<RevisionView, 'fileById' | 'fileByPath'>> {
  const fileById = new Map<string, FileEntry>();
  const fileByPath = new Map<string, FileEntry>();
  await eachInSlices(files, (file) => {
    fileById.set(file.id, file);
    if (file.git) fileByPath.set(file.git.path, file);
  });
  return { fileById, fileByPath };
}

export const indexRedirects = (redirects: RedirectEntry[]): Map<string, RedirectEntry> =>
  new Map(redirects.map((redirect) => [redirectKey(redirect.from), redirect]));

/** Whether a page is found by its path. */
export const hasPath = ({ type }: PageEntry) => type === 'document' || type === 'group';

/** Returns false for a page whose path another page has already. */
export function indexPage(
  { pageById, pageByPath }: Record<'pageById' | 'pageByPath', Map<string, PageEntry>>,
  page: PageEntry,
): boolean {
  pageById.set(page.id, page);
  if (!hasPath(page)) return true;
  const key = pathKey(page.path);
  const isFirst = !pageByPath.has(key);
  if (isFirst) pageByPath.set(key, page);
  return isFirst;
}

/** The view with only these of its pages. Links resolve as before, also to pages that are left out. */
export async function viewWithPages(view: RevisionView, pages: PageEntry[]): Promise<RevisionView> {
  const lookups = { pageById: new Map<string, PageEntry>(), pageByPath: new Map<string, PageEntry>() };
  await eachInSlices(eachPageOf(pages), (page) => indexPage(lookups, page));
  // It keeps the whole view, even when that is no longer kept for itself.
  return { ...view, pages, ...lookups, bytes: view.bytes + lookupsOf.page * lookups.pageById.size };
}

/** Case, slashes at the ends and doubled slashes make no difference between paths. */
export const pathKey = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '')
    .join('/')
    .toLowerCase();

/** The first page that readers are shown: the first that is not hidden, or the first of all when all are hidden. */
export function firstShownPage(pages: PageEntry[]): PageEntry | undefined {
  let hidden: PageEntry | undefined;
  for (const page of eachPageOf(pages)) {
    if (page.type !== 'document') continue;
    if (!page.hidden) return page;
    hidden ??= page;
  }
  return hidden;
}

/** The document or group at a path; the empty path is the first page. */
export const pageAtPath = (view: RevisionView, path: string): PageEntry | undefined => {
  const key = pathKey(path);
  return view.pageByPath.get(key) ?? (key === '' ? firstShownPage(view.pages) : undefined);
};

/** The page that a redirect leads to from a path without a page; undefined also when the view lacks that page. */
export function findRedirect(view: RevisionView, path: string): { page: PageEntry; anchor?: string } | undefined {
  const found = view.redirects.get(redirectKey(path));
  const page = found && view.pageById.get(found.page);
  return page && { page, ...(found.anchor ? { anchor: found.anchor } : {}) };
}

/** Whether a page was made from what a computed page names, and so cannot be written. */
export const isGenerated = ({ type, computed }: Pick<PageEntry, 'type' | 'computed'>): boolean =>
  type === 'document' && computed !== undefined;

/** A computed page gives its place to the pages that were made from it; one that nothing was made from stays. */
export const replaceComputed = (pages: readonly PageEntry[]): readonly PageEntry[] =>
  pages.some(isReplaced) ? pages.flatMap((page) => (isReplaced(page) ? page.pages : [page])) : pages;

const isReplaced = ({ type, pages }: PageEntry) => type === 'computed' && pages.length > 0;

/** The path prefix of the pages below a page. Pages made from a computed page take its place, so its slug is left out. */
export function pathPrefixBelow({ type, path, slug }: Pick<PageEntry, 'type' | 'path' | 'slug'>): string {
  const own = type === 'computed' ? path.slice(0, Math.max(0, path.length - slug.length)).replace(/\/$/, '') : path;
  return own === '' ? '' : `${own}/`;
}
