import type { Caller } from '../../../../shared/contract/caller.js';
import { forbidden } from '../../../../shared/errors/errors.js';
import type { HasJobs, JobKind } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { type HasStore, type Write, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { grants, treeVersionWrite } from '../access/model.js';
import { type ContentTree, readerInOrganization, roleOnNode, type TreeNode } from '../access/tree/content-tree.js';
import { collections, spaces } from '../nodes/model.js';
import { collectionKind } from '../nodes/resources.js';
import { graceEnd, moveToTrashWrites } from './trash.js';
import { visibilityEventWrite } from './visibility.js';

/** A collection and everything in it, spaces in the trash included. What a deleted collection held is not in it. */
export function nodesInCollection(tree: ContentTree, root: string): TreeNode[] {
  const children = new Map<string, TreeNode[]>();
  for (const node of tree.values()) {
    if (node.parent === null) continue;
    const siblings = children.get(node.parent);
    if (siblings) siblings.push(node);
    else children.set(node.parent, [node]);
  }
  const found: TreeNode[] = [];
  const below = [tree.get(root)];
  for (let node = below.pop(); node; node = below.pop()) {
    if (node.kind === 'collection' && node.deleted) continue;
    found.push(node);
    if (node.kind === 'collection') below.push(...(children.get(node.id) ?? []));
  }
  return found;
}

const administrators: readonly (string | null)[] = collectionKind.rights.admin;

/** Refuses (403) a caller who does not administer every node; it names none, since the caller may not see some of them. */
export function checkAdministersAll(
  tree: ContentTree,
  { organization, caller, nodes }: { organization: string; caller: Caller; nodes: TreeNode[] },
): void {
  const reader = readerInOrganization(caller, organization);
  const mayDelete = ({ id, deleted }: TreeNode) =>
    deleted || (reader !== undefined && administrators.includes(roleOnNode(tree, id, reader) ?? null));
  if (!nodes.every(mayDelete))
    throw forbidden('You need the right "admin" on everything in this collection', 'missing_right');
}

/** The collections that spaces take their access from, directly or through other collections. */
function collectionsAboveSpaces(tree: ContentTree): Set<string> {
  const found = new Set<string>();
  for (const { kind, parent } of tree.values()) {
    if (kind !== 'space') continue;
    for (let id = parent; id !== null && !found.has(id); id = tree.get(id)?.parent ?? null) found.add(id);
  }
  return found;
}

/** The writes that delete a collection with its `content`; collections that decide on the access to spaces stay in the tree. */
export function deleteCollectionWrites(
  deps: HasOutbox & HasJobs,
  { organization, tree, content }: { organization: string; tree: ContentTree; content: TreeNode[] },
): Write[] {
  const kept = collectionsAboveSpaces(tree);
  const deletedAt = timestamp();
  return content.flatMap(({ id, kind, parent, deleted }) => {
    if (kind === 'collection')
      return kept.has(id)
        ? [
            write.update(collections, { _id: id, deletedAt: null }, { $set: { deletedAt } }, { expect: 1 }),
            deps.jobs.enqueue(purgeCollection, { collection: id }, { runAt: graceEnd() }),
          ]
        : [write.delete(collections, { _id: id }, { expect: 1 }), write.delete(grants, { node: id })];
    const changes = { parent: null, formerParent: parent as string };
    return [
      ...(deleted
        ? [write.update(spaces, { _id: id }, { $set: changes }, { expect: 1 })]
        : moveToTrashWrites(deps, { organization, space: id, changes })),
      visibilityEventWrite(deps, { organization, space: id, from: changes.formerParent }),
    ];
  });
}

interface PurgePayload {
  collection: string;
}

/** The kind of the job that removes a deleted collection for good. */
const purgeCollection = 'purgeCollection';

/** Removes a deleted collection when no space takes its access from it any more; looks again later while one does. */
export function purgeCollectionJob({ store, jobs }: HasStore & HasJobs): JobKind<PurgePayload> {
  return {
    kind: purgeCollection,
    attempts: 10,
    async run({ job: { payload } }) {
      const { collection: id } = payload;
      const found = await store.get(collections, id, { fields: ['organization', 'deletedAt'] });
      if (!found?.deletedAt) return;
      const inUse =
        (await store.findOne(spaces, { formerParent: id }, { fields: ['organization'] })) ??
        (await store.findOne(collections, { parent: id }, { fields: ['organization'] }));
      await store.batch(
        inUse
          ? [jobs.enqueue(purgeCollection, payload, { runAt: graceEnd() })]
          : [
              write.delete(collections, { _id: id }, { expect: 1 }),
              write.delete(grants, { node: id }),
              treeVersionWrite(found.organization),
            ],
      );
    },
  };
}
