import { type Access, type AccessQuestion, accessOfRole, permissionsOf } from '../../../shared/contract/access.js';
import { type Caller, membershipOf } from '../../../shared/contract/caller.js';
import type { Context } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import type { HasStore, Store } from '../../../shared/store/port.js';
import { countSpaces } from '../contract.js';
import { type TeamDocument, teams } from '../organizations/model.js';
import { type Team, teamKind } from './resources.js';

/** Returns the role of a caller on a team, as `teamKind` knows it; undefined for callers outside the organization. */
function callerRole(
  caller: Caller,
  { _id, organization }: Pick<TeamDocument, '_id' | 'organization'>,
): string | undefined {
  if (caller.kind === 'system') return 'admin';
  const membership = membershipOf(caller, organization);
  if (!membership) return undefined;
  if (membership.role === 'admin') return 'admin';
  if (membership.owned.includes(_id)) return 'owner';
  if (membership.teams.includes(_id)) return 'member';
  return membership.role === null ? undefined : 'fellow';
}

/** Resolves a caller's access to teams from the memberships that came with its token. */
export async function resolveTeamAccess(
  { store }: HasStore,
  { caller, ids }: AccessQuestion,
): Promise<(Access | null)[]> {
  const found = await store.getMany(teams, ids, { fields: ['organization'] });
  const byId = new Map(found.map((team) => [team._id, team]));
  return ids.map((id) => {
    const team = byId.get(id);
    return team ? accessOfRole(caller, team.organization, callerRole(caller, team)) : null;
  });
}

/** Reads a team. Throws 404 when the organization has no such team. */
export async function findTeam(
  store: Store,
  { organization, id }: { organization: string; id: string },
): Promise<TeamDocument> {
  const team = await store.get(teams, id);
  if (team?.organization !== organization) throw notFound('Team');
  return team;
}

interface TeamsToPresent {
  context: Pick<Context, 'call' | 'caller'>;
  organization: string;
  items: TeamDocument[];
}

/** Presents teams of one organization in the order of `items`. */
export async function presentTeams({ context, organization, items }: TeamsToPresent): Promise<Team[]> {
  if (items.length === 0) return [];
  const ids = items.map(({ _id }) => _id);
  const { teams: spaces } = await context.call(countSpaces, { organization, members: [], teams: ids });
  return items.map((team, at) => ({
    object: 'team',
    id: team._id,
    title: team.title,
    members: team.members,
    spaces: spaces[at] ?? 0,
    createdAt: team.createdAt,
    permissions: permissionsOf(teamKind, callerRole(context.caller, team)),
  }));
}

/** Presents one team as `presentTeams` does. */
export async function presentTeam(context: TeamsToPresent['context'], team: TeamDocument): Promise<Team> {
  const [shown] = await presentTeams({ context, organization: team.organization, items: [team] });
  return shown as Team;
}
