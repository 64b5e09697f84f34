import { newId, timestamp } from '../../shared/ids.js';
import { type Store, type Write, write } from '../../shared/store/port.js';
import type { ImportedTree } from './import.js';
import { type RevisionDocument, revisions, type SpaceDocument, spaces } from './model.js';
import { storeTree } from './revisions.js';

export interface Commit {
  space: string;
  /** The revision that the tree was built upon. */
  parent: string;
  tree: ImportedTree;
  git?: RevisionDocument['git'];
  /** Prefix of links to files of the repository outside the space. */
  treeURL?: string | undefined;
  /** Leave the primary content where it is. */
  standalone?: boolean;
  /** Fields of the space that change with it. */
  changes?: Partial<SpaceDocument>;
  /** Conditions and writes that come with it, by the id of the new revision. */
  writes?: (revision: string) => Write[];
}

/** Makes a revision of a tree and swaps the space's pointer to it, all or nothing. Throws StoreConflict when the space moved on. */
export async function commitRevision(store: Store, commit: Commit): Promise<RevisionDocument> {
  const { space, parent, tree, git, treeURL, standalone = false } = commit;
  const roots = await storeTree(store, space, tree);
  const now = timestamp();
  const revision: RevisionDocument = {
    _id: newId(),
    space,
    parents: [parent],
    type: 'edits',
    ...roots,
    ...(Object.keys(tree.variables).length > 0 ? { variables: tree.variables } : {}),
    ...(tree.tags.length > 0 ? { tags: tree.tags } : {}),
    ...(git ? { git } : {}),
    ...(treeURL ? { treeURL } : {}),
    createdAt: now,
  };
  const moved = standalone ? {} : { revision: revision._id, updatedAt: now };
  const onto = standalone ? { _id: space, deletedAt: null } : { _id: space, deletedAt: null, revision: parent };
  await store.batch([
    write.insert(revisions, revision),
    write.update(spaces, onto, { $set: { ...commit.changes, ...moved } }, { expect: 1 }),
    ...(commit.writes?.(revision._id) ?? []),
  ]);
  return revision;
}
