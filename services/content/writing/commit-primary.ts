import type { Write } from '../../../shared/store/port.js';
import type { ContentDependencies } from '../dependencies.js';
import { contentChanged } from '../events.js';
import { type Commit, commitRevision, movePrimary } from '../revisions/commit.js';
import type { RedirectEntry, RevisionDocument } from '../revisions/model.js';
import { isPlaced, type PageEntry, type RevisionView } from '../revisions/revision-view.js';
import { pageDifferences } from '../revisions/view-differences.js';
import { indexLater } from '../search/index-job.js';

export interface PrimaryCommit extends Omit<Commit, 'writes' | 'before'> {
  /** The content of the space, in whose place the new one comes. */
  primary: RevisionView;
  before: RevisionView;
  /** Further conditions and writes, given the new revision. */
  writes(revision: RevisionDocument): Write[];
}

/**
 * Makes new content of a space: the former paths of pages lead to where they are now, consumers are told, and it is indexed. Returns
 * the id of the revision. Throws StoreConflict when the space has other content by now.
 */
export async function commitPrimary(
  deps: Pick<ContentDependencies, 'store' | 'ledger' | 'revisions' | 'outbox' | 'jobs' | 'indexer'>,
  { primary, before, content = {}, fields, writes, ...commit }: PrimaryCommit,
): Promise<string> {
  const { outbox, jobs, indexer } = deps;
  const { organization, space } = commit;
  const { pages = before.pages, redirects: known = before.redirects.values() } = content;
  const redirects = redirectsAfter(primary, pages, known);
  const { _id } = await commitRevision(deps, {
    ...commit,
    before,
    content: { ...content, ...(redirects ? { redirects } : {}) },
    fields: { ...fields, primary: true },
    writes: (to) => [
      movePrimary({ space, from: primary.revision._id, to }),
      outbox.add(contentChanged, { organization, space, revision: to._id }),
      indexLater(jobs, space),
      ...writes(to),
    ],
  });
  indexer.soon(space);
  return _id;
}

/** Redirects from former paths that a space keeps; the oldest go. */
const mostRedirects = 10_000;

/**
 * The redirects of new primary content: from each path that a page had before and has no more, besides those there are. Undefined
 * where no path changed.
 */
function redirectsAfter(
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
