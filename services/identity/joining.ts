import { resolveAccess } from '../../shared/contract/access.js';
import type { Audit } from '../../shared/contract/audit.js';
import { type Caller, system } from '../../shared/contract/caller.js';
import type { Call } from '../../shared/contract/service.js';
import { forbidden, invalid, notFound } from '../../shared/errors.js';
import { again } from '../../shared/store/again.js';
import { type Store, type Write, write } from '../../shared/store/port.js';
import { grantByInvite } from '../content/contract.js';
import { collectionKind, spaceKind } from '../content/resources.js';
import { inviteOf } from './invites.js';
import { change, join } from './memberships.js';
import {
  type InviteDocument,
  memberId,
  members,
  type OrganizationDocument,
  organizations,
  type UserDocument,
  users,
} from './model.js';
import { includes, type Role } from './resources.js';
import { type IdentityRules, userOf } from './rules.js';
import { newUser } from './users.js';

/** A token of one organization's single sign-on acts there alone. */
export function checkUnscoped(caller: Caller): void {
  if (caller.kind === 'user' && caller.scope !== undefined)
    throw forbidden('A single sign-on token is valid for its own organization only');
}

async function organizationOf(store: Store, id: string): Promise<OrganizationDocument> {
  const organization = await store.get(organizations, id);
  if (!organization) throw notFound('Organization');
  return organization;
}

/** Makes the caller a member with at least this role; what it has already stays when it is more. */
async function joinWith(
  { store, callersChanged }: IdentityRules,
  organization: OrganizationDocument,
  caller: Caller,
  role: Role | null,
  audit: Audit,
): Promise<void> {
  if (organization.sso) throw forbidden('Join this organization through its single sign-on');
  const [user, member] = await Promise.all([
    store.get(users, userOf(caller)),
    store.get(members, memberId(organization._id, userOf(caller))),
  ]);
  if (!user) throw notFound('User');
  if (member?.disabled) throw forbidden('Your membership of this organization is switched off');
  if (member && includes(member.role, role)) return;
  const details = { organization: organization._id, details: { role } };
  await store.batch([
    ...(member ? change(member, { role }) : join(organization._id, user, { role })),
    audit('member', user._id, details),
    callersChanged(),
  ]);
}

export async function joinByInvite(
  rules: IdentityRules,
  call: Call,
  caller: Caller,
  organizationId: string,
  inviteId: string,
  audit: Audit,
): Promise<void> {
  checkUnscoped(caller);
  const invite = await inviteOf(rules.store, organizationId, inviteId);
  const organization = await organizationOf(rules.store, organizationId);
  if (!organization.inviteLinks) throw forbidden('Invite links are switched off in this organization');
  const { to, target, role } = invite;
  if (to !== 'organization') await checkTarget(call, invite);
  await again(() => joinWith(rules, organization, caller, to === 'organization' ? role : null, audit), {
    duplicates: true,
  });
  if (to !== 'organization')
    await call(grantByInvite, {
      organization: organizationId,
      kind: to,
      id: target,
      user: userOf(caller),
      level: role,
    });
}

/** An invite to what is gone leads nowhere. */
async function checkTarget(call: Call, { to, target }: InviteDocument): Promise<void> {
  const kind = to === 'space' ? spaceKind : collectionKind;
  const [access] = await call(resolveAccess(kind), { caller: system, ids: [target] });
  if (access?.state !== 'active') throw notFound('Invite');
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Whether an address is of one of the organization's domains. */
export const opens = ({ emailDomains }: Pick<OrganizationDocument, 'emailDomains'>, email: string): boolean =>
  emailDomains.includes(domainOf(email));

/** 404 for an organization that the caller's address does not open. */
export async function joinByDomain(
  rules: IdentityRules,
  caller: Caller,
  organizationId: string,
  audit: Audit,
): Promise<void> {
  checkUnscoped(caller);
  const [organization, user] = await Promise.all([
    rules.store.get(organizations, organizationId),
    rules.store.get(users, userOf(caller)),
  ]);
  if (!organization || !user || !opens(organization, user.email)) throw notFound('Organization');
  const member = await rules.store.get(members, memberId(organizationId, user._id), { fields: ['disabled'] });
  if (member && !member.disabled) return;
  await again(() => joinWith(rules, organization, caller, organization.defaultRole, audit), { duplicates: true });
}

export interface EmailInvites {
  emails: (string | { email: string; role: Role | null })[];
  role?: Role | null | undefined;
  sso: boolean;
}

export interface Invited {
  users: string[];
  invited: number;
  failedSSOEmails?: string[];
}

interface Invitee {
  email: string;
  role: Role | null;
  user: UserDocument;
  isNew: boolean;
  /** Undefined: not a member yet. */
  member: { sso: boolean } | undefined;
}

/** `mails`: the writes that send those who are new their sign-in links. */
export async function inviteByEmail(
  { store, callersChanged }: IdentityRules,
  organizationId: string,
  input: EmailInvites,
  mails: (title: string, invited: UserDocument[]) => Write[],
  audit: Audit,
): Promise<Invited> {
  const organization = await organizationOf(store, organizationId);
  if (organization.sso && !input.sso)
    throw invalid('sso: must be true, because this organization requires single sign-on');
  return again(
    async () => {
      const invitees = await inviteesOf(store, organization, input);
      const joining = invitees.filter(({ member }) => member === undefined);
      const added = joining.map(({ user }) => user);
      if (joining.length > 0)
        await store.batch([
          ...joining.filter(({ isNew }) => isNew).map(({ user }) => write.insert(users, user)),
          ...joining.flatMap(({ user, role }) => join(organizationId, user, { role, sso: input.sso })),
          ...mails(organization.title, added),
          audit('organization', organizationId, {
            details: { invited: joining.map(({ user: { _id }, role }) => ({ user: _id, role })), sso: input.sso },
          }),
          callersChanged(),
        ]);
      const failed = input.sso ? invitees.filter(({ member }) => member && !member.sso).map(({ email }) => email) : [];
      return {
        users: invitees.map(({ user }) => user._id),
        invited: joining.length,
        ...(failed.length > 0 ? { failedSSOEmails: failed } : {}),
      };
    },
    { duplicates: true },
  );
}

/** Each address once, in its order, with the account it is of or is to become. */
async function inviteesOf(
  store: Store,
  { _id, defaultRole }: OrganizationDocument,
  input: EmailInvites,
): Promise<Invitee[]> {
  const { role: given = defaultRole } = input;
  const wanted = new Map<string, { email: string; role: Role | null }>();
  for (const item of input.emails) {
    const one = typeof item === 'string' ? { email: item, role: given } : item;
    if (!wanted.has(one.email.toLowerCase())) wanted.set(one.email.toLowerCase(), one);
  }
  const known = await usersByEmail(store, [...wanted.keys()]);
  const found = await store.getMany(
    members,
    [...known.values()].map((user) => memberId(_id, user._id)),
  );
  const memberByUser = new Map(found.map((member) => [member.user, member]));
  return [...wanted].map(([lower, { email, role }]) => {
    const user = known.get(lower);
    return {
      email,
      role,
      user: user ?? newUser(email),
      isNew: user === undefined,
      member: user && memberByUser.get(user._id),
    };
  });
}

const atOnce = 100;

/** Accounts by lower-cased address. */
export async function usersByEmail(store: Store, addresses: string[]): Promise<Map<string, UserDocument>> {
  const found = new Map<string, UserDocument>();
  for (let at = 0; at < addresses.length; at += atOnce) {
    const { items } = await store.page(users, {
      filter: { emailLower: { $in: addresses.slice(at, at + atOnce) } },
      sort: {},
      limit: atOnce,
    });
    for (const user of items) found.set(user.emailLower, user);
  }
  return found;
}
