import type { Caller } from '../../../../shared/contract/caller.js';
import { forbidden, notFound } from '../../../../shared/errors/errors.js';
import { again } from '../../../../shared/store/again.js';
import { checkBound } from '../../../../shared/store/bounds.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { currentRevision, spaces } from '../../core/nodes/model.js';
import type { NoteVisit, SetFavourite, Visit } from '../contract/visits.js';
import { type VisitDocument, visitId, visits } from './model.js';

type Dependencies = HasStore & HasTrees;

/** Who reads page after page of the same content is noted once in this time. */
const quietMs = 60_000;
/** In an organization, of a user. */
const maxFavourites = 1000;
const maxListed = 1000;

/** The ids of a user and a space that the user may view. Throws 404 for any other space. */
async function findVisited(
  { trees }: Dependencies,
  caller: Caller,
  space: string,
): Promise<Pick<VisitDocument, 'organization' | 'user' | 'space'>> {
  if (caller.kind !== 'user') throw forbidden('Only users visit spaces', 'token_kind_not_allowed');
  const [access] = await trees.resolve({ caller, ids: [space] }, 'space');
  if (!access?.role || access.state === 'deleted') throw notFound('Space');
  return { organization: access.organization, user: caller.user, space };
}

/** Notes what a user has read; not again within a minute where it is the same. */
export async function noteVisitOf(
  deps: Dependencies,
  { space, revision }: NoteVisit,
  caller: Caller,
  now = Date.now(),
): Promise<void> {
  const visited = await findVisited(deps, caller, space);
  const known = await deps.store.get(visits, visitId(visited));
  const isNoted = known?.revision === revision && Date.parse(known.seenAt ?? '') > now - quietMs;
  if (isNoted) return;
  const at = timestamp(new Date(now));
  await setVisit(deps, visited, { $set: { revision, seenAt: at, updatedAt: at } });
}

export async function setFavouriteOf(
  deps: Dependencies,
  { space, favourite }: SetFavourite,
  caller: Caller,
): Promise<void> {
  const visited = await findVisited(deps, caller, space);
  if (!favourite) {
    await deps.store.update(visits, { _id: visitId(visited) }, { $unset: { favourite: true } });
    return;
  }
  const { organization, user } = visited;
  const filter = { organization, user, favourite: true } as const;
  await checkBound(deps.store, visits, filter, { max: maxFavourites, what: 'favourites of a member' });
  await setVisit(deps, visited, { $set: { favourite: true, updatedAt: timestamp() } });
}

async function setVisit(
  { store }: HasStore,
  visited: Pick<VisitDocument, 'organization' | 'user' | 'space'>,
  update: { $set: Partial<VisitDocument> },
): Promise<void> {
  // Another window of the same person may be first.
  await again(() => store.upsert(visits, { _id: visitId(visited), ...visited }, update), { duplicates: true });
}

export async function isFavouriteOf(
  { store }: HasStore,
  { space }: { space: string },
  caller: Caller,
): Promise<boolean> {
  if (caller.kind !== 'user') return false;
  const known = await store.get(visits, visitId({ user: caller.user, space }), { fields: ['favourite'] });
  return known?.favourite === true;
}

/** Lists the favourites of a user, and what has changed since the user read it. */
export async function listVisitsOf(
  deps: Dependencies,
  { organization }: { organization: string },
  caller: Caller,
): Promise<Visit[]> {
  if (caller.kind !== 'user') return [];
  const { store, trees } = deps;
  const { user } = caller;
  const sort = { seenAt: -1 } as const;
  const [favourites, read] = await Promise.all([
    store.page(visits, { filter: { organization, user, favourite: true }, sort, limit: maxListed }),
    store.page(visits, { filter: { organization, user }, sort, limit: maxListed }),
  ]);
  const known = new Map([...read.items, ...favourites.items].map((visit) => [visit.space, visit]));
  const roles = await trees.rolesOn(organization, caller, [...known.keys()]);
  const tree = await trees.treeOf(organization);
  const shown = [...known.values()].filter(({ space }, at) => roles[at] && !tree.get(space)?.deleted);
  const ids = shown.map(({ space }) => space);
  const current = await store.derive(spaces, ids, currentRevision);
  return shown.flatMap(({ space, favourite = false, revision: seen, seenAt }, at): Visit[] => {
    const changed = seen !== undefined && current[at] !== seen;
    if (!current[at] || !(favourite || changed)) return [];
    return [{ space, favourite, ...(seen ? { seen } : {}), ...(seenAt ? { seenAt } : {}), changed }];
  });
}

/** Removes what is noted of a member who is gone, but for what came after. */
export const dropVisits = (
  { store }: HasStore,
  { organization, user, before }: { organization: string; user: string; before: string },
): Promise<unknown> => store.deleteMany(visits, { organization, user, updatedAt: { $lt: before } });
