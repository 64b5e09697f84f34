import { LRUCache } from 'lru-cache';
import { notFound } from '../../../../shared/errors/errors.js';
import { estimateMemory } from '../../../../shared/process/memory.js';
import type { Store } from '../../../../shared/store/port.js';
import { KeyedCache } from '../../../../shared/work/keyed-cache.js';
import { eachInSlices, nextTurn } from '../../../../shared/work/slices.js';
import { currentRevision, spaces } from '../nodes/model.js';
import { chunksWithItems, knownCut, rememberCut } from './chunk-lists.js';
import { deriveView } from './derived-view.js';
import { type ChunkDocument, chunks, type RevisionDocument, revisions } from './model.js';
import { buildView, eachPageOf, type PageEntry, type RevisionView } from './revision-view.js';

/** Bytes of all kept revisions together, about. The largest revision fits. */
const maxKeptBytes = 256 * 1024 * 1024;
/** Chunks that are read at once: the more, the smaller they are. */
const readAtOnce = { least: 4, max: 256, bytes: 2_000_000 };

/** Reads revisions; keeps the most recently used whole in memory. */
export class RevisionCache {
  private readonly views = new KeyedCache<RevisionView>({
    maxSize: maxKeptBytes,
    sizeOf: ({ bytes }) => bytes,
  });

  /** The revision of each space that was read last. */
  private readonly latest = new LRUCache<string, string>({ max: 10_000 });

  constructor(private readonly store: Store) {}

  /** Keeps a revision that this process has made. */
  add(view: RevisionView): void {
    const { _id, space } = view.revision;
    this.views.set(`${space} ${_id}`, view);
    this.latest.set(space, _id);
  }

  /** The primary content of a space. */
  async current(space: string): Promise<RevisionView> {
    const [revision] = await this.store.derive(spaces, [space], currentRevision);
    if (revision == null) throw notFound('Space');
    return this.get(space, revision);
  }

  async get(space: string, id: string): Promise<RevisionView> {
    const found = await this.find(space, id);
    if (!found) throw notFound('Revision');
    return found;
  }

  find(space: string, id: string): Promise<RevisionView | undefined> {
    return this.views.get(`${space} ${id}`, () => this.read(space, id));
  }

  private async read(space: string, id: string): Promise<RevisionView | undefined> {
    const revision = await this.store.get(revisions, id);
    if (revision?.space !== space) return undefined;
    const view = await new Reading(this.store, this.keptNear(revision)).readView(revision);
    this.latest.set(space, id);
    return view;
  }

  /** A kept revision of the same space, which has most of the content of another. */
  private keptNear({ space, parents }: RevisionDocument): RevisionView | undefined {
    for (const id of [...parents, this.latest.get(space)]) {
      const view = this.views.peek(`${space} ${id}`);
      if (view) return view;
    }
    return undefined;
  }
}

/** Reads one revision in small steps: other requests get their turn between them. What it shares with a near one is not read. */
class Reading {
  private bytes = 0;
  /** The pages in the chunks of the near revision, with everything below them. */
  private readonly known = new Map<string, readonly PageEntry[]>();
  /** Its lists of pages, by the ids of their chunks. */
  private readonly lists = new Map<string, PageEntry[]>();

  constructor(
    private readonly store: Store,
    private readonly near: RevisionView | undefined,
  ) {
    if (near) this.rememberChunks(near.pages);
    for (const page of near ? eachPageOf(near.pages) : []) if (page.pages.length > 0) this.rememberChunks(page.pages);
  }

  async readView(revision: RevisionDocument): Promise<RevisionView> {
    this.bytes += 2000 + estimateMemory(revision);
    const { near } = this;
    const isSameList = (name: 'files' | 'reusable' | 'redirects' | 'outside') =>
      near && (near.revision[name] ?? []).join() === (revision[name] ?? []).join();
    const [pages, files, reusable, redirects, outside] = await Promise.all([
      this.loadPages(revision.pages),
      isSameList('files') ? undefined : this.loadList(revision.files, ({ files = [] }) => files),
      isSameList('reusable') ? undefined : this.loadList(revision.reusable, ({ reusable = [] }) => reusable),
      isSameList('redirects') ? undefined : this.loadList(revision.redirects ?? [], ({ redirects = [] }) => redirects),
      isSameList('outside') ? undefined : this.loadList(revision.outside ?? [], ({ outside = [] }) => outside),
    ]);
    if (near) return deriveView(near, revision, { pages, files, reusable, redirects, outside });
    const content = { pages, files: files ?? [], reusable: reusable ?? [], outside: outside ?? [] };
    return buildView(revision, { ...content, redirects: redirects ?? [] }, this.bytes);
  }

  private rememberChunks(list: PageEntry[]): void {
    const cut = knownCut(list);
    if (!cut) return;
    this.lists.set(cut.ids.join(), list);
    for (const { id, items } of chunksWithItems(list)) this.known.set(id, items);
  }

  private async loadList<T>(ids: string[], itemsOf: (chunk: ChunkDocument) => T[]): Promise<T[]> {
    const parts = (await this.loadChunks(ids)).map(itemsOf);
    return joinChunks(ids, parts);
  }

  private async loadChunks(ids: string[]): Promise<ChunkDocument[]> {
    const found: ChunkDocument[] = [];
    let size = readAtOnce.least;
    for (let start = 0; start < ids.length; ) {
      if (start > 0) await nextTurn();
      const part = await this.store.getMany(chunks, ids.slice(start, start + size));
      // Collected while it is read.
      if (part.length < Math.min(size, ids.length - start)) throw notFound('Revision');
      const bytes = part.reduce((sum, chunk) => sum + estimateMemory(chunk), 0);
      this.bytes += bytes;
      found.push(...part);
      start += size;
      size = bytes < readAtOnce.bytes ? Math.min(size * 2, readAtOnce.max) : readAtOnce.least;
    }
    return found;
  }

  /** Level by level: reads for each depth of the tree. */
  private async loadPages(roots: string[]): Promise<PageEntry[]> {
    const read = new Map<string, { page: PageEntry; children: string[] }[]>();
    let wanted = roots;
    while (wanted.length > 0) {
      const missing = [...new Set(wanted)].filter((id) => !read.has(id) && !this.known.has(id));
      await eachInSlices(await this.loadChunks(missing), ({ _id, pages = [] }) => {
        const entries = pages.map(({ children, ...own }) => ({ page: { ...own, pages: [] }, children }));
        read.set(_id, entries);
      });
      wanted = missing.flatMap((id) => (read.get(id) ?? []).flatMap(({ children }) => children));
    }
    const assemble = (ids: string[]): PageEntry[] =>
      this.lists.get(ids.join()) ??
      joinChunks(
        ids,
        ids.map(
          (id) =>
            this.known.get(id) ??
            (read.get(id) ?? []).map(({ page, children }) =>
              children.length === 0 ? page : { ...page, pages: assemble(children) },
            ),
        ),
      );
    return assemble(roots);
  }
}

/** The list that chunks make up. */
function joinChunks<T>(ids: string[], parts: (readonly T[])[]): T[] {
  const list = parts.flat();
  rememberCut(list, { ids, lengths: parts.map(({ length }) => length) });
  return list;
}

export type HasRevisions = { revisions: RevisionCache };
