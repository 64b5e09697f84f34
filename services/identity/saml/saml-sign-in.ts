import { apiError, forbidden, notFound } from '../../../shared/errors/errors.js';
import { again } from '../../../shared/store/again.js';
import { type HasStore, type Store, write } from '../../../shared/store/port.js';
import { newSecret, sha256, timestamp } from '../../../shared/values/ids.js';
import { samlProviders } from '../organizations/model.js';
import { type ActiveSamlProvider, isActiveProvider } from '../organizations/single-sign-on.js';
import { type AdmissionDependencies, admitPerson } from '../single-sign-on/admission.js';
import { type SignedIn, tokenIssue } from '../single-sign-on/issued.js';
import { decodeAnswer, readAnswer, readRequestId } from './answer-xml.js';
import { answerRejected, signInRedirectURL, writeMetadataXml } from './assertion.js';
import { samlRequests } from './model.js';
import { serviceProviderURLs } from './service-provider.js';
import type { Verifier } from './verifier.js';

const requestMs = 10 * 60_000;
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
  deps: AdmissionDependencies & { baseUrl: string; verifier: Verifier },
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
  const { organization } = provider;
  const admission = {
    provider,
    person: verdict.identity,
    condition: write.check(samlProviders, { _id: id, organization }, 1),
    operation: 'signInWithSAML',
    requestId,
  };
  const enter = async () => {
    await findActiveProvider(store, id);
    return admitPerson(deps, admission, tokenIssue(baseUrl, provider));
  };
  return again(enter, { duplicates: true });
}
