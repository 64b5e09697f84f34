import type { Audit } from '../../shared/contract/audit.js';
import type { Call } from '../../shared/contract/service.js';
import { invalid, notFound } from '../../shared/errors.js';
import { listPage, type Page, type PageRequest } from '../../shared/paging.js';
import { again } from '../../shared/store/again.js';
import { type Store, type Write, write } from '../../shared/store/port.js';
import { usersByEmail } from './joining.js';
import { memberOf, presentMembers } from './members.js';
import { place } from './memberships.js';
import { type MemberDocument, memberId, members, teams } from './model.js';
import type { TeamMember, TeamRole } from './resources.js';
import type { IdentityRules } from './rules.js';
import { roleOfMember, teamOf } from './teams.js';

/** In the order they joined the organization. */
export async function listTeamMembers(
  { store, baseUrl }: IdentityRules,
  call: Call,
  organization: string,
  team: string,
  request: PageRequest,
): Promise<Page<TeamMember>> {
  const { members: count } = await teamOf(store, organization, team);
  const list = { filter: { organization, teams: team }, sort: { joinedAt: 1 } as const, request, count };
  return listPage(store, members, list, async (items) => {
    const roleOf = new Map(items.map((member) => [member.user, roleOfMember(member, team)]));
    const shown = await presentMembers(store, baseUrl, call, organization, items);
    return shown.map((member) => ({
      organization: member,
      team: { role: roleOf.get(member.id) ?? 'member' },
      permissions: { view: true },
    }));
  });
}

/** The role a member is to have in the team; null: none, undefined: the one it has, else `member`. */
type Wanted = TeamRole | null | undefined;

const current = (member: MemberDocument, team: string): TeamRole | null =>
  member.teams.includes(team) ? roleOfMember(member, team) : null;

/** Brings the members to what is wanted of them, all or nothing; tells whether anything changed. */
async function bring(
  { store, callersChanged }: IdentityRules,
  organization: string,
  team: string,
  wanted: Map<MemberDocument, Wanted>,
  audit: Audit,
): Promise<boolean> {
  const writes: Write[] = [];
  const changes: Record<'added' | 'removed' | 'changed', string[]> = { added: [], removed: [], changed: [] };
  for (const [member, role] of wanted) {
    const before = current(member, team);
    const after = role === undefined ? (before ?? 'member') : role;
    if (before === after) continue;
    writes.push(place(member, team, after));
    changes[before === null ? 'added' : after === null ? 'removed' : 'changed'].push(member.user);
  }
  if (writes.length === 0) return false;
  const by = changes.added.length - changes.removed.length;
  await store.batch([
    ...writes,
    write.update(teams, { _id: team, organization }, { $inc: { members: by } }, { expect: 1 }),
    audit('team', team, {
      details: Object.fromEntries(Object.entries(changes).filter(([, ids]) => ids.length > 0)),
    }),
    callersChanged(),
  ]);
  return true;
}

export interface TeamUpdate {
  add: string[];
  remove: string[];
  memberships: Record<string, { role: TeamRole }>;
}

/** Who is both added and removed is removed. */
export async function updateTeamMembers(
  rules: IdentityRules,
  organization: string,
  team: string,
  { add, remove, memberships }: TeamUpdate,
  audit: Audit,
): Promise<boolean> {
  const roleByKey = Object.entries(memberships);
  const keys = [
    ...add.map((key, at) => ({ key, place: `add.${at}` })),
    ...roleByKey.map(([key]) => ({ key, place: `memberships.${key}` })),
    ...remove.map((key, at) => ({ key, place: `remove.${at}` })),
  ];
  return again(async () => {
    const found = await membersByKeys(rules.store, organization, keys);
    const of = (key: string) => found.get(key) as MemberDocument;
    const wanted = new Map<MemberDocument, Wanted>(add.map((key) => [of(key), undefined]));
    for (const [key, { role }] of roleByKey) wanted.set(of(key), role);
    for (const key of remove) wanted.set(of(key), null);
    return bring(rules, organization, team, wanted, audit);
  });
}

/** Members by user id or e-mail address; 400 names one that is neither of a member. */
async function membersByKeys(
  store: Store,
  organization: string,
  keys: { key: string; place: string }[],
): Promise<Map<string, MemberDocument>> {
  const unique = [...new Set(keys.map(({ key }) => key))];
  const ids = await userIds(store, unique);
  const found = await store.getMany(
    members,
    [...new Set(ids.values())].map((user) => memberId(organization, user)),
  );
  const byUser = new Map(found.map((member) => [member.user, member]));
  const byKey = new Map<string, MemberDocument>();
  for (const { key, place: where } of keys) {
    const member = byUser.get(ids.get(key) ?? key);
    if (!member) throw invalid(`${where}: neither the id nor the e-mail address of a member of this organization`);
    byKey.set(key, member);
  }
  return byKey;
}

/** Ids of users by what names them; an unknown address is left out. */
async function userIds(store: Store, keys: string[]): Promise<Map<string, string>> {
  const known = await usersByEmail(
    store,
    keys.filter((key) => key.includes('@')).map((email) => email.toLowerCase()),
  );
  const ids = keys.flatMap((key): [string, string][] => {
    const id = key.includes('@') ? known.get(key.toLowerCase())?._id : key;
    return id === undefined ? [] : [[key, id]];
  });
  return new Map(ids);
}

/** Adds a member of the organization, or changes its role in the team; without a role it keeps the one it has. */
export async function putTeamMember(
  rules: IdentityRules,
  organization: string,
  team: string,
  user: string,
  role: TeamRole | undefined,
  audit: Audit,
): Promise<boolean> {
  return again(async () =>
    bring(rules, organization, team, new Map([[await memberOf(rules.store, organization, user), role]]), audit),
  );
}

export async function removeTeamMember(
  rules: IdentityRules,
  organization: string,
  team: string,
  user: string,
  audit: Audit,
): Promise<void> {
  await again(async () => {
    const member = await memberOf(rules.store, organization, user);
    if (!member.teams.includes(team)) throw notFound('Team member');
    await bring(rules, organization, team, new Map([[member, null]]), audit);
  });
}
