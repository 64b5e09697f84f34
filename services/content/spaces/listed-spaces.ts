import type { Page, PageRequest } from '../../../shared/paging.js';
import type { ContentDependencies } from '../dependencies.js';
import type { AccessibleNode } from '../tree/accessible-nodes.js';
import { presentSpace, spaces } from '../tree/model.js';
import { pageOfNodes } from '../tree/node-pages.js';
import type { Space } from '../tree/resources.js';

/** A page of the spaces that a caller has access to. */
export function listSpaces(
  { store, baseUrl }: Pick<ContentDependencies, 'store' | 'baseUrl'>,
  { accessible, query }: { accessible: AccessibleNode[]; query: PageRequest },
): Promise<Page<Space>> {
  return pageOfNodes(accessible, query, async (ids, roleOf) => {
    const found = await store.getMany(spaces, ids);
    return found.map((space) => presentSpace(baseUrl, space, roleOf.get(space._id) ?? null));
  });
}
