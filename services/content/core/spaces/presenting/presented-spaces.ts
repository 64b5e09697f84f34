import type { Caller } from '../../../../../shared/contract/caller.js';
import type { Context } from '../../../../../shared/contract/service.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import type { HasTrees } from '../../access/tree/content-tree-cache.js';
import type { PresentSpaces } from '../../contract.js';
import { presentSpace, spaces } from '../../nodes/model.js';
import type { Space } from '../../nodes/resources.js';
import { withoutGitSync } from './encoded-spaces.js';
import { openCommentCounts } from './open-comments.js';

/** Visitors and installations see the spaces of a site as the site shows them, whatever they may do with the spaces. */
const isGuestOfSite = ({ kind }: Caller): boolean => kind === 'content' || kind === 'installation';

/** Spaces for the services that show them, in the order of the ids; null for a space that the organization does not have. */
export async function presentSpaces(
  { store, trees, baseUrl }: HasStore & HasTrees & { baseUrl: string },
  { organization, ids }: PresentSpaces,
  context: Pick<Context, 'call' | 'caller'>,
): Promise<(Space | null)[]> {
  const { caller } = context;
  const found = await store.getMany(spaces, [...new Set(ids)]);
  const own = found.filter((space) => space.organization === organization);
  const roles = await trees.rolesOn(
    organization,
    caller,
    own.map(({ _id }) => _id),
  );
  const commentsOn = await openCommentCounts(
    context,
    own.filter((_, at) => roles[at]),
  );
  const presented = own.map((space, at): [string, Space] => {
    const role = roles[at] ?? null;
    const resource = presentSpace(baseUrl, space, { role, comments: commentsOn(space._id) });
    return [space._id, role === null || isGuestOfSite(caller) ? withoutGitSync(resource) : resource];
  });
  const byId = new Map(presented);
  return ids.map((id) => byId.get(id) ?? null);
}
