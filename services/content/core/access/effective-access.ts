import type { Call, Context } from '../../../../shared/contract/service.js';
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../../../../shared/lists/paging.js';
import { type CountSpaces, findPrincipals } from '../../../identity/contract.js';
import type { Role } from '../../../identity/resources.js';
import type { MemberListCache } from './member-list-cache.js';
import type { UserContentPermission } from './resources.js';
import { type Reader, roleOnNode } from './tree/content-tree.js';
import type { HasTrees } from './tree/content-tree-cache.js';

/** Every member with access to a space or a collection, with its effective role there, in the order of the user ids. */
export async function listMembersWithAccess(
  { trees, members }: HasTrees & { members: MemberListCache },
  { node, query }: { node: string; query: PageRequest & { role?: Role | undefined } },
  { call, access: { organization } }: Context,
): Promise<Page<UserContentPermission>> {
  const { role: wanted, page, limit } = query;
  const after = page === undefined ? '' : String(decodeCursor(page, 1)[0]);
  const tree = await trees.treeOf(organization);
  const listed: { user: string; role: Role }[] = [];
  let [count, beyond] = [0, 0];
  for (const member of await members.listMembers(call, organization, { continued: page !== undefined })) {
    const role = member.disabled ? undefined : roleOnNode(tree, node, member);
    if (!role || (wanted !== undefined && role !== wanted)) continue;
    count += 1;
    if (member.user <= after) continue;
    beyond += 1;
    if (listed.length < limit) listed.push({ user: member.user, role });
  }
  const last = listed.at(-1);
  const items = await presentPermissions(call, organization, listed);
  return last && beyond > listed.length
    ? { next: { page: encodeCursor([last.user]) }, count, items }
    : { count, items };
}

async function presentPermissions(call: Call, organization: string, listed: { user: string; role: Role }[]) {
  if (listed.length === 0) return [];
  const { members } = await call(findPrincipals, { organization, users: listed.map(({ user }) => user), teams: [] });
  const users = new Map(members.map(({ user, resource }) => [user, resource]));
  return listed.flatMap(({ user: id, role }) => {
    const user = users.get(id);
    return user ? [{ permission: role, user }] : [];
  });
}

/** A member as a reader of its organization; a user who is not a member, or is disabled, is a guest without teams. */
export async function findMemberReader(call: Call, organization: string, user: string): Promise<Reader> {
  const { members } = await call(findPrincipals, { organization, users: [user], teams: [] });
  return members[0] ?? { user, role: null, teams: [] };
}

/** The number of spaces that each member has access to, and that each team alone would open to a guest. */
export async function countAccessibleSpaces(
  { trees }: HasTrees,
  { organization, members, teams }: CountSpaces,
): Promise<{ members: number[]; teams: number[] }> {
  const accessible = await trees.accessibleOf(organization);
  return {
    members: members.map((member) => (member.disabled ? 0 : accessible.count(member))),
    teams: teams.map((team) => accessible.count({ user: '', role: null, teams: [team] })),
  };
}
