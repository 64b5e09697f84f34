import { type Caller, membershipOf } from '../../../../../shared/contract/caller.js';
import type { Context } from '../../../../../shared/contract/service.js';
import { forbidden, invalid, notFound } from '../../../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../../../shared/jobs/outbox.js';
import { type Write, write } from '../../../../../shared/store/port.js';
import { timestamp } from '../../../../../shared/values/ids.js';
import { omitUndefined } from '../../../../../shared/values/omit-undefined.js';
import { organizationKind } from '../../../../identity/resources.js';
import { checkLevelChange } from '../../access/grants.js';
import { type ContentTree, maxCollectionDepth, nodeDepth, type TreeNode } from '../../access/tree/content-tree.js';
import type { HasTrees, TreeChange } from '../../access/tree/content-tree-cache.js';
import { spaceUpdated } from '../../events.js';
import { collections, spaces } from '../../nodes/model.js';
import { nodesInCollection } from '../collection-deletion.js';
import { checkParent } from '../new-space.js';
import { nodeChanger } from '../node-changes.js';
import { visibilityEventWrite } from '../visibility.js';
import { indexOf, keysAt, type MoveBody, orderWrite, shownParent, siblingsOf } from './siblings.js';

type Dependencies = HasTrees & HasOutbox;

interface MoveNode extends Pick<TreeNode, 'kind' | 'id'> {
  body: MoveBody;
}

/** Moves a space or a collection, with everything in it, to another parent or another place among its siblings. */
export const moveNode = (deps: Dependencies, move: MoveNode, context: Context): Promise<void> =>
  deps.trees.change(context.access.organization, move.id, () => planMove(deps, move, context));

/** The change that moves a node; undefined where it is there already. Moves of an organization follow each other: each sees the tree of the last. */
async function planMove(
  deps: Dependencies,
  { kind, id, body: { parent, position } }: MoveNode,
  { caller, access: { organization }, audit }: Context,
): Promise<TreeChange | undefined> {
  const { tree, unchanged } = await deps.trees.latest(organization);
  const node = tree.get(id);
  if (!node || node.deleted) throw notFound(kind === 'space' ? 'Space' : 'Collection');
  const from = shownParent(tree, node);
  const to = parent === undefined ? from : parent;
  const isElsewhere = to !== from;
  await checkPlace(deps, { organization, tree, node, to, caller });
  if (isElsewhere)
    await checkLevelChange(deps, { organization, node: { ...node, parent: to }, caller, field: 'parent' });
  else if (!position) return undefined;
  const siblings = siblingsOf(tree, to);
  const others = siblings.filter((each) => each.id !== id);
  const index = indexOf(others, position ?? {}, { tree, organization, caller });
  if (siblings[index]?.id === id) return undefined;
  const keys = keysAt(others, id, index);
  const moved = { orderKey: keys.get(id) as string, ...(isElsewhere ? { parent: to } : {}) };
  keys.delete(id);
  return {
    writes: [
      unchanged,
      ...(kind === 'space' ? spaceWrites(deps, { organization, id, from, to }, moved) : [collectionWrite(id, moved)]),
      ...[...keys].map(([each, orderKey]) => orderWrite(tree.get(each) as TreeNode, orderKey)),
      audit(kind, id, { details: omitUndefined({ parent: moved.parent, position }) }),
    ],
    apply: (changing) => {
      nodeChanger(id, moved)(changing);
      for (const [each, orderKey] of keys) nodeChanger(each, { orderKey })(changing);
    },
  };
}

interface NewPlace {
  organization: string;
  tree: ContentTree;
  node: TreeNode;
  /** The new parent; null for the top level. */
  to: string | null;
  caller: Caller;
}

/** Refuses a place where the caller may not create, one inside the node itself, and one where what the node holds would lie too deep. */
async function checkPlace(deps: HasTrees, { organization, tree, node, to, caller }: NewPlace): Promise<void> {
  await checkMayCreateIn(deps, { organization, parent: to, caller });
  if (to === null) return;
  if (node.kind === 'space') return;
  const held = nodesInCollection(tree, node.id);
  if (held.some(({ id }) => id === to))
    throw invalid('parent: a collection cannot be moved into itself, or into a collection that it holds');
  const height = Math.max(...held.map(({ id }) => nodeDepth(tree, id))) - nodeDepth(tree, node.id) + 1;
  if (nodeDepth(tree, to) + height > maxCollectionDepth)
    throw invalid(`parent: collections nest at most ${maxCollectionDepth} deep`);
}

/** Throws where the caller may not create in a collection, or at the top level for null. */
export async function checkMayCreateIn(
  deps: HasTrees,
  { organization, parent, caller }: { organization: string; parent: string | null; caller: Caller },
): Promise<void> {
  if (parent !== null) return checkParent(deps, { organization, parent, caller });
  const role = caller.kind === 'user' ? membershipOf(caller, organization)?.role : undefined;
  const creators: readonly (string | null | undefined)[] = organizationKind.rights.createContent;
  if (!creators.includes(role))
    throw forbidden('parent: you may not create content at the top level of the organization', 'missing_right');
}

interface Moved {
  orderKey: string;
  /** Absent where it stays in its parent. */
  parent?: string | null;
}

const collectionWrite = (id: string, moved: Moved): Write =>
  write.update(collections, { _id: id, deletedAt: null }, { $set: moved }, { expect: 1 });

interface SpaceMove {
  organization: string;
  id: string;
  from: string | null;
  to: string | null;
}

/** A space that comes elsewhere takes its access from there, no longer from a deleted collection. */
function spaceWrites(deps: HasOutbox, { organization, id, from, to }: SpaceMove, moved: Moved): Write[] {
  const update = {
    $set: { ...moved, updatedAt: timestamp() },
    ...(moved.parent === undefined ? {} : { $unset: { formerParent: true as const } }),
  };
  return [
    write.update(spaces, { _id: id, deletedAt: null }, update, { expect: 1 }),
    deps.outbox.add(spaceUpdated, { organization, space: id }),
    ...((from === null) === (to === null) ? [] : [visibilityEventWrite(deps, { organization, space: id, from, to })]),
  ];
}
