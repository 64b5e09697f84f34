import type { AuthorizationCodeGrantChecks, Configuration } from 'openid-client';
import { failureOf, forbidden } from '../../../shared/errors/errors.js';
import { OutboundFailed, OutboundRefused } from '../../../shared/outbound/failure.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import type { OidcProviderDocument } from '../organizations/model.js';
import { type Claims, lacksClaims, withUserInfo } from './claims.js';
import { loadOidcLibrary } from './oidc-clients.js';

/** For all requests of one step of a sign-in. */
const stepMs = scaleMs(7_000);

/** Signature algorithms of ID tokens: none that the client secret or nothing at all would do for. */
const algorithms = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/;

interface Exchange {
  /** The address at which the browser came back. */
  answer: URL;
  expected: AuthorizationCodeGrantChecks;
  provider: OidcProviderDocument;
}

/** Exchanges the code of an answer for verified claims: those of the ID token, and of the userinfo endpoint where these lack something. */
export async function askClaims(client: Configuration, { answer, expected, provider }: Exchange): Promise<Claims> {
  const library = await loadOidcLibrary();
  const tokens = await library.authorizationCodeGrant(client, answer, { ...expected, idTokenExpected: true });
  const claims = tokens.claims();
  if (!claims || !algorithms.test(algorithmOf(tokens.id_token))) throw answerRejected('its ID token is not signed');
  if (!lacksClaims(claims, provider) || client.serverMetadata().userinfo_endpoint === undefined) return { ...claims };
  const more = await library.fetchUserInfo(client, tokens.access_token, claims.sub);
  return withUserInfo({ ...claims }, { ...more });
}

function algorithmOf(idToken = ''): string {
  const header: unknown = JSON.parse(Buffer.from(idToken.split('.', 1)[0] ?? '', 'base64url').toString());
  return String((header as { alg?: unknown }).alg);
}

/** Asks a provider within the time of a step. Throws 403 that says why it did not answer as it should. */
export async function withinTime<T>(ask: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unreachable('it did not answer in time')), stepMs);
  });
  try {
    return await Promise.race([ask(), late]);
  } catch (error) {
    throw explained(error);
  } finally {
    clearTimeout(timer);
  }
}

const answerRejected = (why: string) =>
  forbidden(`The answer of the identity provider was rejected: ${why}`, 'sign_in_rejected');
const unreachable = (why: string) => forbidden(`The identity provider could not be asked: ${why}`, 'sign_in_rejected');

/** Texts for the codes of the library. */
const reasons: Record<string, string> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'its ID token has expired, or the clocks differ',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'it speaks for another issuer or another person',
  OAUTH_KEY_SELECTION_FAILED: 'none of its keys has signed its ID token',
  OAUTH_UNSUPPORTED_OPERATION: 'its ID token is signed in a way that is not taken',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'its status is not 200',
  OAUTH_RESPONSE_IS_NOT_JSON: 'it is not JSON',
  OAUTH_PARSE_ERROR: 'it cannot be read',
};

/** Makes an error for the person who signs in. Nothing of tokens is in it. */
function explained(error: unknown): unknown {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof OutboundFailed || cause instanceof OutboundRefused) return unreachable(cause.message);
    if (failureOf(cause).type !== 'INTERNAL') return cause;
    const refusal = providerError(cause);
    if (refusal) return forbidden(`The identity provider did not sign you in: ${refusal}`, 'sign_in_rejected');
  }
  if (!(error instanceof Error)) return error;
  const { code = '' } = error as { code?: string };
  // What the library says of an answer; all else is a fault of ours.
  if (error.name !== 'ClientError' && !/^(OAUTH|ERR_INVALID)_/.test(code)) return error;
  return answerRejected(reasons[code] ?? claimReason(error) ?? 'it is not a valid answer');
}

/** Its `error` and `error_description`, as plain text. */
function providerError({
  name,
  error,
  error_description: text,
}: Error & { error?: unknown; error_description?: unknown }) {
  if (name !== 'AuthorizationResponseError' && name !== 'ResponseBodyError') return undefined;
  return [error, text]
    .filter((part) => typeof part === 'string')
    .map((part) => part.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 300))
    .join(': ');
}

/** Names the claim that is not as expected. */
function claimReason(error: Error): string | undefined {
  const { cause } = error.cause instanceof Error ? error.cause : error;
  const { claim } = (cause ?? {}) as { claim?: unknown };
  return typeof claim === 'string'
    ? `its claim \`${claim.slice(0, 50)}\` is of another sign-in, client or issuer`
    : undefined;
}
