import { type AuditRecord, auditRecord } from '../../../shared/contract/audit.js';
import { forbidden } from '../../../shared/errors/errors.js';
import { type HasStore, type Store, type Write, write } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import { acceptedMember, acceptWrites, joinWrites, planMemberChange } from '../organizations/memberships.js';
import { type MemberDocument, memberId, members, type SamlProviderDocument } from '../organizations/model.js';
import { type UserDocument, users } from '../users/model.js';
import { newUser } from '../users/users.js';
import { existingTeams, type Granted, grantedMembership } from './granted.js';
import type { Issue } from './issued.js';

/** A sign-in ends after this time at the latest. */
const validMs = 12 * 60 * 60_000;

/** A person whom an identity provider has signed in. */
export interface SignedInPerson {
  /** In lower case. */
  email: string;
  displayName?: string;
  /** The end of the session at the identity provider, in epoch milliseconds. */
  endsAt?: number;
}

/** The settings of a provider that decide about the people whom it signs in. */
export type AdmittingProvider = Pick<
  SamlProviderDocument,
  '_id' | 'organization' | 'label' | 'defaultRole' | 'defaultTeam'
>;

export interface Admission {
  provider: AdmittingProvider;
  person: SignedInPerson;
  /** The id of the account that the person is known to have. Default: that with the address. */
  account?: string | undefined;
  /** The teams and the role that the groups of the person give; undefined where groups decide nothing. */
  granted?: Granted | undefined;
  /** Returns the writes that go with the sign-in of an account: the condition that the provider is still there. */
  alongside: (user: string) => Write[];
  /** The name of the sign-in in the audit trail. */
  operation: string;
  requestId: string;
}

export type AdmissionDependencies = HasStore & {
  auditWrite: (record: AuditRecord) => Write;
  callersChanged: () => Write;
};

/** Lets a person in: issues a token or a session, and makes a newcomer a member, in one batch. Throws 403 for a person who may not sign in. */
export async function admitPerson<T>(
  { store, auditWrite, callersChanged }: AdmissionDependencies,
  admission: Admission,
  issue: Issue<T>,
): Promise<T> {
  const { provider, person, account, operation, requestId } = admission;
  const { organization } = provider;
  const known =
    account === undefined ? await store.findOne(users, { emailLower: person.email }) : await store.get(users, account);
  const member = known && (await store.get(members, memberId(organization, known._id)));
  const { displayName } = person;
  const user = known ?? newUser(person.email, { ...(displayName ? { displayName } : {}), unproven: 'asserted' });
  const entry = member
    ? await memberEntry(store, { member, user, admission })
    : await newcomerEntry(store, { isKnown: known !== null, user, admission });
  const expiresAt = timestamp(new Date(Math.min(Date.now() + validMs, person.endsAt ?? Infinity)));
  const { type, id, writes, answer } = await issue({ user, expiresAt });
  const caller = { kind: 'user', user: user._id, token: id, memberships: {} } as const;
  const about = { operation, caller, organization, requestId };
  const newAuditWrite = (type: string, id: string, details = {}) =>
    auditWrite(auditRecord(about, { type, id }, { details: { provider: provider._id, ...details } }));
  await store.batch([
    ...entry.writes,
    ...admission.alongside(user._id),
    ...writes,
    ...(entry.changes ? [newAuditWrite('member', user._id, entry.changes)] : []),
    newAuditWrite(type, id),
    callersChanged(),
  ]);
  return answer;
}

/** The writes by which a person enters, and what changes with that, for the audit trail; undefined where nothing does. */
interface Entry {
  writes: Write[];
  changes: Record<string, unknown> | undefined;
}

/** Lets a member in, with the role and in the teams of its groups. */
async function memberEntry(
  store: Store,
  { member, user, admission }: { member: MemberDocument; user: UserDocument; admission: Admission },
): Promise<Entry> {
  const { granted, provider } = admission;
  const writes = [...memberSignInWrites(member, user), ...(user.unproven ? takeOverWrites(user) : [])];
  const entered = member.pending ? acceptedMember(member, user) : member;
  const changed =
    granted &&
    planMemberChange(entered, await grantedMembership(store, entered, { granted, defaultRole: provider.defaultRole }));
  const accepted = member.pending ? {} : undefined;
  return { writes: [...writes, ...(changed?.writes ?? [])], changes: changed?.details ?? accepted };
}

/** Makes a person a member: one who is new here, or whose account nobody has proven. */
async function newcomerEntry(
  store: Store,
  { isKnown, user, admission }: { isKnown: boolean; user: UserDocument; admission: Admission },
): Promise<Entry> {
  const account = isKnown ? takeOverWrites(user) : [write.insert(users, user)];
  return { writes: [...account, ...(await newMemberWrites(store, { user, admission }))], changes: {} };
}

/**
 * Returns the writes, or the condition, under which a member signs in. Throws 403 unless an admin has allowed it single sign-on. The
 * identity provider belongs to those who invite, so it does not accept an invite for somebody with an account.
 */
function memberSignInWrites(member: MemberDocument, user: UserDocument): Write[] {
  if (member.pending?.disabled ?? member.disabled)
    throw forbidden('Your membership of this organization is switched off', 'membership_disabled');
  if (!member.sso) throw forbidden('An admin must allow single sign-on for this member first', 'sign_in_rejected');
  if (!member.pending) return [write.check(members, { _id: member._id, sso: true, disabled: false }, 1)];
  if (!user.unproven)
    throw forbidden('Accept the invite to this organization first: by the link in its mail', 'sign_in_rejected');
  return acceptWrites(member, user);
}

/** Returns the writes that take over an account whose address nobody has proven. Throws 403 for one that somebody has. */
function takeOverWrites({ _id, unproven }: UserDocument): Write[] {
  if (!unproven)
    throw forbidden(
      'An account with this address exists outside the organization; an admin must invite it first',
      'sign_in_rejected',
    );
  return [write.update(users, { _id, unproven }, { $set: { unproven: 'asserted' } }, { expect: 1 })];
}

/** Returns the writes that make a user a member. Teams that do not exist any more are ignored. */
async function newMemberWrites(
  store: Store,
  { user, admission: { provider, granted } }: { user: UserDocument; admission: Admission },
): Promise<Write[]> {
  const { organization, defaultRole, defaultTeam } = provider;
  const wanted = [...(defaultTeam == null ? [] : [defaultTeam]), ...(granted?.teams ?? [])];
  const joined = await existingTeams(store, organization, [...new Set(wanted)]);
  return joinWrites({ organization, user, role: granted?.role ?? defaultRole, sso: true, teams: joined });
}
