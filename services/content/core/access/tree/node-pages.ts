import {
  decodeCursor,
  encodeCursor,
  type Order,
  type Page,
  type PageRequest,
} from '../../../../../shared/lists/paging.js';
import type { Role } from '../../../../identity/resources.js';
import type { AccessibleNode } from './accessible-nodes.js';
import { orderOf } from './content-tree.js';

type KeyOf = (node: AccessibleNode['node']) => string;

interface Position {
  after: string;
  order: Order;
  keyOf: KeyOf;
}

/** The position of the first node whose key is beyond `after`. */
function firstIndexAfter(nodes: AccessibleNode[], { after, order, keyOf }: Position): number {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const key = keyOf((nodes[middle] as AccessibleNode).node);
    if (order === 'asc' ? key > after : key < after) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A page of `nodes`, which are in the order of their keys: keyset paging with an exact count. */
export async function pageOfNodes<T>(
  nodes: AccessibleNode[],
  request: PageRequest & { order?: Order },
  present: (ids: string[], roleOf: Map<string, Role>) => Promise<T[]>,
  keyOf: KeyOf = orderOf,
): Promise<Page<T>> {
  const { order = 'asc', limit } = request;
  const ordered = order === 'asc' ? nodes : nodes.toReversed();
  const after = request.page === undefined ? undefined : String(decodeCursor(request.page, 1)[0]);
  const start = after === undefined ? 0 : firstIndexAfter(ordered, { after, order, keyOf });
  const page = ordered.slice(start, start + limit);
  const roleOf = new Map(page.map(({ node, role }) => [node.id, role]));
  const items = await present([...roleOf.keys()], roleOf);
  const last = page.at(-1);
  const more = last !== undefined && start + page.length < ordered.length;
  return more
    ? { next: { page: encodeCursor([keyOf(last.node)]) }, count: ordered.length, items }
    : { count: ordered.length, items };
}
