import { type AskAccess, authorize } from '../../../../shared/contract/access.js';
import type { Caller } from '../../../../shared/contract/caller.js';
import { forbidden, invalid, notFound } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { checkChangeable } from '../../core/change-requests/changes.js';
import { findChangeRequest } from '../../core/change-requests/find.js';
import type { ChangeRequestStatus } from '../../core/change-requests/model.js';
import { onSpace } from '../../core/contract/access-rules.js';
import { spaces } from '../../core/nodes/model.js';
import { checkLive } from '../../core/spaces/live-space.js';
import type { DraftPlace } from '../contract.js';

/** A place that a person may write to. */
export interface WritingPlace {
  organization: string;
  space: string;
  user: string;
  /** The content as it is now. */
  revision: string;
  changeRequest?: { id: string; status: ChangeRequestStatus };
}

/** Opens a place for a user. Throws 404 where the user may not see it, 403 without the right to edit. */
export async function openWritingPlace(
  { store, trees }: HasStore & HasTrees,
  { space, changeRequest }: Omit<DraftPlace, 'page'>,
  caller: Caller,
): Promise<WritingPlace> {
  const ask: AskAccess = (_, question) => trees.resolve(question, 'space');
  const { organization } = await authorize(onSpace('edit'), { spaceId: space }, caller, ask);
  if (caller.kind !== 'user') throw forbidden('Drafts belong to users', 'token_kind_not_allowed');
  const { user } = caller;
  if (changeRequest === undefined) {
    const found = await store.get(spaces, space, { fields: ['revision'] });
    if (!found) throw notFound('Space');
    return { organization, space, user, revision: found.revision };
  }
  const path = { spaceId: space, changeRequestId: changeRequest };
  const { _id: id, status, revision } = await findChangeRequest(store, path, { fields: ['status', 'revision'] });
  return { organization, space, user, revision, changeRequest: { id, status } };
}

/** Throws 400 for a change request that is closed, and for a space that is changed through change requests only. */
export async function checkOpen({ store }: HasStore, { space, changeRequest }: WritingPlace): Promise<void> {
  if (changeRequest) return checkChangeable(changeRequest);
  const found = await store.get(spaces, space, { fields: ['editMode', 'deletedAt'] });
  checkLive(found);
}

/** Characters, as of a page that is written. */
const maxText = 2_000_000;

/** Throws 400 for a text that no page could have. */
export function checkText(markdown: string): void {
  if (markdown.length > maxText) throw invalid(`markdown: at most ${maxText.toLocaleString('en')} characters`);
  if (!markdown.isWellFormed()) throw invalid('markdown: must be Unicode text');
}

const pageName = /^(?:new:[a-zA-Z0-9]{1,40}|[a-zA-Z0-9_-]{1,100})$/;

/** The id of a draft. Throws 400 for what names no page. */
export function draftId({ user, space, changeRequest }: WritingPlace, page: string): string {
  if (!pageName.test(page)) throw invalid('page: must be the id of a page, or new:<name>');
  return `${user}:${changeRequest?.id ?? space}:${page}`;
}
