import { type Encoded, encodeInSlices } from '../../../../shared/contract/encoded.js';
import { sha256 } from '../../../../shared/values/ids.js';
import { KeyedCache } from '../../../../shared/work/keyed-cache.js';
import { KeyedSemaphore } from '../../../../shared/work/semaphore.js';
import type { Page } from '../../core/revisions/resources.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import { type ContentOptions, type MergedFrom, type Presentation, pagesJson, revisionJson } from './pages.js';
import type { Revision } from './resources.js';

type Options = ContentOptions & MergedFrom;
/** A page as one audience sees it. */
interface PageOfView {
  view: RevisionView;
  page: { id: string };
  options: ContentOptions;
}

type Make = (presentation: Presentation, view: RevisionView, options: Options) => Iterable<string>;

/** Bytes of all kept answers together. */
const maxKeptBytes = 128 * 1024 * 1024;

/** Page trees, revisions and pages, encoded once for all readers of a view: what is presented depends on the view and the options only. */
export class EncodedContents {
  private readonly ids = new WeakMap<RevisionView, number>();
  private lastId = 0;
  private readonly turns = new KeyedSemaphore();
  private readonly kept = new KeyedCache<Encoded<never>>({
    maxSize: maxKeptBytes,
    sizeOf: ({ bytes }) => bytes.length + 500,
  });

  constructor(private readonly presentation: Presentation) {}

  pages(view: RevisionView, options: ContentOptions): Promise<Encoded<{ pages: Page[] }>> {
    return this.encode('pages', pagesJson, view, options);
  }

  revision(view: RevisionView, options: Options): Promise<Encoded<Revision>> {
    return this.encode('revision', revisionJson, view, options);
  }

  /** A page with its body; `kind` names what else than view and options it depends on. */
  page({ view, page, options }: PageOfView, kind: string, make: () => Promise<Encoded<Page>>): Promise<Encoded<Page>> {
    const key = `page ${page.id} ${kind} ${this.keyOf(view, options)}`;
    return this.kept.get(key, make as () => Promise<Encoded<never>>);
  }

  private keyOf(view: RevisionView, { metadata, variables, computed }: ContentOptions): string {
    return `${this.idOf(view)} ${metadata} ${variables} ${computed}`;
  }

  private encode(name: string, make: Make, view: RevisionView, options: Options): Promise<Encoded<never>> {
    const { mergedFrom } = options;
    const merged = mergedFrom ? sha256(JSON.stringify(mergedFrom)) : '';
    const key = `${name} ${this.keyOf(view, options)} ${merged}`;
    // One after the other: many at once would all be late, and fill the memory.
    return this.kept.get(key, () =>
      this.turns.run('', () => encodeInSlices<never>(make(this.presentation, view, options))),
    );
  }

  private idOf(view: RevisionView): number {
    const known = this.ids.get(view);
    if (known !== undefined) return known;
    this.lastId += 1;
    this.ids.set(view, this.lastId);
    return this.lastId;
  }
}

export type HasContents = { contents: EncodedContents };
