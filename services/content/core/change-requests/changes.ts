import { invalid } from '../../../../shared/errors/errors.js';
import { type Update, type Write, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { type SpaceDocument, spaces } from '../nodes/model.js';
import { type ChangeRequestDocument, type ChangeRequestStatus, changeRequests, isChangeable } from './model.js';

/** The fields of a change request that its events carry. */
export const changeRequestEventPayload = ({
  organization,
  space,
  _id,
  number,
  status,
  revision,
}: ChangeRequestDocument) => ({
  organization,
  space,
  changeRequest: _id,
  number,
  status,
  revision,
});

type Counts = NonNullable<SpaceDocument['changeRequests']>;

const countForStatus = (status: ChangeRequestStatus, kind: keyof Counts) => (status === kind ? 1 : 0);

/** The update of the space's counters when a change request gets another status; null where they stay. */
export function statusCountUpdate(
  before: ChangeRequestStatus,
  after: ChangeRequestStatus,
): Update<SpaceDocument> | null {
  const open = countForStatus(after, 'open') - countForStatus(before, 'open');
  const draft = countForStatus(after, 'draft') - countForStatus(before, 'draft');
  return open === 0 && draft === 0 ? null : { $inc: { 'changeRequests.open': open, 'changeRequests.draft': draft } };
}

/** The change request with these changes, and the writes that make them; they fail when it changed meanwhile. */
export function planChange(
  before: ChangeRequestDocument,
  changes: Partial<ChangeRequestDocument>,
): { item: ChangeRequestDocument; writes: Write[] } {
  const item = { ...before, ...changes, updatedAt: timestamp() };
  const { _id, status, revision, base } = before;
  const $set = { ...changes, updatedAt: item.updatedAt };
  const writes = [write.update(changeRequests, { _id, status, revision, base }, { $set }, { expect: 1 })];
  const counts = statusCountUpdate(status, item.status);
  if (counts) writes.push(write.update(spaces, { _id: before.space }, counts, { expect: 1 }));
  return { item, writes };
}

/** Throws 400 for a change request whose content may not change any more. */
export function checkChangeable(item: Pick<ChangeRequestDocument, 'status'>): void {
  if (isChangeable(item)) return;
  const hint = item.status === 'archived' ? '; set its status to draft or open first' : '';
  throw invalid(`This change request is ${item.status} and cannot be changed${hint}`, 'change_request_closed');
}
