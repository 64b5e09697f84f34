import type { Caller } from '../../shared/contract/caller.js';
import { notFound } from '../../shared/errors.js';
import type { Store } from '../../shared/store/port.js';
import { members, presentUser, users } from './model.js';
import type { User } from './resources.js';

export async function getUser(store: Store, baseUrl: string, caller: Caller, id: string): Promise<User> {
  const user = await store.get(users, id);
  if (!user) throw notFound('User');
  return presentUser(baseUrl, user, await isFellow(store, caller, id));
}

/** Oneself, or a member of an organization of the caller's. */
async function isFellow(store: Store, caller: Caller, id: string): Promise<boolean> {
  if (caller.kind !== 'user') return false;
  if (caller.user === id) return true;
  const organizations = Object.keys(caller.memberships);
  const shared = await store.findOne(
    members,
    { user: id, disabled: false, organization: { $in: organizations } },
    { fields: ['role'] },
  );
  return shared !== null;
}
