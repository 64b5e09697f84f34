import type { Context } from '../../../shared/contract/service.js';
import { conflict, notFound } from '../../../shared/errors/errors.js';
import type { Store } from '../../../shared/store/port.js';
import { findChangeRequest } from '../../content/contract.js';
import { commentUsages, places } from './model.js';

/** The path parameters of every operation: the change request is named by its id or its number. */
export interface PlacePath {
  spaceId: string;
  changeRequestId?: string;
}

/** A space or a change request. */
export interface CommentPlace {
  /** The id of the change request, else of the space. */
  id: string;
  organization: string;
  space: string;
  changeRequest?: string;
}

/** The place that an operation names. Throws 404 for a change request that the space does not have. */
export async function placeOf(
  { spaceId: space, changeRequestId }: PlacePath,
  { call, access: { organization } }: Pick<Context, 'call' | 'access'>,
): Promise<CommentPlace> {
  if (changeRequestId === undefined) return { id: space, organization, space };
  const found = await call(findChangeRequest, { space, changeRequest: changeRequestId });
  if (!found) throw notFound('Change request');
  return { id: found.id, organization, space, changeRequest: found.id };
}

/** Bytes that all comments of a place may take. */
const maxPlaceBytes = 1_000_000_000;
/** Bytes that all comments of an organization may take. */
export const maxOrganizationBytes = 5_000_000_000;

/** Bytes of the comments of an organization. */
export const storedComments = async (store: Store, organization: string): Promise<number> =>
  Math.max(0, (await store.get(commentUsages, organization))?.bytes ?? 0);

/** Throws 409 where a place or its organization holds as much as it may. Requests at the same time may exceed it by what they bring. */
export async function checkRoom(store: Store, { id, organization, changeRequest }: CommentPlace): Promise<void> {
  const [place, all] = await Promise.all([
    store.get(places, id, { fields: ['bytes'] }),
    storedComments(store, organization),
  ]);
  if ((place?.bytes ?? 0) >= maxPlaceBytes)
    throw conflict(
      `This ${changeRequest ? 'change request' : 'space'} has reached its limit of 1 GB of comments; delete some first`,
      'quota_exceeded',
    );
  if (all >= maxOrganizationBytes)
    throw conflict('The comments of this organization take 5 GB; delete some first', 'quota_exceeded');
}

/** The number of open comments, by place; places without comments are absent. */
export async function openComments(store: Store, ids: string[]): Promise<Record<string, number>> {
  const found = await store.getMany(places, [...new Set(ids)], { fields: ['open'] });
  return Object.fromEntries(found.map(({ _id, open = 0 }) => [_id, open]));
}
