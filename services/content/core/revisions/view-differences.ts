import type { PageEntry, RevisionView } from './revision-view.js';

/** The differences between the page trees of two views. Entries that both share are not looked into. */
export interface PageDifferences {
  /** Entries of the later tree that the earlier one does not have as they are, where they are. Parents come first. */
  added: { page: PageEntry; parent: string | undefined }[];
  /** Entries of the earlier tree whose pages are gone. */
  removed: PageEntry[];
}

type Earlier = Pick<RevisionView, 'pages' | 'pageById'>;

/** The pages that differ between a view and a later tree, which shares with it the lists in which nothing changed. */
export function findPageDifferences(before: Earlier, after: PageEntry[]): PageDifferences {
  const added = new Map<string, { page: PageEntry; parent: string | undefined }>();
  const left: PageEntry[] = [];
  const open: [earlier: PageEntry[], later: PageEntry[], parent: string | undefined][] = [
    [before.pages, after, undefined],
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const [earlier, later, parent] = next;
    const only = findDifferingItems(earlier, later);
    left.push(...only.earlier);
    for (const page of only.later) {
      added.set(page.id, { page, parent });
      open.push([before.pageById.get(page.id)?.pages ?? [], page.pages, page.id]);
    }
  }
  return { added: [...added.values()], removed: findGone(left, added) };
}

/** The pages among those left, and below them, that are nowhere else. */
function findGone(left: PageEntry[], added: ReadonlyMap<string, unknown>): PageEntry[] {
  const gone = new Map<string, PageEntry>();
  const open = left.filter(({ id }) => !added.has(id));
  for (let page = open.pop(); page; page = open.pop()) {
    gone.set(page.id, page);
    open.push(...page.pages.filter(({ id }) => !added.has(id)));
  }
  return [...gone.values()];
}

/** The items that only one of two lists has; equal ends are skipped. */
export function findDifferingItems<T>(earlier: readonly T[], later: readonly T[]): { earlier: T[]; later: T[] } {
  if (earlier === later) return { earlier: [], later: [] };
  let start = 0;
  while (start < earlier.length && start < later.length && earlier[start] === later[start]) start++;
  let end = 0;
  const max = Math.min(earlier.length, later.length) - start;
  while (end < max && earlier[earlier.length - 1 - end] === later[later.length - 1 - end]) end++;
  const [was, is] = [earlier.slice(start, earlier.length - end), later.slice(start, later.length - end)];
  const [had, has] = [new Set(was), new Set(is)];
  return { earlier: was.filter((item) => !has.has(item)), later: is.filter((item) => !had.has(item)) };
}
