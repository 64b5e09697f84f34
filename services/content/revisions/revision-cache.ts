import { LRUCache } from 'lru-cache';
import { notFound } from '../../../shared/errors.js';
import type { Store } from '../../../shared/store/port.js';
import { spaces } from '../tree/model.js';
import { type ChunkDocument, chunks, type PageNode, type RevisionDocument, revisions } from './model.js';
import { type PageEntry, type RevisionView, viewOf } from './revision-view.js';

/** Reads revisions; keeps the most recently used whole in memory, at most 100,000 pages, files, redirects and paths together. */
export class RevisionCache {
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
