import { isIP } from 'node:net';
import { z } from 'zod';
import { operation } from '../../../shared/contract/operation.js';
import { verb } from '../../../shared/contract/verb.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import { type Passkey, passkeySchema } from '../resources.js';
import { anyUser } from './access-rules.js';
import type { OpenedSession } from './sessions.js';

export const passkeyOperations = {
  listUserPasskeys: operation({
    method: 'GET',
    path: '/user/passkeys',
    summary: 'List the passkeys of the user',
    description: 'People add them in the app. 403 for a token of a single sign-on.',
    tag: 'Users',
    access: anyUser,
    query: pageQuery,
    status: 200,
    response: listOf(passkeySchema),
  }),
  updateUserPasskey: operation({
    method: 'PATCH',
    path: '/user/passkeys/{passkeyId}',
    summary: 'Rename a passkey',
    tag: 'Users',
    access: anyUser,
    body: z.object({ label: z.string().trim().min(1).max(50) }).meta({ examples: [{ label: 'Work laptop' }] }),
    status: 200,
    response: passkeySchema,
  }),
  deleteUserPasskey: operation({
    method: 'DELETE',
    path: '/user/passkeys/{passkeyId}',
    summary: 'Remove a passkey',
    description: 'Nobody signs in with it any more. Browsers that it signed in stay signed in.',
    tag: 'Users',
    access: anyUser,
    status: 205,
  }),
};

/** The host for which browsers keep passkeys of an installation; null where there can be none: at an IP address, or without https. */
export function passkeyDomain(baseUrl: string): string | null {
  const { protocol, hostname } = new URL(baseUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return isName && (protocol === 'https:' || isLocal) ? hostname : null;
}

/** For `PublicKeyCredential.parseCreationOptionsFromJSON` in the browser. */
export interface NewPasskeyAsked {
  challenge: string;
  rp: { id?: string; name: string };
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: { alg: number; type: string }[];
  timeout?: number;
  excludeCredentials?: { id: string; type: string; transports?: string[] }[];
  authenticatorSelection?: Record<string, unknown>;
  attestation?: string;
}

/** For `PublicKeyCredential.parseRequestOptionsFromJSON` in the browser. */
export interface AskedPasskey {
  challenge: string;
  timeout?: number;
  rpId?: string;
  userVerification?: string;
}

/** Asks the browser of the caller for a new passkey. 403 after a sign-in by an API token or a single sign-on, 409 at the most that a user may have, 412 where there can be none. */
export const beginPasskey = verb<Record<never, never>, NewPasskeyAsked>('identity', 'beginPasskey');

/** Keeps the passkey that the browser of the caller has made: `credential` is its answer as JSON. The same session must have asked. */
export const addPasskey = verb<{ credential: unknown; label?: string; agent: string }, Passkey>(
  'identity',
  'addPasskey',
);

/** Asks a browser for any passkey of ours that it has. */
export const challengePasskey = verb<{ browser: string; network: string }, AskedPasskey>(
  'identity',
  'challengePasskey',
);

/** Signs a browser in with a passkey: `credential` is its answer as JSON. 403 for one that cannot be trusted. */
export const openSessionByPasskey = verb<{ credential: unknown; browser: string; agent: string }, OpenedSession>(
  'identity',
  'openSessionByPasskey',
);
