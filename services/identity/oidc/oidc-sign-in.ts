import { createHmac } from 'node:crypto';
import { forbidden, invalid, notFound } from '../../../shared/errors/errors.js';
import { again } from '../../../shared/store/again.js';
import { type HasStore, type Store, type Write, write } from '../../../shared/store/port.js';
import { newSecret, sha256, timestamp } from '../../../shared/values/ids.js';
import type { EnteredSession, OIDCAnswer, SignInStarting } from '../contract/single-sign-on.js';
import { type OidcProviderDocument, oidcProviders, oidcSubjects } from '../organizations/model.js';
import { type AdmissionDependencies, admitPerson, type SignedInPerson } from '../single-sign-on/admission.js';
import { type Granted, grantedByGroups } from '../single-sign-on/granted.js';
import { sessionIssue } from '../single-sign-on/issued.js';
import { openSignInRequest, takeSignInRequest } from '../single-sign-on/sign-in-requests.js';
import { users } from '../users/model.js';
import { type Claims, groupsOfClaims, personOfClaims } from './claims.js';
import { oidcRequests } from './model.js';
import { loadOidcLibrary, type OidcClients } from './oidc-clients.js';
import { callbackURL } from './oidc-providers.js';
import { askClaims, withinTime } from './provider-answers.js';

type StartDependencies = HasStore & { baseUrl: string; oidcClients: OidcClients };

async function findActiveOidcProvider(store: Store, id: string): Promise<OidcProviderDocument> {
  const provider = await store.get(oidcProviders, id);
  if (!provider?.active) throw notFound('OpenID Connect provider');
  return provider;
}

/** As URLs are compared: the provider gets the same text from us with the browser and with the code. */
const redirectUri = (baseUrl: string, provider: string): string => new URL(callbackURL(baseUrl, provider)).href;

/** Makes a value of the secret of the browser, which the provider never sees, and of the state, which it does. */
const boundTo = (browser: string, state: string, purpose: 'verifier' | 'nonce'): string =>
  createHmac('sha256', browser).update(`${purpose} ${state}`).digest('base64url');

/**
 * Starts a sign-in and returns the address at the provider that continues it. Throws 403 where the provider does not answer as it should, and
 * 429 when the network has left too many without an answer.
 */
export async function startOidcSignIn(
  { store, baseUrl, oidcClients }: StartDependencies,
  starter: SignInStarting,
): Promise<{ redirect: string }> {
  const provider = await findActiveOidcProvider(store, starter.provider);
  const state = newSecret();
  const { browser } = starter;
  const { issuer } = provider;
  const client = await withinTime(() => oidcClients.clientOf(provider));
  const library = await loadOidcLibrary();
  const challenge = await library.calculatePKCECodeChallenge(boundTo(browser, state, 'verifier'));
  const redirect = library.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri(baseUrl, provider._id),
    scope: provider.scopes.join(' '),
    state,
    nonce: boundTo(browser, state, 'nonce'),
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  await openSignInRequest(store, oidcRequests, { id: sha256(state), starter, issuer });
  return { redirect: redirect.href };
}

const maxParameters = 16 * 1024;

/**
 * Exchanges the answer of a provider for the session of the browser that began. Throws 400 for a malformed answer, and 403 for one that cannot be
 * trusted or whose person may not sign in.
 */
export async function finishOidcSignIn(
  deps: StartDependencies & AdmissionDependencies,
  { provider: id, parameters, browser, agent, requestId }: OIDCAnswer & { requestId: string },
): Promise<EnteredSession> {
  const { store, baseUrl, oidcClients } = deps;
  const state = stateIn(parameters);
  const provider = await findActiveOidcProvider(store, id);
  const open = await takeSignInRequest(store, oidcRequests, { id: sha256(state), provider: id, browser });
  if (open?.issuer !== provider.issuer)
    throw forbidden('No sign-in of this browser is waiting for this answer; start again', 'sign_in_rejected');
  const answer = new URL(redirectUri(baseUrl, id));
  answer.search = parameters;
  const expected = {
    expectedState: state,
    expectedNonce: boundTo(browser, state, 'nonce'),
    pkceCodeVerifier: boundTo(browser, state, 'verifier'),
  };
  const claims = await withinTime(async () =>
    askClaims(await oidcClients.clientOf(provider), { answer, expected, provider }),
  );
  const person = personOfClaims(claims, provider);
  const granted = grantedIn(claims, provider);
  const issued = await again(
    async () => {
      const present = await findActiveOidcProvider(store, id);
      const { account, alongside } = await findAccount(store, { provider: present, claims, person });
      const active = write.check(oidcProviders, { _id: id, active: true, issuer: provider.issuer }, 1);
      return admitPerson(
        deps,
        {
          provider: present,
          person,
          account,
          granted,
          alongside: (user) => [active, ...alongside(user)],
          operation: 'signInWithOIDC',
          requestId,
        },
        sessionIssue(deps, present, { agent }),
      );
    },
    { duplicates: true },
  );
  return { ...issued, ...(open.returnTo === undefined ? {} : { returnTo: open.returnTo }) };
}

function stateIn(parameters: string): string {
  if (parameters.length > maxParameters) throw invalid('the answer of the identity provider is too long');
  const [state, ...others] = new URLSearchParams(parameters).getAll('state');
  if (!state || others.length > 0) throw invalid('state: must be given exactly once');
  return state;
}

const grantedIn = (claims: Claims, { groupsClaim, groups }: OidcProviderDocument): Granted | undefined =>
  groupsClaim === undefined || groups.length === 0
    ? undefined
    : grantedByGroups(groups, groupsOfClaims(claims, groupsClaim));

interface Claimed {
  provider: OidcProviderDocument;
  claims: Claims;
  person: SignedInPerson;
}

/**
 * Finds the account of a person by its subject, whatever its address is now; one that is new here gets the account with its address, from then on
 * for this subject alone. Throws 403 where that account is another subject's.
 */
async function findAccount(
  store: Store,
  { provider, claims, person }: Claimed,
): Promise<{ account: string | undefined; alongside: (user: string) => Write[] }> {
  const { _id, organization, issuer } = provider;
  const id = sha256(JSON.stringify([_id, issuer, claims.sub]));
  const subject = await store.get(oidcSubjects, id);
  if (subject) {
    const { user } = subject;
    return { account: user, alongside: () => [write.check(oidcSubjects, { _id: id, user }, 1)] };
  }
  const known = await store.findOne(users, { emailLower: person.email }, { fields: ['emailLower'] });
  if (known && (await store.findOne(oidcSubjects, { provider: _id, issuer, user: known._id })))
    throw forbidden(
      'This address belongs to somebody else who has signed in here; an admin must remove that member first',
      'sign_in_rejected',
    );
  const createdAt = timestamp();
  return {
    account: undefined,
    alongside: (user) => [
      write.insert(oidcSubjects, { _id: id, provider: _id, issuer, organization, user, createdAt }),
    ],
  };
}
