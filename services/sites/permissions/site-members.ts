import type { QueryOf } from '../../../shared/contract/operation.js';
import type { Call, Context } from '../../../shared/contract/service.js';
import { decodeCursor, encodeCursor, type Page } from '../../../shared/lists/paging.js';
import { eachDocument, type HasStore } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { findPrincipals, listMemberProfiles, type MemberProfile } from '../../identity/contract.js';
import type { Role } from '../../identity/resources.js';
import type { sitePermissionOperations } from '../contract/permissions.js';
import { decidingGrant, type GivenRole, siteGrants } from '../site/grants.js';
import { isOpen, siteOf } from '../site/model.js';
import type { UserSitePermission } from './resources.js';

type Query = QueryOf<typeof sitePermissionOperations.listPermissionsAggregateInSite>;

interface SiteMember {
  member: MemberProfile;
  /** On the site. */
  role: Role | null;
  grant: GivenRole | undefined;
}

/** Every member with access to a site, with its effective role there; those alike by the order are in that of their ids. */
export async function listSiteMembers(
  { store }: HasStore,
  { site: id, query }: { site: string; query: Query },
  { call, access: { organization } }: Context,
): Promise<Page<UserSitePermission>> {
  const site = await siteOf(store, id);
  const given: GivenRole[] = [];
  for await (const grant of eachDocument(store, siteGrants, { site: id })) given.push(grant);
  const members = await membersOf(call, organization);
  const shown = members
    .map((member): SiteMember => {
      const grant = decidingGrant(given, member);
      return { member, role: grant ? grant.role : member.role, grant };
    })
    .filter(({ role }) => role !== null || (site.published && isOpen(site)))
    .filter(isWanted(query))
    .toSorted(orderOf(query));
  const after = query.page === undefined ? undefined : placeAt(query.page);
  const rest = after ? shown.filter((each) => orderOf(query)(each, after) > 0) : shown;
  const listed = rest.slice(0, query.limit);
  const items = await present(call, { organization, site: id, listed });
  const last = listed.at(-1);
  const page = { count: shown.length, items };
  return last && rest.length > listed.length
    ? { next: { page: encodeCursor([keyOf(last.member, query), last.member.user]) }, ...page }
    : page;
}

async function membersOf(call: Call, organization: string): Promise<MemberProfile[]> {
  const members: MemberProfile[] = [];
  let after: string | undefined;
  do {
    const page = await call(listMemberProfiles, { organization, ...(after === undefined ? {} : { after }) });
    members.push(...page.items.filter(({ disabled }) => !disabled));
    after = page.next;
  } while (after !== undefined);
  return members;
}

const isWanted =
  ({ role, search = '', team }: Query) =>
  (each: SiteMember): boolean => {
    const { displayName, email, teams } = each.member;
    const isFound = `${displayName}\n${email}`.toLowerCase().includes(search.trim().toLowerCase());
    const hasRole = role === undefined || each.role === (role === 'guest' ? null : role);
    return isFound && hasRole && (team === undefined || teams.includes(team));
  };

const keyOf = (member: MemberProfile, { sort }: Pick<Query, 'sort'>): string =>
  sort === 'name' ? member.displayName.toLowerCase() : (member[sort] ?? '');

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Where a member stands in a list. */
interface Place {
  key: string;
  user: string;
}
const placeOf = (each: SiteMember | Place, query: Query): Place =>
  'member' in each ? { key: keyOf(each.member, query), user: each.member.user } : each;

function placeAt(page: string): Place {
  const [key, user] = decodeCursor(page, 2);
  return { key: String(key), user: String(user) };
}

/** Compares members in the order of a query. */
const orderOf =
  (query: Query) =>
  (one: SiteMember, other: SiteMember | Place): number => {
    const [a, b] = [placeOf(one, query), placeOf(other, query)];
    const difference = compare(a.key, b.key) || compare(a.user, b.user);
    return query.order === 'asc' ? difference : -difference;
  };

async function present(
  call: Call,
  { organization, site, listed }: { organization: string; site: string; listed: SiteMember[] },
): Promise<UserSitePermission[]> {
  if (listed.length === 0) return [];
  const asked = { organization, users: listed.map(({ member }) => member.user), teams: [] };
  const { members } = await call(findPrincipals, asked);
  const users = new Map(members.map(({ user, resource }) => [user, resource]));
  return listed.flatMap(({ member, role, grant }): UserSitePermission[] => {
    const user = users.get(member.user);
    if (!user) return [];
    const origin = grant
      ? grant.principal === 'team'
        ? { type: 'site' as const, site, reason: 'team' as const, team: grant.id }
        : { type: 'site' as const, site, reason: 'member' as const }
      : { type: 'organization' as const, organization };
    return [omitUndefined({ permission: role, user, origin, disabled: false as const, lastSeenAt: member.lastSeenAt })];
  });
}
