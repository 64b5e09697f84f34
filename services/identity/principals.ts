import type { Caller } from '../../shared/contract/caller.js';
import type { Call } from '../../shared/contract/service.js';
import type { Principal } from './contract.js';
import { type MemberDocument, memberId, members, presentUser, teams, users } from './model.js';
import type { Team, User } from './resources.js';
import type { IdentityRules } from './rules.js';
import { presentTeams } from './teams.js';

const atOnce = 1000;

const principalOf = ({ user, role, teams, disabled }: MemberDocument): Principal => ({ user, role, teams, disabled });

/** Members and teams of one organization, for those who hold grants on them. */
export async function findPrincipals(
  { store, baseUrl }: IdentityRules,
  call: Call,
  caller: Caller,
  wanted: { organization: string; users: string[]; teams: string[] },
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
      return user ? [{ ...principalOf(member), resource: presentUser(baseUrl, user, true) }] : [];
    }),
    teams: await presentTeams(call, caller, organization, own),
  };
}

export async function listPrincipals(
  { store }: IdentityRules,
  { organization, after }: { organization: string; after?: string },
): Promise<{ items: Principal[]; next?: string }> {
  const { items } = await store.page(members, {
    filter: { organization, ...(after === undefined ? {} : { user: { $gt: after } }) },
    sort: { user: 1 },
    limit: atOnce,
    fields: ['user', 'role', 'teams', 'disabled'],
  });
  const last = items.at(-1);
  const page = { items: items.map(principalOf) };
  return last && items.length === atOnce ? { ...page, next: last.user } : page;
}
