import type { RedirectEntry } from '../revisions/model.js';
import { isPlaced, type PageEntry, type RevisionView } from '../revisions/revision-view.js';
import { pageDifferences } from '../revisions/view-differences.js';

/** Redirects from former paths that a space keeps; the oldest go. */
const mostRedirects = 10_000;

/**
 * The redirects of new primary content: from each path that a page had before and has no more, besides those there are. Undefined
 * where no path changed.
 */
export function redirectsAfter(
  before: RevisionView,
  pages: PageEntry[],
  known: Iterable<RedirectEntry>,
): RedirectEntry[] | undefined {
  const former = new Map<string, RedirectEntry>();
  for (const { page } of pageDifferences(before, pages).added) {
    const earlier = before.pageById.get(page.id);
    if (earlier && isPlaced(earlier) && earlier.path !== page.path)
      former.set(earlier.path, { from: earlier.path, page: page.id });
  }
  if (former.size === 0) return undefined;
  const kept = [...known].filter(({ from }) => !former.has(from));
  return [...kept, ...former.values()].slice(-mostRedirects);
}
