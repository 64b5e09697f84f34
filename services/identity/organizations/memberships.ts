import { missesRight } from '../../../shared/contract/access.js';
import type { Caller } from '../../../shared/contract/caller.js';
import { invalid } from '../../../shared/errors/errors.js';
import { changesOf, type Wanted } from '../../../shared/store/changes.js';
import { type Filter, type Store, type Write, write } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import type { UserDocument } from '../users/model.js';
import {
  type MemberDocument,
  memberId,
  members,
  type OrganizationDocument,
  oidcSubjects,
  organizations,
  type RoleCounts,
  teams,
} from './model.js';
import { organizationKind, type Role } from './resources.js';

// Every write to a membership goes through this file, so that the counters of organizations and teams stay exact.
// `teams/team-roles.ts` writes the role of a member in one team.

export const zeroRoleCounts = (): RoleCounts => ({
  admin: 0,
  create: 0,
  review: 0,
  edit: 0,
  comment: 0,
  read: 0,
  guest: 0,
});

const roleKey = (role: Role | null): keyof RoleCounts => role ?? 'guest';
const isAdmin = ({ role, disabled }: Pick<MemberDocument, 'role' | 'disabled'>) => role === 'admin' && !disabled;

interface NewMember {
  organization: string;
  user: Pick<UserDocument, '_id' | 'displayName' | 'email'>;
  role: Role | null;
  sso?: boolean;
  /** The id of who invites a user that has to accept first. */
  invitedBy?: string;
  /** Ids of teams of the organization that the member is added to. */
  teams?: string[];
}

/**
 * Returns the writes that make a user a member. They fail as a duplicate when the user is a member already, and as a
 * conflict when the organization or a team does not exist any more.
 */
export function joinWrites({
  organization,
  user,
  role,
  sso = false,
  invitedBy: by,
  teams: joined = [],
}: NewMember): Write[] {
  const member: MemberDocument = {
    _id: memberId(organization, user._id),
    organization,
    user: user._id,
    role,
    disabled: by !== undefined,
    ...(by === undefined ? {} : { pending: { by, disabled: false } }),
    sso,
    joinedAt: timestamp(),
    teams: joined,
    owned: [],
    version: 0,
    displayName: user.displayName,
    email: user.email,
  };
  return [write.insert(members, member), ...joinedCountWrites(member)];
}

/** Returns the writes that count a new member. */
export const joinedCountWrites = (member: MemberDocument): Write[] => [
  ...roleCountWrites(null, member),
  ...teamCountWrites(member, { teams: member.teams, by: 1 }),
];

/** Returns the writes that remove a member from the organization and from its teams. */
export const leaveWrites = (member: MemberDocument): Write[] => [
  write.delete(members, { _id: member._id, version: member.version }, { expect: 1 }),
  write.delete(oidcSubjects, { organization: member.organization, user: member.user }),
  ...roleCountWrites(member, null),
  ...teamCountWrites(member, { teams: member.teams, by: -1 }),
];

/** Makes the membership as it is after its user has accepted the invite. */
export function acceptedMember(member: MemberDocument, user: UserDocument, role = member.role): MemberDocument {
  const { pending = { disabled: member.disabled }, version, ...before } = member;
  const { displayName, email } = user;
  const { disabled } = pending;
  return { ...before, role, disabled, joinedAt: timestamp(), displayName, email, version: version + 1 };
}

/** Returns the writes by which a user accepts an invite, with at least `role`. */
export function acceptWrites(member: MemberDocument, user: UserDocument, role = member.role): Write[] {
  const after = acceptedMember(member, user, role);
  const { disabled, joinedAt, displayName, email } = after;
  return [
    write.update(
      members,
      { _id: member._id, version: member.version },
      { $set: { role, disabled, joinedAt, displayName, email }, $unset: { pending: true }, $inc: { version: 1 } },
      { expect: 1 },
    ),
    ...roleCountWrites(member, after),
  ];
}

/** Whether the invite of a member still stands: it ends when who sent it is no longer an admin. */
export async function isStillInvited(store: Store, { organization, pending }: MemberDocument): Promise<boolean> {
  return pending !== undefined && (await isActiveAdmin(store, { organization, user: pending.by }));
}

/** Whether a user is an admin of an organization, whatever token it uses. */
export async function isActiveAdmin(store: Store, { organization, user }: { organization: string; user: string }) {
  const member = await store.get(members, memberId(organization, user), { fields: ['role', 'disabled'] });
  return member !== null && isAdmin(member);
}

/**
 * Returns the condition that who changes an organization or its members is still an admin there, for the batch of the change: a role that was
 * taken away meanwhile is not given back by its former holder. Throws 403 where it is gone already.
 */
export async function stillAdminChecks(store: Store, organization: string, caller: Caller): Promise<Write[]> {
  if (caller.kind !== 'user') return [];
  const { user } = caller;
  if (!(await isActiveAdmin(store, { organization, user }))) throw missesRight('admin', organizationKind);
  return [write.check(members, { _id: memberId(organization, user), role: 'admin', disabled: false }, 1)];
}

type MemberChange = Pick<Wanted<MemberDocument>, 'role' | 'disabled' | 'teams' | 'owned'>;

/** Returns the writes that change the role or the teams of a member, or disable or enable it, with the audit details; null for no change. */
export function planMemberChange(
  member: MemberDocument,
  wanted: MemberChange,
): { writes: Write[]; details: Record<string, unknown> } | null {
  const { disabled, ...others } = wanted;
  const { pending } = member;
  const switched = pending && typeof disabled === 'boolean' ? { pending: { ...pending, disabled } } : { disabled };
  const changes = changesOf<MemberDocument>(member, { ...others, ...switched }, { nullable: ['role'] });
  if (!changes) return null;
  const { after } = changes;
  const read = { _id: member._id, version: member.version };
  const writes = [
    write.update(members, read, { ...changes.update, $inc: { version: 1 } }, { expect: 1 }),
    ...roleCountWrites(member, after),
    ...teamCountWrites(member, { teams: member.teams.filter((team) => !after.teams.includes(team)), by: -1 }),
    ...teamCountWrites(member, { teams: after.teams.filter((team) => !member.teams.includes(team)), by: 1 }),
  ];
  const { pending: _, ...details } = changes.details;
  return { writes, details: pending && disabled !== undefined ? { ...details, disabled } : details };
}

/** Updates the counters of the organization. The write conflicts where it would remove the last admin. */
function roleCountWrites(
  ...[before, after]: [MemberDocument, MemberDocument | null] | [null, MemberDocument]
): Write[] {
  const { organization } = before ?? after;
  const $inc: Record<string, number> = {};
  const countWrite = (path: string, by: number) => {
    $inc[path] = ($inc[path] ?? 0) + by;
    if ($inc[path] === 0) delete $inc[path];
  };
  for (const [member, by] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (!member) continue;
    countWrite(`members.${roleKey(member.role)}`, by);
    if (isAdmin(member)) countWrite('admins', by);
  }
  if (Object.keys($inc).length === 0) return [];
  const filter: Filter<OrganizationDocument> = { _id: organization };
  if ($inc.admins === -1) filter.admins = { $gt: 1 };
  return [write.update(organizations, filter, { $inc }, { expect: 1 })];
}

const teamCountWrites = (
  { organization }: MemberDocument,
  { teams: ids, by }: { teams: string[]; by: 1 | -1 },
): Write[] =>
  ids.map((team) => write.update(teams, { _id: team, organization }, { $inc: { members: by } }, { expect: 1 }));

/** Throws 400 when the member is the last admin. `what` completes "cannot be …". */
export async function refuseForLastAdmin(store: Store, member: MemberDocument, what: string): Promise<void> {
  if (!isAdmin(member)) return;
  const organization = await store.get(organizations, member.organization, { fields: ['admins'] });
  if ((organization?.admins ?? 0) <= 1)
    throw invalid(`The last admin of an organization cannot be ${what}`, 'last_admin');
}
