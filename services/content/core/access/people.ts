import type { Call } from '../../../../shared/contract/service.js';
import { findPrincipals } from '../../../identity/contract.js';
import type { User } from '../../../identity/resources.js';
import type { FindPeople } from '../contract.js';
import { spaceKind } from '../nodes/resources.js';
import type { MemberListCache } from './member-list-cache.js';
import { roleOnNode } from './tree/content-tree.js';
import type { HasTrees } from './tree/content-tree-cache.js';

const maxFound = 100;
/** Members whose names are compared: in an organization with more, those with the first ids. */
const maxCompared = 5000;
const atOnce = 500;

/** Members who have a right on a space and whose names hold what is searched for, by their names. */
export async function findPeople(
  { trees, members }: HasTrees & { members: MemberListCache },
  { organization, space, right, search = '', limit }: FindPeople,
  call: Call,
): Promise<User[]> {
  const tree = await trees.treeOf(organization);
  const node = tree.get(space);
  if (node?.kind !== 'space' || node.deleted) return [];
  const able = (await members.listMembers(call, organization, { continued: false })).filter((member) => {
    const role = member.disabled ? undefined : roleOnNode(tree, space, member);
    return role !== undefined && spaceKind.rights[right].includes(role);
  });
  const ids = able.slice(0, maxCompared).map(({ user }) => user);
  const found: User[] = [];
  const wanted = search.trim().toLowerCase();
  for (let start = 0; start < ids.length; start += atOnce) {
    const asked = { organization, users: ids.slice(start, start + atOnce), teams: [] };
    const { members: named } = await call(findPrincipals, asked);
    for (const { resource } of named) if (resource.displayName.toLowerCase().includes(wanted)) found.push(resource);
  }
  return found.sort((a, b) => a.displayName.localeCompare(b.displayName)).slice(0, Math.min(limit, maxFound));
}
