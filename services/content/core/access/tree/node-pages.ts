import {
  decodeCursor,
  encodeCursor,
  type Order,
  type Page,
  type PageRequest,
} from '../../../../../shared/lists/paging.js';
import type { Role } from '../../../../identity/resources.js';
import type { AccessibleNode } from './accessible-nodes.js';

/** The position of the first node beyond the id `after`. */
function firstIndexAfter(nodes: AccessibleNode[], after: string, order: Order): number {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { id } = (nodes[middle] as AccessibleNode).node;
    if (order === 'asc' ? id > after : id < after) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A page of `nodes`, which are in the order of their ids: keyset paging with an exact count. */
export async function pageOfNodes<T>(
  nodes: AccessibleNode[],
  request: PageRequest & { order?: Order },
  present: (ids: string[], roleOf: Map<string, Role>) => Promise<T[]>,
): Promise<Page<T>> {
  const { order = 'asc', limit } = request;
  const ordered = order === 'asc' ? nodes : nodes.toReversed();
  const start =
    request.page === undefined ? 0 : firstIndexAfter(ordered, String(decodeCursor(request.page, 1)[0]), order);
  const page = ordered.slice(start, start + limit);
  const roleOf = new Map(page.map(({ node, role }) => [node.id, role]));
  const items = await present([...roleOf.keys()], roleOf);
  const last = page.at(-1);
  const more = last !== undefined && start + page.length < ordered.length;
  return more
    ? { next: { page: encodeCursor([last.node.id]) }, count: ordered.length, items }
    : { count: ordered.length, items };
}
