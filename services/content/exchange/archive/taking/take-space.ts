import type { HasBlobs } from '../../../../../shared/blobs/port.js';
import type { HasJobs } from '../../../../../shared/jobs/jobs.js';
import { type HasStore, write } from '../../../../../shared/store/port.js';
import { omitUndefined } from '../../../../../shared/values/omit-undefined.js';
import { toTreeNode } from '../../../core/access/tree/content-tree.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { type SpaceDocument, spaces } from '../../../core/nodes/model.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import { newSpace } from '../../../core/spaces/new-space.js';
import type { HasLedger } from '../../../core/storage/ledger.js';
import type { HasWork } from '../../../format/workers/page-work.js';
import { indexLater } from '../../../reading/search/indexer.js';
import { commitImport } from '../../imports/commit-import.js';
import { importTree } from '../../imports/import-tree.js';
import type { Problem } from '../../imports/problems.js';
import type { ArchiveFile } from './archive-file.js';
import { type ArchivedSpace, readArchivedSpace, spaceFolder } from './archived-space.js';
import { archivedTree, archivedView, asArchived, missingIn } from './archived-tree.js';

type Dependencies = HasStore & HasBlobs & HasJobs & HasTrees & HasRevisions & HasWork & HasLedger;

export interface TakeSpace {
  organization: string;
  archive: ArchiveFile;
  /** Its id. */
  space: string;
  /** The ids of accounts that are others here than in the archive. */
  accounts: Record<string, string>;
}

/** Stores a space of an archive with its content, unless it is there. Returns what the import warned of. */
export async function takeSpace(
  deps: Dependencies,
  { organization, archive, space: id, accounts }: TakeSpace,
): Promise<Problem[]> {
  const { store, revisions, ledger } = deps;
  const archived = await readArchivedSpace(archive, id);
  const { _id: space, revision } =
    (await store.get(spaces, id)) ?? (await makeSpace(deps, { organization, archived, accounts }));
  const { revision: present } = await revisions.get(space, revision);
  if (present.parents.length > 0) return [];
  await ledger.openUsage({ organization, space });
  const tree = await archivedTree(archive, space);
  const before = await archivedView(present, archived, tree);
  const { directory: projectDirectory, updatedAt } = archived.space;
  const { problems, ...imported } = await importTree(deps, { tree, organization, space, projectDirectory, before });
  await commitImport(deps, {
    organization,
    space,
    parent: revision,
    content: asArchived(imported, archived),
    writes: (to) => [
      write.update(spaces, { _id: space }, { $set: { updatedAt } }, { expect: 1 }),
      indexLater(deps.jobs, { space, revision: to }),
    ],
  });
  const lost = missingIn(imported, archived).map((each) => ({
    path: spaceFolder(space),
    message: `${each} is in no file of its content: it got another id, or is left out`,
  }));
  return [...problems, ...lost];
}

/** Makes the space without content, at its place. */
async function makeSpace(
  { trees }: Dependencies,
  { organization, archived, accounts }: Pick<TakeSpace, 'organization' | 'accounts'> & { archived: ArchivedSpace },
): Promise<SpaceDocument> {
  const { createdBy, order: orderKey, icon, formerParent, createdAt, updatedAt, ...given } = archived.space;
  const { space, writes } = newSpace({
    organization,
    creator: accounts[createdBy] ?? createdBy,
    ...omitUndefined(given),
  });
  const kept = omitUndefined({ orderKey, icon, formerParent, createdAt, updatedAt });
  const made = { ...space, ...kept };
  await trees.change(organization, made._id, async () => ({
    writes: [...writes, write.update(spaces, { _id: made._id }, { $set: kept }, { expect: 1 })],
    apply: (tree) => tree.set(made._id, toTreeNode('space', made)),
  }));
  return made;
}
