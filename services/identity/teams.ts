import { type Access, type AccessQuestion, accessOf, permissionsOf } from '../../shared/contract/access.js';
import type { Audit } from '../../shared/contract/audit.js';
import { type Caller, membershipOf } from '../../shared/contract/caller.js';
import type { Call } from '../../shared/contract/service.js';
import { invalid, notFound } from '../../shared/errors.js';
import { newId, timestamp } from '../../shared/ids.js';
import { decodeCursor, encodeCursor, listPage, type Page, type PageRequest } from '../../shared/paging.js';
import { again } from '../../shared/store/again.js';
import { type Store, write } from '../../shared/store/port.js';
import { teamRemoved } from './events.js';
import { memberOf } from './members.js';
import { place } from './memberships.js';
import { type MemberDocument, memberId, members, organizations, type TeamDocument, teams } from './model.js';
import { type Team, type TeamRole, teamKind } from './resources.js';
import { type IdentityRules, spacesOfTeams } from './rules.js';

/** What a caller is to a team of its organization: see `teamKind`. */
function roleIn(caller: Caller, team: Pick<TeamDocument, '_id' | 'organization'>): string | undefined {
  if (caller.kind === 'system') return 'admin';
  const membership = membershipOf(caller, team.organization);
  if (!membership) return undefined;
  if (membership.role === 'admin') return 'admin';
  if (membership.owned.includes(team._id)) return 'owner';
  if (membership.teams.includes(team._id)) return 'member';
  return membership.role === null ? undefined : 'fellow';
}

export async function resolveTeams(store: Store, { caller, ids }: AccessQuestion): Promise<(Access | null)[]> {
  const found = await store.getMany(teams, ids, { fields: ['organization'] });
  const byId = new Map(found.map((team) => [team._id, team]));
  return ids.map((id) => {
    const team = byId.get(id);
    return team ? accessOf(caller, team.organization, roleIn(caller, team)) : null;
  });
}

/** In the order of `items`. */
export async function presentTeams(
  call: Call,
  caller: Caller,
  organization: string,
  items: TeamDocument[],
): Promise<Team[]> {
  const spaces = await spacesOfTeams(
    call,
    organization,
    items.map(({ _id }) => _id),
  );
  return items.map((team, at) => ({
    object: 'team',
    id: team._id,
    title: team.title,
    members: team.members,
    spaces: spaces[at] ?? 0,
    createdAt: team.createdAt,
    permissions: permissionsOf(teamKind, roleIn(caller, team)),
  }));
}

/** 404 for one the organization does not have. */
export async function teamOf(store: Store, organization: string, id: string): Promise<TeamDocument> {
  const team = await store.get(teams, id);
  if (team?.organization !== organization) throw notFound('Team');
  return team;
}

export async function getTeam(
  { store }: IdentityRules,
  call: Call,
  caller: Caller,
  organization: string,
  id: string,
): Promise<Team> {
  const [team] = await presentTeams(call, caller, organization, [await teamOf(store, organization, id)]);
  return team as Team;
}

export interface TeamQuery extends PageRequest {
  owner?: string | undefined;
  title?: string | undefined;
}

/** In order of creation. */
export async function listTeams(
  { store }: IdentityRules,
  call: Call,
  caller: Caller,
  organization: string,
  query: TeamQuery,
): Promise<Page<Team>> {
  const present = (items: TeamDocument[]) => presentTeams(call, caller, organization, items);
  if (query.owner !== undefined) {
    const manager = await store.get(members, memberId(organization, query.owner));
    if (manager?.role !== 'admin') {
      const owned = await teamsByIds(store, manager?.owned ?? [], query.title);
      return pageOfTeams(owned, query, present);
    }
  }
  const count = query.title ? undefined : (await store.get(organizations, organization, { fields: ['teams'] }))?.teams;
  const filter = { organization, ...(query.title ? { $contains: { index: 'title', text: query.title } } : {}) };
  const list = { filter, sort: { createdAt: 1 } as const, request: query, ...(count === undefined ? {} : { count }) };
  return listPage(store, teams, list, present);
}

/** A member is in few enough teams to read them all. */
async function teamsByIds(store: Store, ids: string[], title: string | undefined): Promise<TeamDocument[]> {
  const found = await store.getMany(teams, ids);
  const part = title?.toLowerCase();
  return found
    .filter((team) => part === undefined || team.title.toLowerCase().includes(part))
    .sort((a, b) => (a._id < b._id ? -1 : 1));
}

async function pageOfTeams<T>(
  found: TeamDocument[],
  { page, limit }: PageRequest,
  present: (items: TeamDocument[]) => Promise<T[]>,
): Promise<Page<T>> {
  const [after = ''] = page === undefined ? [] : decodeCursor(page, 1);
  const rest = found.filter(({ _id }) => _id > String(after));
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const items = await present(shown);
  return last && rest.length > shown.length
    ? { next: { page: encodeCursor([last._id]) }, count: found.length, items }
    : { count: found.length, items };
}

export async function listTeamsOfMember(
  { store }: IdentityRules,
  call: Call,
  caller: Caller,
  organization: string,
  user: string,
  query: PageRequest & { title?: string | undefined },
): Promise<Page<{ team: Team; member: { role: TeamRole } }>> {
  const member = await memberOf(store, organization, user);
  const found = await teamsByIds(store, member.teams, query.title);
  return pageOfTeams(found, query, async (items) =>
    (await presentTeams(call, caller, organization, items)).map((team) => ({
      team,
      member: { role: roleOfMember(member, team.id) },
    })),
  );
}

export const roleOfMember = (member: Pick<MemberDocument, 'owned'>, team: string): TeamRole =>
  member.owned.includes(team) ? 'owner' : 'member';

export async function createTeam(
  { store, callersChanged }: IdentityRules,
  organization: string,
  input: { title: string; members: string[] },
  audit: Audit,
): Promise<string> {
  const id = newId();
  const ids = [...new Set(input.members)];
  await again(async () => {
    const found = await store.getMany(
      members,
      ids.map((user) => memberId(organization, user)),
    );
    const missing = ids.find((user) => !found.some((member) => member.user === user));
    if (missing !== undefined)
      throw invalid(`members.${input.members.indexOf(missing)}: not a member of this organization`);
    const team = { _id: id, organization, title: input.title, members: found.length, createdAt: timestamp() };
    await store.batch([
      write.insert(teams, team),
      write.update(organizations, { _id: organization }, { $inc: { teams: 1 } }, { expect: 1 }),
      ...found.map((member) => place(member, id, 'member')),
      audit('team', id, { details: { title: input.title, ...(ids.length > 0 ? { added: ids } : {}) } }),
      callersChanged(),
    ]);
  });
  return id;
}

export async function renameTeam(
  { store }: IdentityRules,
  organization: string,
  id: string,
  title: string,
  audit: Audit,
): Promise<void> {
  if ((await teamOf(store, organization, id)).title === title) return;
  await store.batch([
    write.update(teams, { _id: id, organization }, { $set: { title } }, { expect: 1 }),
    audit('team', id, { details: { title } }),
  ]);
}

export async function deleteTeam(
  { store, outbox, callersChanged }: IdentityRules,
  organization: string,
  id: string,
  audit: Audit,
): Promise<void> {
  await again(async () => {
    await teamOf(store, organization, id);
    await store.batch([
      write.delete(teams, { _id: id, organization }, { expect: 1 }),
      write.update(organizations, { _id: organization }, { $inc: { teams: -1 } }, { expect: 1 }),
      write.update(members, { organization, teams: id }, { $pull: { teams: id, owned: id }, $inc: { version: 1 } }),
      audit('team', id),
      outbox.add(teamRemoved, { organization, team: id, removedAt: timestamp() }),
      callersChanged(),
    ]);
  });
}
