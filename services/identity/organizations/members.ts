import { knowsAddresses } from '../../../shared/contract/caller.js';
import type { Call, Context } from '../../../shared/contract/service.js';
import { isExpected, notFound } from '../../../shared/errors/errors.js';
import type { HasStore, Store } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { countSites, countSpaces } from '../contract.js';
import { presentUser, type UserDocument, users } from '../users/model.js';
import type { User } from '../users/resources.js';
import { type MemberDocument, memberId, members } from './model.js';
import type { Member } from './resources.js';

interface MemberKey {
  organization: string;
  user: string;
}

/** Reads a member. Throws 404 when the user is not a member of the organization. */
export async function findMember(store: Store, { organization, user }: MemberKey): Promise<MemberDocument> {
  const member = await store.get(members, memberId(organization, user));
  if (!member) throw notFound('Member');
  return member;
}

interface WantedMembers {
  organization: string;
  /** The ids of users. */
  ids: string[];
}

/** Finds members in the order of the ids, without those who have not accepted their invite. Addresses are for people alone. */
export async function findMembers(
  deps: HasStore & { baseUrl: string },
  { organization, ids }: WantedMembers,
  { call, caller }: Pick<Context, 'call' | 'caller'>,
): Promise<Member[]> {
  const memberIds = ids.map((user) => memberId(organization, user));
  const found = await deps.store.getMany(members, memberIds);
  const items = found.filter(({ pending }) => pending === undefined);
  const presented = await presentMembers(deps, { call, organization, items });
  return knowsAddresses(caller) ? presented : presented.map(memberWithoutEmail);
}

const memberWithoutEmail = ({ user: { email: _, ...user }, ...member }: Member): Member => ({ ...member, user });

interface MembersToPresent {
  call: Call;
  organization: string;
  items: MemberDocument[];
}

/** Counts the spaces that each member can access, in the order of `items`. */
async function countMemberSpaces({ call, organization, items }: MembersToPresent): Promise<number[]> {
  if (items.length === 0) return [];
  const asked = items.map(({ user, role, teams, disabled }) => ({ user, role, teams, disabled }));
  return (await call(countSpaces, { organization, members: asked, teams: [] })).members;
}

/** As `countMemberSpaces`, of sites; empty while they cannot be asked: the members are worth showing without them. */
async function countMemberSites({ call, organization, items }: MembersToPresent): Promise<number[]> {
  if (items.length === 0) return [];
  const asked = items.map(({ user, role, teams, disabled }) => ({ user, role, teams, disabled }));
  try {
    return await call(countSites, { organization, members: asked });
  } catch (error) {
    if (isExpected(error)) return [];
    throw error;
  }
}

/** Presents members of one organization in the order of `items`; those without an account are left out. */
export async function presentMembers(
  { store, baseUrl }: HasStore & { baseUrl: string },
  wanted: MembersToPresent,
): Promise<Member[]> {
  const { items } = wanted;
  const ids = items.map(({ user }) => user);
  const [found, spaces, sites] = await Promise.all([
    store.getMany(users, ids),
    countMemberSpaces(wanted),
    countMemberSites(wanted),
  ]);
  const byId = new Map(found.map((user) => [user._id, user]));
  return items.flatMap((member, at) => {
    const user = byId.get(member.user);
    return user ? [presentMember(member, { user, baseUrl, spaces: spaces[at] ?? 0, sites: sites[at] })] : [];
  });
}

/** Presents the user of a member; of somebody who has only been invited, no more than the inviter knows. */
export const presentMemberUser = (
  baseUrl: string,
  { user: _id, ...member }: MemberDocument,
  user: UserDocument,
): User => presentUser(baseUrl, isMemberAwaited(member, user) ? { ...member, _id } : user, { withEmail: true });

/** Whether somebody who was invited has not come yet. That looks alike for an account that is new and one that was there before. */
export const isMemberAwaited = (
  { pending, sso }: Pick<MemberDocument, 'pending' | 'sso'>,
  { unproven }: UserDocument,
): boolean => pending !== undefined || unproven === 'invited' || (unproven === 'asserted' && !sso);

interface MemberParts {
  user: UserDocument;
  baseUrl: string;
  spaces: number;
  sites: number | undefined;
}

function presentMember(member: MemberDocument, { user, baseUrl, spaces, sites }: MemberParts): Member {
  const { role, pending, disabled, joinedAt, lastSeenAt, sso, teams } = member;
  return omitUndefined({
    object: 'member',
    id: member.user,
    role,
    user: presentMemberUser(baseUrl, member, user),
    disabled: pending?.disabled ?? disabled,
    joinedAt,
    lastSeenAt: lastSeenAt || undefined,
    sso,
    spaces,
    teams: teams.length,
    sites,
    pending: isMemberAwaited(member, user) ? true : undefined,
  });
}
