import type { Caller } from '../../../../../shared/contract/caller.js';
import type { BodyOf } from '../../../../../shared/contract/operation.js';
import { invalid } from '../../../../../shared/errors/errors.js';
import { type Write, write } from '../../../../../shared/store/port.js';
import { newId } from '../../../../../shared/values/ids.js';
import { type ContentTree, orderOf, roleOfCaller, type TreeNode } from '../../access/tree/content-tree.js';
import type { movingOperations } from '../../contract/moving.js';
import { collections, spaces } from '../../nodes/model.js';
import { keyBetween } from './order-keys.js';

export type MoveBody = BodyOf<typeof movingOperations.moveSpace>;
type Position = NonNullable<MoveBody['position']>;
type Pointer = NonNullable<Position['before']>;

/** The collection that a node is shown in. What was restored from a deleted one is shown at the top level. */
export function shownParent(tree: ContentTree, { parent }: TreeNode): string | null {
  return parent !== null && tree.get(parent)?.deleted === false ? parent : null;
}

/** The nodes that a parent holds, in their order; those in the trash keep their places. */
export const siblingsOf = (tree: ContentTree, parent: string | null): TreeNode[] =>
  [...tree.values()]
    .filter((node) => shownParent(tree, node) === parent)
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));

interface Naming {
  tree: ContentTree;
  organization: string;
  caller: Caller;
}

/** The index among `siblings` that a position names: the end by default. 400 for a pointer to none of them that the caller may see. */
export function indexOf(siblings: TreeNode[], { before, after }: Position, naming: Naming): number {
  if (before) return indexOfPointer(siblings, { pointer: before, field: 'position.before' }, naming);
  return after ? indexOfPointer(siblings, { pointer: after, field: 'position.after' }, naming) + 1 : siblings.length;
}

function indexOfPointer(
  siblings: TreeNode[],
  { pointer, field }: { pointer: Pointer; field: string },
  { tree, organization, caller }: Naming,
): number {
  const id = pointer.type === 'space' ? pointer.space : pointer.collection;
  const at = siblings.findIndex((node) => node.id === id && node.kind === pointer.type && !node.deleted);
  const node = siblings[at];
  if (!node || roleOfCaller(caller, { tree, organization, node }) === undefined)
    throw invalid(`${field}: the parent holds no other ${pointer.type} with this id`);
  return at;
}

/** The keys that put a node at an index among its siblings, by id: its own, or in the rare case that there is no room, a new one for each. */
export function keysAt(siblings: TreeNode[], id: string, index: number): Map<string, string> {
  const keyOf = (node: TreeNode | undefined) => node && (node.orderKey ?? node.id);
  const key = keyBetween(keyOf(siblings[index - 1]), keyOf(siblings[index]));
  if (key !== undefined) return new Map([[id, key]]);
  const ids = siblings.map((node) => node.id);
  return new Map(ids.toSpliced(index, 0, id).map((each) => [each, newId()]));
}

/** The write that gives a node its place among its siblings. */
export const orderWrite = ({ kind, id }: TreeNode, orderKey: string): Write =>
  kind === 'collection'
    ? write.update(collections, { _id: id }, { $set: { orderKey } }, { expect: 1 })
    : write.update(spaces, { _id: id }, { $set: { orderKey } }, { expect: 1 });
