import { type Encoded, joinEncoded } from '../../../../../shared/contract/encoded.js';
import type { Context } from '../../../../../shared/contract/service.js';
import type { Page, PageRequest } from '../../../../../shared/lists/paging.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import type { AccessibleNode } from '../../access/tree/accessible-nodes.js';
import { pageOfNodes } from '../../access/tree/node-pages.js';
import type { Space } from '../../nodes/resources.js';
import { encodeSpaces } from './encoded-spaces.js';

/** A page of the spaces that a caller has access to. */
export async function listSpaces(
  deps: HasStore & { baseUrl: string },
  { accessible, query }: { accessible: AccessibleNode[]; query: PageRequest },
  context: Pick<Context, 'call' | 'caller'>,
): Promise<Encoded<Page<Space>>> {
  const { items, ...page } = await pageOfNodes(accessible, query, async (ids, roleOf) => {
    const encoded = await encodeSpaces(deps, roleOf, context);
    return ids.flatMap((id) => encoded.get(id)?.space ?? []);
  });
  return joinEncoded(page, 'items', items);
}
