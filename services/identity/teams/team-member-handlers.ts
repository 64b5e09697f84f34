import type { HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { listPage } from '../../../shared/lists/paging.js';
import { again } from '../../../shared/store/again.js';
import type { HasStore, Write } from '../../../shared/store/port.js';
import type { teamMemberOperations } from '../contract/teams.js';
import { findMember, presentMembers } from '../organizations/members.js';
import { type MemberDocument, members } from '../organizations/model.js';
import type { TeamRole } from './resources.js';
import { changeTeamRoles, readMembersByKeys } from './team-members.js';
import { roleAsMember } from './team-roles.js';
import { findTeam } from './teams.js';

export function teamMemberHandlers(
  deps: HasStore & { baseUrl: string; callersChanged: () => Write },
): HandlersOf<typeof teamMemberOperations> {
  const { store } = deps;
  return {
    // In the order in which they joined the organization.
    async listTeamMembersInOrganizationById(
      { path: { organizationId: organization, teamId: team }, query: request },
      { call },
    ) {
      const { members: count } = await findTeam(store, { organization, id: team });
      const list = { filter: { organization, teams: team }, sort: { joinedAt: 1 } as const, request, count };
      return listPage(store, members, list, async (items) => {
        const roleByUser = new Map(items.map((member) => [member.user, roleAsMember(member, team)]));
        const shown = await presentMembers(deps, { call, organization, items });
        return shown.map((member) => ({
          organization: member,
          team: { role: roleByUser.get(member.id) ?? 'member' },
          permissions: { view: true },
        }));
      });
    },

    async updateMembersInOrganizationTeam({ path: { organizationId: organization, teamId: team }, body }, context) {
      const { add, remove, memberships } = body;
      const roleByKey = Object.entries(memberships);
      const keys = [
        ...add.map((key, at) => ({ key, field: `add.${at}` })),
        ...roleByKey.map(([key]) => ({ key, field: `memberships.${key}` })),
        ...remove.map((key, at) => ({ key, field: `remove.${at}` })),
      ];
      await again(async () => {
        const found = await readMembersByKeys(store, { organization, keys });
        const memberByKey = (key: string) => found.get(key) as MemberDocument;
        const wanted = new Map<MemberDocument, TeamRole | null | undefined>(
          add.map((key) => [memberByKey(key), undefined]),
        );
        for (const [key, { role }] of roleByKey) wanted.set(memberByKey(key), role);
        for (const key of remove) wanted.set(memberByKey(key), null);
        await changeTeamRoles(deps, { organization, team, wanted }, context);
      });
    },

    async addMemberToOrganizationTeamById({ path, body: { role } }, context) {
      const { organizationId: organization, teamId: team, userId: user } = path;
      await again(async () => {
        const member = await findMember(store, { organization, user });
        await changeTeamRoles(deps, { organization, team, wanted: new Map([[member, role]]) }, context);
      });
    },

    async deleteMemberFromOrganizationTeamById({ path }, context) {
      const { organizationId: organization, teamId: team, userId: user } = path;
      await again(async () => {
        const member = await findMember(store, { organization, user });
        if (!member.teams.includes(team)) throw notFound('Team member');
        await changeTeamRoles(deps, { organization, team, wanted: new Map([[member, null]]) }, context);
      });
    },
  };
}
