import type { HasBlobs } from '../../../../../shared/blobs/port.js';
import type { HasJobs } from '../../../../../shared/jobs/jobs.js';
import { type HasStore, write } from '../../../../../shared/store/port.js';
import { omitUndefined } from '../../../../../shared/values/omit-undefined.js';
import { toTreeNode } from '../../../core/access/tree/content-tree.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { type SpaceDocument, spaces } from '../../../core/nodes/model.js';
import type { RevisionDocument } from '../../../core/revisions/model.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import { newSpace } from '../../../core/spaces/new-space.js';
import type { HasLedger } from '../../../core/storage/ledger.js';
import type { HasWork } from '../../../format/workers/page-work.js';
import { indexLater } from '../../../reading/search/indexer.js';
import { commitImport } from '../../imports/commit-import.js';
import { importTree } from '../../imports/import-tree.js';
import type { Problem } from '../../imports/problems.js';
import { spaceFolder } from '../entries/space-files.js';
import type { ArchiveFile } from './archive-file.js';
import { type ArchivedSpace, readArchivedSpace } from './archived-space.js';
import { archivedTree, archivedView, asArchived, lostProblems } from './archived-tree.js';
import { hasHistory, runWithArchivedHistory } from './checked-history.js';
import { takeHistory } from './take-history.js';

type Dependencies = HasStore &
  HasBlobs &
  HasJobs &
  HasTrees &
  HasRevisions &
  HasWork &
  HasLedger & { scratchDir: string };

export interface TakeSpace {
  organization: string;
  archive: ArchiveFile;
  /** Its id. */
  space: string;
  /** The ids of accounts that are others here than in the archive. */
  accounts: Record<string, string>;
  signal: AbortSignal;
}

/** Stores a space of an archive with its content and its history, unless it is there. Returns what the import warned of. */
export async function takeSpace(deps: Dependencies, taking: TakeSpace): Promise<Problem[]> {
  const { store, revisions, ledger } = deps;
  const { organization, archive, space: id, accounts, signal } = taking;
  const archived = await readArchivedSpace(archive, id);
  const { _id: space, revision } =
    (await store.get(spaces, id)) ?? (await makeSpace(deps, { organization, archived, accounts }));
  await ledger.openUsage({ organization, space });
  const { revision: present } = await revisions.get(space, revision);
  if (hasHistory(archive, space)) {
    const source = { archive, space, scratchDir: deps.scratchDir, signal };
    return runWithArchivedHistory(source, (history) =>
      takeHistory(deps, { organization, accounts, archived, present, history, signal }),
    );
  }
  return present.parents.length > 0 ? [] : takeContent(deps, { organization, archive, archived, present, signal });
}

interface TakeContent extends Pick<TakeSpace, 'organization' | 'archive' | 'signal'> {
  archived: ArchivedSpace;
  present: RevisionDocument;
}

/** Makes one revision of the content, for an archive without histories. */
async function takeContent(
  deps: Dependencies,
  { organization, archive, archived, present, signal }: TakeContent,
): Promise<Problem[]> {
  const { space, _id: parent } = present;
  const tree = await archivedTree(archive, space);
  const before = await archivedView(present, archived, { tree });
  const { directory: projectDirectory, updatedAt } = archived.space;
  const importing = { tree, organization, space, projectDirectory, before, signal };
  const { problems, ...imported } = await importTree(deps, importing);
  await commitImport(deps, {
    organization,
    space,
    parent,
    content: asArchived(imported, archived),
    writes: (to) => [
      write.update(spaces, { _id: space }, { $set: { updatedAt } }, { expect: 1 }),
      indexLater(deps.jobs, { space, revision: to }),
    ],
  });
  return [...problems, ...lostProblems(imported, archived, spaceFolder(space))];
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
