import { newId, timestamp } from '../../../shared/ids.js';
import { type Write, write } from '../../../shared/store/port.js';
import type { ContentDependencies } from '../dependencies.js';
import { type SpaceDocument, spaces } from '../tree/model.js';
import { storeContent } from './chunks.js';
import { type RevisionDocument, revisions } from './model.js';
import type { NewRevision } from './revision-view.js';

export interface Commit {
  organization: string;
  space: string;
  /** The revision that the content is based on. */
  parent: string;
  content: NewRevision;
  git?: RevisionDocument['git'];
  /** Prefix of links to files of the repository outside the space. */
  treeURL?: string | undefined;
  /** Leaves the primary content where it is. */
  standalone?: boolean;
  /** Fields of the space that change with it. */
  changes?: Partial<SpaceDocument>;
  /** Conditions and writes for the same batch, given the id of the new revision. */
  writes?: (revision: string) => Write[];
}

/**
 * Makes a revision and moves the space's pointer to it, all or nothing. Throws StoreConflict when the space points at another
 * revision than `parent` or a condition does not hold.
 */
export async function commitRevision(
  deps: Pick<ContentDependencies, 'store' | 'ledger'>,
  commit: Commit,
): Promise<RevisionDocument> {
  const { space, parent, content, git, treeURL, standalone = false } = commit;
  const { variables, tags } = content;
  const roots = await storeContent(deps, { organization: commit.organization, space }, content);
  const now = timestamp();
  const revision: RevisionDocument = {
    _id: newId(),
    space,
    parents: [parent],
    type: 'edits',
    ...roots,
    ...(Object.keys(variables).length > 0 ? { variables } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ...(git ? { git } : {}),
    ...(treeURL ? { treeURL } : {}),
    createdAt: now,
  };
  const moved = standalone ? {} : { revision: revision._id, updatedAt: now };
  const onto = standalone ? { _id: space, deletedAt: null } : { _id: space, deletedAt: null, revision: parent };
  await deps.store.batch([
    write.insert(revisions, revision),
    write.update(spaces, onto, { $set: { ...commit.changes, ...moved } }, { expect: 1 }),
    ...(commit.writes?.(revision._id) ?? []),
  ]);
  return revision;
}
