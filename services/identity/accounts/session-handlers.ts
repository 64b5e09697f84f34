import type { HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { listPage } from '../../../shared/lists/paging.js';
import { type HasStore, type Write, write } from '../../../shared/store/port.js';
import type { sessionOperations } from '../contract/sessions.js';
import { actingTokenId, ownCredentials } from '../users/acting-user.js';
import { presentSession, sessions } from './model.js';

export const sessionHandlers = ({
  store,
  baseUrl,
  callersChanged,
}: HasStore & { baseUrl: string; callersChanged: () => Write }): HandlersOf<typeof sessionOperations> => ({
  listUserSessions({ query }, { caller }) {
    const list = { filter: ownCredentials(caller), sort: { createdAt: -1 } as const, request: query };
    const current = actingTokenId(caller);
    return listPage(store, sessions, list, (items) => items.map((item) => presentSession(baseUrl, item, current)));
  },

  async endUserSession({ path: { sessionId } }, { caller }) {
    const own = { _id: sessionId, ...ownCredentials(caller) };
    if (!(await store.findOne(sessions, own, { fields: ['user'] }))) throw notFound('Session');
    await store.batch([write.delete(sessions, own, { expect: 1 }), callersChanged()]);
  },

  async endUserSessions({ query: { others } }, { caller }) {
    const kept = others ? { _id: { $ne: actingTokenId(caller) } } : {};
    await store.batch([write.delete(sessions, { ...ownCredentials(caller), ...kept }), callersChanged()]);
  },
});
