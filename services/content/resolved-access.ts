import { type Caller, membershipOf } from '../../shared/contract/caller.js';
import type { Call, Context } from '../../shared/contract/service.js';
import { notFound } from '../../shared/errors.js';
import { decodeCursor, encodeCursor, type Order, type Page, type PageRequest } from '../../shared/paging.js';
import { findPrincipals, type Principal } from '../identity/contract.js';
import type { Role } from '../identity/resources.js';
import { type Reader, readerOf, roleOn } from './content-tree.js';
import { presentSpace, spaces } from './model.js';
import type { Readable } from './reach.js';
import type { MemberContentPermission, UserContentPermission } from './resources.js';
import { type ContentRules, pageOfNodes } from './spaces.js';

/** Every member that reaches a space or a collection, with the role that counts, in the order of their ids. */
export async function listAggregate(
  { trees, members }: ContentRules,
  node: string,
  { role: wanted, page, limit }: PageRequest & { role?: Role | undefined },
  { call, access: { organization } }: Context,
): Promise<Page<UserContentPermission>> {
  const after = page === undefined ? '' : String(decodeCursor(page, 1)[0]);
  const tree = await trees.of(organization);
  const shown: { user: string; role: Role }[] = [];
  let [count, beyond] = [0, 0];
  for (const member of await members.of(call, organization, page !== undefined)) {
    const role = member.disabled ? undefined : roleOn(tree, node, member);
    if (!role || (wanted !== undefined && role !== wanted)) continue;
    count += 1;
    if (member.user <= after) continue;
    beyond += 1;
    if (shown.length < limit) shown.push({ user: member.user, role });
  }
  const last = shown.at(-1);
  const items = await withUsers(call, organization, shown);
  return last && beyond > shown.length ? { next: { page: encodeCursor([last.user]) }, count, items } : { count, items };
}

async function withUsers(call: Call, organization: string, shown: { user: string; role: Role }[]) {
  if (shown.length === 0) return [];
  const { members } = await call(findPrincipals, { organization, users: shown.map(({ user }) => user), teams: [] });
  const users = new Map(members.map(({ user, resource }) => [user, resource]));
  return shown.flatMap(({ user: id, role }) => {
    const user = users.get(id);
    return user ? [{ permission: role, user }] : [];
  });
}

const seesAll = (caller: Caller, organization: string, user: string): boolean =>
  caller.kind === 'system' ||
  (caller.kind === 'user' && caller.user === user) ||
  membershipOf(caller, organization)?.role === 'admin';

/** The spaces that a member reaches, as far as the caller may know of them. */
export async function listMemberSpaces(
  rules: ContentRules,
  { organizationId: organization, userId: user }: { organizationId: string; userId: string },
  request: PageRequest & { order: Order },
  { call, caller }: Context,
): Promise<Page<MemberContentPermission>> {
  const { members } = await call(findPrincipals, { organization, users: [user], teams: [] });
  const [member] = members;
  if (!member) throw notFound('Member');
  const reach = await rules.trees.reach(organization);
  const tree = await rules.trees.of(organization);
  const reader = readerOf(caller, organization);
  const ownRole = (id: string) => (reader ? roleOn(tree, id, reader) : undefined);
  let readable: Readable[] = member.disabled ? [] : reach.readable(member, 'space');
  if (!seesAll(caller, organization, user)) readable = readable.filter(({ node }) => ownRole(node.id));
  return pageOfNodes(readable, request, async (ids, roleOf) => {
    const found = await rules.store.getMany(spaces, ids);
    return found.map((space) => ({
      permission: roleOf.get(space._id) as Role,
      space: presentSpace(rules.baseUrl, space, ownRole(space._id) ?? null),
    }));
  });
}

/** What a member is to the organization; one that is not there, or switched off, is like a guest without teams. */
export async function memberReader(call: Call, organization: string, user: string): Promise<Reader> {
  const { members } = await call(findPrincipals, { organization, users: [user], teams: [] });
  return members[0] ?? { user, role: null, teams: [] };
}

export interface CountQuestion {
  organization: string;
  members: Pick<Principal, 'user' | 'role' | 'teams' | 'disabled'>[];
  teams: string[];
}

/** How many spaces each member reads, and how many each team alone would open to a guest. */
export async function countReached({ trees }: ContentRules, { organization, members, teams }: CountQuestion) {
  const reach = await trees.reach(organization);
  return {
    members: members.map((member) => (member.disabled ? 0 : reach.count(member))),
    teams: teams.map((team) => reach.count({ user: '', role: null, teams: [team] })),
  };
}
