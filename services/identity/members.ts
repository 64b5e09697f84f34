import { SignJWT } from 'jose';
import type { Audit } from '../../shared/contract/audit.js';
import type { Caller } from '../../shared/contract/caller.js';
import type { Call } from '../../shared/contract/service.js';
import { notFound } from '../../shared/errors.js';
import { timestamp } from '../../shared/ids.js';
import { listPage, type Order, type Page, type PageRequest } from '../../shared/paging.js';
import type { Secrets } from '../../shared/secrets/secrets.js';
import { again } from '../../shared/store/again.js';
import { type Filter, type Store, write } from '../../shared/store/port.js';
import { memberRemoved } from './events.js';
import { change, checkLastAdmin, leave, membersOf } from './memberships.js';
import { type MemberDocument, memberId, members, organizations, presentUser, users } from './model.js';
import type { Member, Role } from './resources.js';
import { type IdentityRules, spacesOfMembers, userOf } from './rules.js';

export interface MemberQuery extends PageRequest {
  order: Order;
  role?: Role | 'guest' | undefined;
  search?: string | undefined;
  sort: 'joinedAt' | 'lastSeenAt';
}

/** Seen at least once. */
const seen = { lastSeenAt: { $gt: '' } };

function filterOf(organization: string, { role, search, sort }: MemberQuery): Filter<MemberDocument> {
  return {
    organization,
    ...(role === undefined ? {} : { role: role === 'guest' ? null : role }),
    ...(sort === 'lastSeenAt' ? seen : {}),
    ...(search ? { $contains: { index: 'person', text: search } } : {}),
  };
}

/** The total that the organization's counters know; undefined for a narrower list. */
async function countedMembers(store: Store, organization: string, query: MemberQuery): Promise<number | undefined> {
  if (query.search || query.sort === 'lastSeenAt') return undefined;
  const counts = await store.get(organizations, organization, { fields: ['members'] });
  if (!counts) return undefined;
  return query.role === undefined ? membersOf(counts) : counts.members[query.role];
}

export async function listMembers(
  { store, baseUrl }: IdentityRules,
  call: Call,
  organization: string,
  query: MemberQuery,
): Promise<Page<Member>> {
  const direction = query.order === 'asc' ? 1 : -1;
  const count = await countedMembers(store, organization, query);
  const list = {
    filter: filterOf(organization, query),
    sort: { [query.sort]: direction } as const,
    request: query,
    ...(count === undefined ? {} : { count }),
  };
  return listPage(store, members, list, (items) => presentMembers(store, baseUrl, call, organization, items));
}

/** In the order of `items`, with their users and what they reach. */
export async function presentMembers(
  store: Store,
  baseUrl: string,
  call: Call,
  organization: string,
  items: MemberDocument[],
): Promise<Member[]> {
  const [found, spaces] = await Promise.all([
    store.getMany(
      users,
      items.map(({ user }) => user),
    ),
    spacesOfMembers(call, organization, items),
  ]);
  const byId = new Map(found.map((user) => [user._id, user]));
  return items.flatMap((member, at) => {
    const user = byId.get(member.user);
    return user ? [presentMember(member, presentUser(baseUrl, user, true), spaces[at] ?? 0)] : [];
  });
}

function presentMember(member: MemberDocument, user: Member['user'], spaces: number): Member {
  const { role, disabled, joinedAt, lastSeenAt, sso, teams } = member;
  return {
    object: 'member',
    id: member.user,
    role,
    user,
    disabled,
    joinedAt,
    ...(lastSeenAt ? { lastSeenAt } : {}),
    sso,
    spaces,
    teams: teams.length,
  };
}

/** 404 for one the organization does not have. */
export async function memberOf(store: Store, organization: string, user: string): Promise<MemberDocument> {
  const member = await store.get(members, memberId(organization, user));
  if (!member) throw notFound('Member');
  return member;
}

export async function getMember(
  { store, baseUrl }: IdentityRules,
  call: Call,
  organization: string,
  user: string,
): Promise<Member> {
  const member = await memberOf(store, organization, user);
  const [shown] = await presentMembers(store, baseUrl, call, organization, [member]);
  if (!shown) throw notFound('Member');
  return shown;
}

export interface MemberChanges {
  role?: Role | null | undefined;
  disabled?: boolean | undefined;
}

/** Tells whether anything changed. */
export async function updateMember(
  { store, callersChanged }: IdentityRules,
  organization: string,
  user: string,
  wanted: MemberChanges,
  audit: Audit,
): Promise<boolean> {
  return again(async () => {
    const member = await memberOf(store, organization, user);
    const { role = member.role, disabled = member.disabled } = wanted;
    if (role === member.role && disabled === member.disabled) return false;
    if (role !== 'admin') await checkLastAdmin(store, member, 'demoted');
    if (disabled) await checkLastAdmin(store, member, 'disabled');
    const changes = {
      ...(role === member.role ? {} : { role }),
      ...(disabled === member.disabled ? {} : { disabled }),
    };
    await store.batch([...change(member, changes), audit('member', user, { details: changes }), callersChanged()]);
    return true;
  });
}

export async function removeMember(
  { store, outbox, callersChanged }: IdentityRules,
  organization: string,
  user: string,
  audit: Audit,
): Promise<void> {
  await again(async () => {
    const member = await memberOf(store, organization, user);
    await checkLastAdmin(store, member, 'removed');
    await store.batch([
      ...leave(member),
      audit('member', user, { details: { role: member.role } }),
      outbox.add(memberRemoved, { organization, user, removedAt: timestamp() }),
      callersChanged(),
    ]);
  });
}

export async function markAsSso(
  { store }: IdentityRules,
  organization: string,
  user: string,
  audit: Audit,
): Promise<void> {
  const member = await memberOf(store, organization, user);
  if (member.sso) return;
  const marked = write.update(members, { _id: member._id }, { $set: { sso: true } }, { expect: 1 });
  await store.batch([marked, audit('member', user, { details: { sso: true } })]);
}

const claimsLiveFor = '1h';

/** Notes that the caller was seen, and tells who it is in a form that a published site believes. */
export async function ping(
  { store, baseUrl }: IdentityRules,
  secrets: Secrets,
  organization: string,
  caller: Caller,
): Promise<{ serviceVisitorClaims: string }> {
  const id = memberId(organization, userOf(caller));
  const member = await store.update(members, { _id: id }, { $max: { lastSeenAt: timestamp() } });
  if (!member) throw notFound('Organization');
  const { kid, key } = secrets.keyFor('visitor-claims');
  const claims = { organization, email: member.email, name: member.displayName, role: member.role };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid })
    .setSubject(member.user)
    .setIssuer(baseUrl)
    .setIssuedAt()
    .setExpirationTime(claimsLiveFor)
    .sign(key);
  return { serviceVisitorClaims: token };
}
