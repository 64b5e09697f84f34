import type { Context } from '../../../shared/contract/service.js';
import type { Page, PageRequest } from '../../../shared/paging.js';
import type { ContentDependencies } from '../dependencies.js';
import type { AccessibleNode } from '../tree/accessible-nodes.js';
import { presentSpace, spaces } from '../tree/model.js';
import { pageOfNodes } from '../tree/node-pages.js';
import { openComments } from '../tree/open-comments.js';
import type { Space } from '../tree/resources.js';

/** A page of the spaces that a caller has access to. */
export function listSpaces(
  { store, baseUrl }: Pick<ContentDependencies, 'store' | 'baseUrl'>,
  { accessible, query }: { accessible: AccessibleNode[]; query: PageRequest },
  context: Pick<Context, 'call' | 'caller'>,
): Promise<Page<Space>> {
  return pageOfNodes(accessible, query, async (ids, roleOf) => {
    const [found, commentsOn] = await Promise.all([store.getMany(spaces, ids), openComments(context, ids)]);
    return found.map((space) => {
      const { _id: id } = space;
      return presentSpace(baseUrl, space, { role: roleOf.get(id) ?? null, comments: commentsOn(id) });
    });
  });
}
