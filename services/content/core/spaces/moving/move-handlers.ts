import type { HandlersOf } from '../../../../../shared/contract/service.js';
import { notFound } from '../../../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../../../shared/jobs/outbox.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import type { Role } from '../../../../identity/resources.js';
import type { HasTrees } from '../../access/tree/content-tree-cache.js';
import type { movingOperations } from '../../contract/moving.js';
import { collections, presentCollection, presentSpace, spaces } from '../../nodes/model.js';
import { openCommentCounts } from '../presenting/open-comments.js';
import { moveNode } from './move-node.js';

type Dependencies = HasStore & HasOutbox & HasTrees & { baseUrl: string };

export const moveHandlers = (deps: Dependencies): HandlersOf<typeof movingOperations> => ({
  async moveSpace({ path: { spaceId: id }, body }, context) {
    await moveNode(deps, { kind: 'space', id, body }, context);
    const space = await deps.store.get(spaces, id);
    if (!space) throw notFound('Space');
    const [access] = await deps.trees.resolve({ caller: context.caller, ids: [id] }, 'space');
    const commentsOn = await openCommentCounts(context, [space]);
    return presentSpace(deps.baseUrl, space, { role: roleOf(access), comments: commentsOn(id) });
  },

  async moveCollection({ path: { collectionId: id }, body }, context) {
    await moveNode(deps, { kind: 'collection', id, body }, context);
    const collection = await deps.store.get(collections, id);
    if (!collection) throw notFound('Collection');
    const [access] = await deps.trees.resolve({ caller: context.caller, ids: [id] }, 'collection');
    return presentCollection(deps.baseUrl, collection, roleOf(access));
  },
});

const roleOf = (access: { role: string | null } | null | undefined): Role | null =>
  (access?.role ?? null) as Role | null;
