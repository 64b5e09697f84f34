import type { Caller } from '../../../shared/contract/caller.js';
import { conflict, forbidden, invalid, invalidToken, notFound } from '../../../shared/errors/errors.js';
import { type Collection, type Store, type Write, write } from '../../../shared/store/port.js';
import { newId, newSecret, sha256, timeIn, timestamp } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { actingTokenId, actingUserId } from '../users/acting-user.js';
import { userCollections, users } from '../users/model.js';
import { type ApiTokenDocument, accountCollections, apiTokens, sessions } from './model.js';

/** The first characters of every API token, so that people and secret scanners recognize one. */
const prefix = 'bnd_';

interface NewApiToken {
  /** The id of its user. */
  user: string;
  label: string;
  /** ISO 8601. Default: never. */
  expiresAt?: string | undefined;
  /** The one organization that it reaches. Default: all organizations of its user. */
  scope?: string | undefined;
  /** The provider of the sign-in. */
  provider?: string | undefined;
  /** Ids, from the token that creates this one upwards. Default: none. */
  ancestors?: string[] | undefined;
  /** Default: a random one. */
  secret?: string | undefined;
}

/** Makes the document of an API token that is not stored yet, and its secret, which is stored nowhere. */
export function newApiToken({ expiresAt, secret = prefix + newSecret(), ...given }: NewApiToken): {
  document: ApiTokenDocument;
  secret: string;
} {
  const { user, label, scope, provider, ancestors } = given;
  const expiry = expiresAt === undefined ? undefined : new Date(expiresAt);
  if (expiry && expiry.getTime() <= Date.now()) throw invalid('expiresAt: must be in the future');
  const document: ApiTokenDocument = omitUndefined({
    _id: newId(),
    user,
    scope,
    provider,
    ancestors,
    hash: sha256(secret),
    preview: `${secret.slice(0, 8)}…`,
    label,
    createdAt: timestamp(),
    expiresAt: expiry ? timestamp(expiry) : undefined,
  });
  return { document, secret };
}

const maxTokens = 1000;
const maxChain = 10;

/**
 * Makes a token for the caller that reaches no further than the caller's own and ends with it, and the condition under which it
 * may be stored. Throws 401 when the caller's token was revoked meanwhile, 403 or 409 at a limit.
 */
export async function deriveApiToken(
  store: Store,
  caller: Caller,
  { label, expiresAt }: Pick<NewApiToken, 'label' | 'expiresAt'>,
): Promise<ReturnType<typeof newApiToken> & { condition: Write }> {
  const [parent, held] = await Promise.all([
    findParent(store, actingTokenId(caller)),
    store.count(apiTokens, { user: actingUserId(caller) }),
  ]);
  if (!parent) throw invalidToken();
  if (held >= maxTokens)
    throw conflict(`A user has at most ${maxTokens} API tokens; revoke some first`, 'limit_reached');
  const { user, scope, provider, ancestors, endsAt, condition } = parent;
  if (ancestors.length > maxChain)
    throw forbidden(`This token was created by a chain of ${maxChain} tokens, and creates no other`);
  const made = newApiToken({
    user,
    label,
    scope,
    provider,
    ancestors: ancestors.length > 0 ? ancestors : undefined,
    expiresAt: earlierTime(expiresAt, endsAt),
  });
  return { ...made, condition };
}

/** The part that a token takes from the token or the session that creates it. */
interface Parent extends Pick<ApiTokenDocument, 'user' | 'scope' | 'provider'> {
  /** The ancestors of the new token. */
  ancestors: string[];
  /** When the new token ends at the latest. */
  endsAt: string | undefined;
  /** Holds while the parent is there. */
  condition: Write;
}

/** A token that was made in a browser outlives its session, as its user would expect; after a single sign-on it lasts no longer than that allows. */
async function findParent(store: Store, id: string): Promise<Parent | null> {
  const token = await store.get(apiTokens, id);
  if (token) {
    const { user, scope, provider, ancestors = [], expiresAt: endsAt } = token;
    const condition = write.check(apiTokens, { _id: id }, 1);
    return { user, scope, provider, ancestors: [id, ...ancestors], endsAt, condition };
  }
  const session = await store.get(sessions, id);
  if (!session) return null;
  const { user, scope, provider, ancestors = [], endsAt } = session;
  return { user, scope, provider, ancestors, endsAt, condition: write.check(sessions, { _id: id }, 1) };
}

function earlierTime(wanted: string | undefined, end: string | undefined): string | undefined {
  if (wanted === undefined || end === undefined) return wanted ?? end;
  return Date.parse(wanted) < Date.parse(end) ? wanted : end;
}

/** Returns the writes that revoke a token of a user with all tokens and sessions that it led to. */
export const revocationWrites = ({ user, token }: { user: string; token: string }): Write[] => [
  write.delete(apiTokens, { _id: token, user }, { expect: 1 }),
  write.delete(apiTokens, { user, ancestors: token }),
  write.delete(sessions, { user, ancestors: token }),
];

const dayMs = 24 * 3600_000;

/** Deletes tokens that expired more than a day ago. */
export async function sweepExpiredTokens(store: Store): Promise<void> {
  await store.deleteMany(apiTokens, { expiresAt: { $lte: timeIn(-dayMs) } });
}

/** The collections that `issueApiToken` works on. */
export const issuingCollections: Collection<never>[] = [...userCollections, ...accountCollections];

/** Creates an API token for the user with an e-mail address, for whom the operator vouches. Throws 404 for an unknown address. */
export async function issueApiToken(
  store: Store,
  { email, ...token }: Omit<NewApiToken, 'user' | 'secret'> & { email: string },
): Promise<string> {
  const user = await store.findOne(users, { emailLower: email.toLowerCase() });
  if (!user) throw notFound('User');
  const { document, secret } = newApiToken({ ...token, user: user._id });
  await store.batch([
    write.insert(apiTokens, document),
    ...(token.scope === undefined ? [write.update(users, { _id: user._id }, { $unset: { unproven: true } })] : []),
  ]);
  return secret;
}
