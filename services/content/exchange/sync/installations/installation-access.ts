import type { Access, AccessQuestion } from '../../../../../shared/contract/access.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { gitInstallations } from '../model.js';

/** The access of a caller to connections with repositories, in the order of the ids: that to their spaces. */
export async function resolveGitInstallations(
  { store, trees }: HasStore & HasTrees,
  { caller, ids }: AccessQuestion,
): Promise<(Access | null)[]> {
  const found = await store.getMany(gitInstallations, ids, { fields: ['space'] });
  const spaceOf = new Map(found.map(({ _id, space }) => [_id, space]));
  const spaces = [...new Set(spaceOf.values())];
  const access = await trees.resolve({ caller, ids: spaces }, 'space');
  const bySpace = new Map(spaces.map((space, at) => [space, access[at] ?? null]));
  return ids.map((id) => bySpace.get(spaceOf.get(id) ?? '') ?? null);
}
