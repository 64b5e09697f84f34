import { type Write, write } from '../../../shared/store/port.js';
import { type MemberDocument, members } from '../organizations/model.js';
import type { TeamRole } from './resources.js';

type Member = Pick<MemberDocument, 'teams' | 'owned'>;

/** Returns the role of a member in a team that it belongs to. */
export const roleAsMember = ({ owned }: Pick<Member, 'owned'>, team: string): TeamRole =>
  owned.includes(team) ? 'owner' : 'member';

/** Returns the role of a member in a team; null where it does not belong to the team. */
export const roleInTeam = (member: Member, team: string): TeamRole | null =>
  member.teams.includes(team) ? roleAsMember(member, team) : null;

/** Returns the write that gives a member a role in a team, or (null) removes it; the caller updates the team's counter. */
export function teamRoleWrite(member: MemberDocument, { team, role }: { team: string; role: TeamRole | null }): Write {
  const withoutTeam = (ids: string[]) => ids.filter((id) => id !== team);
  return write.update(
    members,
    { _id: member._id, version: member.version },
    {
      $set: {
        teams: role === null ? withoutTeam(member.teams) : [...withoutTeam(member.teams), team],
        owned: role === 'owner' ? [...withoutTeam(member.owned), team] : withoutTeam(member.owned),
      },
      $inc: { version: 1 },
    },
    { expect: 1 },
  );
}
