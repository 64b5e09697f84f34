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

/** The recent times at which a user was sent requested links; `_id` is the id of the user. */
export interface SignInMailsDocument {
  _id: string;
  sent: string[];
  lastAt: string;
  /** Incremented by every write; each is made only at the version that was read. */
  version: number;
}

export const signIns = collection<SignInDocument>('identity_sign_ins', [{ on: { expiresAt: 1 } }]);
export const signInMails = collection<SignInMailsDocument>('identity_sign_in_mails', [{ on: { lastAt: 1 } }]);

export const signInCollections = [signIns, signInMails] as Collection<never>[];
