import { again } from '../../../shared/store/again.js';
import type { Write } from '../../../shared/store/port.js';
import type { ContentDependencies } from '../dependencies.js';
import type { TreeNode } from '../tree/content-tree.js';
import type { DefaultLevel } from '../tree/resources.js';

/** Changes a node of the tree in memory, if it is there. */
export const changeNode = (id: string, changes: Partial<TreeNode>) => (tree: Map<string, TreeNode>) => {
  const node = tree.get(id);
  if (node) tree.set(id, { ...node, ...changes });
};

interface NodeUpdate {
  organization: string;
  id: string;
  /** Undefined where the request names no level. */
  defaultLevel: DefaultLevel | undefined;
  /** Decides what to write, none where nothing differs; decides again after losing a race. */
  decide(): Promise<Write[]>;
}

/** Updates a space or a collection; only a request that names a level changes the content tree. */
export async function updateNode(
  { store, trees }: Pick<ContentDependencies, 'store' | 'trees'>,
  { organization, id, defaultLevel, decide }: NodeUpdate,
): Promise<void> {
  if (defaultLevel === undefined)
    await again(async () => {
      const writes = await decide();
      if (writes.length > 0) await store.batch(writes);
    });
  else
    await trees.change(organization, id, async () => {
      const writes = await decide();
      return writes.length === 0 ? undefined : { writes, apply: changeNode(id, { defaultLevel }) };
    });
}
