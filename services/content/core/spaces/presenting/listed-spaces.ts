import type { Context } from '../../../../../shared/contract/service.js';
import type { Page, PageRequest } from '../../../../../shared/lists/paging.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import type { AccessibleNode } from '../../access/tree/accessible-nodes.js';
import { pageOfNodes } from '../../access/tree/node-pages.js';
import { presentSpace, spaces } from '../../nodes/model.js';
import type { Space } from '../../nodes/resources.js';
import { openCommentCounts } from './open-comments.js';

/** A page of the spaces that a caller has access to. */
export function listSpaces(
  { store, baseUrl }: HasStore & { baseUrl: string },
  { accessible, query }: { accessible: AccessibleNode[]; query: PageRequest },
  context: Pick<Context, 'call' | 'caller'>,
): Promise<Page<Space>> {
  return pageOfNodes(accessible, query, async (ids, roleOf) => {
    const [found, commentsOn] = await Promise.all([store.getMany(spaces, ids), openCommentCounts(context, ids)]);
    return found.map((space) => {
      const { _id: id } = space;
      return presentSpace(baseUrl, space, { role: roleOf.get(id) ?? null, comments: commentsOn(id) });
    });
  });
}
