import type { Caller } from '../../../../shared/contract/caller.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { roleOfCaller } from '../access/tree/content-tree.js';
import type { HasTrees } from '../access/tree/content-tree-cache.js';
import type { DeletedSpace } from '../contract/trash.js';
import { spaces } from '../nodes/model.js';
import { graceEnd, mayRestore } from './trash.js';

/** The most deleted spaces that a list shows; a week of deletions. */
const maxListed = 1000;

/** Lists the deleted spaces of an organization that the caller may restore, those deleted last first. */
export async function listTrash(
  { store, trees }: HasStore & HasTrees,
  { organization }: { organization: string },
  caller: Caller,
): Promise<DeletedSpace[]> {
  const tree = await trees.treeOf(organization);
  const restorable = [...tree.values()].filter(
    (node) =>
      node.kind === 'space' && node.deleted && mayRestore(roleOfCaller(caller, { tree, organization, node }) ?? null),
  );
  const ids = restorable.map(({ id }) => id);
  const fields = ['title', 'emoji', 'deletedAt'] as ('title' | 'emoji' | 'deletedAt')[];
  const found = await store.getMany(spaces, ids, { fields });
  return found
    .flatMap(({ _id: id, title, emoji, deletedAt }): DeletedSpace[] =>
      deletedAt ? [{ id, title, ...(emoji ? { emoji } : {}), deletedAt, purgedAt: graceEnd(new Date(deletedAt)) }] : [],
    )
    .sort((a, b) => (a.deletedAt < b.deletedAt ? 1 : -1))
    .slice(0, maxListed);
}
