import type { BodyOf } from '../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors.js';
import { newId, timestamp } from '../../../shared/ids.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type Write, write } from '../../../shared/store/port.js';
import type { Role } from '../../identity/resources.js';
import { checkLevel } from '../access/grants.js';
import type { collectionOperations } from '../contract/collections.js';
import type { contentContract } from '../contract.js';
import type { ContentDependencies } from '../dependencies.js';
import { type ContentTree, nodeOf } from '../tree/content-tree.js';
import { type CollectionDocument, collections, grants, presentCollection } from '../tree/model.js';
import { pageOfNodes } from '../tree/node-pages.js';
import type { CollectionResource } from '../tree/resources.js';
import { listSpaces } from './listed-spaces.js';
import { checkParent, creatorOf, parentExists } from './new-space.js';
import { updateNode } from './node-changes.js';
import { trashWrites } from './trash.js';

export function collectionHandlers(
  deps: ContentDependencies,
): HandlersOf<typeof contentContract, typeof collectionOperations> {
  const { store, trees, baseUrl } = deps;

  const presented = async (id: string, role: string | null): Promise<CollectionResource> => {
    const found = await store.get(collections, id);
    if (!found) throw notFound('Collection');
    return presentCollection(baseUrl, found, role as Role | null);
  };

  return {
    async createCollection({ path: { organizationId: organization }, body }, { caller, audit }) {
      const { title = 'Untitled collection', parent } = body;
      const created: CollectionDocument = {
        _id: newId(),
        organization,
        parent: parent ?? null,
        title,
        defaultLevel: 'inherit',
        creator: creatorOf(caller),
        createdAt: timestamp(),
      };
      const { _id: id } = created;
      const details = { title, ...(parent === undefined ? {} : { parent }) };
      await trees.change(organization, id, async () => {
        if (parent !== undefined) await checkParent(deps, { organization, parent, caller });
        return {
          writes: [write.insert(collections, created), ...parentExists(parent), audit('collection', id, { details })],
          apply: (tree) => tree.set(id, nodeOf('collection', created)),
        };
      });
      const [access] = await trees.resolve({ caller, ids: [id] }, 'collection');
      return presentCollection(baseUrl, created, (access?.role ?? null) as Role | null);
    },

    async listCollectionsInOrganizationById({ path: { organizationId }, query }, { caller }) {
      const accessible = await trees.accessibleTo(caller, organizationId, 'collection');
      const listed = query.nested ? accessible : accessible.filter(({ node }) => node.parent === null);
      return pageOfNodes(listed, query, async (ids, roleOf) => {
        const found = await store.getMany(collections, ids);
        return found.map((item) => presentCollection(baseUrl, item, roleOf.get(item._id) ?? null));
      });
    },

    getCollectionById: ({ path: { collectionId } }, { access }) => presented(collectionId, access.role),

    async updateCollectionById({ path: { collectionId: id }, body }, context) {
      const { organization } = context.access;
      const { defaultLevel } = body;
      await updateNode(deps, {
        organization,
        id,
        defaultLevel,
        decide: () => updateWrites(deps, { id, body }, context),
      });
      const [access] = await trees.resolve({ caller: context.caller, ids: [id] }, 'collection');
      return presented(id, (access ?? context.access).role);
    },

    /** The spaces in the collection go to the trash, and are restored from there to the top level. */
    async deleteCollectionById({ path: { collectionId: id } }, { access: { organization }, audit }) {
      await trees.change(organization, id, async () => {
        trees.changed(organization);
        const tree = await trees.of(organization);
        if (!tree.has(id)) throw notFound('Collection');
        const inside = subtree(tree, id);
        const details = { spaces: inside.spaces.length, collections: inside.collections.length };
        const changes = { parent: null };
        return {
          writes: [
            ...inside.spaces.flatMap((space) => trashWrites(deps, { organization, space, changes })),
            ...inside.collections.map((collection) => write.delete(collections, { _id: collection }, { expect: 1 })),
            ...inside.collections.map((collection) => write.delete(grants, { node: collection })),
            audit('collection', id, { details }),
          ],
        };
      });
    },

    async listSpacesInCollectionById({ path: { collectionId }, query }, { caller, access: { organization } }) {
      const accessible = await trees.accessibleTo(caller, organization, 'space');
      return listSpaces(deps, { accessible: accessible.filter(({ node }) => node.parent === collectionId), query });
    },
  };
}

type UpdateBody = BodyOf<typeof collectionOperations.updateCollectionById>;

/** The writes of what differs between the stored collection and the request; none when nothing does. */
async function updateWrites(
  deps: ContentDependencies,
  { id, body }: { id: string; body: UpdateBody },
  { caller, access: { organization, role }, audit }: Context,
): Promise<Write[]> {
  const found = await deps.store.get(collections, id);
  if (!found) throw notFound('Collection');
  const changes = changesOf(found, body, { nullable: ['defaultLevel'] });
  if (!changes) return [];
  const { update, details, after } = changes;
  const node = { kind: 'collection', id, organization } as const;
  if (after.defaultLevel !== found.defaultLevel)
    await checkLevel(deps, { node, defaultLevel: after.defaultLevel, granter: { caller, role } });
  return [write.update(collections, { _id: id }, update, { expect: 1 }), audit('collection', id, { details })];
}

/** The ids of a collection and everything below it, without spaces in the trash. */
function subtree(tree: ContentTree, root: string): { collections: string[]; spaces: string[] } {
  const found = { collections: [root], spaces: [] as string[] };
  const inside = new Set([root]);
  let grown = true;
  while (grown) {
    grown = false;
    for (const { id, kind, parent, deleted } of tree.values()) {
      if (parent === null || !inside.has(parent) || inside.has(id)) continue;
      inside.add(id);
      grown = true;
      if (kind === 'collection') found.collections.push(id);
      else if (!deleted) found.spaces.push(id);
    }
  }
  return found;
}
