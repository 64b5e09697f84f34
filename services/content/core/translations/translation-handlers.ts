import type { HandlersOf } from '../../../../shared/contract/service.js';
import { notFound } from '../../../../shared/errors/errors.js';
import { listPage } from '../../../../shared/lists/paging.js';
import { again } from '../../../../shared/store/again.js';
import { checkBound } from '../../../../shared/store/bounds.js';
import { changesOf } from '../../../../shared/store/changes.js';
import { type HasStore, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import type { translationOperations } from '../contract/translations.js';
import { presentTranslationSettings, type TranslationSettingsDocument, translationSettings } from './model.js';

type Handlers = HandlersOf<typeof translationOperations>;

const object = 'translation-settings';

export function translationHandlers({ store, baseUrl }: HasStore & { baseUrl: string }): Handlers {
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

    async createTranslation({ path: { organizationId: organization }, body }, { access: { role }, audit }) {
      const { title, languages = [] } = body;
      await checkBound(
        store,
        translationSettings,
        { organization },
        { max: 1000, what: 'translation settings in an organization' },
      );
      const createdAt = timestamp();
      const created = { _id: newId(), organization, title, languages, createdAt, updatedAt: createdAt };
      await store.batch([
        write.insert(translationSettings, created),
        audit(object, created._id, { details: { title, ...(languages.length > 0 ? { languages } : {}) } }),
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
        const updatedAt = timestamp();
        await store.batch([
          write.update(
            translationSettings,
            { _id: id },
            { $set: { ...changes.update.$set, updatedAt } },
            { expect: 1 },
          ),
          audit(object, id, { details: changes.details }),
        ]);
        return { ...changes.after, updatedAt };
      });
      return presentTranslationSettings(baseUrl, after, role);
    },

    deleteTranslation: ({ path: { translationSettingsId: id } }, { audit }) =>
      again(async () => {
        await findSettings(id);
        await store.batch([write.delete(translationSettings, { _id: id }, { expect: 1 }), audit(object, id)]);
      }),
  };
}
