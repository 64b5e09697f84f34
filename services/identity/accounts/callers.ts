import type { Caller, Membership } from '../../../shared/contract/caller.js';
import type { HasStore, Store } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import { type MemberDocument, members, organizations } from '../organizations/model.js';
import { findActiveProviders, isProviderActive, signInStartURL } from '../organizations/single-sign-on.js';
import { type ApiTokenDocument, apiTokens, type SessionDocument, sessions } from './model.js';

type Dependencies = HasStore & { baseUrl: string };

const usedEveryMs = 60_000;

/** The part of a token or a session that says who its caller is. */
type Credential = Pick<
  ApiTokenDocument | SessionDocument,
  '_id' | 'user' | 'scope' | 'provider' | 'createdAt' | 'expiresAt'
>;

interface FoundCaller {
  caller: Caller;
  expiresAt?: string;
}

/**
 * Returns the caller behind an API token, or behind a session where it is named by its id, with its active memberships; null where it is unknown or
 * expired, or what issued it is gone. The secret of a session is none of the API.
 */
export async function findCallerOfToken(
  deps: Dependencies,
  named: { hash: string } | { id: string },
): Promise<FoundCaller | null> {
  const { store } = deps;
  const token =
    'id' in named ? await store.get(apiTokens, named.id) : await store.findOne(apiTokens, { hash: named.hash });
  if (token) {
    const found = await callerOfDocument(deps, token);
    if (found) recordTokenUse(store, token);
    return found;
  }
  const session = 'id' in named ? await store.get(sessions, named.id) : null;
  return session && callerOfDocument(deps, session);
}

/** Returns the caller of a token or session; null where it is expired, or what issued it is gone. */
export async function callerOfDocument(deps: Dependencies, credential: Credential): Promise<FoundCaller | null> {
  const { _id: token, user, scope, expiresAt } = credential;
  if (expiresAt && expiresAt <= timestamp()) return null;
  const memberships = await readMemberships(deps, credential);
  if (scope !== undefined && !(scope in memberships && (await hasActiveProvider(deps.store, credential)))) return null;
  const caller: Caller = { kind: 'user', user, token, memberships, ...(scope === undefined ? {} : { scope }) };
  return expiresAt ? { caller, expiresAt } : { caller };
}

/** Nobody waits for the note: with a store that is busy or full, reading goes on, and the next use is noted. */
function recordTokenUse(store: Store, token: ApiTokenDocument): void {
  if (token.lastUsedAt && Date.now() - Date.parse(token.lastUsedAt) < usedEveryMs) return;
  store.update(apiTokens, { _id: token._id }, { $set: { lastUsedAt: timestamp() } }).catch(() => {});
}

/** Whether the provider that a token was issued through is still set up. */
const hasActiveProvider = async (store: Store, { provider }: Credential): Promise<boolean> =>
  provider === undefined || isProviderActive(store, provider);

/** A membership that began after a single sign-on token was issued is not the one that the token was issued for. */
async function readMemberships(
  deps: Dependencies,
  { user, scope, createdAt }: Credential,
): Promise<Record<string, Membership>> {
  const { items } = await deps.store.page(members, {
    filter: {
      user,
      disabled: false,
      ...(scope === undefined ? {} : { organization: scope, joinedAt: { $lte: createdAt } }),
    },
    sort: { joinedAt: 1 },
    limit: 1000,
    fields: ['organization', 'role', 'teams', 'owned'],
  });
  const refused = scope === undefined ? await readSsoRefusals(deps, items) : new Map<string, string>();
  return Object.fromEntries(
    items.map(({ organization, role, teams, owned }) => {
      const why = refused.get(organization);
      return [organization, { role, teams, owned, ...(why === undefined ? {} : { refused: why }) }];
    }),
  );
}

/** Explains by organization why it refuses the token: it requires single sign-on of all members except admins. */
async function readSsoRefusals(
  { store, baseUrl }: Dependencies,
  memberships: MemberDocument[],
): Promise<Map<string, string>> {
  const ids = memberships.filter(({ role }) => role !== 'admin').map(({ organization }) => organization);
  const found = await store.getMany(organizations, ids, { fields: ['sso'] });
  const enforced = found.filter(({ sso }) => sso).map(({ _id }) => _id);
  const texts = enforced.map(async (id): Promise<[string, string]> => {
    const urls = (await findActiveProviders(store, id)).map((provider) => signInStartURL(baseUrl, provider));
    return [id, `This organization requires single sign-on: ${urls.join(' or ')}`];
  });
  return new Map(await Promise.all(texts));
}
