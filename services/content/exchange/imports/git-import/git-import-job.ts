import { Counter } from 'prom-client';
import type { HasBlobs } from '../../../../../shared/blobs/port.js';
import { auditRecord, auditRecorded } from '../../../../../shared/contract/audit.js';
import { system } from '../../../../../shared/contract/caller.js';
import type { HasCallAsSystem } from '../../../../../shared/contract/context.js';
import type { BodyOf } from '../../../../../shared/contract/operation.js';
import type { HasRoom } from '../../../../../shared/disk/room.js';
import { conflict, markLasting } from '../../../../../shared/errors/errors.js';
import type { HasJobs, JobKind, JobRun } from '../../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../../shared/jobs/outbox.js';
import { metricsRegistry } from '../../../../../shared/monitoring/metrics.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { type HasStore, StoreConflict, type Write, write } from '../../../../../shared/store/port.js';
import { timestamp } from '../../../../../shared/values/ids.js';
import { checkStarter } from '../../../core/access/starters.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { contentChanged } from '../../../core/events.js';
import { type SpaceDocument, spaces } from '../../../core/nodes/model.js';
import type { GitOperation } from '../../../core/nodes/resources.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import type { HasLedger } from '../../../core/storage/ledger.js';
import type { HasWork } from '../../../format/workers/page-work.js';
import type { HasIndexer } from '../../../reading/search/indexer.js';
import { indexPrimary } from '../../../reading/search/search-index.js';
import { importOperations } from '../../contract/git-imports.js';
import type { HasProxy } from '../../git/address/proxy.js';
import { treeURLOf } from '../../git/address/tree-url.js';
import { fetchTree } from '../../git/fetch.js';
import { transferLanes } from '../../git/operations/lanes.js';
import { newOperationMetrics } from '../../git/operations/operation-metrics.js';
import { type GitPayload, progressWrite, recordFailure, skipIfOlder } from '../../git/operations/progress.js';
import { commitURL, gitSettingsAfter, sessionOptions, syncSourceOf } from '../../git/operations/repository.js';
import { newSharedStateNote } from '../../git/operations/shared-states.js';
import { syncCompletedWrites, syncStartedWrite } from '../../git/operations/sync-events.js';
import { runWithinLimit } from '../../git/operations/time-limit.js';
import type { SourceTree } from '../../git/tree/source-tree.js';
import { commitImport } from '../commit-import.js';
import { type ImportedTree, importTree } from '../import-tree.js';
import { trimProblems } from '../problems.js';

const countImport = newOperationMetrics('import');
const importedPages = new Counter({
  name: 'bindery_imported_pages_total',
  help: 'Pages that Git imports brought in.',
  registers: [metricsRegistry],
});

/** The kind of the job. */
export const gitImport = 'gitImport';

export type GitImportPayload = GitPayload<BodyOf<typeof importOperations.importGitRepository>>;

export type ImportDependencies = HasStore &
  HasBlobs &
  HasSecrets &
  HasOutbox &
  HasJobs &
  HasTrees &
  HasCallAsSystem &
  HasRevisions &
  HasWork &
  HasLedger &
  HasIndexer &
  HasProxy &
  HasRoom & { cacheDir: string };
export type ImportRun = JobRun<GitImportPayload>;

/** The outcome of an import, with the writes that remain when its content is indexed. */
interface Imported {
  /** The space as the import leaves it. */
  space: SpaceDocument;
  /** The number of pages; null when nothing changed. */
  pages: number | null;
  writes: Write[];
  operation: Partial<GitOperation>;
}

/** The job behind an import: fetch, read, commit, index. Safe to run again from any point. */
export function gitImportJob(deps: ImportDependencies): JobKind<GitImportPayload> {
  return {
    kind: gitImport,
    attempts: 3,
    lanes: transferLanes,
    run: (run) => runImport(deps, run),
    async failed({ payload, createdAt }, error) {
      await recordFailure(deps, payload, { error, direction: 'import' });
      countImport('failure', createdAt);
    },
  };
}

async function runImport(deps: ImportDependencies, run: ImportRun): Promise<void> {
  const { store } = deps;
  const { payload, createdAt } = run.job;
  const space = await store.get(spaces, payload.space);
  if (!space || space.deletedAt) return;
  if (isCommitted(payload, space)) {
    await finishImport(deps, run, { space, writes: [], operation: {} });
    return countImport('success', createdAt);
  }
  if (await skipIfOlder(deps, payload, space)) return countImport('skipped', createdAt);
  await checkImporter(deps, payload, space);
  await store.batch([
    progressWrite(payload, { state: 'running', startedAt: timestamp() }),
    syncStartedWrite(deps, payload, { space, direction: 'import' }),
  ]);
  const { organization } = space;
  await deps.ledger.openUsage({ organization, space: space._id });
  await deps.ledger.checkRoom(organization, 1);
  const imported = await runWithinLimit(run, (signal) => importTip(deps, { ...run, signal }, space));
  await finishImport(deps, run, imported);
  countImport(imported.pages === null ? 'unchanged' : 'success', createdAt);
  importedPages.inc(imported.pages ?? 0);
}

/** Throws 403 where who started the import may not import any more. */
const checkImporter = (
  deps: ImportDependencies,
  starter: GitImportPayload,
  { organization, _id: space }: SpaceDocument,
) => checkStarter(deps, { starter, organization, space, rule: importOperations.importGitRepository.access });

/** Applies the tip of the branch to the content of the space; again whenever somebody changed that meanwhile. */
async function importTip(deps: ImportDependencies, run: ImportRun, space: SpaceDocument): Promise<Imported> {
  const { payload } = run.job;
  const tree = await fetchTree(fetchOptions(deps, run, space));
  try {
    if (isUnchanged(payload, space, tree)) {
      await checkImporter(deps, payload, space);
      return importedUnchanged(payload, space, tree);
    }
    for (let current = space; ; ) {
      try {
        return await applyTree(deps, run, { space: current, tree });
      } catch (error) {
        const now = error instanceof StoreConflict ? await deps.store.get(spaces, space._id) : null;
        if (!now || now.deletedAt || now.revision === current.revision) throw error;
        current = now;
      }
    }
  } finally {
    await tree.close();
  }
}

/** Whether an earlier run of this job got as far as the commit. */
const isCommitted = ({ operation }: GitImportPayload, { git, gitOperation }: SpaceDocument) =>
  git?.operation === operation || (gitOperation?.id === operation && gitOperation.revision !== undefined);

export const fetchOptions = (deps: ImportDependencies, run: ImportRun, space: SpaceDocument) => ({
  ...sessionOptions(deps, space, run),
  ref: run.job.payload.ref,
  ...(run.job.payload.repoProjectDirectory ? { within: run.job.payload.repoProjectDirectory } : {}),
});

const isUnchanged = (payload: GitImportPayload, { git }: SpaceDocument, { commit }: SourceTree) =>
  !payload.force && !payload.standalone && git?.commit === commit?.oid && git?.source === syncSourceOf(payload);

function importedUnchanged(payload: GitImportPayload, space: SpaceDocument, { commit }: SourceTree): Imported {
  const { oid = '' } = commit ?? {};
  const git = gitSettingsAfter(payload, space, oid);
  return {
    space,
    pages: null,
    writes: [write.update(spaces, { _id: space._id }, { $set: { git } })],
    operation: { commit: oid, revision: space.revision },
  };
}

/** The last step: makes the content searchable, then records the end of the operation. */
export async function finishImport(
  deps: ImportDependencies,
  run: ImportRun,
  { space, writes, operation }: Pick<Imported, 'space' | 'writes' | 'operation'>,
): Promise<void> {
  const { payload } = run.job;
  if (!payload.standalone) await indexPrimary(deps, { space: space._id, signal: run.signal });
  const end = { ...operation, state: 'success', completedAt: timestamp() } as const;
  const events = await syncCompletedWrites(deps, payload, { state: 'success', direction: 'import', made: operation });
  await deps.store.batch([deps.jobs.stillHeld(run.job), ...writes, progressWrite(payload, end), ...events]);
}

export async function applyTree(
  deps: ImportDependencies,
  run: ImportRun,
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
  if (imported.pages.length === 0) throw markLasting(conflict(noPagesText(payload)));
  const revision = await commitTree(deps, run, { space, tree, imported });
  return {
    space: standalone ? space : { ...space, revision },
    pages: imported.pages.length,
    writes: [],
    operation: {},
  };
}

export const noPagesText = ({ repoProjectDirectory }: GitImportPayload) =>
  `No pages were found${repoProjectDirectory ? ` below ${repoProjectDirectory}` : ''}: neither a SUMMARY.md nor markdown files`;

/** Returns the id of the new revision. */
async function commitTree(
  deps: ImportDependencies,
  run: ImportRun,
  { space, tree, imported }: { space: SpaceDocument; tree: SourceTree; imported: ImportedTree },
): Promise<string> {
  const { payload } = run.job;
  const { _id: id, organization } = space;
  const { oid = '', message = '' } = tree.commit ?? {};
  const { ref, standalone } = payload;
  const problems = trimProblems(imported.problems);
  const note = standalone ? undefined : await newSharedStateNote(deps, payload);
  await checkImporter(deps, payload, space);
  const { _id } = await commitImport(deps, {
    organization,
    space: id,
    parent: space.revision,
    content: imported,
    git: { oid, message, createdByService: false, ref, ...commitURL(payload, oid) },
    treeURL: treeURLOf({ ...payload, url: deps.secrets.decrypt(payload.url) }),
    standalone,
    changes: standalone ? {} : { git: gitSettingsAfter(payload, space, oid) },
    writes: (revision) => [
      deps.jobs.stillHeld(run.job),
      ...(note?.({ commit: oid, revision, isAhead: false, held: [] }) ?? []),
      progressWrite(payload, { commit: oid, revision, ...(problems.length > 0 ? { problems } : {}) }),
      ...(standalone
        ? []
        : [
            deps.outbox.add(auditRecorded, importAuditRecord(space, revision)),
            deps.outbox.add(contentChanged, { organization, space: id, revision, installation: payload.installation }),
          ]),
    ],
  });
  return _id;
}

/** The audit record of an import that became the primary content. */
const importAuditRecord = ({ _id: id, organization }: SpaceDocument, revision: string) =>
  auditRecord(
    { operation: 'importGitRepository', caller: system, organization, requestId: '' },
    { type: 'space', id },
    { details: { revision } },
  );
