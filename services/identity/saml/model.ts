import type { Collection } from '../../../shared/store/port.js';
import { type SignInRequest, signInRequests } from '../single-sign-on/sign-in-requests.js';

/** Sign-ins in progress, by the ids of our requests. */
export const samlRequests = signInRequests<SignInRequest>('identity_saml_requests');

export const samlCollections = [samlRequests] as Collection<never>[];
