import { type Collection, collection } from '../../shared/store/port.js';

/** A link that was sent and not used yet; `_id` is the SHA-256 of its code, hexadecimal. */
export interface SignInDocument {
  _id: string;
  user: string;
  createdAt: string;
  expiresAt: string;
}

/** When a user, whose id it bears, was lately sent links that were asked for. */
export interface SignInMailsDocument {
  _id: string;
  sent: string[];
  lastAt: string;
  /** Writes are made on the version that was read. */
  version: number;
}

export const signIns = collection<SignInDocument>('identity_sign_ins', [{ on: { expiresAt: 1 } }]);
export const signInMails = collection<SignInMailsDocument>('identity_sign_in_mails', [{ on: { lastAt: 1 } }]);

export const signInCollections = [signIns, signInMails] as Collection<never>[];
