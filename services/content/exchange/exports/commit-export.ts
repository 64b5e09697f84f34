import { auditRecord, auditRecorded } from '../../../../shared/contract/audit.js';
import { system } from '../../../../shared/contract/caller.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { again } from '../../../../shared/store/again.js';
import { type HasStore, type Write, write } from '../../../../shared/store/port.js';
import { contentChanged } from '../../core/events.js';
import { type SpaceDocument, spaces } from '../../core/nodes/model.js';
import { storeSettings } from '../../core/revisions/chunks.js';
import { carriedFields, commitRevision, primaryMoveWrite } from '../../core/revisions/commit.js';
import type { RevisionDocument } from '../../core/revisions/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { ExportedContent } from './exported-content.js';
import { type Marks, markContent, storeSources } from './marked-content.js';

type Dependencies = HasStore & HasOutbox & HasRevisions & HasWork & HasLedger;

export interface CommitExport {
  space: SpaceDocument;
  /** The revision that was exported, and what was written of it. */
  view: RevisionView;
  content: ExportedContent;
  directory: string;
  /** The commit that holds it. */
  git: NonNullable<RevisionDocument['git']>;
  treeURL: string | undefined;
  /** The Git state of the space, given what it has by now. */
  settings(space: SpaceDocument): NonNullable<SpaceDocument['git']>;
  /** Conditions and writes for the same batch, given the revision with the content of the commit. */
  writes(revision: string): Write[];
}

/**
 * Records an export: a revision with the content of the commit, which becomes the primary content where that is still the one that
 * was exported. Where it is not, what has been written since learns where its files lie.
 */
export async function commitExport(deps: Dependencies, made: CommitExport): Promise<void> {
  const { store, ledger } = deps;
  const { space, view, content, directory } = made;
  const owner = { organization: space.organization, space: space._id };
  const overtaken = await again(async () => {
    const sweeps = await ledger.readSweeps(space._id);
    const marks = { ...content, read: await storeSources(deps, owner, content) };
    const settings = await storeSettings(deps, owner, content.settings);
    const now = await store.get(spaces, space._id);
    if (!now || now.deletedAt) return undefined;
    const isCurrent = now.revision === view.revision._id;
    const revision = await commitRevision(deps, {
      ...owner,
      sweeps,
      before: view,
      content: await markContent(marks, view),
      fields: {
        ...carriedFields(view),
        ...(made.treeURL ? { treeURL: made.treeURL } : {}),
        repository: { directory, settings },
        parents: [view.revision._id],
        type: 'edits',
        git: made.git,
        ...(isCurrent ? { primary: true } : {}),
      },
      writes: (to) => [
        isCurrent
          ? primaryMoveWrite({ space: to.space, from: now.revision, to, changes: { git: made.settings(now) } })
          : write.update(
              spaces,
              { _id: to.space, revision: now.revision },
              { $set: { git: made.settings(now) } },
              { expect: 1 },
            ),
        ...made.writes(to._id),
        ...(isCurrent ? contentChangedWrites(deps, owner, to._id) : []),
      ],
    });
    return isCurrent ? undefined : { owner, marks, repository: revision.repository };
  });
  if (overtaken) await markPrimary(deps, overtaken);
}

interface MarkPrimary {
  owner: { organization: string; space: string };
  marks: Marks;
  repository: RevisionDocument['repository'];
}

/** Notes in the primary content, which differs from what was exported, where its files lie. */
const markPrimary = (deps: Dependencies, { owner, marks, repository }: MarkPrimary): Promise<void> =>
  again(async () => {
    const sweeps = await deps.ledger.readSweeps(owner.space);
    const primary = await deps.revisions.current(owner.space);
    const parent = primary.revision._id;
    await commitRevision(deps, {
      ...owner,
      sweeps,
      before: primary,
      content: await markContent(marks, primary),
      fields: {
        ...carriedFields(primary),
        ...(repository ? { repository } : {}),
        parents: [parent],
        type: 'edits',
        primary: true,
      },
      writes: (to) => [
        primaryMoveWrite({ space: owner.space, from: parent, to }),
        ...contentChangedWrites(deps, owner, to._id),
      ],
    });
  });

const contentChangedWrites = (
  { outbox }: Pick<Dependencies, 'outbox'>,
  { organization, space }: MarkPrimary['owner'],
  revision: string,
): Write[] => [
  outbox.add(contentChanged, { organization, space, revision }),
  outbox.add(
    auditRecorded,
    auditRecord(
      { operation: 'exportToGitRepository', caller: system, organization, requestId: '' },
      { type: 'space', id: space },
      { details: { revision } },
    ),
  ),
];
