import { invalid, notFound } from '../../../shared/errors.js';
import { newId, newSecret, sha256, timestamp } from '../../../shared/ids.js';
import type { Collection, Store } from '../../../shared/store/port.js';
import { userCollections, users } from '../users/model.js';
import { type ApiTokenDocument, accountCollections, apiTokens } from './model.js';

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
  /** Default: a random one. */
  secret?: string | undefined;
}

/** Makes the document of an API token that is not stored yet, and its secret, which is stored nowhere. */
export function newApiToken({ user, label, expiresAt, scope, secret = prefix + newSecret() }: NewApiToken): {
  document: ApiTokenDocument;
  secret: string;
} {
  const expiry = expiresAt === undefined ? undefined : new Date(expiresAt);
  if (expiry && expiry.getTime() <= Date.now()) throw invalid('expiresAt: must be in the future');
  const document: ApiTokenDocument = {
    _id: newId(),
    user,
    ...(scope === undefined ? {} : { scope }),
    hash: sha256(secret),
    preview: `${secret.slice(0, 8)}…`,
    label,
    createdAt: timestamp(),
    ...(expiry ? { expiresAt: timestamp(expiry) } : {}),
  };
  return { document, secret };
}

/** The collections that `issueApiToken` works on. */
export const issuingCollections: Collection<never>[] = [...userCollections, ...accountCollections];

/** Creates an API token for the user with an e-mail address. Throws 404 for an unknown address. */
export async function issueApiToken(
  store: Store,
  { email, ...token }: Omit<NewApiToken, 'user' | 'secret'> & { email: string },
): Promise<string> {
  const user = await store.findOne(users, { emailLower: email.toLowerCase() });
  if (!user) throw notFound('User');
  const { document, secret } = newApiToken({ ...token, user: user._id });
  await store.insert(apiTokens, document);
  return secret;
}
