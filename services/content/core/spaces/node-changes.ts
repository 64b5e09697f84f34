import { again } from '../../../../shared/store/again.js';
import type { HasStore, Write } from '../../../../shared/store/port.js';
import type { TreeNode } from '../access/tree/content-tree.js';
import type { HasTrees } from '../access/tree/content-tree-cache.js';

/** Changes a node of the tree in memory, if it is there. */
export const nodeChanger = (id: string, changes: Partial<TreeNode>) => (tree: Map<string, TreeNode>) => {
  const node = tree.get(id);
  if (node) tree.set(id, { ...node, ...changes });
};

interface NodeUpdate {
  organization: string;
  id: string;
  /** Whether the request names a level. */
  setsLevel: boolean;
  /** Decides on the change, undefined where nothing differs; decides again after losing a race. */
  decide(): Promise<NodeChange | undefined>;
}

export interface NodeChange {
  writes: Write[];
  /** The node afterwards. */
  node: TreeNode;
}

/** Updates a space or a collection; only a request that names a level changes the content tree. */
export async function updateNode(
  { store, trees }: HasStore & HasTrees,
  { organization, id, setsLevel, decide }: NodeUpdate,
): Promise<void> {
  if (!setsLevel)
    await again(async () => {
      const change = await decide();
      if (change) await store.batch(change.writes);
    });
  else
    await trees.change(organization, id, async () => {
      const change = await decide();
      if (!change) return undefined;
      const { defaultLevel, parent } = change.node;
      return { writes: change.writes, apply: nodeChanger(id, { defaultLevel, parent }) };
    });
}
