import { type AuditRecord, auditRecord } from '../../../shared/contract/audit.js';
import { forbidden } from '../../../shared/errors/errors.js';
import { type HasStore, type Store, type Write, write } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import { acceptWrites, joinWrites } from '../organizations/memberships.js';
import { type MemberDocument, memberId, members, type SamlProviderDocument, teams } from '../organizations/model.js';
import { type UserDocument, users } from '../users/model.js';
import { newUser } from '../users/users.js';
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
  /** Goes into the batch of the sign-in: the condition that the provider is still there. */
  condition: Write;
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
  { provider, person, condition, operation, requestId }: Admission,
  issue: Issue<T>,
): Promise<T> {
  const { organization } = provider;
  const known = await store.findOne(users, { emailLower: person.email });
  const member = known && (await store.get(members, memberId(organization, known._id)));
  const { displayName } = person;
  const user = known ?? newUser(person.email, { ...(displayName ? { displayName } : {}), unproven: 'asserted' });
  const entry = member
    ? [...memberSignInWrites(member, user), ...(user.unproven ? takeOverWrites(user) : [])]
    : [
        ...(known ? takeOverWrites(known) : [write.insert(users, user)]),
        ...(await newMemberWrites(store, { provider, user })),
      ];
  const expiresAt = timestamp(new Date(Math.min(Date.now() + validMs, person.endsAt ?? Infinity)));
  const { type, id, writes, answer } = await issue({ user, expiresAt });
  const caller = { kind: 'user', user: user._id, token: id, memberships: {} } as const;
  const about = { operation, caller, organization, requestId };
  const newAuditWrite = (type: string, id: string) =>
    auditWrite(auditRecord(about, { type, id }, { details: { provider: provider._id } }));
  await store.batch([
    ...entry,
    condition,
    ...writes,
    ...(member && !member.pending ? [] : [newAuditWrite('member', user._id)]),
    newAuditWrite(type, id),
    callersChanged(),
  ]);
  return answer;
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

/** Returns the writes that make a user a member. A default team that does not exist any more is ignored. */
async function newMemberWrites(
  store: Store,
  { provider, user }: { provider: AdmittingProvider; user: UserDocument },
): Promise<Write[]> {
  const { organization, defaultRole: role, defaultTeam } = provider;
  const team = defaultTeam == null ? null : await store.get(teams, defaultTeam, { fields: ['organization'] });
  const joined = team?.organization === organization ? [team._id] : [];
  return joinWrites({ organization, user, role, sso: true, teams: joined });
}
