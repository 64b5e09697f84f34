import type { Write } from '../../../shared/store/port.js';
import type { ContentDependencies } from '../dependencies.js';
import { contentChanged } from '../events.js';
import { type Commit, commitRevision, movePrimary } from '../revisions/commit.js';
import type { RevisionDocument } from '../revisions/model.js';
import type { RevisionView } from '../revisions/revision-view.js';
import { indexLater } from '../search/index-job.js';
import { redirectsAfter } from './moved-pages.js';

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
