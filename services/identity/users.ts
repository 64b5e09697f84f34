import type { Audit } from '../../shared/contract/audit.js';
import { type Caller, membershipOf } from '../../shared/contract/caller.js';
import { forbidden, notFound } from '../../shared/errors.js';
import { newId, timestamp } from '../../shared/ids.js';
import { type Store, write } from '../../shared/store/port.js';
import { members, presentUser, type UserDocument, users } from './model.js';
import type { User } from './resources.js';
import { type IdentityRules, userOf } from './rules.js';

/** An account that is not stored yet; without a name it has the local part of the address. */
export const newUser = (email: string, displayName = email.split('@')[0] as string): UserDocument => ({
  _id: newId(),
  displayName: displayName.slice(0, 64),
  email,
  emailLower: email.toLowerCase(),
  createdAt: timestamp(),
});

export async function getUser(store: Store, baseUrl: string, caller: Caller, id: string): Promise<User> {
  const user = await store.get(users, id);
  if (!user) throw notFound('User');
  return presentUser(baseUrl, user, await isFellow(store, caller, id));
}

/** Oneself, or a member of an organization that the caller's token reaches. */
async function isFellow(store: Store, caller: Caller, id: string): Promise<boolean> {
  if (caller.kind !== 'user') return false;
  if (caller.user === id) return true;
  const organizations = Object.keys(caller.memberships).filter((id) => membershipOf(caller, id));
  const shared = await store.findOne(
    members,
    { user: id, disabled: false, organization: { $in: organizations } },
    { fields: ['role'] },
  );
  return shared !== null;
}

export interface ProfileChanges {
  displayName?: string | undefined;
  photoURL?: string | undefined;
}

/** One's own profile alone. The copies that memberships hold for the search change with it. */
export async function updateUser(
  { store, baseUrl }: IdentityRules,
  caller: Caller,
  id: string,
  changes: ProfileChanges,
  audit: Audit,
): Promise<User> {
  const user = await store.get(users, id);
  if (!user) throw notFound('User');
  if (userOf(caller) !== id) throw forbidden('Only its user may change this profile');
  await checkScope(store, caller);
  const { displayName = user.displayName, photoURL = user.photoURL } = changes;
  if (displayName === user.displayName && photoURL === user.photoURL) return presentUser(baseUrl, user, true);
  const $set = { displayName, ...(photoURL ? { photoURL } : {}) };
  await store.batch([
    write.update(users, { _id: id }, { $set }, { expect: 1 }),
    write.update(members, { user: id }, { $set: { displayName } }),
    audit('user', id, { details: { ...changes } }),
  ]);
  return presentUser(baseUrl, { ...user, ...$set }, true);
}

/** The single sign-on of one organization does not speak for a user whom others know too. */
async function checkScope(store: Store, caller: Caller): Promise<void> {
  if (caller.kind !== 'user' || caller.scope === undefined) return;
  const elsewhere = await store.count(members, { user: caller.user, organization: { $ne: caller.scope } });
  if (elsewhere > 0)
    throw forbidden('A single sign-on token may not change a profile that other organizations see too');
}
