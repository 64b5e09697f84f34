import type { HandlersOf } from '../../../../shared/contract/service.js';
import { invalid, notFound } from '../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import { listPage } from '../../../../shared/lists/paging.js';
import type { HasModel } from '../../../../shared/model/model.js';
import { again } from '../../../../shared/store/again.js';
import { checkBound } from '../../../../shared/store/bounds.js';
import { changesOf } from '../../../../shared/store/changes.js';
import { type HasStore, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import type { HasTrees } from '../access/tree/content-tree-cache.js';
import type { translationOperations } from '../contract/translations.js';
import {
  presentTranslationSettings,
  type TranslationSettingsDocument,
  translatedDocuments,
  translationSettings,
} from './model.js';
import { sourceSpace, translateLater } from './runs.js';

type Handlers = HandlersOf<typeof translationOperations>;

const object = 'translation-settings';

export function translationHandlers(deps: HasStore & HasJobs & HasTrees & HasModel & { baseUrl: string }): Handlers {
  const { store, baseUrl } = deps;

  const findSettings = async (id: string): Promise<TranslationSettingsDocument> => {
    const settings = await store.get(translationSettings, id);
    if (!settings) throw notFound('Translation settings');
    return settings;
  };

  return {
    listTranslations: ({ path: { organizationId: organization }, query: request }, { access: { role } }) =>
      listPage(store, translationSettings, { filter: { organization }, sort: { createdAt: 1 }, request }, (items) =>
        items.map((item) => presentTranslationSettings(baseUrl, item, role)),
      ),

    async createTranslation({ path: { organizationId: organization }, body }, { caller, access: { role }, audit }) {
      const { source, instructions, language } = body;
      const languages = [...new Set([...(body.languages ?? []), ...(language ? [language] : [])])];
      const space = source && (await sourceSpace(deps, { organization, space: source.space, caller }));
      if (source && languages.includes(source.language))
        throw invalid('languages: must not have the language of the source');
      await checkBound(
        store,
        translationSettings,
        { organization },
        { max: 1000, what: 'translation settings in an organization' },
      );
      const createdAt = timestamp();
      const title = body.title ?? (space?.title || 'Translation').slice(0, 100);
      const created = {
        _id: newId(),
        organization,
        title,
        languages,
        ...(source ? { source, status: 'pending' as const } : {}),
        ...(instructions ? { instructions } : {}),
        createdAt,
        updatedAt: createdAt,
      };
      const details = {
        title,
        ...(languages.length > 0 ? { languages } : {}),
        ...(source ? { source: source.space } : {}),
      };
      await store.batch([
        write.insert(translationSettings, created),
        ...translateLater(deps, created),
        audit(object, created._id, { details }),
      ]);
      return presentTranslationSettings(baseUrl, created, role);
    },

    getTranslation: async ({ path: { translationSettingsId: id } }, { access: { role } }) =>
      presentTranslationSettings(baseUrl, await findSettings(id), role),

    async updateTranslation({ path: { translationSettingsId: id }, body }, { access: { role }, audit }) {
      const after = await again(async () => {
        const settings = await findSettings(id);
        const changes = changesOf(settings, body);
        if (!changes) return settings;
        if (settings.source && body.languages?.includes(settings.source.language))
          throw invalid('languages: must not have the language of the source');
        const updatedAt = timestamp();
        await store.batch([
          write.update(
            translationSettings,
            { _id: id },
            { $set: { ...changes.update.$set, updatedAt } },
            { expect: 1 },
          ),
          ...translateLater(deps, settings),
          audit(object, id, { details: changes.details }),
        ]);
        return { ...changes.after, updatedAt };
      });
      return presentTranslationSettings(baseUrl, after, role);
    },

    deleteTranslation: ({ path: { translationSettingsId: id } }, { audit }) =>
      again(async () => {
        await findSettings(id);
        await store.batch([
          write.delete(translationSettings, { _id: id }, { expect: 1 }),
          write.delete(translatedDocuments, { translation: id }),
          audit(object, id),
        ]);
      }),
  };
}
