import { system } from '../../../shared/contract/caller.js';
import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { forbidden, invalid, notFound } from '../../../shared/errors/errors.js';
import type { HasJobs } from '../../../shared/jobs/jobs.js';
import type { HasLog } from '../../../shared/monitoring/log.js';
import type { HasMail } from '../../../shared/outbound/mail.js';
import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import type { HasConfig } from '../../../shared/settings/config.js';
import { again } from '../../../shared/store/again.js';
import type { HasStore, Write } from '../../../shared/store/port.js';
import type { joiningOperations } from '../contract/joining.js';
import { grantByInvite } from '../contract.js';
import { isOpenToEmail } from '../organizations/email-domains.js';
import { acceptWrites, joinWrites, planMemberChange, stillAdminChecks } from '../organizations/memberships.js';
import {
  type MemberDocument,
  memberId,
  members,
  type OrganizationDocument,
  organizations,
} from '../organizations/model.js';
import { findOrganizationById } from '../organizations/organizations.js';
import { type Role, roleIncludes } from '../organizations/resources.js';
import { inviteMailWrites } from '../sign-in/links.js';
import { countInvites, takeMailable } from '../sign-in/mail-counts.js';
import { actingUserId, checkUnscoped } from '../users/acting-user.js';
import { type UserDocument, users } from '../users/model.js';
import { inviteeWrites, resolveInvitees } from './email-invites.js';
import { findInvite, isInviterStillAdmin, resolveTargetAccess } from './invites.js';

interface Joining {
  organization: OrganizationDocument;
  role: Role | null;
  context: Pick<Context, 'caller' | 'audit'>;
}

/** Makes the caller a member with at least `role`; a higher role is kept. */
async function joinCaller(
  { store, callersChanged }: HasStore & { callersChanged: () => Write },
  { organization, role, context: { caller, audit } }: Joining,
): Promise<void> {
  if (organization.sso) throw forbidden('Join this organization through its single sign-on', 'single_sign_on_required');
  const id = actingUserId(caller);
  await again(
    async () => {
      const [user, member] = await Promise.all([
        store.get(users, id),
        store.get(members, memberId(organization._id, id)),
      ]);
      if (!user) throw notFound('User');
      if (member && (member.pending?.disabled ?? member.disabled))
        throw forbidden('Your membership of this organization is switched off', 'membership_disabled');
      const higher = member && roleIncludes(member.role, role) ? member.role : role;
      if (member && !member.pending && higher === member.role) return;
      await store.batch([
        ...entryWrites(member, { organization: organization._id, user, role: higher }),
        audit('member', id, { organization: organization._id, details: { role } }),
        callersChanged(),
      ]);
    },
    { duplicates: true },
  );
}

interface Entering {
  organization: string;
  user: UserDocument;
  role: Role | null;
}

/** Makes the writes by which a user enters: somebody new joins, a waiting invite is accepted, and a member gets the new role. */
function entryWrites(member: MemberDocument | null, { organization, user, role }: Entering): Write[] {
  if (!member) return joinWrites({ organization, user, role });
  return member.pending ? acceptWrites(member, user, role) : (planMemberChange(member, { role })?.writes ?? []);
}

export function joiningHandlers(
  deps: HasConfig &
    HasLog &
    HasStore &
    HasSecrets &
    HasJobs &
    HasMail & { baseUrl: string; operator: () => Promise<string | null>; callersChanged: () => Write },
): HandlersOf<typeof joiningOperations> {
  const { store, callersChanged } = deps;
  return {
    async inviteUsersToOrganization({ path: { organizationId }, body }, { caller, audit }) {
      const [inviter, organization] = await Promise.all([
        store.get(users, actingUserId(caller)),
        findOrganizationById(store, organizationId),
      ]);
      if (!inviter) throw notFound('User');
      if (organization.sso && !body.sso)
        throw invalid('sso: must be true, because this organization requires single sign-on');
      const invitation = { id: organizationId, organization: organization.title, inviter: inviter.displayName };
      await countInvites(deps, { inviter: inviter._id, organization: organizationId, mails: body.emails.length });
      const invitees = await again(
        async () => {
          const all = await resolveInvitees(store, { organization, input: body });
          const joining = all.filter(({ member }) => member === undefined);
          if (joining.length === 0) return all;
          const byAdmin = await stillAdminChecks(store, organizationId, caller);
          // Members who sign in by single sign-on need no link, unless they have to accept.
          const mailed = await takeMailable(
            deps,
            joining.filter(({ accepts }) => accepts || !body.sso).map(({ user }) => user),
          );
          const by = { organization: organizationId, sso: body.sso, inviter: inviter._id };
          const details = { invited: joining.map(({ user: { _id }, role }) => ({ user: _id, role })), sso: body.sso };
          await store.batch([
            ...byAdmin,
            ...joining.flatMap((invitee) => inviteeWrites(invitee, by)),
            ...inviteMailWrites(deps, { invitation, users: mailed }),
            audit('organization', organizationId, { details }),
            callersChanged(),
          ]);
          return all;
        },
        { duplicates: true },
      );
      const failed = body.sso ? invitees.filter(({ member }) => member && !member.sso).map(({ email }) => email) : [];
      return {
        users: invitees.map(({ user }) => user._id),
        invited: invitees.filter(({ member }) => member === undefined).length,
        ...(failed.length > 0 ? { failedSSOEmails: failed } : {}),
      };
    },

    async joinOrganizationWithInvite({ path: { organizationId, inviteId } }, context) {
      const { caller, call } = context;
      checkUnscoped(caller);
      const invite = await findInvite(store, { organization: organizationId, id: inviteId });
      if (!(await isInviterStillAdmin(store, invite))) throw notFound('Invite');
      const { to, target, role } = invite;
      const organization = await findOrganizationById(store, organizationId);
      if (!organization.inviteLinks)
        throw forbidden('Invite links are switched off in this organization', 'invite_links_disabled');
      if (to === 'organization') {
        await joinCaller(deps, { organization, role, context });
        return {};
      }
      const access = await resolveTargetAccess({ call, caller: system, to, target });
      if (access?.state !== 'active') throw notFound('Invite');
      await joinCaller(deps, { organization, role: null, context });
      await call(grantByInvite, {
        organization: organizationId,
        kind: to,
        id: target,
        user: actingUserId(caller),
        level: role,
      });
      return {};
    },

    async joinOrganization({ path: { organizationId } }, context) {
      checkUnscoped(context.caller);
      const [organization, user] = await Promise.all([
        store.get(organizations, organizationId),
        store.get(users, actingUserId(context.caller)),
      ]);
      if (!organization || !user || !(await isOpenToEmail(deps, { organization, email: user.email })))
        throw notFound('Organization');
      const member = await store.get(members, memberId(organizationId, user._id), { fields: ['disabled', 'pending'] });
      if (member && !member.disabled) return;
      await joinCaller(deps, { organization, role: organization.defaultRole, context });
    },
  };
}
