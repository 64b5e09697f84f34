import { auditRecord, auditRecorded } from '../../../../shared/contract/audit.js';
import { system } from '../../../../shared/contract/caller.js';
import type { BodyOf } from '../../../../shared/contract/operation.js';
import { conflict } from '../../../../shared/errors.js';
import { timestamp } from '../../../../shared/ids.js';
import { StoreConflict, type Write, write } from '../../../../shared/store/port.js';
import type { JobKind, JobRun } from '../../../../shared/work/jobs.js';
import type { importOperations } from '../../contract/imports.js';
import type { ContentDependencies } from '../../dependencies.js';
import { contentChanged } from '../../events.js';
import { treeURLOf } from '../../git/address/tree-url.js';
import { GitFailure } from '../../git/command/failure.js';
import { fetchTree } from '../../git/fetch.js';
import type { SourceTree } from '../../git/tree/source-tree.js';
import { indexPrimary } from '../../search/search-index.js';
import { tidySpace } from '../../storage/unreached.js';
import { type GitSettings, type SpaceDocument, spaces } from '../../tree/model.js';
import type { GitOperation } from '../../tree/resources.js';
import { commitImport } from '../commit-import.js';
import { type ImportedTree, importTree } from '../import-tree.js';
import { countImport } from './import-metrics.js';

/** The kind of the job. */
export const gitImport = 'gitImport';

/** What the job needs. `url`, which may carry credentials, is encrypted. */
export interface GitImportPayload extends BodyOf<typeof importOperations.importGitRepository> {
  space: string;
  operation: string;
  /** The request that started it. */
  requestId?: string;
}

type Dependencies = Omit<ContentDependencies, 'views' | 'links' | 'members' | 'baseUrl' | 'trees'>;
type Run = JobRun<GitImportPayload>;

/** What an import did, and what is left to write when its content is indexed. */
interface Imported {
  /** The space as the import leaves it. */
  space: SpaceDocument;
  /** The number of pages; null when nothing changed. */
  pages: number | null;
  writes: Write[];
  operation: Partial<GitOperation>;
}

const problemsShown = 100;
const problemShown = 500;
const transient = new Set(['network', 'corrupt', 'aborted']);
/** Milliseconds. Only a run that failed sooner is tried again, so that no server can hold an import for long. */
const quickFailure = 60_000;
/** Milliseconds of a run, without the indexing. */
const longestRun = 15 * 60_000;

/** The job behind an import: fetch, read, commit, index. Safe to run again from any point. */
export function gitImportJob(deps: Dependencies): JobKind<GitImportPayload> {
  return {
    kind: gitImport,
    attempts: 3,
    run: (run) => runImport(deps, run),
    async failed({ payload, createdAt }, error) {
      const operation = { state: 'failure', error: errorText(payload, error), completedAt: timestamp() } as const;
      const tidy = deps.jobs.enqueue(tidySpace, { space: payload.space }, { orderKey: `git ${payload.space}` });
      await deps.store.batch([operationWrite(payload, operation), tidy]);
      countImport('failure', createdAt);
    },
  };
}

/** What helps the person who imports; for faults that only the log explains, the request to look for in it. */
function errorText({ requestId }: GitImportPayload, error: Error): string {
  const ours = error instanceof GitFailure ? error.reason === 'corrupt' : !(error as { type?: string }).type;
  if (!ours) return error.message;
  const what = error instanceof GitFailure ? error.message : 'the import failed on our side';
  return `${what}; try again, or ask the operator of this server to look for request ${requestId} in its log`;
}

/** Records the progress of the operation, unless a later one has taken its place in the space. */
const operationWrite = ({ space, operation }: GitImportPayload, changes: Partial<GitOperation>): Write =>
  write.update(
    spaces,
    { _id: space, 'gitOperation.id': operation },
    { $set: Object.fromEntries(Object.entries(changes).map(([field, value]) => [`gitOperation.${field}`, value])) },
  );

async function runImport(deps: Dependencies, run: Run): Promise<void> {
  const { store } = deps;
  const { payload, createdAt } = run.job;
  const space = await store.get(spaces, payload.space);
  if (!space || space.deletedAt) return;
  if (isCommitted(payload, space)) {
    await finish(deps, run, { space, writes: [], operation: {} });
    return countImport('success', createdAt);
  }
  const older = olderThanApplied(payload, space.git);
  if (older) {
    await store.batch([operationWrite(payload, { state: 'skipped', error: older, completedAt: timestamp() })]);
    return countImport('skipped', createdAt);
  }
  await store.batch([operationWrite(payload, { state: 'running', startedAt: timestamp() })]);
  const { organization } = space;
  await deps.ledger.open({ organization, space: space._id });
  await deps.ledger.checkRoom(organization, 1);
  const began = Date.now();
  const imported = await importWithin(longestRun, deps, run, space).catch((error) => {
    throw asJobError(payload, error, Date.now() - began);
  });
  await finish(deps, run, imported);
  countImport(imported.pages === null ? 'unchanged' : 'success', createdAt, imported.pages ?? 0);
}

async function importWithin(ms: number, deps: Dependencies, run: Run, space: SpaceDocument): Promise<Imported> {
  const limit = AbortSignal.timeout(ms);
  try {
    return await importTip(deps, { ...run, signal: AbortSignal.any([run.signal, limit]) }, space);
  } catch (error) {
    if (!limit.aborted || run.signal.aborted) throw error;
    throw new GitFailure('timeout', `the import took more than ${ms / 60_000} minutes`);
  }
}

async function importTip(deps: Dependencies, run: Run, space: SpaceDocument): Promise<Imported> {
  const { payload } = run.job;
  const tree = await fetchTree(fetchOptions(deps, run));
  try {
    if (isUnchanged(payload, space, tree)) return unchanged(payload, space, tree);
    return await applyTo(deps, run, { space, tree });
  } finally {
    await tree.close();
  }
}

/** Applies the tree to the content that the space has; once more when somebody changed it meanwhile. */
async function applyTo(
  deps: Dependencies,
  run: Run,
  { space, tree }: { space: SpaceDocument; tree: SourceTree },
): Promise<Imported> {
  try {
    return await applyTree(deps, run, { space, tree });
  } catch (error) {
    const now = error instanceof StoreConflict ? await deps.store.get(spaces, space._id) : null;
    if (!now || now.deletedAt || now.revision === space.revision) throw error;
    return applyTo(deps, run, { space: now, tree });
  }
}

/** Whether an earlier run of this job got as far as the commit. */
const isCommitted = ({ operation }: GitImportPayload, { git, gitOperation }: SpaceDocument) =>
  git?.operation === operation || (gitOperation?.id === operation && gitOperation.revision !== undefined);

const fetchOptions = ({ secrets, proxy, cacheDir, room }: Dependencies, { job: { payload }, signal }: Run) => ({
  url: secrets.decrypt(payload.url),
  ref: payload.ref,
  proxy,
  cacheDir,
  room,
  ...(payload.repoCacheID ? { cacheId: payload.repoCacheID } : {}),
  ...(payload.repoProjectDirectory ? { within: payload.repoProjectDirectory } : {}),
  signal,
});

/** Adds what the job needs to know of an error: whether another attempt makes sense, and what to log. */
function asJobError(
  { space, requestId }: GitImportPayload,
  error: Error & { permanent?: boolean },
  tookMs: number,
): Error {
  const about = { space, requestId };
  if (!(error instanceof GitFailure)) return Object.assign(error, { about });
  const { reason, words } = error;
  return Object.assign(error, {
    permanent: !transient.has(reason) || tookMs > quickFailure,
    expected: reason !== 'corrupt',
    about: { ...about, reason, ...(words ? { git: words } : {}) },
  });
}

function olderThanApplied(
  { timestamp: at, force }: GitImportPayload,
  git: GitSettings | undefined,
): string | undefined {
  const applied = git?.appliedTimestamp;
  if (force || at === undefined || applied === undefined || Date.parse(at) >= Date.parse(applied)) return undefined;
  return `A later operation (${applied}) was already applied`;
}

/** Names the branch and the folder that are imported: the same commit may hold several sources. */
const sourceOf = ({ ref, repoProjectDirectory = '' }: GitImportPayload) => `${ref} ${repoProjectDirectory}`;

const isUnchanged = (payload: GitImportPayload, { git }: SpaceDocument, { commit }: SourceTree) =>
  !payload.force && !payload.standalone && git?.commit === commit?.oid && git?.source === sourceOf(payload);

function unchanged(payload: GitImportPayload, space: SpaceDocument, { commit }: SourceTree): Imported {
  const { oid = '' } = commit ?? {};
  const git = settingsAfter(payload, space.git, oid);
  return {
    space,
    pages: null,
    writes: [write.update(spaces, { _id: space._id }, { $set: { git } })],
    operation: { commit: oid, revision: space.revision },
  };
}

/** The last step: makes the content searchable, then records the end of the operation. */
async function finish(
  deps: Dependencies,
  run: Run,
  { space, writes, operation }: Pick<Imported, 'space' | 'writes' | 'operation'>,
): Promise<void> {
  const { payload } = run.job;
  if (!payload.standalone) await indexPrimary(deps, { space: space._id, signal: run.signal });
  const end = { ...operation, state: 'success', completedAt: timestamp() } as const;
  await deps.store.batch([deps.jobs.stillHeld(run.job), ...writes, operationWrite(payload, end)]);
}

async function applyTree(
  deps: Dependencies,
  run: Run,
  { space, tree }: { space: SpaceDocument; tree: SourceTree },
): Promise<Imported> {
  const { payload } = run.job;
  const before = await deps.revisions.get(space._id, space.revision);
  const { repoProjectDirectory: projectDirectory, standalone } = payload;
  const { _id, organization } = space;
  const imported = await importTree(deps, {
    tree,
    organization,
    space: _id,
    projectDirectory,
    before,
    signal: run.signal,
  });
  if (imported.pages.length === 0)
    throw Object.assign(conflict(emptyText(payload)), { permanent: true, expected: true });
  const revision = await commitTree(deps, run, { space, tree, imported });
  return {
    space: standalone ? space : { ...space, revision },
    pages: imported.pages.length,
    writes: [],
    operation: {},
  };
}

const emptyText = ({ repoProjectDirectory }: GitImportPayload) =>
  `No pages were found${repoProjectDirectory ? ` below ${repoProjectDirectory}` : ''}: neither a SUMMARY.md nor markdown files`;

/** Returns the id of the new revision. */
async function commitTree(
  { store, ledger, revisions, secrets, outbox, jobs }: Dependencies,
  run: Run,
  { space, tree, imported }: { space: SpaceDocument; tree: SourceTree; imported: ImportedTree },
): Promise<string> {
  const { payload } = run.job;
  const { _id: id, organization } = space;
  const { oid = '', message = '' } = tree.commit ?? {};
  const { ref, repoCommitURL, standalone } = payload;
  const url = repoCommitURL ? { url: `${repoCommitURL.replace(/\/+$/, '')}/${oid}` } : {};
  const problems = imported.problems
    .slice(0, problemsShown)
    .map(({ path, message }) => ({ path, message: message.slice(0, problemShown) }));
  const { _id } = await commitImport(
    { store, ledger, revisions },
    {
      organization,
      space: id,
      parent: space.revision,
      content: imported,
      git: { oid, message, createdByService: false, ref, ...url },
      treeURL: treeURLOf({ ...payload, url: secrets.decrypt(payload.url) }),
      standalone,
      changes: standalone ? {} : { git: settingsAfter(payload, space.git, oid) },
      writes: (revision) => [
        jobs.stillHeld(run.job),
        operationWrite(payload, { commit: oid, revision, ...(problems.length > 0 ? { problems } : {}) }),
        ...(standalone
          ? []
          : [
              outbox.add(auditRecorded, auditOf(space, revision)),
              outbox.add(contentChanged, { organization, space: id, revision }),
            ]),
      ],
    },
  );
  outbox.wake();
  return _id;
}

/** The audit record of an import that became the primary content. */
const auditOf = ({ _id: id, organization }: SpaceDocument, revision: string) =>
  auditRecord(
    { operation: 'importGitRepository', caller: system, organization, requestId: '' },
    { type: 'space', id },
    { details: { revision } },
  );

function settingsAfter(payload: GitImportPayload, git: GitSettings | undefined, commit: string): GitSettings {
  const { gitInfo, timestamp: at, operation } = payload;
  return {
    ...git,
    ...(gitInfo ? { ...gitInfo, repoName: repositoryName(gitInfo.url) } : {}),
    ...(at ? { appliedTimestamp: timestamp(new Date(at)) } : {}),
    commit,
    operation,
    source: sourceOf(payload),
    updatedAt: timestamp(),
  };
}

/** `owner/name` of a repository's tree URL. */
const repositoryName = (url: string): string =>
  new URL(url).pathname
    .split('/')
    .filter(Boolean)
    .slice(0, 2)
    .join('/')
    .replace(/\.git$/, '');
