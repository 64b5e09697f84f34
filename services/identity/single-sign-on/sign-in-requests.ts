import { apiError, invalid } from '../../../shared/errors/errors.js';
import { ownAddress } from '../../../shared/http/own-address.js';
import { type Collection, collection, type Index, type Store } from '../../../shared/store/port.js';
import { sha256, timestamp } from '../../../shared/values/ids.js';
import type { SignInStarting } from '../contract/single-sign-on.js';

/** A sign-in in progress. Its first answer deletes it, valid or not, so that no answer works twice. */
export interface SignInRequest {
  _id: string;
  provider: string;
  /** SHA-256 of the secret of the browser that began it. */
  browser: string;
  /** The network of the client. Those of an earlier version have none. */
  network?: string;
  /** The path to which the sign-in leads. */
  returnTo?: string;
  createdAt: string;
  expiresAt: string;
}

const indexes: Index<SignInRequest>[] = [{ on: { expiresAt: 1 } }, { on: { provider: 1, network: 1 } }];

/** Declares the collection of the requests of one kind of provider. */
export const signInRequests = <D extends SignInRequest>(name: string): Collection<D> =>
  collection<D>(name, indexes as unknown as Index<D>[]);

const requestMs = 10 * 60_000;
/** Sign-ins without an answer, of one network at one provider. */
const maxOpen = 1000;
const maxReturnTo = 2048;

/** Reads the path to which a sign-in leads. Throws 400 for what is none of this server. */
function readReturnTo(given: string): string {
  const returnTo = given.length > maxReturnTo ? null : ownAddress(given);
  if (returnTo === null || returnTo.length > maxReturnTo) throw invalid('returnTo: must be a path of this server');
  return returnTo;
}

/** Stores a request. Throws 429 when the network has left too many without an answer. */
export async function openSignInRequest<D extends SignInRequest>(
  store: Store,
  requests: Collection<D>,
  { id, starter, ...more }: { id: string; starter: SignInStarting } & Omit<D, keyof SignInRequest>,
): Promise<void> {
  const { provider, browser, network } = starter;
  const returnTo = starter.returnTo === undefined ? undefined : readReturnTo(starter.returnTo);
  const stored = requests as unknown as Collection<SignInRequest>;
  const now = Date.now();
  const createdAt = timestamp(new Date(now));
  await store.deleteMany(stored, { expiresAt: { $lte: createdAt } });
  if ((await store.count(stored, { provider, network })) >= maxOpen)
    throw apiError('RATE_LIMITED', 'Too many sign-ins of your network wait for their answer; try again in ten minutes');
  await store.insert(stored, {
    _id: id,
    provider,
    network,
    browser: sha256(browser),
    ...(returnTo === undefined ? {} : { returnTo }),
    createdAt,
    expiresAt: timestamp(new Date(now + requestMs)),
    ...more,
  });
}

/**
 * Deletes the request that an answer refers to and returns it; null without one. Of two answers at once only one finds the request, and of
 * two browsers only the one that began: nobody is signed in by an answer that somebody else obtained.
 */
export async function takeSignInRequest<D extends SignInRequest>(
  store: Store,
  requests: Collection<D>,
  { id, provider, browser }: { id: string; provider: string; browser: string },
): Promise<D | null> {
  const open = { _id: id, provider, browser: sha256(browser), expiresAt: { $gt: timestamp() } };
  return (await store.delete(requests as unknown as Collection<SignInRequest>, open)) as D | null;
}
