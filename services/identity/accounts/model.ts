import { type Collection, collection } from '../../../shared/store/port.js';
import type { ApiToken, Session } from './resources.js';

export interface ApiTokenDocument {
  _id: string;
  user: string;
  /** The one organization that the token reaches, where its single sign-on issued the token. */
  scope?: string;
  /** The provider that the sign-in went through; the token ends with it. */
  provider?: string;
  /** The ids of the token that created this one, of the token that created that one, and so on. It ends with each of them. */
  ancestors?: string[];
  /** SHA-256 of the secret, hexadecimal. */
  hash: string;
  preview: string;
  label: string;
  createdAt: string;
  expiresAt?: string;
  lastUsedAt?: string;
}

export const apiTokens = collection<ApiTokenDocument>('identity_tokens', [
  { on: { hash: 1 }, unique: true },
  { on: { user: 1, createdAt: -1 } },
  { on: { user: 1, scope: 1, createdAt: -1 } },
  { on: { expiresAt: 1 }, where: 'expiresAt' },
  { kind: 'multikey', array: 'ancestors', within: ['user'] },
]);

/** The sign-in of a browser: its secret is in a cookie, which the API does not take. */
export interface SessionDocument {
  _id: string;
  user: string;
  /** The one organization that it reaches, where its single sign-on let the user in. */
  scope?: string;
  /** The provider of that single sign-on; the session ends with it. */
  provider?: string;
  /** The API token that was used to sign in, the token that created that one, and so on. It ends with each of them. */
  ancestors?: string[];
  /** SHA-256 of the secret, hexadecimal. */
  hash: string;
  /** The browser, in words: `Firefox on Linux`. */
  browser: string;
  createdAt: string;
  lastUsedAt: string;
  /** Moves with each use. */
  expiresAt: string;
  /** The latest `expiresAt`. */
  endsAt?: string;
}

export const sessions = collection<SessionDocument>('identity_sessions', [
  { on: { hash: 1 }, unique: true },
  { on: { user: 1, createdAt: -1 } },
  { on: { user: 1, scope: 1, createdAt: -1 } },
  { on: { expiresAt: 1 } },
  { kind: 'multikey', array: 'ancestors', within: ['user'] },
]);

export const accountCollections = [apiTokens, sessions] as Collection<never>[];

export const presentSession = (
  baseUrl: string,
  { _id: id, browser, createdAt, lastUsedAt, expiresAt, scope }: SessionDocument,
  current: string,
): Session => ({
  object: 'session',
  id,
  browser,
  current: id === current,
  createdAt,
  lastUsedAt,
  expiresAt,
  ...(scope === undefined ? {} : { organization: scope }),
  urls: { location: `${baseUrl}/v1/user/sessions/${id}` },
});

export function presentApiToken(baseUrl: string, token: ApiTokenDocument): ApiToken {
  const { _id: id, label, preview, createdAt, expiresAt, lastUsedAt, ancestors: [parent] = [] } = token;
  return {
    object: 'api-token',
    id,
    label,
    preview,
    createdAt,
    ...(expiresAt ? { expiresAt } : {}),
    ...(lastUsedAt ? { lastUsedAt } : {}),
    ...(parent ? { parent } : {}),
    urls: { location: `${baseUrl}/v1/user/tokens/${id}` },
  };
}
