import type { Access, AccessQuestion } from '../../../../shared/contract/access.js';
import type { Collection, HasStore } from '../../../../shared/store/port.js';
import type { HasTrees } from './tree/content-tree-cache.js';

/** The access of a caller to documents that belong to spaces, in the order of their ids: that to their spaces. */
export async function resolveOfSpaces<D extends { _id: string; space: string }>(
  { store, trees }: HasStore & HasTrees,
  documents: Collection<D>,
  { caller, ids }: AccessQuestion,
): Promise<(Access | null)[]> {
  const found = await store.getMany(documents, ids, { fields: ['space'] });
  const spaceOf = new Map(found.map(({ _id, space }) => [_id, space]));
  const spaces = [...new Set(spaceOf.values())];
  const access = await trees.resolve({ caller, ids: spaces }, 'space');
  const bySpace = new Map(spaces.map((space, at) => [space, access[at] ?? null]));
  return ids.map((id) => bySpace.get(spaceOf.get(id) ?? '') ?? null);
}
