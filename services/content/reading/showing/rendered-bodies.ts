import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { metricsRegistry } from '../../../../shared/monitoring/metrics.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { KeyedCache } from '../../../../shared/work/keyed-cache.js';
import type { PageEntry } from '../../core/revisions/revision-view.js';
import type { RenderedBody } from '../../format/html/rendered-body.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { Presentation } from '../pages/pages.js';
import { gatherBody } from './body-parts.js';
import type { VisitedView } from './visited-view.js';

/** Bytes of all kept bodies together. */
const maxKeptBytes = 32 * 1024 * 1024;
/** Pages of which it is known whether they are the same for every reader. */
const maxPages = 50_000;

const unknownBlocks = new Counter({
  name: 'bindery_unknown_blocks_total',
  help: 'Blocks of a type that pages cannot show, by type; what is in them is shown.',
  labelNames: ['type'],
  registers: [metricsRegistry],
});

/** A body as HTML, with what distinguishes it from those that other visitors see. */
export interface VariedBody {
  body: RenderedBody;
  variant: string;
}

/** Keeps the HTML of pages by their revision: it never goes stale. */
export class RenderedBodies {
  private readonly kept = new KeyedCache<RenderedBody>({
    maxSize: maxKeptBytes,
    sizeOf: ({ html, outline, updates }) => 2 * html.length + 200 * outline.length + 2000 * updates.length + 500,
  });
  private readonly plain = new LRUCache<string, boolean>({ max: maxPages });

  constructor(private readonly deps: HasStore & HasWork & Pick<Presentation, 'links'>) {}

  /** `namesBlocks`: with their keys, for people who comment on them. */
  async bodyOf(visited: VisitedView, page: PageEntry, { namesBlocks = false } = {}): Promise<VariedBody> {
    const { view, visitor, organization } = visited;
    const name = `${view.revision._id} ${page.id}`;
    const keyOf = (of: string) => `${name} ${of}${namesBlocks ? ' blocks' : ''}`;
    const variantOf = (plain: boolean) => (plain ? visited.variant : visitor.key);
    const plain = this.plain.get(name);
    if (plain !== undefined) {
      const body = this.kept.getIfKept(keyOf(variantOf(plain)));
      if (body) return { body, variant: variantOf(plain) };
    }
    const gathered = await gatherBody(this.deps, { view, page, claims: visitor.claims });
    this.plain.set(name, gathered.plain);
    const variant = variantOf(gathered.plain);
    const body = await this.kept.get(keyOf(variant), async () => {
      const made = await this.deps.work.html(
        namesBlocks ? { ...gathered.reading, namesBlocks } : gathered.reading,
        organization,
      );
      for (const type of made.unknown) unknownBlocks.inc({ type });
      return made;
    });
    return { body, variant };
  }
}

export type HasBodies = { bodies: RenderedBodies };
