import { isDeepStrictEqual } from 'node:util';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { top } from '../../core/revisions/page-tree.js';
import { eachPageOf, hasPath, type PageEntry } from '../../core/revisions/revision-view.js';
import { findPageDifferences } from '../../core/revisions/view-differences.js';
import type { BothSides, ChangeKind, ComparedPage, PageDifference } from '../contract/differences.js';
import { attributesOf, type ComparedViews } from '../history/semantic-changes.js';
import { movedPages, parentIn } from '../merging/page-places.js';

/** A page on both sides; one of them may lack it. */
export interface PagePair {
  earlier?: PageEntry | undefined;
  later?: PageEntry | undefined;
  isMoved: boolean;
}

/** Yields the pages that may differ, in the order of the later tree; those that are gone stand behind the page that they stood behind. */
export function* pairsOfPages({ before, after }: ComparedViews): Generator<PagePair> {
  const { added, removed } = findPageDifferences(before, after.pages);
  const moved = movedPages(before, after, [top, ...added.map(({ page }) => page.id)]);
  const touched = new Set([...added.map(({ page }) => page.id), ...moved]);
  const gone = goneBehindOthers({ before, after }, new Set(removed));
  for (const earlier of gone.get(top) ?? []) yield { earlier, isMoved: false };
  for (const later of eachPageOf(after.pages)) {
    if (touched.has(later.id)) yield { earlier: before.pageById.get(later.id), later, isMoved: moved.has(later.id) };
    for (const earlier of gone.get(later.id) ?? []) yield { earlier, isMoved: false };
  }
}

/** Pages that are gone, by the id of the last page before them that is still there. */
function goneBehindOthers(
  { before, after }: Pick<ComparedViews, 'before' | 'after'>,
  gone: ReadonlySet<PageEntry>,
): Map<string, PageEntry[]> {
  const behind = new Map<string, PageEntry[]>();
  if (gone.size === 0) return behind;
  let last: string = top;
  for (const page of eachPageOf(before.pages)) {
    if (after.pageById.has(page.id)) last = page.id;
    else if (gone.has(page)) {
      const list = behind.get(last);
      if (list) list.push(page);
      else behind.set(last, [page]);
    }
  }
  return behind;
}

/** A page of both sides by its id; undefined where neither has it. */
export function pairOfPage({ before, after }: ComparedViews, id: string): PagePair | undefined {
  const [earlier, later] = [before.pageById.get(id), after.pageById.get(id)];
  if (!earlier && !later) return undefined;
  const isMoved =
    earlier !== undefined && later !== undefined && movedPages(before, after, [parentIn(after, id)]).has(id);
  return { earlier, later, isMoved };
}

const otherNames = ['linkTitle', 'tags', 'metaLinks'] as const;

/** The names of everything in which a page differs; its body is its `document`. */
function differingNames(views: ComparedViews, earlier: PageEntry, later: PageEntry): Set<string> {
  if (earlier === later) return new Set();
  const others = otherNames.filter((name) => !isDeepStrictEqual(earlier[name], later[name]));
  return new Set([...Object.keys(attributesOf(views, earlier, later) ?? {}), ...others]);
}

const renamings = new Set(['title', 'slug']);

/** Says what became of a page, and whether its body differs. */
export function changesOfPage(
  views: ComparedViews,
  { earlier, later, isMoved }: PagePair,
): Pick<PageDifference, 'changes' | 'hasOtherBody'> {
  if (!earlier) return { changes: ['added'], hasOtherBody: later?.document !== undefined };
  if (!later) return { changes: ['removed'], hasOtherBody: earlier.document !== undefined };
  const names = differingNames(views, earlier, later);
  const isRenamed = [...renamings].some((name) => names.has(name));
  const isEdited = [...names].some((name) => !renamings.has(name));
  const changes: [ChangeKind, boolean][] = [
    ['edited', isEdited],
    ['moved', isMoved],
    ['renamed', isRenamed],
  ];
  return {
    changes: changes.flatMap(([change, holds]) => (holds ? [change] : [])),
    hasOtherBody: names.has('document'),
  };
}

/** A page on both sides, as it is named there. */
export const shownSides = ({ earlier, later }: PagePair): BothSides<ComparedPage> =>
  omitUndefined({ before: earlier && shownPage(earlier), after: later && shownPage(later) });

const shownPage = (page: PageEntry): ComparedPage =>
  omitUndefined({
    title: page.title,
    path: hasPath(page) ? page.path : '',
    emoji: page.emoji || undefined,
    icon: page.icon || undefined,
  });
