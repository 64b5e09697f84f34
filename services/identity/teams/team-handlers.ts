import type { HandlersOf } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../shared/jobs/outbox.js';
import { decodeCursor, encodeCursor, listPage, type Page, type PageRequest } from '../../../shared/lists/paging.js';
import { again } from '../../../shared/store/again.js';
import { checkBound } from '../../../shared/store/bounds.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type HasStore, type Store, type Write, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import type { teamOperations } from '../contract/teams.js';
import { teamRemoved } from '../events.js';
import { findMember } from '../organizations/members.js';
import { stillAdminChecks } from '../organizations/memberships.js';
import { memberId, members, organizations, type TeamDocument, teams } from '../organizations/model.js';
import { stillManagerChecks } from './team-managers.js';
import { roleAsMember, teamRoleWrite } from './team-roles.js';
import { findTeam, presentTeam, presentTeams } from './teams.js';

/** Reads the teams of one member, optionally by a part of the title. They are few enough to read them all. */
async function readTeamsByIds(store: Store, ids: string[], title: string | undefined): Promise<TeamDocument[]> {
  const found = await store.getMany(teams, ids);
  const part = title?.toLowerCase();
  return found
    .filter((team) => part === undefined || team.title.toLowerCase().includes(part))
    .sort((a, b) => (a._id < b._id ? -1 : 1));
}

async function pageOfTeams<T>(
  found: TeamDocument[],
  { page, limit }: PageRequest,
  presentItems: (items: TeamDocument[]) => Promise<T[]>,
): Promise<Page<T>> {
  const [after = ''] = page === undefined ? [] : decodeCursor(page, 1);
  const rest = found.filter(({ _id }) => _id > String(after));
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const items = await presentItems(shown);
  return last && rest.length > shown.length
    ? { next: { page: encodeCursor([last._id]) }, count: found.length, items }
    : { count: found.length, items };
}

export const teamHandlers = ({
  store,
  outbox,
  callersChanged,
}: HasStore & HasOutbox & { callersChanged: () => Write }): HandlersOf<typeof teamOperations> => ({
  // In order of creation.
  async listTeamsInOrganizationById({ path: { organizationId: organization }, query }, context) {
    const presentInOrganization = (items: TeamDocument[]) => presentTeams({ context, organization, items });
    if (query.owner !== undefined) {
      const manager = await store.get(members, memberId(organization, query.owner));
      if (manager?.role !== 'admin') {
        const owned = await readTeamsByIds(store, manager?.owned ?? [], query.title);
        return pageOfTeams(owned, query, presentInOrganization);
      }
    }
    const count = query.title
      ? undefined
      : (await store.get(organizations, organization, { fields: ['teams'] }))?.teams;
    const filter = { organization, ...(query.title ? { $contains: { index: 'title', text: query.title } } : {}) };
    const list = { filter, sort: { createdAt: 1 } as const, request: query, ...(count === undefined ? {} : { count }) };
    return listPage(store, teams, list, presentInOrganization);
  },

  async listTeamsForOrganizationMember({ path: { organizationId: organization, userId: user }, query }, context) {
    const member = await findMember(store, { organization, user });
    const found = await readTeamsByIds(store, member.teams, query.title);
    return pageOfTeams(found, query, async (items) =>
      (await presentTeams({ context, organization, items })).map((team) => ({
        team,
        member: { role: roleAsMember(member, team.id) },
      })),
    );
  },

  async createOrganizationTeam({ path: { organizationId: organization }, body: { title, members: given } }, context) {
    await checkBound(store, teams, { organization }, { max: 5000, what: 'teams in an organization' });
    const id = newId();
    const ids = [...new Set(given)];
    const team = await again(async () => {
      const found = await store.getMany(
        members,
        ids.map((user) => memberId(organization, user)),
      );
      const missing = ids.find((user) => !found.some((member) => member.user === user));
      if (missing !== undefined) throw invalid(`members.${given.indexOf(missing)}: not a member of this organization`);
      const created = { _id: id, organization, title, members: found.length, createdAt: timestamp() };
      await store.batch([
        ...(await stillAdminChecks(store, organization, context.caller)),
        write.insert(teams, created),
        write.update(organizations, { _id: organization }, { $inc: { teams: 1 } }, { expect: 1 }),
        ...found.map((member) => teamRoleWrite(member, { team: id, role: 'member' })),
        context.audit('team', id, { details: { title, ...(ids.length > 0 ? { added: ids } : {}) } }),
        callersChanged(),
      ]);
      return created;
    });
    return presentTeam(context, team);
  },

  async getTeamInOrganizationById({ path: { organizationId: organization, teamId: id } }, context) {
    return presentTeam(context, await findTeam(store, { organization, id }));
  },

  async updateTeamInOrganizationById({ path: { organizationId: organization, teamId: id }, body }, context) {
    const updated = await again(async () => {
      const team = await findTeam(store, { organization, id });
      const changes = changesOf<TeamDocument>(team, body);
      if (!changes) return team;
      await store.batch([
        ...(await stillManagerChecks(store, { organization, team: id }, context.caller)),
        write.update(teams, { _id: id, organization }, changes.update, { expect: 1 }),
        context.audit('team', id, { details: changes.details }),
      ]);
      return changes.after;
    });
    return presentTeam(context, updated);
  },

  async removeTeamFromOrganizationById({ path: { organizationId: organization, teamId: id } }, { audit, caller }) {
    await again(async () => {
      await findTeam(store, { organization, id });
      await store.batch([
        ...(await stillAdminChecks(store, organization, caller)),
        write.delete(teams, { _id: id, organization }, { expect: 1 }),
        write.update(organizations, { _id: organization }, { $inc: { teams: -1 } }, { expect: 1 }),
        write.update(members, { organization, teams: id }, { $pull: { teams: id, owned: id }, $inc: { version: 1 } }),
        audit('team', id),
        outbox.add(teamRemoved, { organization, team: id, removedAt: timestamp() }),
        callersChanged(),
      ]);
    });
  },
});
