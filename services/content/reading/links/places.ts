import type { Context } from '../../../../shared/contract/service.js';
import { type PageRequest, versionOfPage } from '../../../../shared/lists/paging.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { findChangeRequest } from '../../core/change-requests/find.js';
import { presentChangeRequest } from '../../core/change-requests/present.js';
import type { ChangeRequest } from '../../core/change-requests/resources.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';

/** A request to list links in the content of a space, or of a change request. */
export interface PlaceRequest {
  path: { spaceId: string; changeRequestId?: string };
  query: PageRequest;
}

/** The content whose links are listed. */
export interface ListedContent {
  view: RevisionView;
  /** The change request that it is of; undefined for that of the space. */
  changeRequest(): Promise<ChangeRequest | undefined>;
  /** The content that the change request is based on; undefined for that of the space, and where it is kept no longer. */
  base(): Promise<RevisionView | undefined>;
}

/** Throws 404 for a change request that the space does not have. A list that is continued stays that of the revision it began with. */
export async function openPlace(
  deps: HasStore & HasRevisions & { baseUrl: string },
  { path, query }: PlaceRequest,
  context: Context,
): Promise<ListedContent> {
  const { store, revisions } = deps;
  const { spaceId, changeRequestId } = path;
  const started = versionOfPage(query.page);
  if (changeRequestId === undefined) {
    const view = started === undefined ? await revisions.current(spaceId) : await revisions.get(spaceId, started);
    return { view, changeRequest: async () => undefined, base: async () => undefined };
  }
  const item = await findChangeRequest(store, { spaceId, changeRequestId });
  return {
    view: await revisions.get(spaceId, started ?? item.revision),
    changeRequest: () => presentChangeRequest(deps, item, context),
    base: () => revisions.find(spaceId, item.base),
  };
}
