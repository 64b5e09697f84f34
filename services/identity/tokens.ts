import type { Audit } from '../../shared/contract/audit.js';
import type { Caller, Membership } from '../../shared/contract/caller.js';
import { invalid, notFound } from '../../shared/errors.js';
import { newId, newSecret, sha256, timestamp } from '../../shared/ids.js';
import { listPage, type Page, type PageRequest } from '../../shared/paging.js';
import { type Store, write } from '../../shared/store/port.js';
import {
  type MemberDocument,
  members,
  organizations,
  presentToken,
  type TokenDocument,
  tokens,
  users,
} from './model.js';
import type { ApiToken } from './resources.js';
import { type IdentityRules, userOf } from './rules.js';
import { activeProviders, startURL } from './sso.js';

/** API tokens begin so, for people and for secret scanners. */
const tokenPrefix = 'bnd_';
const usedEveryMs = 60_000;

export interface TokenInput {
  label: string;
  expiresAt?: string | undefined;
  /** The one organization that it is to reach. */
  scope?: string | undefined;
}

/** A token document and its secret, which only the answer holds. */
export function newToken(
  user: string,
  { label, expiresAt, scope }: TokenInput,
  secret = tokenPrefix + newSecret(),
): { document: TokenDocument; secret: string } {
  const expiry = expiresAt === undefined ? undefined : new Date(expiresAt);
  if (expiry && expiry.getTime() <= Date.now()) throw invalid('expiresAt: must be in the future');
  const document: TokenDocument = {
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

/** What a caller may do with tokens: those of its user, and with a token of a single sign-on those of that alone. */
const ownTokens = (caller: Caller) =>
  caller.kind === 'user' && caller.scope !== undefined
    ? { user: caller.user, scope: caller.scope }
    : { user: userOf(caller) };

export async function createToken(
  { store, baseUrl }: IdentityRules,
  caller: Caller,
  input: Pick<TokenInput, 'label' | 'expiresAt'>,
  audit: Audit,
): Promise<ApiToken & { token: string }> {
  const { user, ...scope } = ownTokens(caller);
  const { document, secret } = newToken(user, { ...input, ...scope });
  await store.batch([
    write.insert(tokens, document),
    audit('api-token', document._id, { organization: document.scope ?? null, details: { label: input.label } }),
  ]);
  return { ...presentToken(baseUrl, document), token: secret };
}

export function listTokens(
  { store, baseUrl }: IdentityRules,
  caller: Caller,
  request: PageRequest,
): Promise<Page<ApiToken>> {
  return listPage(store, tokens, { filter: ownTokens(caller), sort: { createdAt: -1 }, request }, (items) =>
    items.map((token) => presentToken(baseUrl, token)),
  );
}

export async function revokeToken(
  { store, callersChanged }: IdentityRules,
  caller: Caller,
  id: string,
  audit: Audit,
): Promise<void> {
  const own = { _id: id, ...ownTokens(caller) };
  const token = await store.findOne(tokens, own, { fields: ['scope'] });
  if (!token) throw notFound('Token');
  await store.batch([
    write.delete(tokens, own, { expect: 1 }),
    audit('api-token', id, { organization: token.scope ?? null }),
    callersChanged(),
  ]);
}

export async function issueTokenFor(store: Store, email: string, input: TokenInput): Promise<{ token: string }> {
  const user = await store.findOne(users, { emailLower: email.toLowerCase() });
  if (!user) throw notFound('User');
  const { document, secret } = newToken(user._id, input);
  await store.insert(tokens, document);
  return { token: secret };
}

/** The caller behind a token, with its active memberships. */
export async function callerOf(
  store: Store,
  baseUrl: string,
  named: { hash: string } | { id: string },
): Promise<{ caller: Caller; expiresAt?: string } | null> {
  const token = 'id' in named ? await store.get(tokens, named.id) : await store.findOne(tokens, { hash: named.hash });
  if (!token || (token.expiresAt && token.expiresAt <= timestamp())) return null;
  await noteUse(store, token);
  const caller: Caller = {
    kind: 'user',
    user: token.user,
    token: token._id,
    memberships: await membershipsOf(store, baseUrl, token),
    ...(token.scope === undefined ? {} : { scope: token.scope }),
  };
  return token.expiresAt ? { caller, expiresAt: token.expiresAt } : { caller };
}

async function noteUse(store: Store, token: TokenDocument): Promise<void> {
  if (token.lastUsedAt && Date.now() - Date.parse(token.lastUsedAt) < usedEveryMs) return;
  await store.update(tokens, { _id: token._id }, { $set: { lastUsedAt: timestamp() } });
}

async function membershipsOf(
  store: Store,
  baseUrl: string,
  { user, scope }: TokenDocument,
): Promise<Record<string, Membership>> {
  const { items } = await store.page(members, {
    filter: { user, disabled: false, ...(scope === undefined ? {} : { organization: scope }) },
    sort: { joinedAt: 1 },
    limit: 1000,
    fields: ['organization', 'role', 'teams', 'owned'],
  });
  const refused = scope === undefined ? await refusals(store, baseUrl, items) : new Map<string, string>();
  return Object.fromEntries(
    items.map(({ organization, role, teams, owned }) => {
      const why = refused.get(organization);
      return [organization, { role, teams, owned, ...(why === undefined ? {} : { refused: why }) }];
    }),
  );
}

/** Organizations that enforce single sign-on let nobody in otherwise, but their admins. */
async function refusals(store: Store, baseUrl: string, memberships: MemberDocument[]): Promise<Map<string, string>> {
  const ids = memberships.filter(({ role }) => role !== 'admin').map(({ organization }) => organization);
  const found = await store.getMany(organizations, ids, { fields: ['sso'] });
  const enforced = found.filter(({ sso }) => sso).map(({ _id }) => _id);
  const texts = enforced.map(async (id): Promise<[string, string]> => {
    const urls = (await activeProviders(store, id)).map((provider) => startURL(baseUrl, provider._id));
    return [id, `This organization requires single sign-on: ${urls.join(' or ')}`];
  });
  return new Map(await Promise.all(texts));
}
