import { apiError } from '../../../../shared/errors/errors.js';
import type { RevisionCache } from '../../core/revisions/revision-cache.js';
import { buildView, type RevisionView } from '../../core/revisions/revision-view.js';

/** The content that a revision was made from, without an id and empty for the first one. Throws 404 where it is no longer kept. */
export async function viewBefore(revisions: RevisionCache, { revision }: RevisionView): Promise<RevisionView> {
  const [parent] = revision.parents;
  if (parent === undefined) return emptyView(revision);
  const before = await revisions.find(revision.space, parent);
  if (!before) throw apiError('NOT_FOUND', 'The revision before this one is no longer kept', 'revision_not_kept');
  return before;
}

const emptyView = (revision: RevisionView['revision']): Promise<RevisionView> =>
  buildView(
    { ...revision, _id: '', pages: [], files: [], reusable: [], variables: {} },
    { pages: [], files: [], reusable: [], outside: [] },
    0,
  );
