import type { Caller } from '../../../../shared/contract/caller.js';
import { invalid } from '../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { HasModel } from '../../../../shared/model/model.js';
import type { HasStore, Write } from '../../../../shared/store/port.js';
import type { HasTrees } from '../access/tree/content-tree-cache.js';
import { type SpaceDocument, spaces } from '../nodes/model.js';
import { type TranslationSettingsDocument, translationSettings } from './model.js';

/** The kind of the job that translates the space of translation settings. */
export const translateSpace = 'translateSpace';

export interface TranslateSpace {
  organization: string;
  translation: string;
}

/** The writes that have a space translated, where there is a model and something to translate. */
export const translateLater = (
  { jobs, model }: HasJobs & HasModel,
  { _id: translation, organization, source }: Pick<TranslationSettingsDocument, '_id' | 'organization' | 'source'>,
): Write[] =>
  model && source
    ? [
        jobs.enqueueStanding<TranslateSpace>(
          `translate ${translation}`,
          translateSpace,
          { organization, translation },
          { share: organization },
        ),
      ]
    : [];

/** The space to translate. Throws 400 for one that the caller may not read, and for one that is a translation itself: it would follow itself. */
export async function sourceSpace(
  { store, trees }: HasStore & HasTrees,
  { organization, space, caller }: { organization: string; space: string; caller: Caller },
): Promise<SpaceDocument> {
  const [access] = await trees.resolve({ caller, ids: [space] }, 'space');
  const found = access?.role && access.organization === organization ? await store.get(spaces, space) : null;
  if (!found || found.deletedAt) throw invalid('source.space: no such space in this organization');
  if (found.translationOf !== undefined) throw invalid('source.space: is a translation itself');
  return found;
}

/** The writes that have the translations of a space follow it. */
export async function translationsFollow(
  { store, ...deps }: HasStore & HasJobs & HasModel,
  space: string,
): Promise<Write[]> {
  if (!deps.model) return [];
  const { items } = await store.page(translationSettings, {
    filter: { 'source.space': space },
    sort: {},
    limit: 100,
    fields: ['organization', 'source'],
  });
  return items.flatMap((settings) => translateLater(deps, settings));
}
