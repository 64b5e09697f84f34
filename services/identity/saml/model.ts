import { type Collection, collection } from '../../../shared/store/port.js';

/** A sign-in in progress; `_id` is the id of our request. Its first answer deletes it, valid or not, so that no answer works twice. */
export interface SamlRequestDocument {
  _id: string;
  provider: string;
  /** SHA-256 of the secret of the browser that began it. */
  browser: string;
  /** The network of the client. Those of an earlier version have none. */
  network?: string;
  createdAt: string;
  expiresAt: string;
}

export const samlRequests = collection<SamlRequestDocument>('identity_saml_requests', [
  { on: { expiresAt: 1 } },
  { on: { provider: 1, network: 1 } },
]);

export const samlCollections = [samlRequests] as Collection<never>[];
