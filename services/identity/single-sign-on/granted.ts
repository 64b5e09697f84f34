import type { Store } from '../../../shared/store/port.js';
import { type GroupMapping, type MemberDocument, organizations, teams } from '../organizations/model.js';
import { type Role, roleIncludes } from '../organizations/resources.js';

/** The teams and the role that the groups of a person give, among all that groups could give. */
export interface Granted {
  role: Role | undefined;
  teams: string[];
  mapped: { roles: Role[]; teams: string[] };
}

/** Looks up what groups give: of several roles the highest. */
export function grantedByGroups(mappings: readonly GroupMapping[], groups: ReadonlySet<string>): Granted {
  const own = mappings.filter(({ group }) => groups.has(group));
  return {
    role: highestRole(rolesIn(own)),
    teams: teamsIn(own),
    mapped: { roles: rolesIn(mappings), teams: teamsIn(mappings) },
  };
}

const rolesIn = (mappings: readonly GroupMapping[]): Role[] => mappings.flatMap(({ role }) => role ?? []);
const teamsIn = (mappings: readonly GroupMapping[]): string[] => [
  ...new Set(mappings.flatMap(({ team }) => team ?? [])),
];

const highestRole = (roles: Role[]): Role | undefined =>
  roles.reduce<Role | undefined>(
    (best, role) => (best === undefined || roleIncludes(role, best) ? role : best),
    undefined,
  );

/** Picks the teams that an organization still has: a mapping may outlive its team. */
export async function existingTeams(store: Store, organization: string, ids: string[]): Promise<string[]> {
  const found = await store.getMany(teams, ids, { fields: ['organization'] });
  return found.filter((team) => team.organization === organization).map(({ _id }) => _id);
}

interface Grant {
  granted: Granted;
  /** The role of members whom no group gives one. */
  defaultRole: Role | null;
}

/**
 * Works out what a member is to be: in the mapped teams of its groups and no other mapped team, and in their role. A member with a mapped
 * role and without its groups gets the default role. The last admin stays one.
 */
export async function grantedMembership(
  store: Store,
  member: MemberDocument,
  { granted, defaultRole }: Grant,
): Promise<Pick<MemberDocument, 'role' | 'teams' | 'owned'>> {
  const given = await existingTeams(store, member.organization, granted.teams);
  const stays = (team: string) => given.includes(team) || !granted.mapped.teams.includes(team);
  const kept = member.teams.filter(stays);
  const isMapped = granted.mapped.roles.some((mapped) => mapped === member.role);
  const role = granted.role ?? (isMapped ? defaultRole : member.role);
  return {
    role: role !== 'admin' && (await isLastAdmin(store, member)) ? member.role : role,
    teams: [...kept, ...given.filter((team) => !kept.includes(team))],
    owned: member.owned.filter(stays),
  };
}

async function isLastAdmin(store: Store, { organization, role, disabled }: MemberDocument): Promise<boolean> {
  if (role !== 'admin' || disabled) return false;
  return ((await store.get(organizations, organization, { fields: ['admins'] }))?.admins ?? 0) <= 1;
}
