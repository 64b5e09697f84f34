import { notFound } from '../../../shared/errors.js';
import type { ReadOptions, Store } from '../../../shared/store/port.js';
import { type ChangeRequestDocument, changeRequests } from './model.js';

/** The path parameters of every operation on a change request, which is named by its id or its number. */
export interface ChangeRequestPath {
  spaceId: string;
  changeRequestId: string;
}

/** Throws 404 for a change request that the space does not have. `fields` always include `space`. */
export async function findChangeRequest(
  store: Store,
  { spaceId, changeRequestId }: ChangeRequestPath,
  { fields }: ReadOptions<ChangeRequestDocument> = {},
): Promise<ChangeRequestDocument> {
  const options = fields ? { fields: ['space', ...fields] satisfies (keyof ChangeRequestDocument)[] } : {};
  const found = /^[1-9]\d{0,8}$/.test(changeRequestId)
    ? await store.findOne(changeRequests, { space: spaceId, number: Number(changeRequestId) }, options)
    : await store.get(changeRequests, changeRequestId, options);
  if (found?.space !== spaceId) throw notFound('Change request');
  return found;
}
