import { notFound } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { findChangeRequest } from '../../core/change-requests/find.js';
import { spaces } from '../../core/nodes/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import type { CompareContents, ComparedContent, ComparedRevisions } from '../contract/differences.js';
import { viewBefore } from '../history/view-before.js';

/** Both contents of a question. */
export interface BothViews {
  before: RevisionView;
  after: RevisionView;
}

/** Throws 404 for a space that the organization does not have, and for content that the space does not have, or that is no longer kept. */
export async function findViews(
  { store, revisions }: HasStore & HasRevisions,
  { organization, space, before, after }: CompareContents,
): Promise<BothViews> {
  const found = await store.get(spaces, space, { fields: ['organization', 'revision', 'deletedAt'] });
  if (found?.organization !== organization || found.deletedAt) throw notFound('Space');

  const viewOf = async (content: ComparedContent): Promise<RevisionView> => {
    if ('revision' in content) return revisions.get(space, content.revision);
    if ('parentOf' in content) return viewBefore(revisions, await revisions.get(space, content.parentOf));
    if ('current' in content) return revisions.get(space, found.revision);
    const changeRequestId = 'baseOf' in content ? content.baseOf : content.changeRequest;
    const { base, revision } = await findChangeRequest(store, { spaceId: space, changeRequestId });
    return revisions.get(space, 'baseOf' in content ? base : revision);
  };

  return { before: await viewOf(before), after: await viewOf(after) };
}

export const namesOfViews = ({ before, after }: BothViews): ComparedRevisions => ({
  // A revision without one before it is compared with an empty view.
  ...(before.revision._id === '' ? {} : { before: before.revision._id }),
  after: after.revision._id,
});
