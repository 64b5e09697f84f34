import { type Collection, collection } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { User } from './resources.js';

export interface UserDocument {
  _id: string;
  displayName: string;
  email: string;
  emailLower: string;
  photoURL?: string;
  /**
   * How the account got an address that nobody has proven to be theirs by a sign-in by mail: from an invite, or from what a single
   * sign-on asserted. It claims the address from nobody. Absent once proven.
   */
  unproven?: 'invited' | 'asserted';
  /** Whether the user is mailed about comments; true if absent. */
  commentMails?: boolean;
  createdAt: string;
}

export const users = collection<UserDocument>('identity_users', [{ on: { emailLower: 1 }, unique: true }]);

export const userCollections = [users] as Collection<never>[];

/** `withEmail`: whether the caller may see the address. */
export function presentUser(
  baseUrl: string,
  user: Omit<UserDocument, 'emailLower' | 'createdAt'>,
  { withEmail }: { withEmail: boolean },
): User {
  return omitUndefined({
    object: 'user',
    id: user._id,
    displayName: user.displayName,
    email: withEmail ? user.email : undefined,
    photoURL: user.photoURL || undefined,
    urls: { location: `${baseUrl}/v1/users/${user._id}` },
  });
}

/** Presents a user to itself. */
export const presentOwnUser = (baseUrl: string, user: UserDocument): User => ({
  ...presentUser(baseUrl, user, { withEmail: true }),
  commentMails: user.commentMails ?? true,
});
