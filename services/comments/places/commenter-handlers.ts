import { joinHandlers } from '../../../shared/contract/at-places.js';
import type { HandlersOf } from '../../../shared/contract/service.js';
import { listPage } from '../../../shared/lists/paging.js';
import type { HasStore } from '../../../shared/store/port.js';
import { findMembers } from '../../identity/contract.js';
import { commenterOperations } from '../contract/operations.js';
import { commenters } from './model.js';
import { findPlace } from './places.js';

/** Lists who wrote in a place. */
export function commenterHandlers({ store }: HasStore): HandlersOf<typeof commenterOperations.operations> {
  return joinHandlers(commenterOperations, {
    async listCommenters({ path, query: request }, context) {
      const { id: place, organization } = await findPlace(path, context);
      const list = { filter: { place, left: null }, sort: { lastAt: -1 } as const, request };
      return listPage(store, commenters, list, (items) =>
        context.call(findMembers, { organization, ids: items.map(({ user }) => user) }),
      );
    },
  });
}
