import { type Collection, collection } from '../../../shared/store/port.js';

/** An unused sign-in link; `_id` is the SHA-256 of its code, hexadecimal. */
export interface SignInDocument {
  _id: string;
  user: string;
  /** The id of the organization whose invitation is accepted with it. */
  organization?: string;
  createdAt: string;
  expiresAt: string;
}

/** The recent links that were requested for a user; `_id` is the id of the user. */
export interface SignInMailsDocument {
  _id: string;
  /** When, and the mark of the network that requested it. */
  requested?: { at: string; from: string }[];
  lastAt: string;
  /** Incremented by every write; each is made only at the version that was read. */
  version: number;
}

/** The marks of the networks from which a user signed in last; `_id` is the id of the user. */
export interface KnownNetworksDocument {
  _id: string;
  marks: string[];
}

/** The mails of invites in a span of time; `_id` names the span and who is counted. */
export interface MailCountDocument {
  _id: string;
  sent: number;
  expiresAt: string;
}

export const knownNetworks = collection<KnownNetworksDocument>('identity_known_networks');
export const mailCounts = collection<MailCountDocument>('identity_mail_counts', [{ on: { expiresAt: 1 } }]);
export const signIns = collection<SignInDocument>('identity_sign_ins', [{ on: { expiresAt: 1 } }]);
export const signInMails = collection<SignInMailsDocument>('identity_sign_in_mails', [{ on: { lastAt: 1 } }]);

export const signInCollections = [signIns, signInMails, knownNetworks, mailCounts] as Collection<never>[];
