import type { ContentCaller } from '../../../shared/contract/caller.js';
import { contentContract } from '../../content/contract.js';
import type { ChangeRequest, Space } from '../../content/resources.js';
import type { ScreenRequest } from '../frame/screen.js';

/** A content of a space: what its readers see, a change request, or a revision. */
export interface Place {
  space: Space;
  changeRequest?: ChangeRequest;
  /** The id of a revision. */
  revision?: string;
}

type Asking = Pick<ScreenRequest, 'call'>;

/** The current content of a space. Throws 404 for somebody who may not view it. */
export async function spacePlace({ call }: Asking, spaceId: string): Promise<Place> {
  return { space: await call(contentContract.getSpaceById, { path: { spaceId } }) };
}

/** The content of a change request. */
export type ChangePlace = Required<Omit<Place, 'revision'>>;

/** The content of a change request, by its number or id. */
export async function changePlace({ call }: Asking, spaceId: string, changeRequestId: string): Promise<ChangePlace> {
  const [space, changeRequest] = await Promise.all([
    call(contentContract.getSpaceById, { path: { spaceId } }),
    call(contentContract.getChangeRequestById, { path: { spaceId, changeRequestId } }),
  ]);
  return { space, changeRequest };
}

/** Whether those who may edit the space may write there: not in a space that is locked, nor in a change request that is closed. */
export const isWritable = ({ space, changeRequest }: Place): boolean =>
  changeRequest ? changeRequest.status === 'draft' || changeRequest.status === 'open' : space.editMode === 'live';

/** Reads a place, which the person who asks may view, as a visitor without claims would. */
export const visitorOf = ({ space, changeRequest, revision }: Place): ContentCaller => ({
  kind: 'content',
  organization: space.organization,
  site: '',
  siteSpace: '',
  space: space.id,
  spaces: [space.id],
  claims: {},
  ...(changeRequest ? { changeRequest: { space: space.id, id: changeRequest.id } } : {}),
  ...(revision === undefined ? {} : { revision: { space: space.id, id: revision } }),
});

/** The address of a page in a place. */
export function pageAddress(
  { to }: Pick<ScreenRequest, 'to'>,
  { space, changeRequest, revision }: Place,
  path: string,
): string {
  if (changeRequest) return to.changedPage(space.id, changeRequest.number, path);
  return revision === undefined ? to.page(space.id, path) : to.revisionPage(space.id, revision, path);
}

/** The content of a space, or of the change request that an address names. */
export const numberedPlace = (request: Asking & { path: { space: string; number?: string } }): Promise<Place> =>
  request.path.number === undefined
    ? spacePlace(request, request.path.space)
    : changePlace(request, request.path.space, request.path.number);
