import { isDeepStrictEqual } from 'node:util';
import type { HasCallAsSystem } from '../../../../shared/contract/context.js';
import { failureOf } from '../../../../shared/errors/errors.js';
import type { HasJobs, Job, JobKind, NextRun } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import type { HasModel, Model } from '../../../../shared/model/model.js';
import { eachDocument, type HasStore, write } from '../../../../shared/store/port.js';
import { sha256, timeIn } from '../../../../shared/values/ids.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { type SpaceDocument, spaces } from '../../core/nodes/model.js';
import { carriedFields } from '../../core/revisions/commit.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import {
  glossaryEntries,
  type TranslationResult,
  type TranslationSettingsDocument,
  translationSettings,
} from '../../core/translations/model.js';
import { type TranslateSpace, translateSpace } from '../../core/translations/runs.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { HasIndexer } from '../../reading/search/indexer.js';
import { commitPrimary } from '../../writing/changes/commit-primary.js';
import type { HasAllowance } from '../allowance/allowance.js';
import { modelFor } from '../answers/answers.js';
import type { HasModelMemory } from '../memory/model-memory.js';
import { translateContent } from './space-translation.js';
import { targetSpace } from './target-space.js';
import { type Term, Translator } from './translator.js';

type Dependencies = HasStore &
  HasJobs &
  HasOutbox &
  HasTrees &
  HasRevisions &
  HasWork &
  HasLedger &
  HasIndexer &
  HasModel &
  HasAllowance &
  HasModelMemory &
  HasCallAsSystem;

/** The job that translates a space into the languages of its settings. It runs again from any point, and asks for nothing twice. */
export const translateJob = (deps: Dependencies): JobKind<TranslateSpace> => ({
  kind: translateSpace,
  attempts: Number.POSITIVE_INFINITY,
  async run({ job, signal }) {
    const { translation: _id } = job.payload;
    const { store } = deps;
    const settings = await store.update(translationSettings, { _id }, { $set: { status: 'running' } });
    if (!settings?.source) return;
    try {
      const model = await modelFor(deps, settings.organization);
      for (const language of settings.languages)
        await translateInto(deps, { job, settings, source: settings.source, language, model, signal });
      await store.update(translationSettings, { _id }, { $set: { status: 'completed' }, $unset: { problem: true } });
    } catch (error) {
      if (signal.aborted) throw error;
      return noteProblem(deps, _id, error);
    }
  },
});

/** Notes why a run did not get on. Throws the error where another attempt soon may get on; else returns when to try again, if ever. */
async function noteProblem({ store }: HasStore, _id: string, error: unknown): Promise<NextRun | undefined> {
  const { type, message } = failureOf(error);
  const isOver = type === 'FORBIDDEN' || type === 'PRECONDITION_FAILED';
  const changes = { problem: message, ...(isOver ? { status: 'completed' as const } : {}) };
  await store.update(translationSettings, { _id }, { $set: changes });
  if (isOver) return undefined;
  const { retryAfter } = (error as { data?: { retryAfter?: number } }).data ?? {};
  if (type === 'RATE_LIMITED' && retryAfter !== undefined) return { runAt: timeIn(retryAfter * 1000) };
  throw error;
}

interface Run {
  job: Pick<Job, '_id' | 'fence'>;
  settings: TranslationSettingsDocument;
  source: NonNullable<TranslationSettingsDocument['source']>;
  language: string;
  model: Model;
  signal: AbortSignal;
}

/** Brings the translation into one language up to the source. */
async function translateInto(deps: Dependencies, run: Run): Promise<void> {
  const { store, revisions, ledger, jobs } = deps;
  const { job, settings, language, model, signal } = run;
  const { _id: translation, organization, instructions = '', results = {} } = settings;
  const source = await store.get(spaces, run.source.space);
  if (!source || source.deletedAt) return;
  const terms = await termsBetween(deps, organization, run.source.language, language);
  const key = sha256(JSON.stringify([language, instructions, terms]));
  const space = await targetSpace(deps, { settings, source, language });
  const target = { organization, space: space._id };
  if (isUpToDate(results[language], { key, source, space })) return;
  const sweeps = await ledger.readSweeps(space._id);
  const view = await revisions.get(source._id, source.revision);
  const { language: from } = run.source;
  const translator = new Translator(deps, { model, organization, from, to: language, instructions, terms, signal });
  const made = await translateContent(deps, { translation, key, translator, view, target, signal });
  for (const file of view.files) await ledger.addFileUse(target, file);
  const before = await revisions.get(space._id, space.revision);
  const { files, outside, redirects } = view;
  const content = {
    pages: made.pages,
    reusable: made.reusable,
    files,
    outside: [...outside],
    redirects: [...redirects.values()],
  };
  const result = { space: space._id, from: source.revision, pages: view.pageById.size, kept: made.kept, key };
  const noteResult = (revision: string) => [
    jobs.stillHeld(job),
    write.update(
      translationSettings,
      { _id: translation },
      { $set: { [`results.${language}`]: { ...result, revision } } },
    ),
  ];
  if (isDeepStrictEqual([before.pages, before.files, before.reusable], [made.pages, files, made.reusable]))
    return store.batch(noteResult(space.revision));
  const { repository: _, ...carried } = carriedFields(view);
  await commitPrimary(deps, {
    ...target,
    primary: before,
    before,
    content,
    sweeps,
    fields: {
      ...carried,
      parents: [space.revision],
      type: 'computed',
      subject: `Translation of ${source.title}`,
    },
    writes: ({ _id }) => noteResult(_id),
  });
}

const isUpToDate = (
  result: TranslationResult | undefined,
  { key, source, space }: { key: string; source: SpaceDocument; space: SpaceDocument },
): boolean => result?.from === source.revision && result.revision === space.revision && result.key === key;

/** The terms that the glossary of an organization has in both languages. */
async function termsBetween({ store }: HasStore, organization: string, from: string, to: string): Promise<Term[]> {
  const terms: Term[] = [];
  for await (const { translations } of eachDocument(store, glossaryEntries, { organization })) {
    const { [from]: source, [to]: target } = translations;
    if (source !== undefined && target !== undefined) terms.push({ source, target });
  }
  return terms;
}
