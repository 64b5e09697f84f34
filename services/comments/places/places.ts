import type { Context } from '../../../shared/contract/service.js';
import { conflict, notFound } from '../../../shared/errors.js';
import type { Store } from '../../../shared/store/port.js';
import { findChangeRequest } from '../../content/contract.js';
import { places } from './model.js';

/** The path parameters of every operation: the change request is named by its id or its number. */
export interface PlacePath {
  spaceId: string;
  changeRequestId?: string;
}

/** A space or a change request. */
export interface Place {
  /** Of the change request, else of the space. */
  id: string;
  organization: string;
  space: string;
  changeRequest?: string;
}

/** The place that an operation names. Throws 404 for a change request that the space does not have. */
export async function placeOf(
  { spaceId: space, changeRequestId }: PlacePath,
  { call, access: { organization } }: Pick<Context, 'call' | 'access'>,
): Promise<Place> {
  if (changeRequestId === undefined) return { id: space, organization, space };
  const found = await call(findChangeRequest, { space, changeRequest: changeRequestId });
  if (!found) throw notFound('Change request');
  return { id: found.id, organization, space, changeRequest: found.id };
}

/** Bytes of all bodies of a place, as JSON. */
const mostBytes = 1_000_000_000;

/** Throws 409 for a place that holds as much as it may. Requests at the same time may exceed it by what they bring. */
export async function checkRoom(store: Store, { id }: Place): Promise<void> {
  const place = await store.get(places, id, { fields: ['bytes'] });
  if ((place?.bytes ?? 0) >= mostBytes) throw conflict('The comments here take 1 GB; delete some first');
}

/** The number of open comments, by place; places without comments are absent. */
export async function openComments(store: Store, ids: string[]): Promise<Record<string, number>> {
  const found = await store.getMany(places, [...new Set(ids)], { fields: ['open'] });
  return Object.fromEntries(found.map(({ _id, open = 0 }) => [_id, open]));
}
