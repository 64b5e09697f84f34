import type { Caller } from '../../../../../shared/contract/caller.js';
import { ViewCache } from '../../../../../shared/expression/view-cache.js';
import { toVisitor, type Visitor } from '../../../../../shared/expression/visitor.js';
import type { RevisionCache } from '../../../core/revisions/revision-cache.js';
import { type PageEntry, type RevisionView, viewWithPages } from '../../../core/revisions/revision-view.js';

/** Bytes of all kept views together, about, each with the whole revision. */
const maxKeptBytes = 128 * 1024 * 1024;

/** The visitor whose token makes the call; undefined for callers who see content as it is written. */
export const visitorOfCaller = (caller: Caller): Visitor | undefined =>
  caller.kind === 'content' ? toVisitor(caller.claims) : undefined;

/** Revisions as a visitor sees them; without a visitor, as they are. */
export class VisitorViewCache {
  private readonly views = new ViewCache<RevisionView>({ maxSize: maxKeptBytes, sizeOf: ({ bytes }) => bytes });

  constructor(private readonly revisions: RevisionCache) {}

  async current(space: string, visitor?: Visitor): Promise<RevisionView> {
    return this.viewFor(await this.revisions.current(space), visitor);
  }

  /** Any revision of the space, also for a visitor; undefined when there is none. */
  async any(space: string, id: string, visitor?: Visitor): Promise<RevisionView | undefined> {
    const view = await this.revisions.find(space, id);
    return view && this.viewFor(view, visitor);
  }

  /** A revision as a visitor sees it. */
  async viewFor(view: RevisionView, visitor: Visitor | undefined): Promise<RevisionView> {
    const { revision, conditional } = view;
    if (!visitor || conditional.length === 0) return view;
    return this.views.viewForVisitor({
      version: revision._id,
      conditions: conditional.map(({ condition = '', variables }) => ({ text: condition, vars: variables })),
      vars: revision.variables,
      visitor,
      without: (hidden) =>
        hidden.size === 0
          ? view
          : viewWithPages(view, without(view.pages, new Set(conditional.filter((_, at) => hidden.has(at))))),
    });
  }
}

/** Leaves out the hidden pages with everything below them. */
const without = (pages: PageEntry[], hidden: ReadonlySet<PageEntry>): PageEntry[] =>
  pages
    .filter((page) => !hidden.has(page))
    .map((page) => (page.pages.length === 0 ? page : { ...page, pages: without(page.pages, hidden) }));

export type HasViews = { views: VisitorViewCache };
