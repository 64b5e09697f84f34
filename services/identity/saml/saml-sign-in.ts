import { type AuditRecord, auditRecord } from '../../../shared/contract/audit.js';
import { apiError, forbidden, notFound } from '../../../shared/errors/errors.js';
import { again } from '../../../shared/store/again.js';
import { type HasStore, type Store, type Write, write } from '../../../shared/store/port.js';
import { newSecret, sha256, timestamp } from '../../../shared/values/ids.js';
import { newApiToken } from '../accounts/api-tokens.js';
import { apiTokens } from '../accounts/model.js';
import { acceptWrites, joinWrites } from '../organizations/memberships.js';
import { type MemberDocument, memberId, members, samlProviders, teams } from '../organizations/model.js';
import { type ActiveSamlProvider, isActiveProvider } from '../organizations/single-sign-on.js';
import { presentUser, type UserDocument, users } from '../users/model.js';
import type { User } from '../users/resources.js';
import { newUser } from '../users/users.js';
import { decodeAnswer, readAnswer, readRequestId } from './answer-xml.js';
import { answerRejected, type SamlIdentity, signInRedirectURL, writeMetadataXml } from './assertion.js';
import { samlRequests } from './model.js';
import { serviceProviderURLs } from './service-provider.js';
import type { Verifier } from './verifier.js';

interface SignedIn {
  token: string;
  expiresAt: string;
  organization: string;
  user: User;
}

const requestMs = 10 * 60_000;
const tokenMs = 12 * 60 * 60_000;
/** Sign-ins without an answer, of one network at one provider. */
const maxOpen = 1000;

async function findActiveProvider(store: Store, id: string): Promise<ActiveSamlProvider> {
  const provider = await store.get(samlProviders, id);
  if (!provider || !isActiveProvider(provider)) throw notFound('SAML provider');
  return provider;
}

/** Returns our metadata as XML. It is available before the provider is active, because its setup needs it. */
export async function readMetadataXml(
  { store, baseUrl }: HasStore & { baseUrl: string },
  { provider }: { provider: string },
): Promise<{ xml: string }> {
  if (!(await store.get(samlProviders, provider, { fields: ['organization'] }))) throw notFound('SAML provider');
  return { xml: await writeMetadataXml(baseUrl, provider) };
}

/**
 * Starts a sign-in and returns the address at the identity provider that continues it. Throws 403 where no answer could be verified,
 * and 429 when the network has left too many without an answer.
 */
export async function startSignIn(
  { store, baseUrl }: HasStore & { baseUrl: string },
  { provider: id, browser, network }: { provider: string; browser: string; network: string },
): Promise<{ redirect: string }> {
  const provider = await findActiveProvider(store, id);
  const request = `_${newSecret(20)}`;
  const redirect = await signInRedirectURL(baseUrl, { provider, request });
  const now = Date.now();
  const createdAt = timestamp(new Date(now));
  await store.deleteMany(samlRequests, { expiresAt: { $lte: createdAt } });
  if ((await store.count(samlRequests, { provider: id, network })) >= maxOpen)
    throw apiError('RATE_LIMITED', 'Too many sign-ins of your network wait for their answer; try again in ten minutes');
  await store.insert(samlRequests, {
    _id: request,
    provider: id,
    network,
    browser: sha256(browser),
    createdAt,
    expiresAt: timestamp(new Date(now + requestMs)),
  });
  return { redirect };
}

/**
 * Deletes the request that an answer refers to. Of two answers at once only one finds the request, and of two browsers only the
 * one that began: nobody is signed in by an answer that somebody else obtained.
 */
async function takeSignInRequest(
  store: Store,
  { provider, request, browser }: { provider: string; request: string; browser: string },
): Promise<void> {
  const open = { _id: request, provider, browser: sha256(browser), expiresAt: { $gt: timestamp() } };
  if (!(await store.delete(samlRequests, open)))
    throw answerRejected('no sign-in of this browser is waiting for it; start again');
}

interface Answer {
  provider: string;
  /** The `SAMLResponse` field of the form: base64. */
  response: string;
  /** The secret of the browser; empty without one. */
  browser: string;
  /** The network of the client. */
  network: string;
}

/**
 * Exchanges the answer of an identity provider for an API token. Throws 400 for a malformed answer, and 403 for one that
 * cannot be trusted or whose user may not sign in. While too many others wait for theirs, 503: start again.
 */
export async function finishSignIn(
  deps: HasStore & {
    baseUrl: string;
    verifier: Verifier;
    auditWrite: (auditRecordWrite: AuditRecord) => Write;
    callersChanged: () => Write;
  },
  { provider: id, response, browser, network }: Answer,
  { requestId }: { requestId: string },
): Promise<SignedIn> {
  const { store, baseUrl, verifier } = deps;
  const provider = await findActiveProvider(store, id);
  const request = readRequestId(response);
  // Before anything that costs more for a larger answer.
  await takeSignInRequest(store, { provider: id, request, browser });
  const xml = decodeAnswer(response);
  const { status, destination } = readAnswer(xml);
  if (status !== 'Success')
    throw forbidden(`The identity provider did not sign you in: ${status || 'no reason given'}`, 'sign_in_rejected');
  if (destination !== undefined && destination !== serviceProviderURLs(baseUrl, id).acsURL)
    throw answerRejected('its destination is another address');
  const verdict = await verifier.verify({ baseUrl, provider, request, xml }, network);
  if ('refused' in verdict) throw forbidden(verdict.refused, 'sign_in_rejected');
  const admission = { provider, identity: verdict.identity, requestId };
  const signedIn = await again(
    async () => {
      await findActiveProvider(store, id);
      return signInIdentity(deps, admission);
    },
    { duplicates: true },
  );
  return signedIn;
}

interface Admission {
  provider: ActiveSamlProvider;
  identity: SamlIdentity;
  requestId: string;
}

/** Issues a token, and makes a newcomer a member, in one batch. */
async function signInIdentity(
  deps: HasStore & { baseUrl: string; auditWrite: (newAuditWrite: AuditRecord) => Write; callersChanged: () => Write },
  { provider, identity, requestId }: Admission,
): Promise<SignedIn> {
  const { store, baseUrl, callersChanged, auditWrite } = deps;
  const { organization } = provider;
  const known = await store.findOne(users, { emailLower: identity.email });
  const member = known && (await store.get(members, memberId(organization, known._id)));
  const { displayName } = identity;
  const user = known ?? newUser(identity.email, { ...(displayName ? { displayName } : {}), unproven: 'asserted' });
  const entry = member
    ? [...memberSignInWrites(member, user), ...(user.unproven ? takeOverWrites(user) : [])]
    : [
        ...(known ? takeOverWrites(known) : [write.insert(users, user)]),
        ...(await newMemberWrites(store, { provider, user })),
      ];
  const expiresAt = timestamp(new Date(Math.min(Date.now() + tokenMs, identity.endsAt ?? Infinity)));
  const label = `SSO ${provider.label}`;
  const { document, secret } = newApiToken({
    user: user._id,
    label,
    expiresAt,
    scope: organization,
    provider: provider._id,
  });
  const caller = { kind: 'user', user: user._id, token: document._id, memberships: {} } as const;
  const about = { operation: 'signInWithSAML', caller, organization, requestId };
  const newAuditWrite = (type: string, id: string) =>
    auditWrite(auditRecord(about, { type, id }, { details: { provider: provider._id } }));
  await store.batch([
    ...entry,
    write.check(samlProviders, { _id: provider._id, organization }, 1),
    write.insert(apiTokens, document),
    ...(member && !member.pending ? [] : [newAuditWrite('member', user._id)]),
    newAuditWrite('api-token', document._id),
    callersChanged(),
  ]);
  return { token: secret, expiresAt, organization, user: presentUser(baseUrl, user, { withEmail: true }) };
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
  { provider, user }: { provider: ActiveSamlProvider; user: UserDocument },
): Promise<Write[]> {
  const { organization, defaultRole: role, defaultTeam } = provider;
  const team = defaultTeam == null ? null : await store.get(teams, defaultTeam, { fields: ['organization'] });
  const joined = team?.organization === organization ? [team._id] : [];
  return joinWrites({ organization, user, role, sso: true, teams: joined });
}
