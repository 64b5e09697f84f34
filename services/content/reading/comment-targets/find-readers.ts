import type { Call } from '../../../../shared/contract/service.js';
import { findMemberRoles } from '../../core/access/member-roles.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { spaceKind } from '../../core/resources.js';
import type { FindReaders } from '../contract.js';

/** Filters users: only those who may view the space. Nobody reads one in the trash. */
export async function filterReaders(
  { trees }: HasTrees,
  { organization, space, users }: FindReaders,
  call: Call,
): Promise<string[]> {
  const node = (await trees.treeOf(organization)).get(space);
  if (node?.kind !== 'space' || node.deleted) return [];
  const members = await findMemberRoles({ trees }, { organization, space, users }, call);
  return users.filter((user) => {
    const role = members.get(user)?.role;
    return role !== undefined && spaceKind.rights.view.includes(role);
  });
}
