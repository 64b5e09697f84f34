import type { Caller, Membership } from '../../shared/contract/caller.js';
import { invalid, notFound } from '../../shared/errors.js';
import { newId, newSecret, sha256, timestamp } from '../../shared/ids.js';
import { listPage, type Page, type PageRequest } from '../../shared/paging.js';
import { type Store, type Write, write } from '../../shared/store/port.js';
import { members, presentToken, type TokenDocument, tokens, users } from './model.js';
import type { ApiToken } from './resources.js';

/** API tokens begin so, for people and for secret scanners. */
const tokenPrefix = 'bnd_';
const usedEveryMs = 60_000;

export interface TokenInput {
  label: string;
  expiresAt?: string | undefined;
}

/** A token document and its secret, which only the answer holds. */
export function newToken(
  user: string,
  { label, expiresAt }: TokenInput,
  secret = tokenPrefix + newSecret(),
): { document: TokenDocument; secret: string } {
  const expiry = expiresAt === undefined ? undefined : new Date(expiresAt);
  if (expiry && expiry.getTime() <= Date.now()) throw invalid('expiresAt: must be in the future');
  const document: TokenDocument = {
    _id: newId(),
    user,
    hash: sha256(secret),
    preview: `${secret.slice(0, 8)}…`,
    label,
    createdAt: timestamp(),
    ...(expiry ? { expiresAt: timestamp(expiry) } : {}),
  };
  return { document, secret };
}

export async function createToken(
  store: Store,
  baseUrl: string,
  user: string,
  input: TokenInput,
): Promise<ApiToken & { token: string }> {
  const { document, secret } = newToken(user, input);
  await store.insert(tokens, document);
  return { ...presentToken(baseUrl, document), token: secret };
}

export function listTokens(store: Store, baseUrl: string, user: string, request: PageRequest): Promise<Page<ApiToken>> {
  return listPage(store, tokens, { filter: { user }, sort: { createdAt: -1 }, request }, (items) =>
    items.map((token) => presentToken(baseUrl, token)),
  );
}

/** `writes` are made with it. */
export async function revokeToken(store: Store, user: string, id: string, writes: Write[]): Promise<void> {
  const own = { _id: id, user };
  if (!(await store.findOne(tokens, own, { fields: ['user'] }))) throw notFound('Token');
  await store.batch([write.delete(tokens, own, { expect: 1 }), ...writes]);
}

export async function issueTokenFor(store: Store, email: string, input: TokenInput): Promise<{ token: string }> {
  const user = await store.findOne(users, { emailLower: email.toLowerCase() });
  if (!user) throw notFound('User');
  const { document, secret } = newToken(user._id, input);
  await store.insert(tokens, document);
  return { token: secret };
}

/** The caller behind a token's hash, with its active memberships. */
export async function callerOf(store: Store, hash: string): Promise<{ caller: Caller; expiresAt?: string } | null> {
  const token = await store.findOne(tokens, { hash });
  if (!token || (token.expiresAt && token.expiresAt <= timestamp())) return null;
  await noteUse(store, token);
  const caller: Caller = {
    kind: 'user',
    user: token.user,
    token: token._id,
    memberships: await membershipsOf(store, token.user),
  };
  return token.expiresAt ? { caller, expiresAt: token.expiresAt } : { caller };
}

async function noteUse(store: Store, token: TokenDocument): Promise<void> {
  if (token.lastUsedAt && Date.now() - Date.parse(token.lastUsedAt) < usedEveryMs) return;
  await store.update(tokens, { _id: token._id }, { $set: { lastUsedAt: timestamp() } });
}

async function membershipsOf(store: Store, user: string): Promise<Record<string, Membership>> {
  const { items } = await store.page(members, {
    filter: { user, disabled: false },
    sort: { joinedAt: 1 },
    limit: 1000,
  });
  return Object.fromEntries(items.map(({ organization, role }) => [organization, { role, teams: [] }]));
}
