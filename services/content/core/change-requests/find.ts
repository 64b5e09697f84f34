import type { Caller } from '../../../../shared/contract/caller.js';
import { notFound } from '../../../../shared/errors/errors.js';
import type { ReadOptions, Store } from '../../../../shared/store/port.js';
import type { FindChangeRequest, FoundChangeRequest } from '../contract.js';
import { revisions } from '../revisions/model.js';
import { type ChangeRequestDocument, changeRequests } from './model.js';

/** The path parameters of every operation on a change request, which is named by its id or its number. */
export interface ChangeRequestPath {
  spaceId: string;
  changeRequestId: string;
}

/** Finds a change request and the revision of its content; null if the space does not have it. */
export async function findPointer(
  store: Store,
  { space, changeRequest }: FindChangeRequest,
): Promise<FoundChangeRequest | null> {
  const found = await lookUpChangeRequest(
    store,
    { spaceId: space, changeRequestId: changeRequest },
    { fields: ['space', 'revision', 'number', 'subject', 'createdBy'] },
  );
  if (!found) return null;
  const { _id: id, revision, number, subject, createdBy } = found;
  return { id, revision, number, subject, createdBy };
}

/** Throws 404 for a change request that the space does not have. `fields` always include `space`. */
export async function findChangeRequest(
  store: Store,
  { spaceId, changeRequestId }: ChangeRequestPath,
  { fields }: ReadOptions<ChangeRequestDocument> = {},
): Promise<ChangeRequestDocument> {
  const options = fields ? { fields: ['space', ...fields] satisfies (keyof ChangeRequestDocument)[] } : {};
  const found = await lookUpChangeRequest(store, { spaceId, changeRequestId }, options);
  if (!found) throw notFound('Change request');
  return found;
}

/** Null for a change request that the space does not have. `fields` always include `space`. */
export async function lookUpChangeRequest(
  store: Store,
  { spaceId, changeRequestId }: ChangeRequestPath,
  options: ReadOptions<ChangeRequestDocument>,
): Promise<ChangeRequestDocument | null> {
  const found = /^[1-9]\d{0,8}$/.test(changeRequestId)
    ? await store.findOne(changeRequests, { space: spaceId, number: Number(changeRequestId) }, options)
    : await store.get(changeRequests, changeRequestId, options);
  return found?.space === spaceId ? found : null;
}

/**
 * Throws 404 for a visitor of a site, unless it previews this change request, or the site: renderers look up previewed sites without
 * the part of the address that names a change request.
 */
export function refuseVisitors(caller: Caller, { _id, space }: Pick<ChangeRequestDocument, '_id' | 'space'>): void {
  if (caller.kind !== 'content') return;
  const { changeRequest, preview } = caller;
  if (!preview && (changeRequest?.id !== _id || changeRequest.space !== space)) throw notFound('Change request');
}

/** A change request whose content is a revision. */
export const findChangeRequestByRevision = (
  store: Store,
  { space, revision }: Pick<ChangeRequestDocument, 'space' | 'revision'>,
): Promise<ChangeRequestDocument | null> => store.findOne(changeRequests, { space, revision }, { fields: ['number'] });

type Content = Pick<ChangeRequestDocument, 'revision' | 'base'>;

export const contentRevisions = ({ revision, base }: Content): string[] => [...new Set([revision, base])];

/** Whether the revisions of a change request are still stored: long after it was archived, they are removed. */
export async function hasStoredContent(store: Store, item: Content): Promise<boolean> {
  const ids = contentRevisions(item);
  return (await store.getMany(revisions, ids, { fields: ['space'] })).length === ids.length;
}
