import { type PageTree, top } from '../../core/revisions/page-tree.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';

export const parentIn = (view: RevisionView, id: string): string => view.parentById.get(id) ?? top;

export const listIn = (view: RevisionView, parent: string): PageEntry[] =>
  parent === top ? view.pages : (view.pageById.get(parent)?.pages ?? []);

/**
 * The pages that moved between two revisions, within their list or to another. Writers mark what they move; in imports, as few
 * pages as possible are taken to have moved.
 */
export function movedPages(before: RevisionView, after: RevisionView, parents: Iterable<string>): Set<string> {
  const moved = new Set<string>();
  for (const parent of parents) {
    const [was, is] = betweenEqualEnds(listIn(before, parent), listIn(after, parent));
    const had = new Map(was.map((page) => [page.id, page]));
    const stayed: PageEntry[] = [];
    for (const page of is) {
      const earlier = before.pageById.get(page.id);
      if (!earlier) continue;
      const isMarked = page.placed !== undefined && page.placed !== earlier.placed;
      if (isMarked || !had.has(page.id)) moved.add(page.id);
      else stayed.push(page);
    }
    for (const id of outOfOrder(was, stayed)) moved.add(id);
  }
  return moved;
}

/** The lists without what both begin and end with, where a change in a long list leaves little. */
function betweenEqualEnds(was: PageEntry[], is: PageEntry[]): [was: PageEntry[], is: PageEntry[]] {
  const isSame = (one: PageEntry | undefined, other: PageEntry | undefined) =>
    one === other || (one?.id === other?.id && one?.placed === other?.placed);
  const max = Math.min(was.length, is.length);
  let start = 0;
  while (start < max && isSame(was[start], is[start])) start++;
  let end = 0;
  while (end < max - start && isSame(was[was.length - 1 - end], is[is.length - 1 - end])) end++;
  return [was.slice(start, was.length - end), is.slice(start, is.length - end)];
}

/** The fewest items of a list whose order differs from that of an earlier list. */
function outOfOrder(earlier: PageEntry[], items: PageEntry[]): string[] {
  const position = new Map(earlier.map(({ id }, at) => [id, at]));
  const positions = items.map(({ id }) => position.get(id) as number);
  if (positions.every((each, at) => at === 0 || (positions[at - 1] as number) < each)) return [];
  const inOrder = longestRise(positions);
  return items.filter((_, at) => !inOrder.has(at)).map(({ id }) => id);
}

/** The indexes of a longest rising subsequence. */
function longestRise(values: number[]): Set<number> {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, value] of values.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = at;
  }
  const rise = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] as number) rise.add(at);
  return rise;
}

/** Where a page of one content goes in a tree: behind the same page as there, or at the end where it is last. */
export function placeLike(
  view: RevisionView,
  id: string,
  { tree, parent }: { tree: PageTree; parent: string },
): number {
  const siblings = listIn(view, parentIn(view, id));
  const at = siblings.findIndex((page) => page.id === id);
  const present = tree.childrenOf(parent).filter((child) => child !== id);
  if (at === siblings.length - 1) return present.length;
  for (let before = at - 1; before >= 0; before--) {
    const found = present.indexOf((siblings[before] as PageEntry).id);
    if (found >= 0) return found + 1;
  }
  return 0;
}

/** The page in front of another, if any. */
export function pageBefore(view: RevisionView, id: string): string | undefined {
  const siblings = listIn(view, parentIn(view, id));
  return siblings[siblings.findIndex((page) => page.id === id) - 1]?.id;
}

/** Pages in the order of the tree, parents first. Only lists that hold one of them are looked at. */
export function inOrder(view: RevisionView, ids: ReadonlySet<string>): PageEntry[] {
  const near = new Set<string>();
  for (const id of ids)
    for (let each: string | undefined = id; each !== undefined && !near.has(each); each = view.parentById.get(each))
      near.add(each);
  const found: PageEntry[] = [];
  const walk = (pages: PageEntry[]) => {
    for (const page of pages) {
      if (!near.has(page.id)) continue;
      if (ids.has(page.id)) found.push(page);
      walk(page.pages);
    }
  };
  walk(view.pages);
  return found;
}
