import { isDeepStrictEqual } from 'node:util';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { type OwnFields, PageTree, top } from '../../core/revisions/page-tree.js';
import { isGenerated, type PageEntry, type RevisionView } from '../../core/revisions/revision-view.js';
import { findPageDifferences, type PageDifferences } from '../../core/revisions/view-differences.js';
import { checkDepth, freeSlug } from '../changes/placement.js';
import type { Sides } from './conflicts.js';
import { fieldsOf, mergePage, ownOf, type PageMerging, pageNamed } from './merge-page.js';
import { inOrder, movedPages, pageBefore, parentIn, placeLike } from './page-places.js';

/** The content that both sides come from, and that of each side. */
export interface ThreeViews {
  base: RevisionView;
  primary: RevisionView;
  changeRequest: RevisionView;
}

/** Applies to the primary content what a change request changed in the pages. */
export class PageMerge {
  readonly tree: PageTree;
  private readonly inRequest: PageDifferences;
  private readonly movedInRequest: Set<string>;
  private readonly movedInPrimary: Set<string>;
  /** Pages with another slug or in another place than in the primary content. */
  private readonly elsewhere = new Set<string>();

  constructor(
    private readonly views: ThreeViews,
    private readonly merging: PageMerging,
  ) {
    const { base, primary, changeRequest } = views;
    this.tree = new PageTree(primary);
    this.inRequest = findPageDifferences(base, changeRequest.pages);
    const inPrimary = findPageDifferences(base, primary.pages);
    const listsOf = ({ added }: PageDifferences) => [top, ...added.map(({ page }) => page.id)];
    this.movedInRequest = movedPages(base, changeRequest, listsOf(this.inRequest));
    this.movedInPrimary = movedPages(base, primary, listsOf(inPrimary));
  }

  async run(): Promise<void> {
    const changed = new Set([...this.inRequest.added.map(({ page }) => page.id), ...this.movedInRequest]);
    // Parents come before what is below them, and each page behind the one in front of it.
    for (const page of inOrder(this.views.changeRequest, changed)) await this.apply(page);
    this.removeAll();
    this.settleSlugs();
  }

  private async apply(page: PageEntry): Promise<void> {
    const before = this.views.base.pageById.get(page.id);
    const now = this.views.primary.pageById.get(page.id);
    if (now && before && this.isUnchanged(page, before)) return;
    if (now) return this.change(page, { base: before, primary: now, changeRequest: page });
    if (!before || !this.isDeleted(page, before)) this.insert(page);
  }

  /** Whether a page that the primary content deleted stays so; one that was not changed stays so unless the other is chosen. */
  private isDeleted(page: PageEntry, before: PageEntry): boolean {
    const { conflicts } = this.merging;
    if (this.isUnchanged(page, before) && !conflicts.choiceOf(pageNamed(page))) return true;
    return conflicts.deletes(pageNamed(page), 'primary');
  }

  private isUnchanged(page: PageEntry, before: PageEntry): boolean {
    return !this.movedInRequest.has(page.id) && isDeepStrictEqual(fieldsOf(before), fieldsOf(page));
  }

  private insert(page: PageEntry): void {
    if (this.tree.page(page.id)) return;
    const parent = this.holderOf(page);
    this.tree.insert(ownOf(page), parent, this.placeIn(parent, page.id));
    checkDepth(this.tree, page.id, 'position');
    this.elsewhere.add(page.id);
  }

  /** The page that a page of the change request goes into. One that the primary content deleted comes back, unless it shall not. */
  private holderOf({ id }: PageEntry): string {
    const { changeRequest } = this.views;
    let holder = parentIn(changeRequest, id);
    while (holder !== top && !this.tree.page(holder)) {
      const page = changeRequest.pageById.get(holder) as PageEntry;
      if (!this.merging.conflicts.deletes(pageNamed(page), 'primary')) this.insert(page);
      else holder = parentIn(changeRequest, holder);
    }
    return holder;
  }

  private placeIn(parent: string, id: string): number {
    return placeLike(this.views.changeRequest, id, { tree: this.tree, parent });
  }

  private async change(page: PageEntry, sides: Sides<PageEntry>): Promise<void> {
    const { tree, elsewhere } = this;
    const merged = await mergePage(this.merging, sides);
    if (this.moves(page, sides.primary)) {
      const parent = this.holderOf(page);
      tree.move(page.id, parent, this.placeIn(parent, page.id));
      checkDepth(tree, page.id, 'position');
      merged.placed = page.placed;
      elsewhere.add(page.id);
    }
    if (merged.slug !== sides.primary.slug) elsewhere.add(page.id);
    const now = tree.page(page.id) as OwnFields;
    const after = omitUndefined({ ...merged, path: now.path }) as OwnFields;
    if (!isDeepStrictEqual(after, omitUndefined(ownOf({ pages: [], ...now })))) tree.replace(after);
  }

  /** Whether a page goes where the change request has it, rather than staying where the primary content has it. */
  private moves(page: PageEntry, now: PageEntry): boolean {
    const { id } = page;
    const { conflicts } = this.merging;
    const about = pageNamed(now);
    // A choice for another page may have resolved this conflict.
    if (!this.movedInRequest.has(id) || conflicts.keeps(about, 'position')) return false;
    const places = this.placesOf(id);
    if (this.movedInPrimary.has(id) && conflicts.value(about, 'position', places) === places.primary) {
      // If it is chosen to go, what it goes into has to be there.
      if (conflicts.isOpen(about, 'position')) this.holderOf(page);
      return false;
    }
    const holder = this.holderOf(page);
    const above = holder === top ? [] : [holder, ...this.tree.ancestorsOf(holder)];
    if (!above.includes(id)) return true;
    // The other side has put the page above below this one.
    const chain = above.slice(0, above.indexOf(id) + 1).reverse();
    const chosen = this.choiceFor(chain);
    if (!chosen) conflicts.differs(about, { attribute: 'position', ...places });
    if (chosen !== 'change-request') return false;
    this.free(chain);
    return true;
  }

  private placesOf(id: string): Sides<{ parent: string; after: string | undefined }> {
    const { base, primary, changeRequest } = this.views;
    const placeIn = (view: RevisionView) => ({ parent: parentIn(view, id), after: pageBefore(view, id) });
    return { base: placeIn(base), primary: placeIn(primary), changeRequest: placeIn(changeRequest) };
  }

  /** The side that was chosen for the first of some pages. */
  private choiceFor(ids: readonly string[]) {
    for (const id of ids) {
      const page = this.tree.page(id);
      const chosen = page && this.merging.conflicts.choiceOf(pageNamed(page));
      if (chosen) return chosen;
    }
    return undefined;
  }

  /** Takes the highest page that the primary content has put below the first of a chain out of it, each below the one before. */
  private free([first, ...others]: readonly string[]): void {
    const { tree, views } = this;
    const put = others.find((id) => tree.parentOf(id) !== parentIn(views.changeRequest, id));
    if (first === undefined || put === undefined) return;
    const wanted = parentIn(views.changeRequest, put);
    const isFree = wanted === top || (tree.page(wanted) && ![wanted, ...tree.ancestorsOf(wanted)].includes(first));
    const parent = isFree ? wanted : tree.parentOf(first);
    tree.move(put, parent, this.placeIn(parent, put));
    this.elsewhere.add(put);
  }

  /** Deepest first: a page goes when nothing is left below it. */
  private removeAll(): void {
    const { base } = this.views;
    const depthOf = (id: string) => {
      let depth = 0;
      for (let above = base.parentById.get(id); above !== undefined; above = base.parentById.get(above)) depth++;
      return depth;
    };
    const removedByDepth = this.inRequest.removed
      .map((page) => ({ page, depth: depthOf(page.id) }))
      .sort((a, b) => b.depth - a.depth);
    for (const { page } of removedByDepth) this.remove(page);
  }

  private remove(before: PageEntry): void {
    const { tree, merging } = this;
    const now = this.views.primary.pageById.get(before.id);
    if (!now || !tree.page(before.id)) return;
    const isSame = isDeepStrictEqual(fieldsOf(before), fieldsOf(now)) && !this.movedInPrimary.has(before.id);
    const left = tree.childrenOf(before.id).filter((id) => !isGenerated(tree.page(id) as OwnFields));
    const isDecided = (isSame || isGenerated(now)) && left.length === 0 && !merging.conflicts.choiceOf(pageNamed(now));
    if (!isDecided && !merging.conflicts.deletes(pageNamed(now), 'change-request')) return;
    const parent = tree.parentOf(before.id);
    const at = tree.childrenOf(parent).indexOf(before.id);
    for (const [nth, id] of left.entries()) {
      tree.move(id, parent, at + nth);
      this.elsewhere.add(id);
    }
    tree.remove(before.id);
  }

  /** Gives pages that are new in their place another slug where a sibling has theirs. */
  private settleSlugs(): void {
    const { tree } = this;
    for (const id of this.elsewhere) {
      const page = tree.page(id);
      if (!page || page.type === 'link') continue;
      const slug = freeSlug(tree, page.slug, { parent: tree.parentOf(id), page: id });
      if (slug !== page.slug) tree.replace({ ...page, slug });
    }
  }
}
