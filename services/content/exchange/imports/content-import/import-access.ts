import type { Access, AccessQuestion } from '../../../../../shared/contract/access.js';
import type { HasCallAsSystem } from '../../../../../shared/contract/context.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import { checkStarter } from '../../../core/access/starters.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { contentImportOperations } from '../../contract/content-imports.js';
import { type ContentImportDocument, contentImports } from './model.js';

/** The access of a caller to imports, in the order of the ids: the one to the spaces that they are into. */
export async function resolveImports(
  { store, trees }: HasStore & HasTrees,
  { caller, ids }: AccessQuestion,
): Promise<(Access | null)[]> {
  const found = await store.getMany(contentImports, ids, { fields: ['space'] });
  const spaceOf = new Map(found.map(({ _id, space }) => [_id, space]));
  const spaces = [...new Set(spaceOf.values())];
  const access = await trees.resolve({ caller, ids: spaces }, 'space');
  const bySpace = new Map(spaces.map((space, at) => [space, access[at] ?? null]));
  return ids.map((id) => bySpace.get(spaceOf.get(id) ?? '') ?? null);
}

/** Throws 403 where who started an import may not import any more. */
export const checkImporter = (
  deps: HasCallAsSystem & HasTrees,
  { createdBy: user, installation, tunnel, organization, space }: ContentImportDocument,
): Promise<void> =>
  checkStarter(deps, {
    starter: { user, installation, tunnel },
    organization,
    space,
    rule: contentImportOperations.importContent.access,
  });
