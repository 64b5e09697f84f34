import type { Caller } from '../../../../shared/contract/caller.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { changeRequests } from '../../core/change-requests/model.js';
import { spaces } from '../../core/nodes/model.js';
import { spaceKind } from '../../core/nodes/resources.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { ListedDraft } from '../contract.js';
import { type DraftDocument, drafts, maxDrafts } from './model.js';

type Dependencies = HasStore & HasTrees & HasRevisions;

/** Lists the drafts of a user in the spaces of an organization that the user may edit, the latest first. */
export async function listDrafts(
  deps: Dependencies,
  { organization }: { organization: string },
  caller: Caller,
): Promise<ListedDraft[]> {
  if (caller.kind !== 'user') return [];
  const { items } = await deps.store.page(drafts, {
    filter: { organization, user: caller.user },
    sort: {},
    limit: maxDrafts,
  });
  const wanted = (await inEditableSpaces(deps, items, { organization, caller })).sort((a, b) =>
    a.updatedAt < b.updatedAt ? 1 : -1,
  );
  const { store } = deps;
  const [ofSpaces, ofRequests] = await Promise.all([
    store.getMany(spaces, [...new Set(wanted.map(({ space }) => space))], { fields: ['title', 'revision'] }),
    store.getMany(changeRequests, [...new Set(wanted.flatMap(({ changeRequest }) => changeRequest ?? []))], {
      fields: ['number', 'subject', 'revision'],
    }),
  ]);
  const spaceOf = new Map(ofSpaces.map((space) => [space._id, space]));
  const requestOf = new Map(ofRequests.map((request) => [request._id, request]));
  const listed: ListedDraft[] = [];
  for (const draft of wanted) {
    const space = spaceOf.get(draft.space);
    const request = draft.changeRequest === undefined ? undefined : requestOf.get(draft.changeRequest);
    const place = draft.changeRequest === undefined ? space : request;
    if (!space || !place) continue;
    const { page, version, updatedAt } = draft;
    listed.push({
      space: { id: space._id, title: space.title },
      ...(request ? { changeRequest: { number: request.number, subject: request.subject } } : {}),
      ...(await pageOf(deps, draft, place.revision)),
      page,
      version,
      updatedAt,
    });
  }
  return listed;
}

async function inEditableSpaces(
  { trees }: HasTrees,
  items: readonly DraftDocument[],
  { organization, caller }: { organization: string; caller: Caller },
): Promise<DraftDocument[]> {
  const roles = await trees.rolesOn(
    organization,
    caller,
    items.map(({ space }) => space),
  );
  const tree = await trees.treeOf(organization);
  return items.filter(({ space }, at) => {
    const role = roles[at];
    return role && spaceKind.rights.edit.includes(role) && !tree.get(space)?.deleted;
  });
}

/** A page that is gone is called as it was when its draft began. */
async function pageOf(
  { revisions }: HasRevisions,
  { space, page, revision }: DraftDocument,
  current: string,
): Promise<Pick<ListedDraft, 'title' | 'path'>> {
  const now = (await revisions.find(space, current))?.pageById.get(page);
  if (now) return { title: now.title, path: now.path };
  const before = (await revisions.find(space, revision))?.pageById.get(page);
  return omitUndefined({ title: before?.title });
}
