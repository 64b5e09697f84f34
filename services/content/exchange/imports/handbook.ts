import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import { packageFile } from '../../../../shared/process/package-root.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { ImportHandbook } from '../../../identity/contract.js';
import { toTreeNode } from '../../core/access/tree/content-tree.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { type SpaceDocument, spaces } from '../../core/nodes/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import { newSpace } from '../../core/spaces/new-space.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { indexPrimary } from '../../reading/search/search-index.js';
import { openFolderTree } from '../git/tree/source-tree.js';
import { commitImport } from './commit-import.js';
import { importTree } from './import-tree.js';

type Dependencies = HasStore & HasBlobs & HasJobs & HasTrees & HasRevisions & HasWork & HasLedger;

/** Makes a space of the handbook that ships with the product. Safe to repeat: existing content stays as it is. */
export async function makeHandbook(deps: Dependencies, handbook: ImportHandbook): Promise<void> {
  const { store, revisions, ledger } = deps;
  const space = (await store.get(spaces, handbook.space)) ?? (await makeSpace(deps, handbook));
  if (space.deletedAt) return;
  const { _id, organization } = space;
  const { revision } = space;
  const before = await revisions.get(_id, revision);
  if (before.revision.parents.length === 0) {
    await ledger.openUsage({ organization, space: _id });
    const tree = await openFolderTree(packageFile('docs'));
    const content = await importTree(deps, { tree, organization, space: _id, before });
    await commitImport(deps, { organization, space: _id, parent: revision, content });
  }
  await indexPrimary(deps, { space: _id });
}

async function makeSpace(
  { trees }: Dependencies,
  { organization, creator, space: id }: ImportHandbook,
): Promise<SpaceDocument> {
  const { space, writes } = newSpace({ organization, creator, id, title: 'Bindery handbook', emoji: '📖' });
  await trees.change(organization, id, async () => ({
    writes,
    apply: (tree) => tree.set(id, toTreeNode('space', space)),
  }));
  return space;
}
