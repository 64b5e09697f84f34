import { type Caller, type ContentCaller, membershipOf } from '../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { forbidden, notFound } from '../../../shared/errors/errors.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type HasStore, type Store, write } from '../../../shared/store/port.js';
import type { userOperations } from '../contract/accounts.js';
import { isMemberAwaited, presentMemberUser } from '../organizations/members.js';
import { memberId, members } from '../organizations/model.js';
import { actingTokenScope, actingUserId } from '../users/acting-user.js';
import { presentOwnUser, presentUser, type UserDocument, users } from '../users/model.js';
import type { User } from '../users/resources.js';

async function findUser(store: Store, id: string): Promise<UserDocument> {
  const user = await store.get(users, id);
  if (!user) throw notFound('User');
  return user;
}

/**
 * Presents a user to a caller that belongs to one of its organizations. Throws 404 to all others: who invites an address learns the id
 * of its user, and must learn nothing by it.
 */
async function presentUserTo(
  { store, baseUrl }: HasStore & { baseUrl: string },
  caller: Caller,
  user: UserDocument,
): Promise<User> {
  if (caller.kind === 'content') return presentUserToVisitor({ store, baseUrl }, caller, user);
  if (actingUserId(caller) === user._id) return presentOwnUser(baseUrl, user);
  const organizations = caller.kind === 'user' ? Object.keys(caller.memberships) : [];
  const reached = organizations.filter((organization) => membershipOf(caller, organization));
  const shared = { user: user._id, organization: { $in: reached } };
  const fellow =
    (await store.findOne(members, { ...shared, disabled: false })) ??
    (await store.findOne(members, { ...shared, pending: { $exists: true } }));
  if (!fellow) throw notFound('User');
  return presentMemberUser(baseUrl, fellow, user);
}

/** Visitors of a site see who is mentioned, without the address; they learn nothing of people who have yet to join. */
async function presentUserToVisitor(
  { store, baseUrl }: HasStore & { baseUrl: string },
  { organization }: ContentCaller,
  user: UserDocument,
): Promise<User> {
  const member = await store.get(members, memberId(organization, user._id));
  if (!member || member.disabled || isMemberAwaited(member, user)) throw notFound('User');
  return presentUser(baseUrl, user, { withEmail: false });
}

/** Throws 403 where a single sign-on would change a profile that members of other organizations see too. */
async function checkProfileScope(store: Store, caller: Caller): Promise<void> {
  const scope = actingTokenScope(caller);
  if (scope === undefined) return;
  const elsewhere = await store.count(members, {
    user: actingUserId(caller),
    organization: { $ne: scope },
    pending: { $exists: false },
  });
  if (elsewhere > 0)
    throw forbidden(
      'A single sign-on token may not change a profile that other organizations see too',
      'token_of_one_organization',
    );
}

export const userHandlers = (deps: HasStore & { baseUrl: string }): HandlersOf<typeof userOperations> => ({
  async getAuthenticatedUser(_, { caller }) {
    const { store, baseUrl } = deps;
    return presentOwnUser(baseUrl, await findUser(store, actingUserId(caller)));
  },

  async getUserById({ path: { userId } }, { caller }) {
    return presentUserTo(deps, caller, await findUser(deps.store, userId));
  },

  async updateUserById({ path: { userId }, body }, { caller }) {
    const { store, baseUrl } = deps;
    const user = await findUser(store, userId);
    if (actingUserId(caller) !== userId) {
      await presentUserTo(deps, caller, user);
      throw forbidden('Only its user may change this profile', 'missing_right');
    }
    await checkProfileScope(store, caller);
    const changes = changesOf<UserDocument>(user, body);
    if (changes)
      await store.batch([
        write.update(users, { _id: userId }, changes.update, { expect: 1 }),
        write.update(
          members,
          { user: userId, pending: { $exists: false } },
          { $set: { displayName: changes.after.displayName } },
        ),
      ]);
    return presentOwnUser(baseUrl, changes?.after ?? user);
  },
});
