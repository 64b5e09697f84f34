import type { BodyOf } from '../../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { notFound } from '../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { checkBound } from '../../../../shared/store/bounds.js';
import { changesOf } from '../../../../shared/store/changes.js';
import { type HasStore, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { Role } from '../../../identity/resources.js';
import { checkLevelChange } from '../access/grants.js';
import { type TreeNode, toTreeNode } from '../access/tree/content-tree.js';
import type { HasTrees } from '../access/tree/content-tree-cache.js';
import { pageOfNodes } from '../access/tree/node-pages.js';
import type { collectionOperations } from '../contract/collections.js';
import { type CollectionDocument, collections, presentCollection } from '../nodes/model.js';
import type { CollectionResource } from '../nodes/resources.js';
import { checkAdministersAll, deleteCollectionWrites, nodesInCollection } from './collection-deletion.js';
import { checkParent, creatorId, maxCollectionsHeld, parentExistsCheck } from './new-space.js';
import { type NodeChange, updateNode } from './node-changes.js';
import { listSpaces } from './presenting/listed-spaces.js';

export function collectionHandlers(
  deps: HasStore & HasOutbox & HasJobs & HasTrees & { baseUrl: string },
): HandlersOf<typeof collectionOperations> {
  const { store, trees, baseUrl } = deps;

  const presentById = async (id: string, role: string | null): Promise<CollectionResource> => {
    const found = await store.get(collections, id);
    if (!found) throw notFound('Collection');
    return presentCollection(baseUrl, found, role as Role | null);
  };

  return {
    async createCollection({ path: { organizationId: organization }, body }, { caller, audit }) {
      const { title = 'Untitled collection', parent } = body;
      await checkBound(
        store,
        collections,
        { organization },
        {
          max: maxCollectionsHeld,
          what: 'collections in an organization',
        },
      );
      const created: CollectionDocument = {
        _id: newId(),
        organization,
        parent: parent ?? null,
        title,
        defaultLevel: 'inherit',
        creator: creatorId(caller),
        createdAt: timestamp(),
      };
      const { _id: id } = created;
      const details = omitUndefined({ title, parent });
      await trees.change(organization, id, async () => {
        if (parent !== undefined) await checkParent(deps, { organization, parent, caller });
        return {
          writes: [
            write.insert(collections, created),
            ...parentExistsCheck(parent),
            audit('collection', id, { details }),
          ],
          apply: (tree) => tree.set(id, toTreeNode('collection', created)),
        };
      });
      const [access] = await trees.resolve({ caller, ids: [id] }, 'collection');
      return presentCollection(baseUrl, created, (access?.role ?? null) as Role | null);
    },

    async listCollectionsInOrganizationById({ path: { organizationId }, query }, { caller }) {
      const accessible = await trees.nodesAccessibleTo(caller, organizationId, 'collection');
      const listed = query.nested ? accessible : accessible.filter(({ node }) => node.parent === null);
      return pageOfNodes(listed, query, async (ids, roleOf) => {
        const found = await store.getMany(collections, ids);
        return found.map((item) => presentCollection(baseUrl, item, roleOf.get(item._id) ?? null));
      });
    },

    getCollectionById: ({ path: { collectionId } }, { access }) => presentById(collectionId, access.role),

    async updateCollectionById({ path: { collectionId: id }, body }, context) {
      const { organization } = context.access;
      await updateNode(deps, {
        organization,
        id,
        setsLevel: body.defaultLevel !== undefined,
        decide: () => planCollectionUpdate(deps, { id, body }, context),
      });
      const [access] = await trees.resolve({ caller: context.caller, ids: [id] }, 'collection');
      return presentById(id, (access ?? context.access).role);
    },

    /** The spaces in the collection go to the trash, and are restored from there to the top level, with the access they had. */
    async deleteCollectionById({ path: { collectionId: id } }, { caller, access: { organization }, audit }) {
      await trees.change(organization, id, async () => {
        const { tree, unchanged } = await trees.latest(organization);
        if (tree.get(id)?.deleted !== false) throw notFound('Collection');
        const content = nodesInCollection(tree, id);
        checkAdministersAll(tree, { organization, caller, nodes: content });
        const countKind = (kind: TreeNode['kind']) =>
          content.filter((node) => node.kind === kind && !node.deleted).length;
        const details = { spaces: countKind('space'), collections: countKind('collection') };
        return {
          writes: [
            unchanged,
            ...deleteCollectionWrites(deps, { organization, tree, content }),
            audit('collection', id, { details }),
          ],
        };
      });
    },

    async listSpacesInCollectionById({ path: { collectionId }, query }, context) {
      const all = await trees.nodesAccessibleTo(context.caller, context.access.organization, 'space');
      const accessible = all.filter(({ node }) => node.parent === collectionId);
      return listSpaces(deps, { accessible, query }, context);
    },
  };
}

type UpdateBody = BodyOf<typeof collectionOperations.updateCollectionById>;

/** The change from the stored collection to the request; undefined if nothing differs. */
async function planCollectionUpdate(
  deps: HasStore & HasTrees,
  { id, body }: { id: string; body: UpdateBody },
  { caller, access: { organization }, audit }: Context,
): Promise<NodeChange | undefined> {
  const found = await deps.store.get(collections, id);
  if (!found || found.deletedAt) throw notFound('Collection');
  const changes = changesOf(found, body, { nullable: ['defaultLevel'] });
  if (!changes) return undefined;
  const { update, details, after } = changes;
  const node = toTreeNode('collection', after);
  if (after.defaultLevel !== found.defaultLevel) await checkLevelChange(deps, { organization, node, caller });
  const stored = write.update(collections, { _id: id, deletedAt: null }, update, { expect: 1 });
  return { writes: [stored, audit('collection', id, { details })], node };
}
