import type { Collection } from '../../../shared/store/port.js';
import { type SignInRequest, signInRequests } from '../single-sign-on/sign-in-requests.js';

/** A sign-in in progress; `_id` is the id of our request. */
interface SamlRequestDocument extends SignInRequest {
  /** SHA-256 of the secret of the session that the browser had. */
  session?: string;
}

export const samlRequests = signInRequests<SamlRequestDocument>('identity_saml_requests');

export const samlCollections = [samlRequests] as Collection<never>[];
