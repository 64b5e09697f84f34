import { system } from '../../../shared/contract/caller.js';
import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { forbidden, invalid, notFound } from '../../../shared/errors.js';
import { again } from '../../../shared/store/again.js';
import { write } from '../../../shared/store/port.js';
import { grantByInvite } from '../../content/contract.js';
import type { joiningOperations } from '../contract/joining.js';
import type { identityContract } from '../contract.js';
import type { IdentityDependencies } from '../dependencies.js';
import { opensTo } from '../organizations/email-domains.js';
import { change, join } from '../organizations/memberships.js';
import { memberId, members, type OrganizationDocument, organizations } from '../organizations/model.js';
import { organizationOf } from '../organizations/organizations.js';
import { includes, type Role } from '../organizations/resources.js';
import { inviteMails } from '../sign-in/links.js';
import { checkUnscoped, userOf } from '../users/acting-user.js';
import { users } from '../users/model.js';
import { inviteesOf } from './email-invites.js';
import { accessToTarget, inviteOf } from './invites.js';

interface Joining {
  organization: OrganizationDocument;
  role: Role | null;
  context: Pick<Context, 'caller' | 'audit'>;
}

/** Makes the caller a member with at least `role`; a higher role is kept. */
async function joinAs(
  { store, callersChanged }: IdentityDependencies,
  { organization, role, context: { caller, audit } }: Joining,
): Promise<void> {
  if (organization.sso) throw forbidden('Join this organization through its single sign-on');
  const id = userOf(caller);
  await again(
    async () => {
      const [user, member] = await Promise.all([
        store.get(users, id),
        store.get(members, memberId(organization._id, id)),
      ]);
      if (!user) throw notFound('User');
      if (member?.disabled) throw forbidden('Your membership of this organization is switched off');
      if (member && includes(member.role, role)) return;
      await store.batch([
        ...(member ? (change(member, { role })?.writes ?? []) : join({ organization: organization._id, user, role })),
        audit('member', id, { organization: organization._id, details: { role } }),
        callersChanged(),
      ]);
    },
    { duplicates: true },
  );
}

export function joiningHandlers(
  deps: IdentityDependencies,
): HandlersOf<typeof identityContract, typeof joiningOperations> {
  const { store, jobs, callersChanged } = deps;
  return {
    async inviteUsersToOrganization({ path: { organizationId }, body }, { caller, audit }) {
      const [inviter, organization] = await Promise.all([
        store.get(users, userOf(caller)),
        organizationOf(store, organizationId),
      ]);
      if (!inviter) throw notFound('User');
      if (organization.sso && !body.sso)
        throw invalid('sso: must be true, because this organization requires single sign-on');
      const invitation = { organization: organization.title, inviter: inviter.displayName };
      const invitees = await again(
        async () => {
          const all = await inviteesOf(store, { organization, input: body });
          const joining = all.filter(({ member }) => member === undefined);
          if (joining.length === 0) return all;
          const added = joining.map(({ user }) => user);
          const details = { invited: joining.map(({ user: { _id }, role }) => ({ user: _id, role })), sso: body.sso };
          await store.batch([
            ...joining.filter(({ isNew }) => isNew).map(({ user }) => write.insert(users, user)),
            ...joining.flatMap(({ user, role }) => join({ organization: organizationId, user, role, sso: body.sso })),
            // Members who sign in by single sign-on need no link.
            ...(body.sso ? [] : inviteMails(deps, { invitation, users: added })),
            audit('organization', organizationId, { details }),
            callersChanged(),
          ]);
          return all;
        },
        { duplicates: true },
      );
      jobs.wake();
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
      const { to, target, role } = await inviteOf(store, { organization: organizationId, id: inviteId });
      const organization = await organizationOf(store, organizationId);
      if (!organization.inviteLinks) throw forbidden('Invite links are switched off in this organization');
      if (to === 'organization') {
        await joinAs(deps, { organization, role, context });
        return {};
      }
      const access = await accessToTarget({ call, caller: system, to, target });
      if (access?.state !== 'active') throw notFound('Invite');
      await joinAs(deps, { organization, role: null, context });
      await call(grantByInvite, {
        organization: organizationId,
        kind: to,
        id: target,
        user: userOf(caller),
        level: role,
      });
      return {};
    },

    async joinOrganization({ path: { organizationId } }, context) {
      checkUnscoped(context.caller);
      const [organization, user] = await Promise.all([
        store.get(organizations, organizationId),
        store.get(users, userOf(context.caller)),
      ]);
      if (!organization || !user || !(await opensTo(deps, { organization, email: user.email })))
        throw notFound('Organization');
      const member = await store.get(members, memberId(organizationId, user._id), { fields: ['disabled'] });
      if (member && !member.disabled) return;
      await joinAs(deps, { organization, role: organization.defaultRole, context });
    },
  };
}
