import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import { type HasStore, type Write, write } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { type SpaceDocument, spaces } from '../../core/nodes/model.js';
import { commitRevision, primaryMoveWrite } from '../../core/revisions/commit.js';
import type { RevisionDocument } from '../../core/revisions/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { NewRevision } from '../../core/revisions/revision-view.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import { specsIn } from '../../openapi/pages/computed-pages.js';
import { specUseWrites } from '../../openapi/pages/spec-uses.js';

export interface CommitImport {
  organization: string;
  space: string;
  /** The primary content that the import is based on. */
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

/** Makes a revision of imported content, and the primary content of it. Throws StoreConflict when the space has other content by now. */
export async function commitImport(
  deps: HasStore & HasJobs & HasRevisions & HasLedger,
  { organization, space, parent, content, git, treeURL, standalone = false, changes, writes }: CommitImport,
): Promise<RevisionDocument> {
  const { fields, lists } = storedParts(content);
  return commitRevision(deps, {
    organization,
    space,
    sweeps: await deps.ledger.readSweeps(space),
    content: lists,
    fields: omitUndefined({
      ...fields,
      parents: [parent],
      type: 'edits',
      git,
      treeURL: treeURL || undefined,
      primary: standalone ? undefined : true,
    }),
    writes: (revision) => [
      standalone
        ? write.check(spaces, { _id: space, deletedAt: null }, 1)
        : primaryMoveWrite({ space, from: parent, to: revision, changes }),
      ...specsUsedWrites(deps, { organization, space, content }),
      ...(writes?.(revision._id) ?? []),
    ],
  });
}

/** Parts content: the fields of the document of its revision, and the lists that are stored beside it. */
export const storedParts = ({ variables, tags, repository, ...lists }: NewRevision) => ({
  fields: omitUndefined({
    variables: Object.keys(variables).length > 0 ? variables : undefined,
    tags: tags.length > 0 ? tags : undefined,
    repository,
  }),
  lists,
});

/** The writes that note the specifications which the content has pages of. */
export const specsUsedWrites = (
  { jobs }: HasJobs,
  { organization, space, content }: Pick<CommitImport, 'organization' | 'space' | 'content'>,
): Write[] => specsIn(content.pages).flatMap((spec) => specUseWrites(jobs, { organization, space, spec }));
