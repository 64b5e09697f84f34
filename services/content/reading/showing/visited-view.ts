import type { ContentCaller } from '../../../../shared/contract/caller.js';
import { notFound } from '../../../../shared/errors/errors.js';
import { toVisitor, type Visitor } from '../../../../shared/expression/visitor.js';
import type { Derivation, HasStore } from '../../../../shared/store/port.js';
import { findChangeRequest } from '../../core/change-requests/find.js';
import { type SpaceDocument, spaces } from '../../core/nodes/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import type { HasViews } from '../pages/visitors/visitor-view-cache.js';

/** A space as a visitor of a site reads it: its current content, or what the visitor previews. */
export interface VisitedView {
  view: RevisionView;
  visitor: Visitor;
  organization: string;
  /** Distinguishes what visitors see of a revision: the same for all of them where nothing has a condition. */
  variant: string;
}

/** Throws 404 for a space that the visitor does not read, and for content that is gone. The caller vouches that the visitor is admitted. */
export async function viewOfVisitor(
  deps: HasStore & HasRevisions & HasViews,
  caller: ContentCaller,
  space = caller.space,
): Promise<VisitedView> {
  if (!caller.spaces.includes(space)) throw notFound('Space');
  const visitor = toVisitor(caller.claims);
  const whole = await wholeViewOf(deps, caller, space);
  const view = await deps.views.viewFor(whole, visitor);
  const variant = whole.conditional.length > 0 ? visitor.key : '';
  return { view, visitor, organization: caller.organization, variant };
}

/** The current content of a space; empty for one in the trash, which nobody is shown. */
const shownRevision: Derivation<SpaceDocument, string> = {
  kind: 'shown revision',
  make: ({ revision, deletedAt }) => (deletedAt === null ? revision : ''),
  sizeOf: ({ length }) => 2 * length,
};

/** The content without regard to its conditions: for those who may read all of it. */
export async function wholeViewOf(
  { store, revisions }: HasStore & HasRevisions,
  { changeRequest, revision }: ContentCaller,
  space: string,
): Promise<RevisionView> {
  const [current] = await store.derive(spaces, [space], shownRevision);
  if (!current) throw notFound('Space');
  if (changeRequest?.space === space) {
    const path = { spaceId: space, changeRequestId: changeRequest.id };
    const found = await findChangeRequest(store, path, { fields: ['revision'] });
    return revisions.get(space, found.revision);
  }
  return revisions.get(space, revision?.space === space ? revision.id : current);
}

/** The key of the navigation of a view. */
export const treeKeyOf = ({ view, variant }: VisitedView): string => `${view.revision._id}.${variant}`;
