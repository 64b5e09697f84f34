import { type Caller, membershipOf } from '../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { forbidden, notFound } from '../../../shared/errors.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type Store, write } from '../../../shared/store/port.js';
import type { userOperations } from '../contract/accounts.js';
import type { identityContract } from '../contract.js';
import type { IdentityDependencies } from '../dependencies.js';
import { members } from '../organizations/model.js';
import { scopeOf, userOf } from '../users/acting-user.js';
import { presentUser, type UserDocument, users } from '../users/model.js';

async function userBy(store: Store, id: string): Promise<UserDocument> {
  const user = await store.get(users, id);
  if (!user) throw notFound('User');
  return user;
}

/** Whether the caller may see the address of a user: its own, or that of a member of an organization that its token reaches. */
async function mayKnow(store: Store, caller: Caller, id: string): Promise<boolean> {
  if (caller.kind !== 'user') return false;
  if (caller.user === id) return true;
  const organizations = Object.keys(caller.memberships).filter((organization) => membershipOf(caller, organization));
  const shared = await store.findOne(
    members,
    { user: id, disabled: false, organization: { $in: organizations } },
    { fields: ['role'] },
  );
  return shared !== null;
}

/** Throws 403 where a single sign-on would change a profile that members of other organizations see too. */
async function checkScope(store: Store, caller: Caller): Promise<void> {
  const scope = scopeOf(caller);
  if (scope === undefined) return;
  const elsewhere = await store.count(members, { user: userOf(caller), organization: { $ne: scope } });
  if (elsewhere > 0)
    throw forbidden('A single sign-on token may not change a profile that other organizations see too');
}

export const userHandlers = ({
  store,
  baseUrl,
}: IdentityDependencies): HandlersOf<typeof identityContract, typeof userOperations> => ({
  async getAuthenticatedUser(_, { caller }) {
    return presentUser(baseUrl, await userBy(store, userOf(caller)), { withEmail: true });
  },

  async getUserById({ path: { userId } }, { caller }) {
    const user = await userBy(store, userId);
    return presentUser(baseUrl, user, { withEmail: await mayKnow(store, caller, userId) });
  },

  async updateUserById({ path: { userId }, body }, { caller }) {
    const user = await userBy(store, userId);
    if (userOf(caller) !== userId) throw forbidden('Only its user may change this profile');
    await checkScope(store, caller);
    const changes = changesOf<UserDocument>(user, body);
    if (changes)
      await store.batch([
        write.update(users, { _id: userId }, changes.update, { expect: 1 }),
        write.update(members, { user: userId }, { $set: { displayName: changes.after.displayName } }),
      ]);
    return presentUser(baseUrl, changes?.after ?? user, { withEmail: true });
  },
});
