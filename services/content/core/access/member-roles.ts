import type { Call } from '../../../../shared/contract/service.js';
import { findPrincipals } from '../../../identity/contract.js';
import type { Role, User } from '../../../identity/resources.js';
import { roleOnNode } from './tree/content-tree.js';
import type { HasTrees } from './tree/content-tree-cache.js';

/** A member of an organization, and its role on a space of it: undefined for none, and where the membership is disabled. */
interface MemberRole {
  user: User;
  role: Role | undefined;
}

/** Looks up the users who are members, with their roles on the space, by their ids. */
export async function findMemberRoles(
  { trees }: HasTrees,
  { organization, space, users }: { organization: string; space: string; users: string[] },
  call: Call,
): Promise<ReadonlyMap<string, MemberRole>> {
  if (users.length === 0) return new Map();
  const { members } = await call(findPrincipals, { organization, users, teams: [] });
  const tree = await trees.treeOf(organization);
  return new Map(
    members.map((member) => {
      const role = member.disabled ? undefined : roleOnNode(tree, space, member);
      return [member.user, { user: member.resource, role }];
    }),
  );
}
