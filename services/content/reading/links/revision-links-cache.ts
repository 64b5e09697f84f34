import { LRUCache } from 'lru-cache';
import { failureOf } from '../../../../shared/errors/errors.js';
import type { Store } from '../../../../shared/store/port.js';
import { KeyedCache } from '../../../../shared/work/keyed-cache.js';
import { KeyedSemaphore } from '../../../../shared/work/semaphore.js';
import { eachPageOf, type RevisionView } from '../../core/revisions/revision-view.js';
import { checkBytes, LinkCollector, type LinkingEntry, type Links, type LinkUse } from './link-collector.js';
import { lackingAnchors } from './missing-anchors.js';
import { StoredLinks } from './stored-links.js';

/** All links of a revision. */
export interface RevisionLinks extends Links {
  /** By `backlinkKey`. */
  backlinks: ReadonlyMap<string, readonly LinkUse[]>;
  /** The links of the bodies, for revisions that share them. */
  stored: StoredLinks;
  /** About how many bytes of memory it takes. */
  bytes: number;
}

/** Limits for one revision. */
const room = { uses: 1_000_000, bytes: 96 * 1024 * 1024 };
/** Bytes of all kept lists together: two of the largest. */
const maxKeptBytes = 2 * room.bytes;

/** Keeps the links of the revisions that were asked for last. One that is derived from another reads only the bodies that differ. */
export class RevisionLinksCache {
  private readonly kept = new KeyedCache<RevisionLinks | Error>({
    maxSize: maxKeptBytes,
    sizeOf: (links) => (links instanceof Error ? 500 : links.bytes),
  });
  /** The revision of each space whose links were made last. */
  private readonly latest = new LRUCache<string, string>({ max: 10_000 });
  private readonly turns = new KeyedSemaphore();

  constructor(private readonly deps: { store: Store; baseUrl: string }) {}

  /** Throws 422 for more links than a revision may have. */
  async of(view: RevisionView): Promise<RevisionLinks> {
    const { _id, space } = view.revision;
    const links = await this.kept.get(_id, () => this.turns.run(space, () => this.makeOrKeepError(view)));
    if (links instanceof Error) throw links;
    return links;
  }

  /** A revision that has too many links keeps them: so is the error. */
  private async makeOrKeepError(view: RevisionView): Promise<RevisionLinks | Error> {
    try {
      return await this.make(view);
    } catch (error) {
      if (error instanceof Error && failureOf(error).type === 'UNPROCESSABLE') return error;
      throw error;
    }
  }

  private async make(view: RevisionView): Promise<RevisionLinks> {
    const { store, baseUrl } = this.deps;
    const { space, _id } = view.revision;
    const wanted = new Set<string>();
    for (const body of bodiesOf(view)) wanted.add(('page' in body ? body.page : body.reusable).document ?? '');
    wanted.delete('');
    const known = [...(this.near(view)?.stored.entries() ?? [])].filter(([document]) => wanted.has(document));
    const stored = new StoredLinks({ store, space, known });
    await stored.read(wanted, () => checkBytes(stored.bytes, room.bytes));
    const collector = new LinkCollector({ view, baseUrl }, stored, room);
    await collector.collect(bodiesOf(view));
    const { targets, backlinks, bytes } = collector;
    const lacking = await lackingAnchors(view, collector.eachTarget(), stored);
    this.latest.set(space, _id);
    return { targets, lacking, backlinks, stored, bytes: 1000 + bytes };
  }

  /** The known links of a revision of the same space, which has most of the bodies. */
  private near({ revision }: RevisionView): RevisionLinks | undefined {
    for (const id of [...revision.parents, this.latest.get(revision.space)]) {
      const links = id === undefined ? undefined : this.kept.peek(id);
      if (links && !(links instanceof Error)) return links;
    }
    return undefined;
  }
}

function* bodiesOf({ pages, reusable }: RevisionView): Generator<LinkingEntry> {
  for (const page of eachPageOf(pages)) yield { page };
  for (const entry of reusable) yield { reusable: entry };
}
