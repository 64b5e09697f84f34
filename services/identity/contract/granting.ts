import { z } from 'zod';
import { exampleId } from '../../../shared/contract/examples.js';
import type { Context } from '../../../shared/contract/service.js';
import { question } from '../../../shared/contract/verb.js';
import { notFound } from '../../../shared/errors/errors.js';
import { type Role, roleOrGuestSchema, type Team, type User } from '../resources.js';

/** The facts about a member that decide what it can access. */
export interface Principal {
  user: string;
  role: Role | null;
  teams: string[];
  disabled: boolean;
}

/** Finds members and teams of one organization by their ids. Unknown ids are left out. */
export const findPrincipals = question<
  { organization: string; users: string[]; teams: string[] },
  { members: (Principal & { resource: User })[]; teams: Team[] }
>('identity', 'findPrincipals');

const ids = z.array(z.string().min(1).max(100)).min(1).max(500);
const role = roleOrGuestSchema.meta({ description: 'A role, or null for no access.' });

/** The body of an invite to a space, a collection or a site; `example` is a role that members are given there. */
export const inviteBody = (example: Role) =>
  z
    .object({
      role,
      users: ids.optional().meta({ description: 'Ids of members.' }),
      teams: ids.optional().meta({ description: 'Ids of teams.' }),
    })
    .refine(({ users, teams }) => users || teams, { path: ['users'], error: 'required unless teams are given' })
    .meta({
      examples: [
        { role: example, users: [exampleId('user')] },
        { role: 'read', teams: [exampleId('team')] },
      ],
    });

/** The body of a change of a role that was given. */
export const changedRoleBody = (...examples: (Role | null)[]) =>
  z
    .object({ role: role.optional() })
    .default({})
    .meta({ examples: examples.map((each) => ({ role: each })) });

/** A member or a team that roles are given to. */
export interface Grantee {
  principal: 'user' | 'team';
  id: string;
}

/** The members and teams that an invite names, each once; 404 names the field with one that the organization does not have. */
export async function findGrantees(
  { users = [], teams = [] }: { users?: string[] | undefined; teams?: string[] | undefined },
  { call, access }: Pick<Context, 'call' | 'access'>,
): Promise<Grantee[]> {
  const named = { users: [...new Set(users)], teams: [...new Set(teams)] };
  const found = await call(findPrincipals, { organization: access.organization, ...named });
  const member = named.users.find((id) => !found.members.some(({ user }) => user === id));
  if (member !== undefined) throw notFound(`users: member ${member}`);
  const team = named.teams.find((id) => !found.teams.some((each) => each.id === id));
  if (team !== undefined) throw notFound(`teams: team ${team}`);
  return [
    ...named.users.map((id): Grantee => ({ principal: 'user', id })),
    ...named.teams.map((id): Grantee => ({ principal: 'team', id })),
  ];
}

/** The ids of those who were given roles, for records of the audit trail. */
export function idsByPrincipal(changes: readonly Grantee[]): Record<string, string[]> {
  const idsOf = (principal: Grantee['principal']) =>
    changes.filter((each) => each.principal === principal).map(({ id }) => id);
  const [users, teams] = [idsOf('user'), idsOf('team')];
  return { ...(users.length > 0 ? { users } : {}), ...(teams.length > 0 ? { teams } : {}) };
}

interface Given {
  id: string;
  role: Role | null;
}

/** Roles of teams with the teams; those that are gone are left out. */
export async function presentTeamRoles(
  given: readonly Given[],
  { call, access: { organization } }: Pick<Context, 'call' | 'access'>,
) {
  const found = await call(findPrincipals, { organization, users: [], teams: given.map(({ id }) => id) });
  const teams = new Map(found.teams.map((team) => [team.id, team]));
  return given.flatMap(({ id, role }) => {
    const team = teams.get(id);
    return team && role ? [{ permission: role, team }] : [];
  });
}

/** Roles of members with their users; those who left are left out. */
export async function presentUserRoles(
  given: readonly Given[],
  { call, access: { organization } }: Pick<Context, 'call' | 'access'>,
) {
  const found = await call(findPrincipals, { organization, users: given.map(({ id }) => id), teams: [] });
  const users = new Map(found.members.map(({ user, resource }) => [user, resource]));
  return given.flatMap(({ id, role }) => {
    const user = users.get(id);
    return user && role ? [{ permission: role, user }] : [];
  });
}
