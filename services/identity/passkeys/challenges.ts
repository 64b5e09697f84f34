import { apiError } from '../../../shared/errors/errors.js';
import type { Store } from '../../../shared/store/port.js';
import { newSecret, sha256, timestamp } from '../../../shared/values/ids.js';
import { type PasskeyChallengeDocument, passkeyChallenges } from './model.js';

const validMs = 5 * 60_000;
/** Challenges without an answer, of one network. */
const maxOpen = 1000;

interface Challenged {
  purpose: PasskeyChallengeDocument['purpose'];
  /** Names the browser: its secret, or the id of its session. */
  browser: string;
  network: string;
}

/** Makes a challenge for a browser: 32 random bytes in base64url. Throws 429 when the network has left too many without an answer. */
export async function openChallenge(store: Store, { purpose, browser, network }: Challenged): Promise<string> {
  const now = Date.now();
  const createdAt = timestamp(new Date(now));
  await store.deleteMany(passkeyChallenges, { expiresAt: { $lte: createdAt } });
  if ((await store.count(passkeyChallenges, { network })) >= maxOpen)
    throw apiError(
      'RATE_LIMITED',
      'Too many sign-ins of your network wait for their answer; try again in five minutes',
    );
  const challenge = newSecret();
  const expiresAt = timestamp(new Date(now + validMs));
  await store.insert(passkeyChallenges, {
    _id: sha256(challenge),
    purpose,
    browser: sha256(browser),
    network,
    createdAt,
    expiresAt,
  });
  return challenge;
}

/** Deletes the challenge of a browser. Returns whether there was one: an answer works once, and in the browser that was asked. */
export async function takeChallenge(
  store: Store,
  { challenge, purpose, browser }: Omit<Challenged, 'network'> & { challenge: string },
): Promise<boolean> {
  const open = { _id: sha256(challenge), purpose, browser: sha256(browser), expiresAt: { $gt: timestamp() } };
  return (await store.delete(passkeyChallenges, open)) !== null;
}
