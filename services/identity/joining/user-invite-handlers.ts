import type { Caller } from '../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../shared/jobs/outbox.js';
import { listPage } from '../../../shared/lists/paging.js';
import { again } from '../../../shared/store/again.js';
import type { HasStore, Store, Write } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import type { userInviteOperations } from '../contract/joining.js';
import { memberRemoved } from '../events.js';
import { acceptWrites, isStillInvited, leaveWrites } from '../organizations/memberships.js';
import { type MemberDocument, memberId, members, organizations } from '../organizations/model.js';
import { actingUserId, checkUnscoped } from '../users/acting-user.js';
import { users } from '../users/model.js';
import type { UserInvite } from './resources.js';

/** Reads the membership that waits for the caller. Throws 404 without one. */
async function findPendingMember(
  store: Store,
  { caller, organization }: { caller: Caller; organization: string },
): Promise<MemberDocument> {
  const member = await store.get(members, memberId(organization, actingUserId(caller)));
  if (!member?.pending) throw notFound('Invite');
  return member;
}

async function presentUserInvites(store: Store, items: MemberDocument[]): Promise<UserInvite[]> {
  const [from, senders] = await Promise.all([
    store.getMany(
      organizations,
      items.map(({ organization }) => organization),
    ),
    store.getMany(users, [...new Set(items.flatMap(({ pending }) => pending?.by ?? []))]),
  ]);
  const titleOf = new Map(from.map(({ _id, title }) => [_id, title]));
  const nameOf = new Map(senders.map(({ _id, displayName }) => [_id, displayName]));
  return items.map(({ organization: id, role, pending, joinedAt: createdAt }) => ({
    object: 'user-invite',
    organization: { id, title: titleOf.get(id) ?? '' },
    role,
    invitedBy: nameOf.get(pending?.by ?? '') ?? '',
    createdAt,
  }));
}

export const userInviteHandlers = ({
  store,
  outbox,
  callersChanged,
}: HasStore & HasOutbox & { callersChanged: () => Write }): HandlersOf<typeof userInviteOperations> => ({
  listUserInvites({ query: request }, { caller }) {
    checkUnscoped(caller);
    const filter = { user: actingUserId(caller), disabled: true, pending: { $exists: true } };
    return listPage(store, members, { filter, sort: { joinedAt: -1 }, request }, (items) =>
      presentUserInvites(store, items),
    );
  },

  async acceptUserInvite({ path: { organizationId: organization } }, { caller, audit }) {
    checkUnscoped(caller);
    await again(async () => {
      const member = await findPendingMember(store, { caller, organization });
      const user = await store.get(users, member.user);
      if (!user || !(await isStillInvited(store, member))) throw notFound('Invite');
      await store.batch([
        ...acceptWrites(member, user),
        audit('member', member.user, { organization, details: { role: member.role } }),
        callersChanged(),
      ]);
    });
  },

  async declineUserInvite({ path: { organizationId: organization } }, { caller, audit }) {
    checkUnscoped(caller);
    await again(async () => {
      const member = await findPendingMember(store, { caller, organization });
      const { user } = member;
      await store.batch([
        ...leaveWrites(member),
        audit('member', user, { organization }),
        outbox.add(memberRemoved, { organization, user, removedAt: timestamp() }),
      ]);
    });
  },
});
