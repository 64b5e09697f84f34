import { knowsAddresses } from '../../../shared/contract/caller.js';
import type { Context } from '../../../shared/contract/service.js';
import type { Derivation, HasStore, Store } from '../../../shared/store/port.js';
import type { MemberProfile, Principal } from '../contract.js';
import { presentMemberUser } from '../organizations/members.js';
import { type MemberDocument, memberId, members, teams } from '../organizations/model.js';
import { presentUser, type UserDocument, users } from '../users/model.js';
import type { User } from '../users/resources.js';
import type { Team } from './resources.js';
import { presentTeams } from './teams.js';

const atOnce = 1000;

const memberAsPrincipal = ({
  user,
  role,
  teams,
  disabled,
}: Pick<MemberDocument, 'user' | 'role' | 'teams' | 'disabled'>): Principal => ({
  user,
  role,
  teams,
  disabled,
});

interface WantedPrincipals {
  organization: string;
  users: string[];
  teams: string[];
}

/** Finds members and teams of one organization by their ids, as grants name them. Unknown ids are left out. */
export async function findPrincipals(
  { store, baseUrl }: HasStore & { baseUrl: string },
  wanted: WantedPrincipals,
  context: Pick<Context, 'call' | 'caller'>,
): Promise<{ members: (Principal & { resource: User })[]; teams: Team[] }> {
  const { organization } = wanted;
  const [found, people, groups] = await Promise.all([
    store.getMany(
      members,
      wanted.users.map((user) => memberId(organization, user)),
    ),
    store.getMany(users, wanted.users),
    store.getMany(teams, wanted.teams),
  ]);
  const personById = new Map(people.map((user) => [user._id, user]));
  const own = groups.filter((team) => team.organization === organization);
  return {
    members: found.flatMap((member) => {
      const user = personById.get(member.user);
      return user ? [{ ...memberAsPrincipal(member), resource: presentMemberUser(baseUrl, member, user) }] : [];
    }),
    teams: await presentTeams({ context, organization, items: own }),
  };
}

/** Finds users whom documents of an organization name, also those who have left it. Addresses are for people alone. */
export async function findUsers(
  { store, baseUrl }: HasStore & { baseUrl: string },
  { organization, ids }: { organization: string; ids: string[] },
  { caller }: Pick<Context, 'caller'>,
): Promise<User[]> {
  const memberIds = ids.map((user) => memberId(organization, user));
  const withEmail = knowsAddresses(caller);
  const [shown, belonging] = await Promise.all([
    store.derive(users, ids, shownUser(baseUrl)),
    withEmail ? store.derive(members, memberIds, membership) : [],
  ]);
  return ids.map((_id, at) => {
    const user = shown[at] ?? presentUsers(baseUrl, { _id, displayName: _id, email: '' });
    return belonging[at] ? user.toMembers : user.toOthers;
  });
}

const presentUsers = (baseUrl: string, user: Parameters<typeof presentUser>[1]) => ({
  toMembers: presentUser(baseUrl, user, { withEmail: true }),
  toOthers: presentUser(baseUrl, user, { withEmail: false }),
});

const shownUser = (baseUrl: string): Derivation<UserDocument, ReturnType<typeof presentUsers>> => ({
  kind: 'shown',
  make: (user) => presentUsers(baseUrl, user),
  sizeOf: () => 2_000,
});

const membership: Derivation<MemberDocument, string> = { kind: 'user', make: ({ user }) => user, sizeOf: () => 100 };

interface Continued {
  organization: string;
  after?: string;
}

/** Lists the members of an organization by user id, after `after`; `next` is set where there are more. */
export const listPrincipals = (
  { store }: HasStore,
  wanted: Continued,
): Promise<{ items: Principal[]; next?: string }> =>
  listMembers(store, { ...wanted, fields: ['user', 'role', 'teams', 'disabled'], present: memberAsPrincipal });

/** As `listPrincipals`, with what people search and sort members by. */
export const listMemberProfiles = (
  { store }: HasStore,
  wanted: Continued,
): Promise<{ items: MemberProfile[]; next?: string }> =>
  listMembers(store, {
    ...wanted,
    fields: ['user', 'role', 'teams', 'disabled', 'displayName', 'email', 'joinedAt', 'lastSeenAt'],
    present: ({ displayName, email, joinedAt, lastSeenAt, ...member }) => ({
      ...memberAsPrincipal(member),
      displayName,
      email,
      joinedAt,
      ...(lastSeenAt ? { lastSeenAt } : {}),
    }),
  });

async function listMembers<F extends keyof MemberDocument & string, T>(
  store: Store,
  {
    organization,
    after,
    fields,
    present,
  }: Continued & { fields: F[]; present: (member: Pick<MemberDocument, F>) => T },
): Promise<{ items: T[]; next?: string }> {
  const { items } = await store.page(members, {
    filter: { organization, ...(after === undefined ? {} : { user: { $gt: after } }) },
    sort: { user: 1 },
    limit: atOnce,
    fields,
  });
  const last = items.at(-1);
  const page = { items: items.map(present) };
  return last && items.length === atOnce ? { ...page, next: last.user } : page;
}
