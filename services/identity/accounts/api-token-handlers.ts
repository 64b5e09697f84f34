import type { HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { listPage } from '../../../shared/lists/paging.js';
import { type HasStore, type Write, write } from '../../../shared/store/port.js';
import type { apiTokenOperations } from '../contract/accounts.js';
import { ownCredentials } from '../users/acting-user.js';
import { deriveApiToken, revocationWrites } from './api-tokens.js';
import { apiTokens, presentApiToken } from './model.js';

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
    const list = { filter: ownCredentials(caller), sort: { createdAt: -1 } as const, request: query };
    return listPage(store, apiTokens, list, (items) => items.map((token) => presentApiToken(baseUrl, token)));
  },

  async deleteUserToken({ path: { tokenId } }, { caller, audit }) {
    const own = { _id: tokenId, ...ownCredentials(caller) };
    const token = await store.findOne(apiTokens, own, { fields: ['scope'] });
    if (!token) throw notFound('API token');
    await store.batch([
      ...revocationWrites({ user: own.user, token: tokenId }),
      ...(token.scope === undefined ? [] : [audit('api-token', tokenId, { organization: token.scope })]),
      callersChanged(),
    ]);
  },
});
