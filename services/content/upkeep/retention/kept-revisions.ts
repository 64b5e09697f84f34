import { eachDocument, type Store } from '../../../../shared/store/port.js';
import { changeRequests, isChangeable } from '../../core/change-requests/model.js';
import { spaces } from '../../core/nodes/model.js';
import { revisions } from '../../core/revisions/model.js';
import { sharedStates } from '../../exchange/git/model.js';
import { gitInstallations } from '../../exchange/sync/model.js';
import { gitPreviews } from '../../exchange/sync/previews/model.js';

/**
 * The revisions of a space that stay: what is read, what change requests need, and what became the past after `since` (ISO time).
 * The latest of the history before that stays as well: it was the content of the space until then.
 */
export async function keptRevisions(
  store: Store,
  { space, since }: { space: string; since: string },
): Promise<string[]> {
  const kept = new Set<string>();
  for await (const item of eachDocument(store, changeRequests, { space }, [
    'status',
    'revision',
    'initial',
    'base',
    'updatedAt',
  ]))
    if (isChangeable(item) || (item.status === 'archived' && item.updatedAt >= since))
      for (const id of [item.revision, item.initial, item.base]) kept.add(id);
  let last: { _id: string; createdAt: string } | undefined;
  for await (const revision of eachDocument(store, revisions, { space }, ['createdAt', 'primary'])) {
    if (revision.createdAt >= since) kept.add(revision._id);
    else if (revision.primary && (!last || last.createdAt < revision.createdAt)) last = revision;
  }
  if (last) kept.add(last._id);
  for await (const { revision, held = [] } of eachDocument(store, sharedStates, { space }, ['revision', 'held']))
    for (const id of [revision, ...held.map(({ agreed }) => agreed)]) kept.add(id);
  for await (const { revision } of eachDocument(store, gitPreviews, { space }, ['revision']))
    if (revision !== undefined) kept.add(revision);
  for await (const { conflict } of eachDocument(store, gitInstallations, { space }, ['conflict']))
    if (conflict) kept.add(conflict.theirs);
  const current = await store.get(spaces, space, { fields: ['revision', 'indexed'] });
  for (const id of [current?.revision, current?.indexed]) if (id !== undefined) kept.add(id);
  return [...kept];
}
