import { packageFile } from '../../shared/package-root.js';
import { commitRevision } from './commit.js';
import { nodeOf } from './content-tree.js';
import type { GitRules } from './git-import.js';
import { importTree } from './import.js';
import { type SpaceDocument, spaces } from './model.js';
import { indexPrimary } from './search-index.js';
import { folderTree } from './source-tree.js';
import { newSpace } from './spaces.js';

interface Handbook {
  organization: string;
  creator: string;
  space: string;
}

/** The handbook that ships with the product, as a first space. Safe to ask for again: what is there already stays as it is. */
export async function makeHandbook(rules: GitRules, handbook: Handbook): Promise<void> {
  const space = (await rules.store.get(spaces, handbook.space)) ?? (await makeSpace(rules, handbook));
  if (space.deletedAt) return;
  const before = await rules.revisions.get(space._id, space.revision);
  if (before.revision.parents.length === 0) {
    const tree = await folderTree(packageFile('docs'));
    const imported = await importTree(rules, tree, { space: space._id, before });
    await commitRevision(rules.store, { space: space._id, parent: space.revision, tree: imported });
  }
  await indexPrimary(rules, space._id);
}

async function makeSpace(rules: GitRules, { organization, creator, space: id }: Handbook): Promise<SpaceDocument> {
  const { space, writes } = newSpace(organization, creator, { title: 'Bindery handbook', emoji: '📖' }, id);
  await rules.trees.change(organization, id, async () => ({
    writes,
    note: (tree) => tree.set(id, nodeOf('space', space)),
  }));
  return space;
}
