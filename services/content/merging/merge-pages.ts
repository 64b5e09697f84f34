import { isDeepStrictEqual } from 'node:util';
import { metaFields, metaNames } from '../revisions/page-fields.js';
import { type OwnFields, PageTree, top } from '../revisions/page-tree.js';
import { eachPageOf, type PageEntry, type RevisionView } from '../revisions/revision-view.js';
import { type PageDifferences, pageDifferences } from '../revisions/view-differences.js';
import type { PageSources } from '../writing/page-sources.js';
import { freeSlug } from '../writing/placement.js';
import type { Conflicts, Named, Sides } from './conflicts.js';
import type { Documents } from './merge-sources.js';
import { movedPages, pageBefore, parentIn, placeLike } from './page-places.js';

/** The content that both sides come from, and that of each side. */
export interface ThreeViews {
  base: RevisionView;
  primary: RevisionView;
  changeRequest: RevisionView;
}

const ownOf = ({ pages: _, ...own }: PageEntry): OwnFields => own;

const named = ({ id, title, path }: OwnFields): Named => ({ kind: 'page', id, title, ...(path ? { path } : {}) });

/** Fields that follow from others, or that say nothing about the page itself. */
const derived = new Set('id pages path document aliases plain git createdAt updatedAt placed'.split(' '));

/** What of a page counts as a change of it. */
const contentOf = (page: PageEntry) => ({
  ...Object.fromEntries(Object.entries(page).filter(([name]) => !derived.has(name))),
  document: page.document,
});

/** Applies to the primary content what a change request changed in the pages. */
export class PageMerge {
  readonly tree: PageTree;
  private readonly inRequest: PageDifferences;
  private readonly movedInRequest: Set<string>;
  private readonly movedInPrimary: Set<string>;

  constructor(
    private readonly views: ThreeViews,
    private readonly conflicts: Conflicts,
    private readonly sources: PageSources,
    /** Merges the sources that documents hold. */
    private readonly mergeSource: (named: Named, documents: Documents) => Promise<string>,
  ) {
    const { base, primary, changeRequest } = views;
    this.tree = new PageTree(primary);
    this.inRequest = pageDifferences(base, changeRequest.pages);
    const inPrimary = pageDifferences(base, primary.pages);
    const listsOf = ({ added }: PageDifferences) => [top, ...added.map(({ page }) => page.id)];
    this.movedInRequest = movedPages(base, changeRequest, listsOf(this.inRequest));
    this.movedInPrimary = movedPages(base, primary, listsOf(inPrimary));
  }

  async run(): Promise<void> {
    const changed = new Set([...this.inRequest.added.map(({ page }) => page.id), ...this.movedInRequest]);
    // Parents come before what is below them, and each page behind the one in front of it.
    for (const page of eachPageOf(this.views.changeRequest.pages)) if (changed.has(page.id)) await this.apply(page);
    this.removeAll();
  }

  private async apply(page: PageEntry): Promise<void> {
    const { base, primary } = this.views;
    const before = base.pageById.get(page.id);
    const now = primary.pageById.get(page.id);
    if (now) return this.change(page, { base: before, primary: now, changeRequest: page });
    const unchanged =
      before && isDeepStrictEqual(contentOf(before), contentOf(page)) && !this.movedInRequest.has(page.id);
    if (unchanged || (before && this.conflicts.deletes(named(page), 'primary'))) return;
    this.insert(page, before);
  }

  private insert(page: PageEntry, before: PageEntry | undefined): void {
    const { tree, views } = this;
    const wanted = parentIn(views.changeRequest, page.id);
    const isGone = wanted !== top && !tree.page(wanted);
    // A new page below one that is gone goes to the top, if that is what its writer chooses.
    if (isGone && !before && this.conflicts.deletes(named(page), 'primary')) return;
    const parent = isGone ? top : wanted;
    const own = ownOf(page);
    const slug = own.type === 'link' ? own.slug : freeSlug(tree, own.slug, { parent });
    tree.insert({ ...own, slug }, parent, placeLike(views.changeRequest, page.id, { tree, parent }));
  }

  private async change(page: PageEntry, sides: Sides<PageEntry>): Promise<void> {
    const { tree } = this;
    const { primary } = sides;
    const merged = await this.mergedFields(sides);
    const parent = this.parentAfter(page, primary);
    if (parent !== undefined) {
      tree.move(page.id, parent, placeLike(this.views.changeRequest, page.id, { tree, parent }));
      merged.placed = page.placed;
    }
    const place = { parent: tree.parentOf(page.id), page: page.id };
    const isElsewhere = place.parent !== parentIn(this.views.primary, page.id) || merged.slug !== primary.slug;
    const slug = isElsewhere && merged.type !== 'link' ? freeSlug(tree, merged.slug, place) : merged.slug;
    const after = present({ ...merged, slug, path: tree.page(page.id)?.path ?? primary.path });
    if (!isDeepStrictEqual(after, present(ownOf({ pages: [], ...tree.page(page.id) } as PageEntry))))
      tree.replace(after);
  }

  /** The parent that the change request moved a page to; undefined where the page stays where the primary content has it. */
  private parentAfter({ id }: PageEntry, now: PageEntry): string | undefined {
    const { views, tree, conflicts } = this;
    if (!this.movedInRequest.has(id)) return undefined;
    const parent = parentIn(views.changeRequest, id);
    const placeIn = (view: RevisionView) => ({ parent: parentIn(view, id), after: pageBefore(view, id) });
    const sides = {
      base: placeIn(views.base),
      primary: placeIn(views.primary),
      changeRequest: placeIn(views.changeRequest),
    };
    if (this.movedInPrimary.has(id) && conflicts.value(named(now), 'position', sides) === sides.primary)
      return undefined;
    const isGone = parent !== top && !tree.page(parent);
    if (!isGone && parent !== id && ![...tree.above(parent)].includes(id)) return parent;
    // The other side deleted the page above, or put it below this one.
    conflicts.impossible(named(now), 'position', sides);
    return undefined;
  }

  /** The fields of a page, each from the side that changed it. */
  private async mergedFields({ base, primary, changeRequest }: Sides<PageEntry>): Promise<OwnFields> {
    const about = named(primary);
    const written = await this.mergedDocument(about, { base, primary, changeRequest });
    const merged: Record<string, unknown> = { ...ownOf(primary), ...written };
    for (const name of new Set([...Object.keys(primary), ...Object.keys(changeRequest)])) {
      if (derived.has(name) || name in written) continue;
      const of = (entry: PageEntry | undefined) => entry?.[name as keyof PageEntry];
      const sides = { base: of(base), primary: of(primary), changeRequest: of(changeRequest) };
      merged[name] = this.conflicts.value(about, name, sides);
    }
    return merged as unknown as OwnFields;
  }

  /** The fields that go with the source of a page: of the side that changed it; where both did, of both merged. */
  private async mergedDocument(
    about: Named,
    { base, primary, changeRequest }: Sides<PageEntry>,
  ): Promise<Partial<Record<keyof OwnFields, unknown>>> {
    const { document, aliases, plain, updatedAt } = changeRequest;
    if (document === base?.document || document === primary.document) return {};
    const git = primary.git && document !== undefined ? { ...primary.git, oid: document } : primary.git;
    if (primary.document === base?.document) return { document, aliases, plain, updatedAt, git };
    const source = await this.mergeSource(about, {
      base: base?.document,
      primary: primary.document,
      changeRequest: document,
    });
    await this.sources.of(about.id, primary.document);
    const { meta } = await this.sources.write(about.id, { source, before: '', edits: {} });
    const none = Object.fromEntries(metaNames.map((name) => [name, undefined]));
    const { emoji: _, ...fields } = metaFields(meta);
    return { ...none, ...fields, updatedAt: [primary.updatedAt ?? '', updatedAt ?? ''].sort().at(-1) };
  }

  /** Deepest first: a page goes when nothing is left below it. */
  private removeAll(): void {
    const { base } = this.views;
    const depthOf = (id: string) => {
      let depth = 0;
      for (let above = base.parentById.get(id); above !== undefined; above = base.parentById.get(above)) depth++;
      return depth;
    };
    const deepestFirst = this.inRequest.removed
      .map((page) => ({ page, depth: depthOf(page.id) }))
      .sort((a, b) => b.depth - a.depth);
    for (const { page } of deepestFirst) this.remove(page);
  }

  private remove(before: PageEntry): void {
    const { tree } = this;
    const now = this.views.primary.pageById.get(before.id);
    if (!now || !tree.page(before.id)) return;
    const unchanged = isDeepStrictEqual(contentOf(before), contentOf(now)) && !this.movedInPrimary.has(before.id);
    const left = [...tree.childrenOf(before.id)];
    if ((!unchanged || left.length > 0) && !this.conflicts.deletes(named(now), 'change-request')) return;
    const parent = tree.parentOf(before.id);
    for (const id of left) tree.move(id, parent);
    tree.remove(before.id);
  }
}

/** Without the fields that are undefined, as it is stored. */
const present = (page: OwnFields): OwnFields =>
  Object.fromEntries(Object.entries(page).filter(([, value]) => value !== undefined)) as unknown as OwnFields;
