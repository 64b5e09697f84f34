import { type Collection, collection } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { Passkey } from './resources.js';

export interface PasskeyDocument {
  _id: string;
  user: string;
  /** The id that the authenticator gave it, in base64url. */
  credential: string;
  /** COSE, in base64url. */
  publicKey: string;
  /** The number of its uses, as its authenticator counts them; 0 where it does not. */
  counter: number;
  /** How browsers reach its authenticator. */
  transports: string[];
  label: string;
  createdAt: string;
  lastUsedAt?: string;
}

export const passkeys = collection<PasskeyDocument>('identity_passkeys', [
  { on: { credential: 1 }, unique: true },
  { on: { user: 1, createdAt: -1 } },
]);

/** A challenge that a browser is to have signed; `_id` is its hash. The first answer deletes it, valid or not. */
export interface PasskeyChallengeDocument {
  _id: string;
  /** The answer adds a passkey, or signs in with one. */
  purpose: 'addition' | 'sign-in';
  /** SHA-256 of the secret of the browser, or of the id of the session, that it was given to. */
  browser: string;
  network: string;
  createdAt: string;
  expiresAt: string;
}

export const passkeyChallenges = collection<PasskeyChallengeDocument>('identity_passkey_challenges', [
  { on: { expiresAt: 1 } },
  { on: { network: 1 } },
]);

export const passkeyCollections = [passkeys, passkeyChallenges] as Collection<never>[];

export const presentPasskey = (baseUrl: string, { _id: id, label, createdAt, lastUsedAt }: PasskeyDocument): Passkey =>
  omitUndefined({
    object: 'passkey',
    id,
    label,
    createdAt,
    lastUsedAt,
    urls: { location: `${baseUrl}/v1/user/passkeys/${id}` },
  });
