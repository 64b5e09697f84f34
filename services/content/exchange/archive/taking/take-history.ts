import type { HasBlobs } from '../../../../../shared/blobs/port.js';
import type { HasJobs } from '../../../../../shared/jobs/jobs.js';
import { type HasStore, type Write, write } from '../../../../../shared/store/port.js';
import { omitUndefined } from '../../../../../shared/values/omit-undefined.js';
import { LastUsed } from '../../../../../shared/work/last-used.js';
import { spaces } from '../../../core/nodes/model.js';
import { commitRevision, primaryMoveWrite } from '../../../core/revisions/commit.js';
import { type RevisionDocument, revisions } from '../../../core/revisions/model.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import type { HasLedger } from '../../../core/storage/ledger.js';
import type { HasWork } from '../../../format/workers/page-work.js';
import { indexLater } from '../../../reading/search/indexer.js';
import { specsUsedWrites, storedParts } from '../../imports/commit-import.js';
import { type ImportedTree, importTree } from '../../imports/import-tree.js';
import type { Problem } from '../../imports/problems.js';
import type { ImportMemory } from '../../imports/stored-pages.js';
import { historyFile, spaceFolder } from '../entries/space-files.js';
import type { CommittedRevision } from '../history/commit-message.js';
import type { HistoryState, OpenedHistory } from '../history/open-history.js';
import type { ArchivedSpace } from './archived-space.js';
import { archivedView, asArchived, type ContentBefore, historyTree, lostProblems } from './archived-tree.js';
import { readHistoryContent } from './checked-history.js';

type Dependencies = HasStore & HasBlobs & HasJobs & HasRevisions & HasWork & HasLedger;

export interface TakeHistory {
  organization: string;
  accounts: Record<string, string>;
  archived: ArchivedSpace;
  /** The present content of the space: nothing, unless the history is there already. */
  present: RevisionDocument;
  history: OpenedHistory;
  signal: AbortSignal;
}

/**
 * Stores the revisions of a history that are not there yet, the oldest first. The last one becomes the content of the space in place of
 * the empty one that it was made with. Returns what the import warned of.
 */
export async function takeHistory(deps: Dependencies, taking: TakeHistory): Promise<Problem[]> {
  const { history, present, signal } = taking;
  if (present.parents.length > 0 || history.revisions.some(({ id }) => id === present._id)) return [];
  const ids = history.revisions.map(({ id }) => id);
  const known = new Set((await deps.store.getMany(revisions, ids, { fields: [] })).map(({ _id }) => _id));
  const memory: ImportMemory = new LastUsed();
  const problems: Problem[] = [];
  let stored: ContentBefore | undefined;
  for (const state of history.states()) {
    signal.throwIfAborted();
    if (known.has(state.revision.id)) continue;
    const isLast = state.revision.id === ids.at(-1);
    const imported = await takeRevision(deps, { ...taking, state, stored, memory, isLast });
    if (isLast) problems.push(...imported.problems);
    problems.push(...imported.lost);
    stored = imported;
  }
  return problems;
}

interface TakeRevision extends TakeHistory {
  state: HistoryState;
  /** The revision before it. */
  stored: ContentBefore | undefined;
  memory: ImportMemory;
  isLast: boolean;
}

async function takeRevision(
  deps: Dependencies,
  { organization, accounts, archived, present, state, stored, memory, isLast, signal }: TakeRevision,
): Promise<ImportedTree & { lost: Problem[] }> {
  const { space } = present;
  const { revision } = state;
  const content = await readHistoryContent(space, state);
  const tree = historyTree(state);
  const before = await archivedView(present, content, { tree, stored });
  const projectDirectory = revision.directory;
  const imported = await importTree(deps, { tree, organization, space, projectDirectory, before, memory, signal });
  const { problems, ...made } = imported;
  const whole = asArchived(made, content);
  const { fields, lists } = storedParts(whole);
  const owner = { organization, space };
  await commitRevision(deps, {
    ...owner,
    sweeps: await deps.ledger.readSweeps(space),
    content: lists,
    fields: { ...fields, ...describedFields(revision, accounts), primary: true },
    writes: (to) =>
      isLast
        ? lastWrites(deps, { archived, present, to }).concat(specsUsedWrites(deps, { ...owner, content: whole }))
        : [write.check(spaces, { _id: space, revision: present._id }, 1)],
  });
  const path = `${spaceFolder(space)}${historyFile}: commit ${state.commit}`;
  return { ...whole, problems, lost: lostProblems(made, content, path) };
}

/** The fields that a commit gives its revision. */
const describedFields = (
  { id: _id, directory: _, author, ...revision }: CommittedRevision,
  accounts: Record<string, string>,
) => omitUndefined({ ...revision, _id, author: author === undefined ? undefined : (accounts[author] ?? author) });

/** The writes that make a revision the content of the space in place of the empty one. */
const lastWrites = (
  { jobs }: HasJobs,
  { archived, present, to }: Pick<TakeRevision, 'archived' | 'present'> & { to: RevisionDocument },
): Write[] => [
  primaryMoveWrite({ space: to.space, from: present._id, to }),
  write.update(spaces, { _id: to.space }, { $set: { updatedAt: archived.space.updatedAt } }, { expect: 1 }),
  write.delete(revisions, { _id: present._id }, { expect: 1 }),
  indexLater(jobs, { space: to.space, revision: to._id }),
];
