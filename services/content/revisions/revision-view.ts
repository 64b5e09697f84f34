import { redirectKey } from '../format/space/paths.js';
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
  /** Documents and groups, by `pathKey`. */
  pageByPath: ReadonlyMap<string, PageEntry>;
  /** Pages with a condition of their own. */
  conditional: PageEntry[];
  /** By the path of the file in the repository. */
  pageByFile: ReadonlyMap<string, PageEntry>;
  fileByPath: ReadonlyMap<string, FileEntry>;
  fileById: ReadonlyMap<string, FileEntry>;
  reusableByPath: ReadonlyMap<string, ReusableEntry>;
  /** By `redirectKey`. */
  redirects: ReadonlyMap<string, RedirectEntry>;
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
}

export function* eachPageOf(pages: PageEntry[]): Generator<PageEntry> {
  for (const page of pages) {
    yield page;
    yield* eachPageOf(page.pages);
  }
}

const byGitPath = <T extends { git?: { path: string } }>(items: T[]) =>
  new Map(items.flatMap((item): [string, T][] => (item.git ? [[item.git.path, item]] : [])));

/** The paths of the repository files that the content is made of. */
export const pathsIn = ({ pages, files, reusable }: Omit<RevisionContent, 'outside'>): Set<string> =>
  new Set(byGitPath<{ git?: { path: string } }>([...eachPageOf(pages), ...files, ...reusable]).keys());

/** The whole revision in memory, with its lookups. */
export function viewOf(
  revision: RevisionDocument,
  { pages, files, reusable, redirects = [], outside }: RevisionContent,
): RevisionView {
  const all = [...eachPageOf(pages)];
  return {
    revision,
    files,
    reusable,
    outside: new Set(outside),
    ...pagesIn(pages),
    conditional: all.filter(({ condition }) => condition !== undefined),
    pageByFile: byGitPath(all),
    fileByPath: byGitPath(files),
    fileById: new Map(files.map((file) => [file.id, file])),
    reusableByPath: byGitPath(reusable),
    redirects: new Map(redirects.map((redirect) => [redirectKey(redirect.from), redirect])),
  };
}

function pagesIn(pages: PageEntry[]): Pick<RevisionView, 'pages' | 'pageById' | 'pageByPath'> {
  const pageById = new Map<string, PageEntry>();
  const pageByPath = new Map<string, PageEntry>();
  for (const page of eachPageOf(pages)) {
    pageById.set(page.id, page);
    const key = pathKey(page.path);
    if ((page.type === 'document' || page.type === 'group') && !pageByPath.has(key)) pageByPath.set(key, page);
  }
  return { pages, pageById, pageByPath };
}

/** The view with only these of its pages. Links resolve as before, also to pages that are left out. */
export const withPages = (view: RevisionView, pages: PageEntry[]): RevisionView => ({ ...view, ...pagesIn(pages) });

/** Case, slashes at the ends and doubled slashes make no difference between paths. */
const pathKey = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '')
    .join('/')
    .toLowerCase();

/** The first page that readers are shown: the first that is not hidden, or the first of all when all are hidden. */
export function firstPageOf(pages: PageEntry[]): PageEntry | undefined {
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
  return view.pageByPath.get(key) ?? (key === '' ? firstPageOf(view.pages) : undefined);
};

/** The page that a redirect leads to from a path without a page; undefined also when the view lacks that page. */
export function redirectAt(view: RevisionView, path: string): { page: PageEntry; anchor?: string } | undefined {
  const found = view.redirects.get(redirectKey(path));
  const page = found && view.pageById.get(found.page);
  return page && { page, ...(found.anchor ? { anchor: found.anchor } : {}) };
}
