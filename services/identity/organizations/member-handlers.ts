import { SignJWT } from 'jose';
import type { QueryOf } from '../../../shared/contract/operation.js';
import type { Call, HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../shared/jobs/outbox.js';
import { listPage } from '../../../shared/lists/paging.js';
import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import { again } from '../../../shared/store/again.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type Filter, type HasStore, type Store, type Write, write } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import type { memberOperations } from '../contract/members.js';
import { memberRemoved } from '../events.js';
import { actingUserId } from '../users/acting-user.js';
import { findMember, presentMembers } from './members.js';
import { leaveWrites, planMemberChange, refuseForLastAdmin, stillAdminChecks } from './memberships.js';
import { type MemberDocument, memberId, members, organizations } from './model.js';
import type { Member } from './resources.js';

type MemberQuery = QueryOf<typeof memberOperations.listMembersInOrganizationById>;

const seen = { lastSeenAt: { $gt: '' } };

const memberFilter = (organization: string, { role, search, sort }: MemberQuery): Filter<MemberDocument> => ({
  organization,
  ...(role === undefined ? {} : { role: role === 'guest' ? null : role }),
  ...(sort === 'lastSeenAt' ? seen : {}),
  ...(search ? { $contains: { index: 'person', text: search } } : {}),
});

/** Returns the total from the organization's counters; undefined for a list that they do not count. */
async function readMemberTotal(store: Store, organization: string, query: MemberQuery): Promise<number | undefined> {
  if (query.search || query.sort === 'lastSeenAt') return undefined;
  const counts = (await store.get(organizations, organization, { fields: ['members'] }))?.members;
  if (!counts) return undefined;
  return query.role === undefined ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[query.role];
}

const claimsLiveFor = '1h';

/** Signs who a member is, for published sites to verify. */
function signVisitorClaims(
  { secrets, baseUrl }: HasSecrets & { baseUrl: string },
  member: MemberDocument,
): Promise<string> {
  const { kid, key } = secrets.keyFor('visitor-claims');
  const { organization, email, displayName: name, role } = member;
  return new SignJWT({ organization, email, name, role })
    .setProtectedHeader({ alg: 'HS256', kid })
    .setSubject(member.user)
    .setIssuer(baseUrl)
    .setIssuedAt()
    .setExpirationTime(claimsLiveFor)
    .sign(key);
}

async function presentOneMember(
  deps: HasStore & { baseUrl: string },
  call: Call,
  member: MemberDocument,
): Promise<Member> {
  const [shown] = await presentMembers(deps, { call, organization: member.organization, items: [member] });
  if (!shown) throw notFound('Member');
  return shown;
}

export function memberHandlers(
  deps: HasStore & HasSecrets & HasOutbox & { baseUrl: string; callersChanged: () => Write },
): HandlersOf<typeof memberOperations> {
  const { store, outbox, callersChanged } = deps;
  return {
    async listMembersInOrganizationById({ path: { organizationId: organization }, query }, { call }) {
      const direction = query.order === 'asc' ? 1 : -1;
      const count = await readMemberTotal(store, organization, query);
      const list = {
        filter: memberFilter(organization, query),
        sort: { [query.sort]: direction } as const,
        request: query,
        ...(count === undefined ? {} : { count }),
      };
      return listPage(store, members, list, (items) => presentMembers(deps, { call, organization, items }));
    },

    async getMemberInOrganizationById({ path }, { call }) {
      const member = await findMember(store, { organization: path.organizationId, user: path.userId });
      return presentOneMember(deps, call, member);
    },

    async updateMemberInOrganizationById({ path: { organizationId: organization, userId: user }, body }, context) {
      await again(async () => {
        const member = await findMember(store, { organization, user });
        const changed = planMemberChange(member, body);
        if (!changed) return;
        const byAdmin = await stillAdminChecks(store, organization, context.caller);
        const { role = member.role, disabled = member.disabled } = body;
        if (role !== 'admin') await refuseForLastAdmin(store, member, 'demoted');
        if (disabled) await refuseForLastAdmin(store, member, 'disabled');
        const { writes, details } = changed;
        await store.batch([...byAdmin, ...writes, context.audit('member', user, { details }), callersChanged()]);
      });
      return presentOneMember(deps, context.call, await findMember(store, { organization, user }));
    },

    async removeMemberFromOrganizationById({ path: { organizationId: organization, userId: user } }, context) {
      const { audit, caller } = context;
      await again(async () => {
        const member = await findMember(store, { organization, user });
        const byAdmin = user === actingUserId(caller) ? [] : await stillAdminChecks(store, organization, caller);
        await refuseForLastAdmin(store, member, 'removed');
        await store.batch([
          ...byAdmin,
          ...leaveWrites(member),
          audit('member', user, { details: { role: member.role } }),
          outbox.add(memberRemoved, { organization, user, removedAt: timestamp() }),
          callersChanged(),
        ]);
      });
    },

    async updateOrganizationMemberLastSeenAt({ path: { organizationId } }, { caller }) {
      const id = memberId(organizationId, actingUserId(caller));
      const member = await store.update(members, { _id: id }, { $max: { lastSeenAt: timestamp() } });
      if (!member) throw notFound('Organization');
      return { serviceVisitorClaims: await signVisitorClaims(deps, member) };
    },

    async setUserAsSSOMemberForOrganization({ path: { organizationId: organization, userId: user } }, context) {
      const updated = await again(async () => {
        const member = await findMember(store, { organization, user });
        const changes = changesOf<MemberDocument>(member, { sso: true });
        if (!changes) return member;
        await store.batch([
          ...(await stillAdminChecks(store, organization, context.caller)),
          write.update(members, { _id: member._id }, changes.update, { expect: 1 }),
          context.audit('member', user, { details: changes.details }),
        ]);
        return changes.after;
      });
      return presentOneMember(deps, context.call, updated);
    },
  };
}
