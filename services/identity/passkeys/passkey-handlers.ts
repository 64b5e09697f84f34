import type { Caller } from '../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { listPage } from '../../../shared/lists/paging.js';
import type { HasStore } from '../../../shared/store/port.js';
import type { passkeyOperations } from '../contract/passkeys.js';
import { actingUserId, checkUnscoped } from '../users/acting-user.js';
import { passkeys, presentPasskey } from './model.js';

/** Selects the passkeys of a caller's user. Throws 403 after a single sign-on, which reaches one organization alone. */
function ownPasskeys(caller: Caller): { user: string } {
  checkUnscoped(caller);
  return { user: actingUserId(caller) };
}

export const passkeyHandlers = ({
  store,
  baseUrl,
}: HasStore & { baseUrl: string }): HandlersOf<typeof passkeyOperations> => ({
  async listUserPasskeys({ query }, { caller }) {
    const list = { filter: ownPasskeys(caller), sort: { createdAt: -1 } as const, request: query };
    return listPage(store, passkeys, list, (items) => items.map((item) => presentPasskey(baseUrl, item)));
  },

  async updateUserPasskey({ path: { passkeyId: _id }, body: { label } }, { caller }) {
    const updated = await store.update(passkeys, { _id, ...ownPasskeys(caller) }, { $set: { label } });
    if (!updated) throw notFound('Passkey');
    return presentPasskey(baseUrl, updated);
  },

  async deleteUserPasskey({ path: { passkeyId: _id } }, { caller }) {
    if (!(await store.delete(passkeys, { _id, ...ownPasskeys(caller) }))) throw notFound('Passkey');
  },
});
