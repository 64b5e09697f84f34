import type { HasCallAsSystem } from '../../../../shared/contract/context.js';
import type { HandlersOf } from '../../../../shared/contract/service.js';
import { conflict, notFound } from '../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { HasModel } from '../../../../shared/model/model.js';
import { type HasStore, write } from '../../../../shared/store/port.js';
import { translationSettings } from '../../core/translations/model.js';
import { translateLater } from '../../core/translations/runs.js';
import { modelFor } from '../answers/answers.js';
import type { translatingOperations } from '../contract/translating.js';

export const translatingHandlers = (
  deps: HasStore & HasJobs & HasModel & HasCallAsSystem,
): HandlersOf<typeof translatingOperations> => ({
  async runTranslation({ path: { organizationId, translationId: _id } }, { audit }) {
    const settings = await deps.store.get(translationSettings, _id);
    if (!settings) throw notFound('Translation settings');
    if (!settings.source) throw conflict('These translation settings have no source to translate', 'wrong_state');
    await modelFor(deps, organizationId);
    await deps.store.batch([
      write.update(translationSettings, { _id }, { $set: { status: 'pending' } }, { expect: 1 }),
      ...translateLater(deps, settings),
      audit('translation-settings', _id),
    ]);
  },
});
