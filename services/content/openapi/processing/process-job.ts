import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HasJobs, JobKind, JobRun } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import type { HasOutbound } from '../../../../shared/outbound/client.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import {
  eachDocument,
  type HasStore,
  StoreConflict,
  type Update,
  type Write,
  write,
} from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import { blobUses } from '../../core/storage/model.js';
import { runInScratchFolder } from '../../core/storage/scratch.js';
import type { SpecWork } from '../document/spec-work.js';
import type { StoredSpec } from '../document/spec-worker.js';
import { specChanged } from '../specs/dependents.js';
import { processLater, processOpenAPISpec, recheckLater, recheckOpenAPISpec, type SpecCheck } from '../specs/jobs.js';
import { ownerOf, type SpecDocument, type SpecVersionDocument, specs, specVersions } from '../specs/model.js';
import { ProcessFailure } from './fetch-files.js';
import { processSource } from './process-source.js';

type Dependencies = HasStore &
  HasBlobs &
  HasSecrets &
  HasOutbox &
  HasJobs &
  HasOutbound &
  HasLedger & { specWork: SpecWork; scratchDir: string };

/** The latest versions of a specification that are kept. */
const keptVersions = 20;

/** The job that makes a version of the source of a specification. Safe to run again from any point. */
export function processSpecJob(deps: Dependencies): JobKind<SpecCheck> {
  return {
    kind: processOpenAPISpec,
    attempts: 3,
    run: (run) => processAndTidy(deps, run),
    async failed({ payload }, error) {
      const spec = await current(deps, payload);
      if (!spec || spec.processingState === 'complete') return;
      const { type, message } = error as Error & { type?: string };
      const failure = new ProcessFailure('PARSE_ERROR', type ? message : 'Processing failed on our side; try again');
      await unlessSuperseded(() => deps.store.batch(endWrites(deps, spec, { failure })));
    },
  };
}

/** The job that has the source of a URL processed again, unless it was meanwhile. */
export function recheckSpecJob({ store, jobs }: Pick<Dependencies, 'store' | 'jobs'>): JobKind<SpecCheck> {
  return {
    kind: recheckOpenAPISpec,
    attempts: 10,
    async run({ job: { payload } }) {
      const spec = await current({ store }, payload);
      if (!spec) return;
      const next = { ...spec, check: newId() };
      await unlessSuperseded(() =>
        store.batch([
          write.update(
            specs,
            { _id: spec._id, check: spec.check },
            { $set: { check: next.check, processingState: 'pending' } },
            { expect: 1 },
          ),
          processLater(jobs, next),
        ]),
      );
    },
  };
}

/** The specification, unless it is gone or a later request asks for something else. */
async function current(
  { store }: Pick<Dependencies, 'store'>,
  { spec: id, check }: SpecCheck,
): Promise<SpecDocument | null> {
  const spec = await store.get(specs, id);
  return spec?.check === check ? spec : null;
}

async function unlessSuperseded(act: () => Promise<void>): Promise<void> {
  await act().catch((error) => {
    if (!(error instanceof StoreConflict)) throw error;
  });
}

async function processAndTidy(deps: Dependencies, run: JobRun<SpecCheck>): Promise<void> {
  const { payload } = run.job;
  const spec = await current(deps, payload);
  if (spec && spec.processingState !== 'complete') await processSpec(deps, run, spec);
  await tidySpec(deps, payload.spec);
}

async function processSpec(deps: Dependencies, { job, signal }: JobRun<SpecCheck>, spec: SpecDocument): Promise<void> {
  const { store, jobs } = deps;
  const { _id, check } = spec;
  const started = { $set: { processingState: 'progress' as const } };
  if (!(await store.update(specs, { _id, check }, started))) return;
  const end = await runInScratchFolder(deps.scratchDir, (folder) => endOf(deps, { spec, folder, signal }));
  await unlessLost(deps, job.payload, () => store.batch([jobs.stillHeld(job), ...endWrites(deps, spec, end)]));
}

/** A request that came meanwhile has a job of its own. */
async function unlessLost(deps: Dependencies, payload: SpecCheck, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof StoreConflict) || (await current(deps, payload))) throw error;
  }
}

async function endOf(deps: Dependencies, processed: Parameters<typeof processSource>[1]): Promise<End> {
  try {
    return await storeSpecVersion(deps, processed.spec, await processSource(deps, processed));
  } catch (error) {
    if (error instanceof ProcessFailure) return { failure: error };
    throw error;
  }
}

/** Stores what a version consists of; the latest one stays when it is the same, with the text that was given now. */
export async function storeSpecVersion(
  { store, ledger }: HasStore & HasLedger,
  spec: SpecDocument,
  made: StoredSpec,
): Promise<{ version: SpecVersionDocument; isNew: boolean }> {
  const latest = spec.lastVersion === undefined ? null : await store.get(specVersions, spec.lastVersion);
  const owner = ownerOf(spec);
  await ledger.openUsage(owner);
  const raw = await ledger.addFile(owner, made.raw);
  if (latest && latest.file === made.file.sha256) return { version: { ...latest, raw }, isNew: false };
  const file = await ledger.addFile(owner, made.file);
  const outline = await ledger.addFile(owner, made.outline);
  return { version: { _id: newId(), spec: spec._id, file, outline, raw, createdAt: timestamp() }, isNew: true };
}

/** How processing ended. */
type End = { failure: ProcessFailure } | { version: SpecVersionDocument; isNew: boolean };

/** The writes that end the processing of a source. */
function endWrites(deps: Dependencies, spec: SpecDocument, end: End): Write[] {
  const { jobs } = deps;
  const { _id, check, source } = spec;
  const now = timestamp();
  const made = 'version' in end ? end : null;
  const lastProcessError = 'failure' in end ? { code: end.failure.code, message: end.failure.message } : undefined;
  const update: Update<SpecDocument> = {
    $set: {
      processingState: 'complete',
      lastProcessedAt: now,
      ...(lastProcessError ? { lastProcessError } : {}),
      ...(made?.isNew ? { lastVersion: made.version._id, updatedAt: now } : {}),
    },
    $unset: {
      ...(lastProcessError ? {} : { lastProcessError: true as const }),
      ...(source.kind === 'text' ? { 'source.blob': true as const } : {}),
    },
  };
  return [
    write.update(specs, { _id, check }, update, { expect: 1 }),
    ...(made ? versionWrites(deps, spec, made) : []),
    ...(source.kind === 'url' ? [recheckLater(jobs, spec)] : []),
  ];
}

const versionWrites = (
  deps: Dependencies,
  spec: SpecDocument,
  { version, isNew }: Extract<End, { version: SpecVersionDocument }>,
): Write[] =>
  isNew
    ? [write.insert(specVersions, version), ...specChanged(deps, spec)]
    : [write.update(specVersions, { _id: version._id }, { $set: { raw: version.raw } }, { expect: 1 })];

/** Removes old versions of a specification, and the files that it no longer needs. Only its jobs do, one after the other. */
async function tidySpec({ store, ledger }: Dependencies, id: string): Promise<void> {
  const spec = await store.get(specs, id);
  if (!spec) return;
  const kept = new Set<string>(spec.source.kind === 'text' && spec.source.blob ? [spec.source.blob] : []);
  const { items: latest } = await store.page(specVersions, {
    filter: { spec: id },
    sort: { createdAt: -1 },
    limit: keptVersions,
  });
  for (const { file, outline, raw = file } of latest) kept.add(file).add(outline).add(raw);
  const keptIds = latest.map(({ _id }) => _id);
  if (keptIds.length === keptVersions) await store.deleteMany(specVersions, { spec: id, _id: { $nin: keptIds } });
  const unused = [];
  for await (const use of eachDocument(store, blobUses, { space: id })) if (!kept.has(use.blob)) unused.push(use);
  if (unused.length > 0) await ledger.removeBlobUses(ownerOf(spec), unused, []);
}
