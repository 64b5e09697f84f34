import { type Access, resolveAccess } from '../../../shared/contract/access.js';
import { type Caller, membershipOf } from '../../../shared/contract/caller.js';
import type { Context } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import type { Store } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import type { InviteDescription } from '../contract/joining.js';
import { isActiveAdmin } from '../organizations/memberships.js';
import { organizations } from '../organizations/model.js';
import { type Role, roleIncludes } from '../organizations/resources.js';
import { type InviteDocument, invites } from './model.js';
import { type Invite, inviteTarget, type OrganizationInvite } from './resources.js';

interface TargetQuestion extends Pick<Context, 'call' | 'caller'> {
  to: 'space' | 'collection';
  target: string;
}

/** Resolves what a caller is to the space or collection that an invite leads to. */
export async function resolveTargetAccess({ call, caller, to, target }: TargetQuestion): Promise<Access | null> {
  const [access = null] = await call(resolveAccess(inviteTarget(to).kind), { caller, ids: [target] });
  return access;
}

const isExpired = ({ expiresAt }: InviteDocument): boolean => expiresAt !== undefined && expiresAt <= timestamp();

/** Reads an invite. Throws 404 when the organization has no such invite or it has expired. */
export async function findInvite(
  store: Store,
  { organization, id }: { organization: string; id: string },
): Promise<InviteDocument> {
  const invite = await store.get(invites, id);
  if (invite?.organization !== organization || isExpired(invite)) throw notFound('Invite');
  return invite;
}

/** Whether who created or last changed an invite is still an admin. The secret of a link may be all that a former admin kept. */
export const isInviterStillAdmin = async (store: Store, { organization, by }: InviteDocument): Promise<boolean> =>
  by === undefined || isActiveAdmin(store, { organization, user: by });

/** Whether a caller has the role in the organization that an invite gives. */
function hasRole(caller: Caller, { organization, role }: InviteDocument): boolean {
  const membership = membershipOf(caller, organization);
  return membership !== undefined && roleIncludes(membership.role as Role | null, role);
}

/** Whether a caller has everything that an invite gives. */
async function isRedundant(
  { call, caller }: Pick<Context, 'call' | 'caller'>,
  invite: InviteDocument,
): Promise<boolean> {
  const { to, target, role } = invite;
  if (to === 'organization') return hasRole(caller, invite);
  const access = await resolveTargetAccess({ call, caller, to, target });
  return access !== null && roleIncludes(access.role as Role | null, role);
}

export function presentOrganizationInvite(caller: Caller, invite: InviteDocument): OrganizationInvite {
  const { _id: id, role, expiresAt } = invite;
  return { object: 'invite', id, role, redundant: hasRole(caller, invite), ...(expiresAt ? { expiresAt } : {}) };
}

export async function presentInvite(
  { call, caller }: Pick<Context, 'call' | 'caller'>,
  invite: InviteDocument,
): Promise<Invite> {
  const { _id: id, role: level, target, to, expiresAt } = invite;
  if (to === 'organization') return presentOrganizationInvite(caller, invite);
  const redundant = await isRedundant({ call, caller }, invite);
  const base = { object: 'invite' as const, id, level, redundant, ...(expiresAt ? { expiresAt } : {}) };
  const resource = await inviteTarget(to).read(call, target);
  return to === 'space' ? { ...base, space: resource } : { ...base, collection: resource };
}

/** Says what an invite offers to a caller who has its link; null for one that lets nobody in. */
export async function describeInvite(
  store: Store,
  { organization: id, invite: inviteId }: { organization: string; invite: string },
  context: Pick<Context, 'call' | 'caller'>,
): Promise<InviteDescription | null> {
  const [invite, organization] = await Promise.all([store.get(invites, inviteId), store.get(organizations, id)]);
  if (!organization || invite?.organization !== id || isExpired(invite)) return null;
  if (!(await isInviterStillAdmin(store, invite))) return null;
  const { to, target, role } = invite;
  return {
    organization: { id, title: organization.title },
    to,
    target,
    role,
    redundant: await isRedundant(context, invite),
    linksOff: !organization.inviteLinks,
  };
}

/** Deletes expired invites. */
export async function sweepExpiredInvites(store: Store): Promise<void> {
  await store.deleteMany(invites, { expiresAt: { $lte: timestamp() } });
}
