import type { Caller } from '../../shared/contract/caller.js';
import type { Access } from '../../shared/contract/operation.js';
import { notFound } from '../../shared/errors.js';
import { newId, timestamp } from '../../shared/ids.js';
import type { Page, PageRequest } from '../../shared/paging.js';
import { write } from '../../shared/store/port.js';
import type { Role } from '../identity/resources.js';
import { type ContentTree, nodeOf } from './content-tree.js';
import { type CollectionDocument, collections, presentCollection, treeChanged } from './model.js';
import type { CollectionResource, DefaultLevel } from './resources.js';
import { type ContentRules, checkParent, pageOfNodes, trashWrites } from './spaces.js';

export interface CollectionInput {
  title?: string | undefined;
  parent?: string | undefined;
}

export async function createCollection(
  rules: ContentRules,
  organization: string,
  caller: Caller,
  { title = 'Untitled collection', parent }: CollectionInput,
): Promise<CollectionResource> {
  if (parent !== undefined) await checkParent(rules, organization, caller, parent);
  const created: CollectionDocument = {
    _id: newId(),
    organization,
    parent: parent ?? null,
    title,
    defaultLevel: 'inherit',
    creator: caller.kind === 'user' ? caller.user : caller.kind,
    createdAt: timestamp(),
  };
  await rules.store.batch([write.insert(collections, created), treeChanged(organization)]);
  rules.trees.added(organization, nodeOf('collection', created));
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
  access: Access,
): Promise<CollectionResource> {
  const { store, trees } = rules;
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const writes = [write.check(collections, { _id: id }, 1)];
  if (Object.keys(given).length > 0) writes.push(write.update(collections, { _id: id }, { $set: given }));
  if (changes.defaultLevel !== undefined) writes.push(treeChanged(access.organization));
  await store.batch(writes);
  trees.changed(access.organization);
  return getCollection(rules, id, access);
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
  { store, trees, jobs }: ContentRules,
  id: string,
  { organization }: Access,
): Promise<void> {
  trees.changed(organization);
  const inside = subtree(await trees.of(organization), id);
  await store.batch([
    ...inside.spaces.flatMap((space) => trashWrites(jobs, space, { parent: null })),
    ...inside.collections.map((collection) => write.delete(collections, { _id: collection })),
    treeChanged(organization),
  ]);
  trees.changed(organization);
}
