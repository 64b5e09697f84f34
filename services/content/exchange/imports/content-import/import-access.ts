import type { Caller } from '../../../../../shared/contract/caller.js';
import type { HasCallAsSystem } from '../../../../../shared/contract/context.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import { checkStarter } from '../../../core/access/starters.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { spaceKind } from '../../../core/resources.js';
import { contentImportOperations } from '../../contract/content-imports.js';
import { type ContentImportDocument, contentImports } from './model.js';

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

interface Shown {
  caller: Caller;
  organization: string;
  /** Only this one. */
  space?: string | undefined;
}

/** The spaces with imports that a caller may see, those that it may edit; and the number of these imports. */
export async function shownImports(
  { store, trees }: HasStore & HasTrees,
  { caller, organization, space }: Shown,
): Promise<{ shown: string[]; count: number }> {
  const accessible = await trees.nodesAccessibleTo(caller, organization, 'space');
  const counts = await store.countBy(contentImports, 'space', { organization });
  const roles: readonly (string | null)[] = spaceKind.rights.edit;
  const isAsked = ({ id }: { id: string }) => counts.has(id) && (space ?? id) === id;
  const shown = accessible.flatMap(({ node, role }) => (roles.includes(role) && isAsked(node) ? [node.id] : []));
  return { shown, count: shown.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0) };
}
