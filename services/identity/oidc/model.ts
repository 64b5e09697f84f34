import type { Collection } from '../../../shared/store/port.js';
import { type SignInRequest, signInRequests } from '../single-sign-on/sign-in-requests.js';

/** A sign-in in progress; `_id` is the hash of its state. Verifier and nonce are made of the secret of the browser, and not stored. */
interface OidcRequestDocument extends SignInRequest {
  /** The issuer that the browser was sent to. */
  issuer: string;
}

export const oidcRequests = signInRequests<OidcRequestDocument>('identity_oidc_requests');

export const oidcCollections = [oidcRequests] as Collection<never>[];
