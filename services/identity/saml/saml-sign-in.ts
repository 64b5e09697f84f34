import { forbidden, notFound } from '../../../shared/errors/errors.js';
import { again } from '../../../shared/store/again.js';
import { type HasStore, type Store, write } from '../../../shared/store/port.js';
import { newSecret } from '../../../shared/values/ids.js';
import type { EnteredSession, SamlAnswer, SignInStarting } from '../contract/single-sign-on.js';
import { samlProviders } from '../organizations/model.js';
import { type ActiveSamlProvider, isActiveProvider } from '../organizations/single-sign-on.js';
import { type AdmissionDependencies, admitPerson } from '../single-sign-on/admission.js';
import { type Issue, type SignedIn, sessionIssue, tokenIssue } from '../single-sign-on/issued.js';
import { openSignInRequest, takeSignInRequest } from '../single-sign-on/sign-in-requests.js';
import { decodeAnswer, readAnswer, readRequestId } from './answer-xml.js';
import { answerRejected, signInRedirectURL, writeMetadataXml } from './assertion.js';
import { samlRequests } from './model.js';
import { serviceProviderURLs } from './service-provider.js';
import type { Verifier } from './verifier.js';

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
  { session, ...starter }: SignInStarting & { session?: string },
): Promise<{ redirect: string }> {
  const provider = await findActiveProvider(store, starter.provider);
  const id = `_${newSecret(20)}`;
  const redirect = await signInRedirectURL(baseUrl, { provider, request: id });
  await openSignInRequest(store, samlRequests, { id, starter, ...(session === undefined ? {} : { session }) });
  return { redirect };
}

type FinishDependencies = AdmissionDependencies & { baseUrl: string; verifier: Verifier };

/**
 * Exchanges the answer of an identity provider for an API token. Throws 400 for a malformed answer, and 403 for one that
 * cannot be trusted or whose user may not sign in. While too many others wait for theirs, 503: start again.
 */
export async function finishSignIn(
  deps: FinishDependencies,
  answer: SamlAnswer,
  { requestId }: { requestId: string },
): Promise<SignedIn> {
  const { issued } = await redeemAnswer(deps, { ...answer, requestId }, ({ provider }) =>
    tokenIssue(deps.baseUrl, provider),
  );
  return issued;
}

/** Exchanges the answer of an identity provider for the session of a browser, as `finishSignIn` does for a token. */
export async function openSessionBySaml(
  deps: FinishDependencies,
  { agent, ...answer }: SamlAnswer & { agent: string },
  { requestId }: { requestId: string },
): Promise<EnteredSession> {
  const { issued, returnTo } = await redeemAnswer(deps, { ...answer, requestId }, ({ provider, former }) =>
    sessionIssue(deps, provider, { agent, former }),
  );
  return { ...issued, ...(returnTo === undefined ? {} : { returnTo }) };
}

async function redeemAnswer<T>(
  deps: FinishDependencies,
  { provider: id, response, browser, network, requestId }: SamlAnswer & { requestId: string },
  issueFor: (entered: { provider: ActiveSamlProvider; former: string | undefined }) => Issue<T>,
): Promise<{ issued: T; returnTo: string | undefined }> {
  const { store, baseUrl, verifier } = deps;
  const provider = await findActiveProvider(store, id);
  const request = readRequestId(response);
  // Before anything that costs more for a larger answer.
  const open = await takeSignInRequest(store, samlRequests, { id: request, provider: id, browser });
  if (!open) throw answerRejected('no sign-in of this browser is waiting for it; start again');
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
    alongside: () => [write.check(samlProviders, { _id: id, organization }, 1)],
    operation: 'signInWithSAML',
    requestId,
  };
  const enter = async () => {
    await findActiveProvider(store, id);
    return admitPerson(deps, admission, issueFor({ provider, former: open.session }));
  };
  return { issued: await again(enter, { duplicates: true }), returnTo: open.returnTo };
}
