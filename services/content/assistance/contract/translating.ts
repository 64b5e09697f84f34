import { operation } from '../../../../shared/contract/operation.js';
import { onTranslationSettings } from '../../core/contract/translations.js';

export const translatingOperations = {
  runTranslation: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/translations/{translationId}/run',
    summary: 'Translate a space again',
    description:
      'For translation settings with a `source`. It goes on in the background; texts that were translated before are not translated again.',
    tag: 'Translations',
    access: onTranslationSettings('edit', 'translationId'),
    status: 204,
  }),
};
