import { invalid } from '../../../shared/errors.js';
import { timestamp } from '../../../shared/ids.js';
import { changesOf, type Wanted } from '../../../shared/store/changes.js';
import { type Filter, type Store, type Write, write } from '../../../shared/store/port.js';
import type { UserDocument } from '../users/model.js';
import {
  type MemberDocument,
  memberId,
  members,
  type OrganizationDocument,
  organizations,
  type RoleCounts,
  teams,
} from './model.js';
import type { Role } from './resources.js';

// Every write to a membership goes through this file, so that the counters of organizations and teams stay exact.
// `teams/team-roles.ts` alone writes the teams of a member.

export const noMembers = (): RoleCounts => ({ admin: 0, create: 0, review: 0, edit: 0, comment: 0, read: 0, guest: 0 });

const roleKey = (role: Role | null): keyof RoleCounts => role ?? 'guest';
const isAdmin = ({ role, disabled }: Pick<MemberDocument, 'role' | 'disabled'>) => role === 'admin' && !disabled;

interface NewMember {
  organization: string;
  user: Pick<UserDocument, '_id' | 'displayName' | 'email'>;
  role: Role | null;
  sso?: boolean;
  /** Ids of teams of the organization that the member is added to. */
  teams?: string[];
}

/**
 * Returns the writes that make a user a member. They fail as a duplicate when the user is a member already, and as a
 * conflict when the organization or a team does not exist any more.
 */
export function join({ organization, user, role, sso = false, teams: joined = [] }: NewMember): Write[] {
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
  return [write.insert(members, member), ...counted(null, member), ...teamsCounted(member, 1)];
}

/** Returns the writes that remove a member from the organization and from its teams. */
export const leave = (member: MemberDocument): Write[] => [
  write.delete(members, { _id: member._id, version: member.version }, { expect: 1 }),
  ...counted(member, null),
  ...teamsCounted(member, -1),
];

/** Returns the writes that change the role of a member, or disable or enable it, with the audit details; null for no change. */
export function change(
  member: MemberDocument,
  wanted: Pick<Wanted<MemberDocument>, 'role' | 'disabled'>,
): { writes: Write[]; details: Record<string, unknown> } | null {
  const changes = changesOf<MemberDocument>(member, wanted, { nullable: ['role'] });
  if (!changes) return null;
  const read = { _id: member._id, version: member.version };
  const writes = [
    write.update(members, read, { ...changes.update, $inc: { version: 1 } }, { expect: 1 }),
    ...counted(member, changes.after),
  ];
  return { writes, details: changes.details };
}

/** Updates the counters of the organization. The write conflicts where it would remove the last admin. */
function counted(...[before, after]: [MemberDocument, MemberDocument | null] | [null, MemberDocument]): Write[] {
  const { organization } = before ?? after;
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

/** Throws 400 when the member is the last admin. `what` completes "cannot be …". */
export async function checkLastAdmin(store: Store, member: MemberDocument, what: string): Promise<void> {
  if (!isAdmin(member)) return;
  const organization = await store.get(organizations, member.organization, { fields: ['admins'] });
  if ((organization?.admins ?? 0) <= 1) throw invalid(`The last admin of an organization cannot be ${what}`);
}
