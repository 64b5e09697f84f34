import { packageFile } from '../../shared/package-root.js';
import { commitRevision } from './commit.js';
import { nodeOf } from './content-tree.js';
import type { GitRules } from './git-import.js';
import { importTree } from './import.js';
import { indexPrimary } from './search-index.js';
import { folderTree } from './source-tree.js';
import { newSpace } from './spaces.js';

/** The handbook that ships with the product, as a first space. */
export async function makeHandbook(rules: GitRules, organization: string, creator: string): Promise<{ space: string }> {
  const { space, writes } = newSpace(organization, creator, { title: 'Bindery handbook', emoji: '📖' });
  await rules.trees.change(organization, space._id, async () => ({
    writes,
    note: (tree) => tree.set(space._id, nodeOf('space', space)),
  }));
  const tree = await folderTree(packageFile('docs'));
  const before = await rules.revisions.get(space._id, space.revision);
  const imported = await importTree(rules, tree, { space: space._id, before });
  await commitRevision(rules.store, { space: space._id, parent: space.revision, tree: imported });
  await indexPrimary(rules, space._id);
  return { space: space._id };
}
