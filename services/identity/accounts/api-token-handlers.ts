import type { Caller } from '../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { listPage } from '../../../shared/lists/paging.js';
import { type HasStore, type Write, write } from '../../../shared/store/port.js';
import type { apiTokenOperations } from '../contract/accounts.js';
import { actingTokenScope, actingUserId } from '../users/acting-user.js';
import { deriveApiToken, revocationWrites } from './api-tokens.js';
import { apiTokens, presentApiToken } from './model.js';

/** Selects the tokens that a caller may manage: its user's, and for a single sign-on token only those of the same scope. */
function ownTokensFilter(caller: Caller): { user: string; scope?: string } {
  const scope = actingTokenScope(caller);
  return { user: actingUserId(caller), ...(scope === undefined ? {} : { scope }) };
}

export const apiTokenHandlers = ({
  store,
  baseUrl,
  callersChanged,
}: HasStore & { baseUrl: string; callersChanged: () => Write }): HandlersOf<typeof apiTokenOperations> => ({
  async createUserToken({ body }, { caller, audit }) {
    const { document, secret, condition } = await deriveApiToken(store, caller, body);
    const { _id: id, scope: organization, label } = document;
    await store.batch([
      condition,
      write.insert(apiTokens, document),
      ...(organization === undefined ? [] : [audit('api-token', id, { organization, details: { label } })]),
    ]);
    return { ...presentApiToken(baseUrl, document), token: secret };
  },

  listUserTokens({ query }, { caller }) {
    const list = { filter: ownTokensFilter(caller), sort: { createdAt: -1 } as const, request: query };
    return listPage(store, apiTokens, list, (items) => items.map((token) => presentApiToken(baseUrl, token)));
  },

  async deleteUserToken({ path: { tokenId } }, { caller, audit }) {
    const own = { _id: tokenId, ...ownTokensFilter(caller) };
    const token = await store.findOne(apiTokens, own, { fields: ['scope'] });
    if (!token) throw notFound('API token');
    await store.batch([
      ...revocationWrites({ user: own.user, token: tokenId }),
      ...(token.scope === undefined ? [] : [audit('api-token', tokenId, { organization: token.scope })]),
      callersChanged(),
    ]);
  },
});
