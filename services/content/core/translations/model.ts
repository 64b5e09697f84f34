import { permissionsOf } from '../../../../shared/contract/access.js';
import { collection } from '../../../../shared/store/port.js';
import { type TranslationSettings, translationSettingsKind } from './resources.js';

export interface TranslationSettingsDocument {
  _id: string;
  organization: string;
  title: string;
  /** In the order in which they were given. */
  languages: string[];
  createdAt: string;
  updatedAt: string;
}

export const translationSettings = collection<TranslationSettingsDocument>('content_translation_settings', [
  { on: { organization: 1, createdAt: 1 } },
]);

export function presentTranslationSettings(
  baseUrl: string,
  { _id: id, organization, title, languages, createdAt, updatedAt }: TranslationSettingsDocument,
  role: string | null,
): TranslationSettings {
  return {
    object: 'translation-settings',
    id,
    title,
    languages,
    createdAt,
    updatedAt,
    permissions: permissionsOf(translationSettingsKind, role),
    urls: { location: `${baseUrl}/v1/orgs/${organization}/translations/${id}` },
  };
}
