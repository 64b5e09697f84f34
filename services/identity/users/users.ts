import type { Store } from '../../../shared/store/port.js';
import { newTimelessId, timestamp } from '../../../shared/values/ids.js';
import { type UserDocument, users } from './model.js';

/** The name of somebody of whom only the address is known. */
export const nameFromEmail = (email: string): string => (email.split('@')[0] as string).slice(0, 64);

/**
 * Makes a user document that is not stored yet. Its id hides when it was made: an invite also answers with the ids of accounts that
 * existed before.
 */
export const newUser = (
  email: string,
  { displayName = nameFromEmail(email), unproven }: Partial<Pick<UserDocument, 'displayName' | 'unproven'>> = {},
): UserDocument => ({
  _id: newTimelessId(),
  displayName: displayName.slice(0, 64),
  ...(unproven ? { unproven } : {}),
  email,
  emailLower: email.toLowerCase(),
  createdAt: timestamp(),
});

const atOnce = 100;

/** Finds users by lower-case e-mail addresses. Unknown addresses are absent from the map. */
export async function readUsersByEmail(store: Store, addresses: string[]): Promise<Map<string, UserDocument>> {
  const found = new Map<string, UserDocument>();
  for (let at = 0; at < addresses.length; at += atOnce) {
    const { items } = await store.page(users, {
      filter: { emailLower: { $in: addresses.slice(at, at + atOnce) } },
      sort: {},
      limit: atOnce,
    });
    for (const user of items) found.set(user.emailLower, user);
  }
  return found;
}
