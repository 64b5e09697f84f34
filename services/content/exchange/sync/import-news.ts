import { again } from '../../../../shared/store/again.js';
import type { SpaceDocument } from '../../core/nodes/model.js';
import { isMarkdownFile } from '../../format/space/paths.js';
import { GitFailure } from '../git/command/failure.js';
import { fetchTree } from '../git/fetch.js';
import type { SharedState } from '../git/model.js';
import { readSharedContent } from '../git/operations/shared-content.js';
import { directoryOf, findCandidateStates } from '../git/operations/shared-states.js';
import type { SourceTree } from '../git/tree/source-tree.js';
import { applyTree, fetchOptions, finishImport } from '../imports/git-import/git-import-job.js';
import { mergeTree } from './merge-tree.js';
import { findSyncState } from './sync-payload.js';
import { beginStep, currentSpace, type SyncDependencies, type SyncRun, type SyncStep, stepOf } from './sync-run.js';

/** How a sync goes on after it has looked at the branch. */
export type Outlook =
  /** The content of the space may be written to the branch. */
  | 'export'
  /** The content of the branch is replaced by that of the space. */
  | 'overwrite'
  /** There is nothing on either side. */
  | 'nothing';

/** Brings into the space what the branch has and the space has not. Throws GitFailure; `priority` where somebody has to choose a side. */
export async function importNews(deps: SyncDependencies, sync: SyncRun): Promise<Outlook> {
  const { item } = sync;
  const step = stepOf(deps, sync, { direction: 'import' });
  const own = await findSyncState(deps, item);
  const space = await currentSpace(deps, sync);
  const tree = await openTree(deps, { step, space });
  if (!tree) return openEmptyBranch(deps, sync, { space, state: own });
  try {
    const state = own ?? (await findAdopted(deps, step, tree));
    const takes = await takesBranch(deps, sync, { space, state, tree });
    if (takes !== 'branch') return takes;
    if (state && item.priority !== 'git' && !hasNews(state, tree)) return 'export';
    await deps.ledger.checkRoom(space.organization, 1);
    await beginStep(deps, step, { space, direction: 'import' });
    await bringIn(deps, sync, { step, state: item.priority === 'git' ? undefined : state, tree });
    await finishImport(deps, step, { space, writes: [], operation: {} });
    return 'export';
  } finally {
    await tree.close();
  }
}

/** Whether a branch may hold anything that the space lacks. */
const hasNews = (state: SharedState, { commit }: SourceTree): boolean =>
  state.commit !== commit?.oid || state.isAhead || (state.held ?? []).length > 0;

/** Finds the state that the space shared with the same commit under another name: of a branch or a repository that was renamed. */
async function findAdopted(
  deps: SyncDependencies,
  { job: { payload } }: SyncStep,
  { commit }: SourceTree,
): Promise<SharedState | undefined> {
  const { others } = await findCandidateStates(deps, payload);
  return others.find((state) => state.commit === commit?.oid);
}

/** The tip of the branch; undefined where the repository does not have the branch. */
async function openTree(
  deps: SyncDependencies,
  { step, space }: { step: SyncStep; space: SpaceDocument },
): Promise<SourceTree | undefined> {
  try {
    return await fetchTree(fetchOptions(deps, step, space));
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'ref-not-found') return undefined;
    throw error;
  }
}

interface Sides {
  space: SpaceDocument;
  state: SharedState | undefined;
}

async function openEmptyBranch(deps: SyncDependencies, { item }: SyncRun, { space, state }: Sides): Promise<Outlook> {
  const { priority, direction, ref = '' } = item;
  const branch = ref.slice('refs/heads/'.length);
  if (state && priority !== 'gitbook')
    throw new GitFailure(
      'ref-not-found',
      `the branch ${branch} was deleted from the repository; choose another branch, or sync with priority "gitbook" to make it again`,
    );
  if (await isEmpty(deps, space)) return 'nothing';
  if (direction === 'import') throw new GitFailure('ref-not-found', `the repository has no branch ${branch}`);
  return priority === 'gitbook' ? 'overwrite' : 'export';
}

async function isEmpty({ revisions }: SyncDependencies, { _id, revision }: SpaceDocument): Promise<boolean> {
  const { pages, files } = await revisions.get(_id, revision);
  return pages.length === 0 && files.length === 0;
}

/** Whether the branch goes into the space. Where both sides have content and share none yet, somebody has to choose. */
async function takesBranch(
  deps: SyncDependencies,
  { item }: SyncRun,
  { space, state, tree }: Sides & { tree: SourceTree },
): Promise<Outlook | 'branch'> {
  const { priority, direction, directory } = item;
  if (priority === 'gitbook') return 'overwrite';
  if (direction === 'export') return state || (await isBare(tree, directory)) ? 'export' : chooseSide(deps, space);
  if (state || priority === 'git') return 'branch';
  const empty = await isEmpty(deps, space);
  if (await isBare(tree, directory)) return empty ? 'nothing' : 'export';
  if (empty) return 'branch';
  throw new GitFailure('priority', undecided);
}

const undecided =
  'both the space and the branch have content: choose the side to begin with by priority, "git" or "gitbook"; the other side is replaced';

async function chooseSide(deps: SyncDependencies, space: SpaceDocument): Promise<Outlook> {
  if (await isEmpty(deps, space)) return 'nothing';
  throw new GitFailure('priority', undecided);
}

/** Whether a tree has no pages for the space. */
async function isBare({ files }: SourceTree, directory: string): Promise<boolean> {
  const folder = directoryOf({ repoProjectDirectory: directory });
  return !files.some(({ path }) => isMarkdownFile(path) && (folder === '' || path.startsWith(`${folder}/`)));
}

/** Replaces the content of the space where only the branch has changed, and merges where both have. */
async function bringIn(
  deps: SyncDependencies,
  sync: SyncRun,
  { step, state, tree }: { step: SyncStep; state: SharedState | undefined; tree: SourceTree },
): Promise<void> {
  const base = state && (await readSharedContent(deps, state));
  await again(async () => {
    const space = await currentSpace(deps, sync);
    const isUnchanged = !state || !base || (space.revision === state.revision && !state.held?.length);
    if (isUnchanged) return void (await applyTree(deps, step, { space, tree }));
    return mergeTree(deps, sync, { step, state, base, tree });
  });
}
