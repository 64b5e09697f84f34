import { type AuditRecord, auditRecord } from '../../shared/contract/audit.js';
import { forbidden, notFound } from '../../shared/errors.js';
import { newSecret, timestamp } from '../../shared/ids.js';
import { again } from '../../shared/store/again.js';
import { type Store, type Write, write } from '../../shared/store/port.js';
import { openWorkers } from '../../shared/work/workers.js';
import { join } from './memberships.js';
import {
  type MemberDocument,
  memberId,
  members,
  presentUser,
  samlProviders,
  samlRequests,
  teams,
  tokens,
  type UserDocument,
  users,
} from './model.js';
import type { User } from './resources.js';
import type { IdentityRules } from './rules.js';
import { metadataFor, redirectFor, refused, type SamlIdentity, type SamlQuestion } from './saml-assertion.js';
import { type ActiveSamlProvider, isUsable, serviceOf } from './saml-service.js';
import type { SamlVerdict } from './saml-worker.js';
import { decodeAnswer, readAnswer } from './saml-xml.js';
import { newToken } from './tokens.js';
import { newUser } from './users.js';

export interface SignInRules extends IdentityRules {
  auditWrite: (record: AuditRecord) => Write;
  verifier: Verifier;
}

/** Judges answers beside the event loop: checking a signature over XML of a stranger takes its time. */
export interface Verifier {
  verify(question: SamlQuestion): Promise<SamlVerdict>;
  close(): Promise<void>;
}

export function openVerifier(): Verifier {
  const workers = openWorkers(new URL('./saml-worker.js', import.meta.url));
  return { verify: (question) => workers.run('verify', question), close: () => workers.close() };
}

export interface SignedIn {
  token: string;
  expiresAt: string;
  organization: string;
  user: User;
}

const requestMs = 10 * 60_000;
const tokenMs = 12 * 60 * 60_000;

async function activeProvider(store: Store, id: string): Promise<ActiveSamlProvider> {
  const provider = await store.get(samlProviders, id);
  if (!provider || !isUsable(provider)) throw notFound('SAML provider');
  return provider;
}

/** Metadata is there before the provider is active, for it is needed to set the other side up. */
export async function metadata({ store, baseUrl }: IdentityRules, id: string): Promise<{ xml: string }> {
  if (!(await store.get(samlProviders, id, { fields: ['organization'] }))) throw notFound('SAML provider');
  return { xml: metadataFor(baseUrl, id) };
}

export async function startSignIn({ store, baseUrl }: IdentityRules, id: string): Promise<{ redirect: string }> {
  const provider = await activeProvider(store, id);
  const request = `_${newSecret(20)}`;
  const now = Date.now();
  const expiresAt = timestamp(new Date(now + requestMs));
  await store.deleteMany(samlRequests, { expiresAt: { $lte: timestamp(new Date(now)) } });
  await store.insert(samlRequests, { _id: request, provider: id, createdAt: timestamp(new Date(now)), expiresAt });
  return { redirect: await redirectFor(baseUrl, provider, request) };
}

/** An answer counts once, whether it holds or not: of two at once one finds the request. */
async function takeRequest(store: Store, provider: string, request: string): Promise<void> {
  const open = { _id: request, provider, expiresAt: { $gt: timestamp() } };
  if (!(await store.delete(samlRequests, open))) throw refused('no sign-in is waiting for it; start again');
}

/** 400 for what is no answer of an identity provider, 403 for one that is not believed or not let in. */
export async function finishSignIn(
  rules: SignInRules,
  { provider: id, response }: { provider: string; response: string },
  requestId: string,
): Promise<SignedIn> {
  const { store, baseUrl, verifier } = rules;
  const provider = await activeProvider(store, id);
  const xml = decodeAnswer(response);
  const { request, status, destination } = readAnswer(xml);
  await takeRequest(store, id, request);
  if (status !== 'Success')
    throw forbidden(`The identity provider did not sign you in: ${status || 'no reason given'}`);
  if (destination !== undefined && destination !== serviceOf(baseUrl, id).acsURL)
    throw refused('its destination is another address');
  const verdict = await verifier.verify({ baseUrl, provider, request, xml });
  if ('refused' in verdict) throw forbidden(verdict.refused);
  return again(() => admit(rules, provider, verdict.identity, requestId), { duplicates: true });
}

/** Makes a newcomer a member and issues the token: all or nothing. */
async function admit(
  rules: SignInRules,
  provider: ActiveSamlProvider,
  identity: SamlIdentity,
  requestId: string,
): Promise<SignedIn> {
  const { store, baseUrl, callersChanged } = rules;
  const { organization } = provider;
  const known = await store.findOne(users, { emailLower: identity.email });
  const user = known ?? newUser(identity.email, identity.displayName);
  const member = known ? await memberToAdmit(store, organization, known) : null;
  const entry = member ? checked(member) : await joining(store, provider, user);
  const expiresAt = timestamp(new Date(Math.min(Date.now() + tokenMs, identity.endsAt ?? Infinity)));
  const { document, secret } = newToken(user._id, { label: `SSO ${provider.label}`, expiresAt, scope: organization });
  const caller = { kind: 'user', user: user._id, token: document._id, memberships: {} } as const;
  const record = (type: string, on: string) =>
    rules.auditWrite(
      auditRecord(
        { operation: 'signInWithSAML', caller, organization, requestId },
        { type, id: on },
        { details: { provider: provider._id } },
      ),
    );
  await store.batch([
    ...entry,
    write.insert(tokens, document),
    ...(member ? [] : [record('member', user._id)]),
    record('api-token', document._id),
    callersChanged(),
  ]);
  return { token: secret, expiresAt, organization, user: presentUser(baseUrl, user, true) };
}

/** 403 for an account that no admin linked: only they do that with one that is there already. */
async function memberToAdmit(store: Store, organization: string, { _id }: UserDocument): Promise<MemberDocument> {
  const member = await store.get(members, memberId(organization, _id));
  if (!member)
    throw forbidden('An account with this address exists outside the organization; an admin must invite it first');
  if (member.disabled) throw forbidden('Your membership of this organization is switched off');
  if (!member.sso) throw forbidden('An admin must allow single sign-on for this member first');
  return member;
}

const checked = ({ _id }: MemberDocument): Write[] => [write.check(members, { _id, sso: true, disabled: false }, 1)];

/** A default team that is gone is left out. */
async function joining(
  store: Store,
  { organization, defaultRole, defaultTeam }: ActiveSamlProvider,
  user: UserDocument,
): Promise<Write[]> {
  const team = defaultTeam == null ? null : await store.get(teams, defaultTeam, { fields: ['organization'] });
  const joined = team?.organization === organization ? [team._id] : [];
  return [write.insert(users, user), ...join(organization, user, { role: defaultRole, sso: true, teams: joined })];
}
