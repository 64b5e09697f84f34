import type { Access } from '../../shared/contract/access.js';
import type { Caller } from '../../shared/contract/caller.js';
import { notFound } from '../../shared/errors.js';
import { newId, timestamp } from '../../shared/ids.js';
import type { Page, PageRequest } from '../../shared/paging.js';
import { again } from '../../shared/store/again.js';
import { type Write, write } from '../../shared/store/port.js';
import type { Role } from '../identity/resources.js';
import { type ContentTree, nodeOf, type TreeNode } from './content-tree.js';
import { checkLevel } from './grants.js';
import { type CollectionDocument, collections, grants, presentCollection } from './model.js';
import type { CollectionResource, DefaultLevel } from './resources.js';
import { type Acting, type ContentRules, checkParent, pageOfNodes, parentStands, trashWrites } from './spaces.js';

export interface CollectionInput {
  title?: string | undefined;
  parent?: string | undefined;
}

export async function createCollection(
  rules: ContentRules,
  organization: string,
  { caller, audit }: Acting,
  { title = 'Untitled collection', parent }: CollectionInput,
): Promise<CollectionResource> {
  const created: CollectionDocument = {
    _id: newId(),
    organization,
    parent: parent ?? null,
    title,
    defaultLevel: 'inherit',
    creator: caller.kind === 'user' ? caller.user : caller.kind,
    createdAt: timestamp(),
  };
  const details = { title, ...(parent === undefined ? {} : { parent }) };
  await rules.trees.change(organization, created._id, async () => {
    if (parent !== undefined) await checkParent(rules, organization, caller, parent);
    return {
      writes: [
        write.insert(collections, created),
        ...parentStands(parent),
        audit('collection', created._id, { details }),
      ],
      note: (tree) => tree.set(created._id, nodeOf('collection', created)),
    };
  });
  const [access] = await rules.trees.resolve({ caller, ids: [created._id] }, 'collection');
  return presentCollection(rules.baseUrl, created, (access?.role ?? null) as Role | null);
}

export async function getCollection(
  { store, baseUrl }: ContentRules,
  id: string,
  { role }: Access,
): Promise<CollectionResource> {
  const found = await store.get(collections, id);
  if (!found) throw notFound('Collection');
  return presentCollection(baseUrl, found, role as Role | null);
}

export async function listCollections(
  rules: ContentRules,
  organization: string,
  caller: Caller,
  request: PageRequest & { nested: boolean },
): Promise<Page<CollectionResource>> {
  const readable = await rules.trees.readable(organization, caller, 'collection');
  const wanted = request.nested ? readable : readable.filter(({ node }) => node.parent === null);
  return pageOfNodes(wanted, request, async (ids, roleOf) => {
    const found = await rules.store.getMany(collections, ids);
    return found.map((item) => presentCollection(rules.baseUrl, item, roleOf.get(item._id) ?? null));
  });
}

export interface CollectionChanges {
  title?: string | undefined;
  description?: string | undefined;
  defaultLevel?: DefaultLevel | undefined;
}

export async function updateCollection(
  rules: ContentRules,
  id: string,
  changes: CollectionChanges,
  acting: Acting,
): Promise<CollectionResource> {
  const { organization } = acting.access;
  if (changes.defaultLevel === undefined)
    await again(async () => {
      const writes = await writesOf(rules, id, changes, acting);
      if (writes.length > 0) await rules.store.batch(writes);
    });
  else
    await rules.trees.change(organization, id, async () => {
      const writes = await writesOf(rules, id, changes, acting);
      return writes.length === 0 ? undefined : { writes, note: noteLevel(id, changes.defaultLevel) };
    });
  const [access] = await rules.trees.resolve({ caller: acting.caller, ids: [id] }, 'collection');
  return getCollection(rules, id, access ?? acting.access);
}

const noteLevel = (id: string, defaultLevel: DefaultLevel | undefined) => (tree: Map<string, TreeNode>) => {
  const node = tree.get(id);
  if (node && defaultLevel !== undefined) tree.set(id, { ...node, defaultLevel });
};

/** The writes of what differs from what is there, none when nothing does. */
async function writesOf(
  rules: ContentRules,
  id: string,
  changes: CollectionChanges,
  { caller, access, audit }: Acting,
): Promise<Write[]> {
  const found = await rules.store.get(collections, id);
  if (!found) throw notFound('Collection');
  const { organization, role } = access;
  const before = found as unknown as Record<string, unknown>;
  const changed = Object.fromEntries(
    Object.entries(changes).filter(([field, value]) => value !== undefined && value !== before[field]),
  );
  if (Object.keys(changed).length === 0) return [];
  const { defaultLevel } = changes;
  if (defaultLevel !== undefined && defaultLevel !== found.defaultLevel)
    await checkLevel(rules, { kind: 'collection', id, organization }, defaultLevel, { caller, role });
  return [
    write.update(collections, { _id: id }, { $set: changed }, { expect: 1 }),
    audit('collection', id, { details: changed }),
  ];
}

/** The node and all below it. */
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

/** The spaces in it go to the trash, from where they come back at the top level. */
export async function deleteCollection(
  rules: ContentRules,
  id: string,
  { access: { organization }, audit }: Acting,
): Promise<void> {
  const { trees } = rules;
  await trees.change(organization, id, async () => {
    trees.changed(organization);
    const tree = await trees.of(organization);
    if (!tree.has(id)) throw notFound('Collection');
    const inside = subtree(tree, id);
    const details = { spaces: inside.spaces.length, collections: inside.collections.length };
    return {
      writes: [
        ...inside.spaces.flatMap((space) => trashWrites(rules, organization, space, { parent: null })),
        ...inside.collections.map((collection) => write.delete(collections, { _id: collection }, { expect: 1 })),
        ...inside.collections.map((collection) => write.delete(grants, { node: collection })),
        audit('collection', id, { details }),
      ],
    };
  });
}
