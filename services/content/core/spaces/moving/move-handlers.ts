import type { Context, HandlersOf } from '../../../../../shared/contract/service.js';
import { notFound } from '../../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import type { Role } from '../../../../identity/resources.js';
import type { HasTrees } from '../../access/tree/content-tree-cache.js';
import type { movingOperations } from '../../contract/moving.js';
import { collections, presentCollection, presentSpace, spaces } from '../../nodes/model.js';
import type { CollectionResource, Space } from '../../nodes/resources.js';
import { openCommentCounts } from '../presenting/open-comments.js';
import { transferNode } from '../transfers/transfer-nodes.js';
import { moveNode } from './move-node.js';

type Dependencies = HasStore & HasTrees & { baseUrl: string };
type Moving = Parameters<typeof moveNode>[0] & Parameters<typeof transferNode>[0];

export const moveHandlers = (deps: Dependencies & Moving): HandlersOf<typeof movingOperations> => ({
  async moveSpace({ path: { spaceId: id }, body }, context) {
    await moveNode(deps, { kind: 'space', id, body }, context);
    return presentMovedSpace(deps, id, context);
  },
  async moveCollection({ path: { collectionId: id }, body }, context) {
    await moveNode(deps, { kind: 'collection', id, body }, context);
    return presentMovedCollection(deps, id, context);
  },
  async transferSpace({ path: { spaceId: id }, body: { organization: to } }, context) {
    await transferNode(deps, { kind: 'space', id, to }, context);
    return presentMovedSpace(deps, id, context);
  },
  async transferCollection({ path: { collectionId: id }, body: { organization: to } }, context) {
    await transferNode(deps, { kind: 'collection', id, to }, context);
    return presentMovedCollection(deps, id, context);
  },
});

/** The space with what the caller may do with it where it is now. */
async function presentMovedSpace(
  { store, trees, baseUrl }: Dependencies,
  id: string,
  context: Context,
): Promise<Space> {
  const space = await store.get(spaces, id);
  if (!space) throw notFound('Space');
  const [access] = await trees.resolve({ caller: context.caller, ids: [id] }, 'space');
  const commentsOn = await openCommentCounts(context, [space]);
  return presentSpace(baseUrl, space, { role: (access?.role ?? null) as Role | null, comments: commentsOn(id) });
}

async function presentMovedCollection(
  { store, trees, baseUrl }: Dependencies,
  id: string,
  { caller }: Context,
): Promise<CollectionResource> {
  const collection = await store.get(collections, id);
  if (!collection) throw notFound('Collection');
  const [access] = await trees.resolve({ caller, ids: [id] }, 'collection');
  return presentCollection(baseUrl, collection, (access?.role ?? null) as Role | null);
}
