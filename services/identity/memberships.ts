import { invalid } from '../../shared/errors.js';
import { timestamp } from '../../shared/ids.js';
import { type Filter, type Store, type Write, write } from '../../shared/store/port.js';
import {
  type MemberDocument,
  memberId,
  members,
  type OrganizationDocument,
  organizations,
  type RoleCounts,
  teams,
  type UserDocument,
} from './model.js';
import type { Role, TeamRole } from './resources.js';

/** What every write to a membership goes through, so that the counters of organizations and teams stay exact. */

export const noMembers = (): RoleCounts => ({ admin: 0, create: 0, review: 0, edit: 0, comment: 0, read: 0, guest: 0 });

const roleKey = (role: Role | null): keyof RoleCounts => role ?? 'guest';
const isAdmin = ({ role, disabled }: Pick<MemberDocument, 'role' | 'disabled'>) => role === 'admin' && !disabled;

export interface Joining {
  role: Role | null;
  sso?: boolean;
  /** Teams of the organization that it is put into. */
  teams?: string[];
}

/** Makes a user a member. Fails as a duplicate when it is one, as a conflict when the organization or a team is gone. */
export function join(
  organization: string,
  user: Pick<UserDocument, '_id' | 'displayName' | 'email'>,
  { role, sso = false, teams: joined = [] }: Joining,
): Write[] {
  const member: MemberDocument = {
    _id: memberId(organization, user._id),
    organization,
    user: user._id,
    role,
    disabled: false,
    sso,
    joinedAt: timestamp(),
    teams: joined,
    owned: [],
    version: 0,
    displayName: user.displayName,
    email: user.email,
  };
  return [write.insert(members, member), ...counted(organization, null, member), ...teamsCounted(member, 1)];
}

/** Takes a member out of the organization and of its teams. */
export const leave = (member: MemberDocument): Write[] => [
  write.delete(members, { _id: member._id, version: member.version }, { expect: 1 }),
  ...counted(member.organization, member, null),
  ...teamsCounted(member, -1),
];

/** Gives a member another role, or switches it off or on. */
export function change(member: MemberDocument, changes: Partial<Pick<MemberDocument, 'role' | 'disabled'>>): Write[] {
  const changed = { ...member, ...changes };
  const read = { _id: member._id, version: member.version };
  return [
    write.update(members, read, { $set: { ...changes }, $inc: { version: 1 } }, { expect: 1 }),
    ...counted(member.organization, member, changed),
  ];
}

/** Puts a member into a team in a role, or (null) out of it; the counter of the team is the caller's to change. */
export function place(member: MemberDocument, team: string, role: TeamRole | null): Write {
  const without = (ids: string[]) => ids.filter((id) => id !== team);
  return write.update(
    members,
    { _id: member._id, version: member.version },
    {
      $set: {
        teams: role === null ? without(member.teams) : [...without(member.teams), team],
        owned: role === 'owner' ? [...without(member.owned), team] : without(member.owned),
      },
      $inc: { version: 1 },
    },
    { expect: 1 },
  );
}

/** The organization's counters; its last admin stays one. */
function counted(organization: string, before: MemberDocument | null, after: MemberDocument | null): Write[] {
  const $inc: Record<string, number> = {};
  const count = (path: string, by: number) => {
    $inc[path] = ($inc[path] ?? 0) + by;
    if ($inc[path] === 0) delete $inc[path];
  };
  for (const [member, by] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (!member) continue;
    count(`members.${roleKey(member.role)}`, by);
    if (isAdmin(member)) count('admins', by);
  }
  if (Object.keys($inc).length === 0) return [];
  const filter: Filter<OrganizationDocument> = { _id: organization };
  if ($inc.admins === -1) filter.admins = { $gt: 1 };
  return [write.update(organizations, filter, { $inc }, { expect: 1 })];
}

const teamsCounted = (member: MemberDocument, by: 1 | -1): Write[] =>
  member.teams.map((team) =>
    write.update(teams, { _id: team, organization: member.organization }, { $inc: { members: by } }, { expect: 1 }),
  );

/** Says so when a member is the last admin: 400. */
export async function checkLastAdmin(store: Store, member: MemberDocument, what: string): Promise<void> {
  if (!isAdmin(member)) return;
  const organization = await store.get(organizations, member.organization, { fields: ['admins'] });
  if ((organization?.admins ?? 0) <= 1) throw invalid(`The last admin of an organization cannot be ${what}`);
}

export const membersOf = ({ members: counts }: Pick<OrganizationDocument, 'members'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
