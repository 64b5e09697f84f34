import { auditRecord, auditRecorded } from '../../shared/contract/audit.js';
import { system } from '../../shared/contract/caller.js';
import { conflict } from '../../shared/errors.js';
import { timestamp } from '../../shared/ids.js';
import { type Write, write } from '../../shared/store/port.js';
import type { JobKind, JobRun } from '../../shared/work/jobs.js';
import { commitRevision } from './commit.js';
import { contentChanged } from './events.js';
import { GitFailure } from './git/failure.js';
import { fetchTree } from './git/fetch.js';
import { treeURLOf } from './git/tree-url.js';
import { type GitImportPayload, type GitRules, gitImport } from './git-import.js';
import { type ImportedTree, importTree } from './import.js';
import { countImport } from './import-metrics.js';
import { type GitSettings, jobs as jobDocuments, type SpaceDocument, spaces } from './model.js';
import type { GitOperation } from './resources.js';
import { indexPrimary } from './search-index.js';
import type { SourceTree } from './source-tree.js';

type Run = JobRun<GitImportPayload>;

const problemsShown = 100;
const transient = new Set(['network', 'timeout', 'corrupt', 'aborted']);

/** The job behind an import: fetch, read, commit, index. Safe to run again from any point. */
export function gitImportJob(rules: GitRules): JobKind<GitImportPayload> {
  return {
    kind: gitImport,
    attempts: 3,
    run: (run) => runImport(rules, run),
    async failed({ payload, createdAt }, error) {
      const shown = shownError(payload, error);
      await mark(rules, payload, { state: 'failure', error: shown, completedAt: timestamp() });
      countImport('failure', createdAt);
    },
  };
}

/** What helps who imports; where only the log does, the request to look for in it. */
function shownError({ requestId }: GitImportPayload, error: Error): string {
  const ours = error instanceof GitFailure ? error.reason === 'corrupt' : !(error as { type?: string }).type;
  if (!ours) return error.message;
  const what = error instanceof GitFailure ? error.message : 'the import failed on our side';
  return `${what}; try again, or ask who runs this server to look for request ${requestId} in its log`;
}

/** Notes how the operation goes, as long as no later one took its place in the space. */
const marking = ({ space, operation }: GitImportPayload, changes: Partial<GitOperation>): Write =>
  write.update(
    spaces,
    { _id: space, 'gitOperation.id': operation },
    { $set: Object.fromEntries(Object.entries(changes).map(([field, value]) => [`gitOperation.${field}`, value])) },
  );

const mark = ({ store }: GitRules, payload: GitImportPayload, changes: Partial<GitOperation>) =>
  store.batch([marking(payload, changes)]);

async function runImport(rules: GitRules, run: Run): Promise<void> {
  const { payload } = run.job;
  const space = await rules.store.get(spaces, payload.space);
  if (!space || space.deletedAt) return;
  if (isCommitted(payload, space)) {
    await finish(rules, run);
    return countImport('success', run.job.createdAt);
  }
  const older = olderThanApplied(payload, space.git);
  if (older) {
    await mark(rules, payload, { state: 'skipped', error: older, completedAt: timestamp() });
    return countImport('skipped', run.job.createdAt);
  }
  await mark(rules, payload, { state: 'running', startedAt: timestamp() });
  const pages = await importTip(rules, run, space).catch((error) => {
    throw asJobError(payload, error);
  });
  await finish(rules, run);
  countImport(pages === null ? 'unchanged' : 'success', run.job.createdAt, pages ?? 0);
}

/** How many pages came in; null where nothing changed. */
async function importTip(rules: GitRules, run: Run, space: SpaceDocument): Promise<number | null> {
  const { payload } = run.job;
  const tree = await fetchTree(fetchOptions(rules, run));
  try {
    if (!isUnchanged(payload, space, tree)) return await applyTree(rules, run, space, tree);
    await noteUnchanged(rules, payload, space, tree);
    return null;
  } finally {
    await tree.close();
  }
}

/** An earlier run of this job got as far as the commit. */
const isCommitted = ({ operation }: GitImportPayload, { git, gitOperation }: SpaceDocument) =>
  git?.operation === operation || (gitOperation?.id === operation && gitOperation.revision !== undefined);

const fetchOptions = ({ secrets, proxy, cacheDir }: GitRules, { job: { payload }, signal }: Run) => ({
  url: secrets.decrypt(payload.url),
  ref: payload.ref,
  proxy,
  cacheDir,
  ...(payload.repoCacheID ? { cacheId: payload.repoCacheID } : {}),
  ...(payload.repoProjectDirectory ? { within: payload.repoProjectDirectory } : {}),
  signal,
});

/** With what the log has to say, and whether it is worth another attempt. */
function asJobError({ space, requestId }: GitImportPayload, error: Error & { permanent?: boolean }): Error {
  const about = { space, requestId };
  if (!(error instanceof GitFailure)) return Object.assign(error, { about });
  const { reason, words } = error;
  return Object.assign(error, {
    permanent: !transient.has(reason),
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
  return `A later operation (${applied}) was applied already`;
}

/** What a commit was imported as: another folder or branch of it is another source. */
const sourceOf = ({ ref, repoProjectDirectory = '' }: GitImportPayload) => `${ref} ${repoProjectDirectory}`;

const isUnchanged = (payload: GitImportPayload, { git }: SpaceDocument, { commit }: SourceTree) =>
  !payload.force && !payload.standalone && git?.commit === commit?.oid && git?.source === sourceOf(payload);

async function noteUnchanged(
  { store }: GitRules,
  payload: GitImportPayload,
  space: SpaceDocument,
  { commit }: SourceTree,
): Promise<void> {
  const { oid = '' } = commit ?? {};
  await store.batch([
    write.update(spaces, { _id: space._id }, { $set: { git: settingsAfter(payload, space.git, oid) } }),
    marking(payload, { commit: oid, revision: space.revision }),
  ]);
}

/** The last step: what was committed can be found, and the operation says so. */
async function finish(rules: GitRules, { job: { payload }, signal }: Run): Promise<void> {
  if (!payload.standalone) await indexPrimary(rules, payload.space, signal);
  await mark(rules, payload, { state: 'success', completedAt: timestamp() });
}

/** The number of pages. */
async function applyTree(rules: GitRules, run: Run, space: SpaceDocument, tree: SourceTree): Promise<number> {
  const { payload } = run.job;
  const before = await rules.revisions.get(space._id, space.revision);
  const { repoProjectDirectory: projectDirectory } = payload;
  const imported = await importTree(rules, tree, { space: space._id, projectDirectory, before, signal: run.signal });
  if (imported.pages.length === 0)
    throw Object.assign(conflict(emptyText(payload)), { permanent: true, expected: true });
  await commitTree(rules, run, space, tree, imported);
  return imported.pages.length;
}

const emptyText = ({ repoProjectDirectory }: GitImportPayload) =>
  `No pages were found${repoProjectDirectory ? ` below ${repoProjectDirectory}` : ''}: neither a SUMMARY.md nor markdown files`;

async function commitTree(
  rules: GitRules,
  { job }: Run,
  space: SpaceDocument,
  tree: SourceTree,
  imported: ImportedTree,
): Promise<void> {
  const { payload } = job;
  const { oid = '', message = '' } = tree.commit ?? {};
  const { ref, repoCommitURL, standalone } = payload;
  const url = repoCommitURL ? { url: `${repoCommitURL.replace(/\/+$/, '')}/${oid}` } : {};
  const shown = imported.problems.slice(0, problemsShown);
  await commitRevision(rules.store, {
    space: space._id,
    parent: space.revision,
    tree: imported,
    git: { oid, message, createdByService: false, ref, ...url },
    treeURL: treeURLOf({ ...payload, url: rules.secrets.decrypt(payload.url) }),
    standalone,
    changes: standalone ? {} : { git: settingsAfter(payload, space.git, oid) },
    writes: (revision) => [
      write.check(jobDocuments, { _id: job._id, state: 'running', fence: job.fence ?? '' }, 1),
      marking(payload, { commit: oid, revision, ...(shown.length > 0 ? { problems: shown } : {}) }),
      ...(standalone ? [] : [recordOf(rules, space, revision), changeOf(rules, space, revision)]),
    ],
  });
  rules.outbox.wake();
}

const changeOf = ({ outbox }: GitRules, { _id: space, organization }: SpaceDocument, revision: string): Write =>
  outbox.add(contentChanged, { organization, space, revision });

/** The audit record of an import that took its place as the primary content. */
function recordOf({ outbox }: GitRules, { _id: id, organization }: SpaceDocument, revision: string): Write {
  const audited = { operation: 'importGitRepository', caller: system, organization, requestId: '' };
  return outbox.add(auditRecorded, auditRecord(audited, { type: 'space', id }, { details: { revision } }));
}

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
