import type { Caller } from '../../../shared/contract/caller.js';
import type { PresentSpaces } from '../contract.js';
import type { ContentDependencies } from '../dependencies.js';
import { presentSpace, spaces } from '../tree/model.js';
import type { Space } from '../tree/resources.js';

/** A space for callers who may not read it themselves, such as visitors of its site: without its Git source. */
export function withoutGitSync({ gitSync: _, ...space }: Space): Space {
  return space;
}

/** Spaces for the services that show them, in the order of the ids; null for a space that the organization does not have. */
export async function presentSpaces(
  { store, trees, baseUrl }: Pick<ContentDependencies, 'store' | 'trees' | 'baseUrl'>,
  { organization, ids }: PresentSpaces,
  caller: Caller,
): Promise<(Space | null)[]> {
  const found = await store.getMany(spaces, [...new Set(ids)]);
  const own = found.filter((space) => space.organization === organization);
  const roles = await trees.rolesOn(
    organization,
    caller,
    own.map(({ _id }) => _id),
  );
  const presented = own.map((space, at): [string, Space] => {
    const role = roles[at] ?? null;
    const resource = presentSpace(baseUrl, space, role);
    return [space._id, role === null || caller.kind === 'content' ? withoutGitSync(resource) : resource];
  });
  const byId = new Map(presented);
  return ids.map((id) => byId.get(id) ?? null);
}
