import { z } from 'zod';
import { apiError, forbidden, invalid } from '../../../shared/errors/errors.js';
import { passkeyDomain } from '../contract/passkeys.js';

/** The library, loaded with the first passkey: most processes see none. */
export const loadPasskeyLibrary = async () => {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...server, decodeAttestationObject: helpers.decodeAttestationObject };
};

/** EdDSA, ES256 and RS256: what authenticators and Node have. */
export const keyAlgorithms = [-8, -7, -257];

/** Milliseconds that browsers give their users. */
export const askedMs = 120_000;

interface Party {
  id: string;
  origin: string;
}

/** Who asks for a passkey, as browsers know it. Throws 412 where people reach the server by an IP address. */
export function relyingParty(baseUrl: string): Party {
  const id = passkeyDomain(baseUrl);
  if (id === null)
    throw apiError('PRECONDITION_FAILED', 'Passkeys need https, or localhost, and a host name: see BASE_URL');
  return { id, origin: new URL(baseUrl).origin };
}

export const passkeyRejected = (why: string) => forbidden(`The passkey was not accepted: ${why}`, 'sign_in_rejected');

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]*$/, 'must be base64url');
const credential = { id: base64url(1400).min(1), rawId: base64url(1400).min(1), type: z.literal('public-key') };
const clientDataJSON = base64url(4096);

/** The answer of a browser to `navigator.credentials.create`. */
const attestationSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    attestationObject: base64url(16_384),
    transports: z
      .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']).catch('internal'))
      .max(10)
      .default([]),
  }),
});

/** The answer of a browser to `navigator.credentials.get`. */
const assertionSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    authenticatorData: base64url(4096),
    signature: base64url(4096),
    userHandle: base64url(128).min(1),
  }),
});

/** Extensions are asked for by nobody; the library wants their place. */
function parsedAnswer<T>(schema: z.ZodType<T>, answer: unknown): T & { clientExtensionResults: object } {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return { ...parsed.data, clientExtensionResults: {} };
  const [issue] = parsed.error.issues;
  throw invalid(`credential.${issue?.path.join('.')}: ${issue?.message}`);
}

export const parseAttestation = (answer: unknown) => parsedAnswer(attestationSchema, answer);
export const parseAssertion = (answer: unknown) => parsedAnswer(assertionSchema, answer);

const clientDataSchema = z.object({ challenge: base64url(200).min(1) });

/** The challenge that an answer says to be about; its signature covers it. */
export function challengeIn({ clientDataJSON: text }: { clientDataJSON: string }): string {
  try {
    return clientDataSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString())).challenge;
  } catch {
    throw invalid('credential.response.clientDataJSON: must be JSON with a challenge');
  }
}
