import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { notFound } from '../../../shared/errors.js';
import { memoryOf } from '../../../shared/memory.js';
import type { Store } from '../../../shared/store/port.js';
import { spaces } from '../tree/model.js';
import { type ChunkDocument, chunks, type RevisionDocument, revisions } from './model.js';
import { type PageEntry, type RevisionView, viewOf } from './revision-view.js';

/** Bytes of all kept revisions together, about. The largest revision fits. */
const mostKept = 256 * 1024 * 1024;
/** Chunks that are read at once: the more, the smaller they are. */
const readAtOnce = { least: 4, most: 256, bytes: 2_000_000 };

interface Wanted {
  space: string;
  id: string;
}

/** Reads revisions; keeps the most recently used whole in memory. */
export class RevisionCache {
  private readonly views = new LRUCache<string, RevisionView, Wanted>({
    maxSize: mostKept,
    sizeCalculation: ({ bytes }) => bytes,
    ignoreFetchAbort: true,
    fetchMethod: (_, __, { context }) => this.read(context),
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

  find(space: string, id: string): Promise<RevisionView | undefined> {
    return this.views.fetch(`${space} ${id}`, { context: { space, id } });
  }

  private async read({ space, id }: Wanted): Promise<RevisionView | undefined> {
    const revision = await this.store.get(revisions, id);
    return revision?.space === space ? new Reading(this.store).of(revision) : undefined;
  }
}

/** Reads one revision in small steps: other requests get their turn between them. */
class Reading {
  private bytes = 0;

  constructor(private readonly store: Store) {}

  async of(revision: RevisionDocument): Promise<RevisionView> {
    this.bytes += 2000 + memoryOf(revision);
    const [pages, files, reusable, redirects, outside] = await Promise.all([
      this.loadPages(revision.pages),
      this.loadChunks(revision.files).then((found) => found.flatMap((chunk) => chunk.files ?? [])),
      this.loadChunks(revision.reusable).then((found) => found.flatMap((chunk) => chunk.reusable ?? [])),
      this.loadChunks(revision.redirects ?? []).then((found) => found.flatMap((chunk) => chunk.redirects ?? [])),
      this.loadChunks(revision.outside ?? []).then((found) => found.flatMap((chunk) => chunk.outside ?? [])),
    ]);
    return viewOf(revision, { pages, files, reusable, redirects, outside }, this.bytes);
  }

  private async loadChunks(ids: string[]): Promise<ChunkDocument[]> {
    const found: ChunkDocument[] = [];
    let size = readAtOnce.least;
    for (let start = 0; start < ids.length; ) {
      if (start > 0) await setImmediate();
      const part = await this.store.getMany(chunks, ids.slice(start, start + size));
      const bytes = part.reduce((sum, chunk) => sum + memoryOf(chunk), 0);
      this.bytes += bytes;
      found.push(...part);
      start += size;
      size = bytes < readAtOnce.bytes ? Math.min(size * 2, readAtOnce.most) : readAtOnce.least;
    }
    return found;
  }

  /** Level by level: reads for each depth of the tree. */
  private async loadPages(roots: string[]): Promise<PageEntry[]> {
    const known = new Map<string, { page: PageEntry; children: string[] }[]>();
    let wanted = roots;
    while (wanted.length > 0) {
      for (const { _id, pages = [] } of await this.loadChunks([...new Set(wanted)]))
        known.set(
          _id,
          pages.map(({ children, ...own }) => ({ page: { ...own, pages: [] }, children })),
        );
      const below = wanted.flatMap((id) => (known.get(id) ?? []).flatMap(({ children }) => children));
      wanted = below.filter((id) => !known.has(id));
    }
    const assemble = (ids: string[]): PageEntry[] =>
      ids.flatMap((id) =>
        (known.get(id) ?? []).map(({ page, children }) =>
          children.length === 0 ? page : { ...page, pages: assemble(children) },
        ),
      );
    return assemble(roots);
  }
}
