import { LRUCache } from 'lru-cache';
import { notFound } from '../../shared/errors.js';
import { sha256 } from '../../shared/ids.js';
import type { Store } from '../../shared/store/port.js';
import { redirectKey } from './format/paths.js';
import {
  type ChunkDocument,
  chunkSize,
  chunks,
  type FileEntry,
  type PageNode,
  type RedirectEntry,
  type ReusableEntry,
  type RevisionDocument,
  revisions,
  spaces,
} from './model.js';

export interface PageEntry extends Omit<PageNode, 'children'> {
  pages: PageEntry[];
}

/** A whole revision in memory: immutable, so it never goes stale. */
export interface RevisionView {
  revision: RevisionDocument;
  pages: PageEntry[];
  files: FileEntry[];
  reusable: ReusableEntry[];
  /** Files and folders of the repository that pages lead to and that are no part of the space. */
  outside: ReadonlySet<string>;
  pageById: ReadonlyMap<string, PageEntry>;
  /** Documents and groups, by `pathKey`. */
  pageByPath: ReadonlyMap<string, PageEntry>;
  /** Those with a condition of their own. */
  conditional: PageEntry[];
  /** By the path of the file in the repository. */
  pageByFile: ReadonlyMap<string, PageEntry>;
  fileByPath: ReadonlyMap<string, FileEntry>;
  fileById: ReadonlyMap<string, FileEntry>;
  reusableByPath: ReadonlyMap<string, ReusableEntry>;
  /** By `redirectKey`. */
  redirects: ReadonlyMap<string, RedirectEntry>;
}

/** A revision to be stored: its tree in full. */
export interface NewRevision {
  pages: PageEntry[];
  files: FileEntry[];
  reusable: ReusableEntry[];
  redirects?: RedirectEntry[];
  outside: string[];
}

export function* eachPageOf(pages: PageEntry[]): Generator<PageEntry> {
  for (const page of pages) {
    yield page;
    yield* eachPageOf(page.pages);
  }
}

type ChunkContent = Omit<ChunkDocument, '_id' | 'space'>;

/** Cuts content into content-addressed chunks; equal parts of revisions are stored once in a space. */
class ChunkWriter {
  readonly documents = new Map<string, ChunkDocument>();

  constructor(private readonly space: string) {}

  pages(pages: PageEntry[]): string[] {
    const nodes = pages.map(({ pages: children, ...own }): PageNode => ({ ...own, children: this.pages(children) }));
    return this.cut(nodes, (part) => ({ pages: part }));
  }

  cut<T>(items: T[], content: (part: T[]) => ChunkContent): string[] {
    const ids: string[] = [];
    for (let start = 0; start < items.length; start += chunkSize)
      ids.push(this.add(content(items.slice(start, start + chunkSize))));
    return ids;
  }

  private add(content: ChunkContent): string {
    const _id = `${this.space}:${sha256(JSON.stringify(content))}`;
    this.documents.set(_id, { _id, space: this.space, ...content });
    return _id;
  }
}

/** Stores the tree of a revision, but not the revision: nothing points at it yet. */
export async function storeTree(
  store: Store,
  space: string,
  tree: NewRevision,
): Promise<Pick<RevisionDocument, 'pages' | 'files' | 'reusable' | 'redirects' | 'outside'>> {
  const writer = new ChunkWriter(space);
  const redirects = writer.cut(tree.redirects ?? [], (part) => ({ redirects: part }));
  const roots = {
    pages: writer.pages(tree.pages),
    files: writer.cut(tree.files, (files) => ({ files })),
    reusable: writer.cut(tree.reusable, (reusable) => ({ reusable })),
    ...(redirects.length > 0 ? { redirects } : {}),
    outside: writer.cut(tree.outside, (outside) => ({ outside })),
  };
  await store.insertMany(chunks, [...writer.documents.values()], { skipExisting: true });
  return roots;
}

/** Reads revisions; keeps the latest ones whole in memory, a hundred thousand pages, files and redirects at most. */
export class Revisions {
  private readonly views = new LRUCache<string, RevisionView>({
    maxSize: 100_000,
    sizeCalculation: (view) => 1 + view.pageById.size + view.files.length + view.redirects.size + view.outside.size,
  });

  constructor(private readonly store: Store) {}

  /** The primary content of a space. */
  async current(space: string): Promise<RevisionView> {
    const found = await this.store.get(spaces, space, { fields: ['revision'] });
    if (!found) throw notFound('Space');
    return this.get(space, found.revision);
  }

  async get(space: string, id: string): Promise<RevisionView> {
    const found = await this.find(space, id);
    if (!found) throw notFound('Revision');
    return found;
  }

  async find(space: string, id: string): Promise<RevisionView | undefined> {
    const kept = this.views.get(id);
    if (kept) return kept.revision.space === space ? kept : undefined;
    const revision = await this.store.get(revisions, id);
    if (!revision || revision.space !== space) return undefined;
    const view = await this.load(revision);
    this.views.set(id, view);
    return view;
  }

  private async load(revision: RevisionDocument): Promise<RevisionView> {
    const [pages, files, reusable, redirects, outside] = await Promise.all([
      this.loadPages(revision.pages),
      this.loadChunks(revision.files).then((found) => found.flatMap((chunk) => chunk.files ?? [])),
      this.loadChunks(revision.reusable).then((found) => found.flatMap((chunk) => chunk.reusable ?? [])),
      this.loadChunks(revision.redirects ?? []).then((found) => found.flatMap((chunk) => chunk.redirects ?? [])),
      this.loadChunks(revision.outside ?? []).then((found) => found.flatMap((chunk) => chunk.outside ?? [])),
    ]);
    return viewOf(revision, { pages, files, reusable, redirects, outside });
  }

  private loadChunks(ids: string[]): Promise<ChunkDocument[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.store.getMany(chunks, ids);
  }

  /** Level by level: one read for each depth of the tree. */
  private async loadPages(roots: string[]): Promise<PageEntry[]> {
    const known = new Map<string, PageNode[]>();
    let wanted = roots;
    while (wanted.length > 0) {
      for (const { _id, pages = [] } of await this.loadChunks([...new Set(wanted)])) known.set(_id, pages);
      const below = wanted.flatMap((id) => (known.get(id) ?? []).flatMap(({ children }) => children));
      wanted = below.filter((id) => !known.has(id));
    }
    const assemble = (ids: string[]): PageEntry[] =>
      ids.flatMap((id) => (known.get(id) ?? []).map(({ children, ...own }) => ({ ...own, pages: assemble(children) })));
    return assemble(roots);
  }
}

const byGitPath = <T extends { git?: { path: string } }>(items: T[]) =>
  new Map(items.flatMap((item): [string, T][] => (item.git ? [[item.git.path, item]] : [])));

/** The files of the repository that make up the content. */
export const pathsIn = ({ pages, files, reusable }: Omit<NewRevision, 'outside'>): Set<string> =>
  new Set(byGitPath<{ git?: { path: string } }>([...eachPageOf(pages), ...files, ...reusable]).keys());

function viewOf(
  revision: RevisionDocument,
  { pages, files, reusable, redirects = [], outside }: NewRevision,
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

/** The view with these pages of it alone. Links resolve as before: they may lead to a page that is not there. */
export const withPages = (view: RevisionView, pages: PageEntry[]): RevisionView => ({ ...view, ...pagesIn(pages) });

/** Paths are one when they differ in case, or in slashes at their ends or doubled. */
const pathKey = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '')
    .join('/')
    .toLowerCase();

/** The first page that a reader is shown: not a hidden one, unless all are. */
export function firstPageOf(pages: PageEntry[]): PageEntry | undefined {
  let hidden: PageEntry | undefined;
  for (const page of eachPageOf(pages)) {
    if (page.type !== 'document') continue;
    if (!page.hidden) return page;
    hidden ??= page;
  }
  return hidden;
}

/** A document or a group; the empty path is the first page. */
export const pageAtPath = (view: RevisionView, path: string): PageEntry | undefined => {
  const key = pathKey(path);
  return view.pageByPath.get(key) ?? (key === '' ? firstPageOf(view.pages) : undefined);
};

/** Where a path that no page has leads by a redirect; undefined too where the reader of the view has no such page. */
export function redirectAt(view: RevisionView, path: string): { page: PageEntry; anchor?: string } | undefined {
  const found = view.redirects.get(redirectKey(path));
  const page = found && view.pageById.get(found.page);
  return page && { page, ...(found.anchor ? { anchor: found.anchor } : {}) };
}
