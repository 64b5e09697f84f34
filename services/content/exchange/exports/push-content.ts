import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HasCallAsSystem } from '../../../../shared/contract/context.js';
import type { BodyOf } from '../../../../shared/contract/operation.js';
import type { HasRoom } from '../../../../shared/disk/room.js';
import type { HasJobs, JobRun } from '../../../../shared/jobs/jobs.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import { type HasStore, type Write, write } from '../../../../shared/store/port.js';
import { checkStarter } from '../../core/access/starters.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { changeRequests } from '../../core/change-requests/model.js';
import { type GitExporting, type SpaceDocument, spaces } from '../../core/nodes/model.js';
import { readSettings } from '../../core/revisions/chunks.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { exportOperations } from '../contract/git-exports.js';
import type { HasProxy } from '../git/address/proxy.js';
import { type Branch, type BranchTree, type FileChange, workOnBranch } from '../git/branch.js';
import { GitFailure } from '../git/command/failure.js';
import type { SharedState } from '../git/model.js';
import type { GitPayload } from '../git/operations/progress.js';
import { sessionOptions } from '../git/operations/repository.js';
import { readSharedContent } from '../git/operations/shared-content.js';
import { directoryOf, findCandidateStates } from '../git/operations/shared-states.js';
import type { ResolvedFile } from '../git/tree/listing.js';
import { type ExportedContent, planExport } from './exported-content.js';

type Dependencies = HasStore &
  HasBlobs &
  HasSecrets &
  HasCallAsSystem &
  HasJobs &
  HasTrees &
  HasRevisions &
  HasWork &
  HasProxy &
  HasRoom & { cacheDir: string; commitAuthor: string };
export type GitExportPayload = GitPayload<BodyOf<typeof exportOperations.exportToGitRepository>>;
type Run = JobRun<GitExportPayload>;

/** Commits that a new branch is tried to begin at. */
const maxBeginnings = 5;

/** Content that is on its branch. */
export interface Pushed {
  view: RevisionView;
  content: ExportedContent;
  commit: { oid: string; message: string };
  /** Whether the commit was made for this export. */
  isNew: boolean;
  /** Whether the commit holds changes of the branch that the content lacks. */
  isAhead: boolean;
}

/** How a commit is described. */
export interface CommitWords {
  message: string;
  /** `Name <address>`; that of the installation by default. */
  author?: string | undefined;
}

export interface Pushing {
  space: SpaceDocument;
  /** The revision to be exported. */
  view: RevisionView;
  /** The state that an earlier run of the job noted. */
  exporting: GitExporting;
  /** The commit that the branch has to be at: else GitFailure `conflict`, since its news come first. */
  onto?: string | undefined;
  /** Describes the commit; by default, the message of the payload does. */
  describe?: ((view: RevisionView) => Promise<CommitWords>) | undefined;
}

/** Writes what changed to the branch. Throws GitFailure; `moved` when somebody else pushed meanwhile. */
export async function pushContent(deps: Dependencies, run: Run, pushing: Pushing): Promise<Pushed> {
  const { payload } = run.job;
  const states = await findCandidateStates(deps, payload);
  const known = [...(states.own ? [states.own] : []), ...states.others];
  const options = {
    ...sessionOptions(deps, pushing.space, run),
    ref: payload.ref,
    beginnings: [...new Set(known.map(({ commit }) => commit))].slice(0, maxBeginnings),
  };
  return workOnBranch(options, async (branch) => {
    const opened = await openBeforePush(branch, pushing);
    const state = known.find(({ commit }) => commit === opened.parent) ?? (branch.tip ? states.own : undefined);
    return writeAndPush({ deps, run, branch }, pushing, { ...opened, state });
  });
}

/** Whether the branch holds a commit that an earlier run made. */
export const isPushed = (
  deps: Dependencies,
  run: Run,
  { space, commit }: Pick<Pushing, 'space'> & { commit: string },
): Promise<boolean> =>
  workOnBranch({ ...sessionOptions(deps, space, run), ref: run.job.payload.ref, beginnings: [] }, (branch) =>
    branch.holds(commit),
  );

/** Notes what an export writes, for other runs of its job. */
export const noteExportingWrite = ({ _id }: SpaceDocument, gitExporting: GitExporting): Write =>
  write.update(spaces, { _id }, { $set: { gitExporting } });

interface Opened {
  /** The commit that the content is written on. */
  parent: string | undefined;
  tree: BranchTree;
  /** The commit that an earlier run pushed. */
  pushed: string | undefined;
  /** The last state that the space and the branch shared. */
  state: SharedState | undefined;
}

/** The branch as it was before an earlier run of this job pushed to it. */
async function openBeforePush(branch: Branch, { exporting }: Pushing): Promise<Omit<Opened, 'state'>> {
  const { commit, parent } = exporting;
  if (commit === undefined || !(await branch.holds(commit)))
    return { parent: branch.parent?.oid, tree: branch.tree, pushed: undefined };
  return { parent, tree: await branch.treeOf(parent), pushed: commit };
}

interface Access {
  deps: Dependencies;
  run: Run;
  branch: Branch;
}

async function writeAndPush(
  { deps, run, branch }: Access,
  { space, view, exporting, onto, describe = (exported) => describeMerge(deps, run, exported) }: Pushing,
  opened: Opened,
): Promise<Pushed> {
  const { payload } = run.job;
  const { parent, pushed } = opened;
  if (onto !== undefined && onto !== parent) throw new GitFailure('conflict', 'others pushed to the branch meanwhile');
  const { content, changes } = await planChanges(deps, run, { space, view, opened });
  const isNew = changes.size > 0;
  const isAhead = parent !== undefined && (opened.state?.commit !== parent || opened.state.isAhead);
  const { message, author = deps.commitAuthor } = await describe(view);
  if (pushed !== undefined) return { view, content, commit: { oid: pushed, message }, isNew, isAhead };
  const { organization, _id } = space;
  await checkStarter(deps, {
    starter: payload,
    organization,
    space: _id,
    rule: exportOperations.exportToGitRepository.access,
  });
  if (!isNew) {
    const commit = branch.parent;
    if (!commit) throw new GitFailure('conflict', 'there is nothing to export: the space has no content');
    if (!branch.tip) await branch.push(commit.oid);
    return { view, content, commit: { oid: commit.oid, message: commit.message }, isNew, isAhead };
  }
  const oid = await branch.commit({ message, author, committer: deps.commitAuthor, changes });
  const noted = { ...exporting, commit: oid, ...(parent === undefined ? {} : { parent }) };
  await deps.store.batch([deps.jobs.stillHeld(run.job), noteExportingWrite(space, noted)]);
  await branch.push(oid);
  return { view, content, commit: { oid, message }, isNew, isAhead };
}

/** Plans the files to write. Throws GitFailure `conflict` for files that both sides changed, unless the export is forced. */
async function planChanges(
  deps: Dependencies,
  { job: { payload } }: Run,
  {
    space,
    view,
    opened: {
      tree: { files, others },
      state,
    },
  }: Pick<Pushing, 'space' | 'view'> & { opened: Opened },
): Promise<{ content: ExportedContent; changes: Map<string, FileChange> }> {
  const base = state && (await readSharedContent(deps, state));
  const content = await planExport(deps, {
    organization: space.organization,
    space: space._id,
    view,
    base,
    directory: directoryOf(payload),
    theirs: [...files.keys()],
    others,
  });
  const { conflicts, ...changed } = compareFiles({
    base: base ? await loadRepositoryOids(deps, base) : new Map(),
    ours: content.oids,
    theirs: new Map([...files].map(([path, { oid }]) => [path, oid])),
  });
  const held = heldPaths(state, base, content);
  const open = conflicts.filter((path) => !held.has(path));
  if (open.length > 0 && !payload.force) throw conflictFailure(open);
  const kept = new Set(payload.force ? [] : conflicts);
  const without = (paths: string[]) => paths.filter((path) => !kept.has(path));
  const changes = { write: without(changed.write), remove: without(changed.remove) };
  return { content, changes: toBranchChanges(content, changes, files) };
}

/** The paths of what waits to be settled: both sides keep their own. */
function heldPaths(
  state: SharedState | undefined,
  base: RevisionView | undefined,
  { paths }: ExportedContent,
): Set<string> {
  const items = (state?.held ?? []).flatMap(({ id }) => [
    paths.get(id),
    base?.pageById.get(id)?.git?.path,
    base?.fileById.get(id)?.git?.path,
    base?.reusable.find((entry) => entry.id === id)?.git?.path,
  ]);
  return new Set(items.filter((path) => path !== undefined));
}

/** The hashes of the files of content that the repository has, by path. */
async function loadRepositoryOids(
  { store }: Pick<Dependencies, 'store'>,
  view: RevisionView,
): Promise<Map<string, string>> {
  const oids = new Map<string, string>();
  for (const { git } of [...view.pageById.values(), ...view.files, ...view.reusable])
    if (git) oids.set(git.path, git.oid);
  for (const { path, oid } of await readSettings(store, view.revision)) oids.set(path, oid);
  return oids;
}

/** The message of the payload, which may name the change request that the revision was merged from. */
async function describeMerge(
  { store }: Pick<Dependencies, 'store'>,
  { job: { payload } }: Run,
  { revision: { mergedFrom } }: RevisionView,
): Promise<CommitWords> {
  const merged = mergedFrom === undefined ? null : await store.get(changeRequests, mergedFrom);
  return { message: commitMessage(payload.commitMessage, merged ?? undefined) };
}

/** Files that a symbolic link leads to are written where they are; of others the mode stays. */
function toBranchChanges(
  content: ExportedContent,
  { write, remove }: { write: string[]; remove: string[] },
  files: ReadonlyMap<string, ResolvedFile>,
): Map<string, FileChange> {
  const changes = new Map<string, FileChange>(remove.map((path) => [path, null]));
  const formerPaths = new Map([...content.renamed].map(([id, path]) => [content.paths.get(id), path]));
  for (const path of write) {
    const { at = path } = files.get(path) ?? {};
    const { mode = '100644' } = files.get(path) ?? files.get(formerPaths.get(path) ?? '') ?? {};
    changes.set(at, { mode, read: () => content.read(path) });
  }
  return changes;
}

const named = 10;

function conflictFailure(paths: string[]): GitFailure {
  const more = paths.length > named ? ` and ${paths.length - named} more` : '';
  return new GitFailure(
    'conflict',
    `the space and the branch both changed ${paths.slice(0, named).join(', ')}${more}; import the branch first, or export with force`,
  );
}

const placeholders = /\{change_request_(number|subject)\}/g;

/** The message of a commit that has no change request to name. */
const nothingToName = 'No commit message';

/** The message of a commit. `changeRequest`: the one whose merge is exported. */
export function commitMessage(
  template: string,
  changeRequest: { number: number; subject?: string | undefined } | undefined,
): string {
  if (!changeRequest) return template.search(placeholders) < 0 ? stripControls(template) : nothingToName;
  const { number, subject } = changeRequest;
  return stripControls(
    template.replace(placeholders, (_, name) => (name === 'number' ? String(number) : subject || 'No subject')),
  );
}

/** Without the characters that git does not take in a message. */
const stripControls = (message: string): string => message.replace(/[^\P{Cc}\n\t]/gu, '').trim() || nothingToName;

/** The hashes of files, by path. */
type Oids = ReadonlyMap<string, string>;

interface Sides {
  /** The content that space and branch shared last. */
  base: Oids;
  /** The content of the space. */
  ours: Oids;
  /** All files of the branch. */
  theirs: Oids;
}

interface FileChanges {
  /** Paths that are written as the space has them. */
  write: string[];
  remove: string[];
  /** Paths that space and branch both changed. */
  conflicts: string[];
}

/** The changes of the space since both sides were the same. Files that it did not change stay as the branch has them. */
export function compareFiles({ base, ours, theirs }: Sides): FileChanges {
  const changes: FileChanges = { write: [], remove: [], conflicts: [] };
  for (const path of new Set([...ours.keys(), ...base.keys()])) {
    const [was, is, there] = [base.get(path), ours.get(path), theirs.get(path)];
    if (is === was || is === there) continue;
    if (there !== was) changes.conflicts.push(path);
    if (is === undefined) changes.remove.push(path);
    else changes.write.push(path);
  }
  return changes;
}
