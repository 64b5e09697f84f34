import { actingUser } from '../../../shared/contract/caller.js';
import type { Context } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import { type HasStore, type Store, type Write, write } from '../../../shared/store/port.js';
import { type MemberDocument, memberId, members, teams } from '../organizations/model.js';
import { readUsersByEmail } from '../users/users.js';
import type { TeamRole } from './resources.js';
import { stillManagerChecks } from './team-managers.js';
import { roleInTeam, teamRoleWrite } from './team-roles.js';

/** The role that a member is to have in the team. Null: none; undefined: its present role, or `member` without one. */
type WantedRole = TeamRole | null | undefined;

interface TeamRoleChanges {
  organization: string;
  team: string;
  wanted: Map<MemberDocument, WantedRole>;
}

/** Gives members the roles that are wanted of them, all or none. Writes nothing where nothing changes. */
export async function changeTeamRoles(
  { store, callersChanged }: HasStore & { callersChanged: () => Write },
  { organization, team, wanted }: TeamRoleChanges,
  { caller, audit }: Pick<Context, 'caller' | 'audit'>,
): Promise<void> {
  const writes: Write[] = [];
  const changes: Record<'added' | 'removed' | 'changed', string[]> = { added: [], removed: [], changed: [] };
  for (const [member, given] of wanted) {
    const before = roleInTeam(member, team);
    const role = given === undefined ? (before ?? 'member') : given;
    if (before === role) continue;
    writes.push(teamRoleWrite(member, { team, role }));
    changes[before === null ? 'added' : role === null ? 'removed' : 'changed'].push(member.user);
  }
  if (writes.length === 0) return;
  const by = changes.added.length - changes.removed.length;
  const isOwnLeave =
    changes.removed.length === writes.length && changes.removed.every((user) => user === actingUser(caller));
  await store.batch([
    ...(isOwnLeave ? [] : await stillManagerChecks(store, { organization, team }, caller)),
    ...writes,
    write.update(teams, { _id: team, organization }, { $inc: { members: by } }, { expect: 1 }),
    audit('team', team, {
      details: Object.fromEntries(Object.entries(changes).filter(([, ids]) => ids.length > 0)),
    }),
    callersChanged(),
  ]);
}

/** The id or the e-mail address of a user, and the field of the request that names it. */
export interface MemberKey {
  key: string;
  field: string;
}

/** Finds members by user ids or e-mail addresses. Throws 400 naming the field of one that is not a member. */
export async function readMembersByKeys(
  store: Store,
  { organization, keys }: { organization: string; keys: MemberKey[] },
): Promise<Map<string, MemberDocument>> {
  const unique = [...new Set(keys.map(({ key }) => key))];
  const ids = await resolveUserIds(store, unique);
  const found = await store.getMany(
    members,
    [...new Set(ids.values())].map((user) => memberId(organization, user)),
  );
  const byUser = new Map(found.map((member) => [member.user, member]));
  const byKey = new Map<string, MemberDocument>();
  for (const { key, field } of keys) {
    const member = byUser.get(ids.get(key) ?? key);
    if (!member) throw invalid(`${field}: neither the id nor the e-mail address of a member of this organization`);
    byKey.set(key, member);
  }
  return byKey;
}

/** Maps keys to the ids of users. Unknown addresses are left out. */
async function resolveUserIds(store: Store, keys: string[]): Promise<Map<string, string>> {
  const known = await readUsersByEmail(
    store,
    keys.filter((key) => key.includes('@')).map((email) => email.toLowerCase()),
  );
  const ids = keys.flatMap((key): [string, string][] => {
    const id = key.includes('@') ? known.get(key.toLowerCase())?._id : key;
    return id === undefined ? [] : [[key, id]];
  });
  return new Map(ids);
}
