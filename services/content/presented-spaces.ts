import type { Caller } from '../../shared/contract/caller.js';
import { presentSpace, spaces } from './model.js';
import type { Space } from './resources.js';
import type { ContentRules } from './spaces.js';

/** As one sees it who is no reader of the space itself, a visitor of its site: not where its content comes from. */
export function withoutSource({ gitSync: _, ...space }: Space): Space {
  return space;
}

/** For the services that show spaces: in the order of the ids, null for what is not there or not of the organization. */
export async function presentSpaces(
  { store, trees, baseUrl }: Pick<ContentRules, 'store' | 'trees' | 'baseUrl'>,
  { organization, ids }: { organization: string; ids: string[] },
  caller: Caller,
): Promise<(Space | null)[]> {
  const found = await store.getMany(spaces, [...new Set(ids)]);
  const own = found.filter((space) => space.organization === organization);
  const roles = await trees.rolesOn(
    organization,
    caller,
    own.map(({ _id }) => _id),
  );
  const shown = own.map((space, at): [string, Space] => {
    const role = roles[at] ?? null;
    const presented = presentSpace(baseUrl, space, role);
    return [space._id, role === null || caller.kind === 'content' ? withoutSource(presented) : presented];
  });
  const byId = new Map(shown);
  return ids.map((id) => byId.get(id) ?? null);
}
