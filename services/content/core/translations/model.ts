import { permissionsOf } from '../../../../shared/contract/access.js';
import { collection } from '../../../../shared/store/port.js';
import { type GlossaryEntry, type TranslationSettings, translationSettingsKind } from './resources.js';

export interface TranslationSettingsDocument {
  _id: string;
  organization: string;
  title: string;
  /** In the order in which they were given. */
  languages: string[];
  /** The space that is translated, and its language; absent for settings that other programs work by. */
  source?: { space: string; language: string };
  /** For the model, in Markdown. */
  instructions?: string;
  status?: 'pending' | 'running' | 'completed';
  /** Why the last run did not get on, shown to people. */
  problem?: string;
  /** The translations, by their language. */
  results?: Record<string, TranslationResult>;
  createdAt: string;
  updatedAt: string;
}

export interface TranslationResult {
  space: string;
  /** The revision of that space that it was made as; absent before the first. */
  revision?: string;
  /** The revision of the source that it is made from. */
  from?: string;
  /** Changes with all that it is made by besides the source. */
  key?: string;
  pages?: number;
  /** Texts that stayed in the language of the source. */
  kept?: number;
}

export const translationSettings = collection<TranslationSettingsDocument>('content_translation_settings', [
  { on: { organization: 1, createdAt: 1 } },
  { on: { 'source.space': 1 }, where: 'source' },
]);

export function presentTranslationSettings(
  baseUrl: string,
  settings: TranslationSettingsDocument,
  role: string | null,
): TranslationSettings {
  const { _id: id, organization, title, languages, createdAt, updatedAt } = settings;
  const { source, status, instructions, problem, results = {} } = settings;
  return {
    object: 'translation-settings',
    id,
    title,
    languages,
    ...(source
      ? {
          source,
          status: status ?? 'pending',
          ...(instructions ? { instructions } : {}),
          ...(problem ? { problem } : {}),
          results: languages.flatMap((language) => {
            const { from: _, key: __, ...result } = results[language] ?? { space: '' };
            return result.space === '' ? [] : [{ language, ...result }];
          }),
        }
      : {}),
    createdAt,
    updatedAt,
    permissions: permissionsOf(translationSettingsKind, role),
    urls: { location: `${baseUrl}/v1/orgs/${organization}/translations/${id}` },
  };
}

/** A document of a page in another language, by the settings, the document and all else that it was made by. */
export interface TranslatedDocument {
  _id: string;
  translation: string;
  /** Names the document within the target. */
  oid: string;
  kept: number;
}

export const translatedDocuments = collection<TranslatedDocument>('content_translated_documents', [
  { on: { translation: 1 } },
]);

/** A term in several languages. */
export interface GlossaryEntryDocument {
  _id: string;
  organization: string;
  /** By language code. */
  translations: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

export const glossaryEntries = collection<GlossaryEntryDocument>('content_glossary_entries', [
  { on: { organization: 1, createdAt: 1 } },
]);

export const presentGlossaryEntry = (
  baseUrl: string,
  { _id: id, organization, translations, createdAt, updatedAt }: GlossaryEntryDocument,
): GlossaryEntry => ({
  object: 'glossary-entry',
  id,
  translations,
  createdAt,
  updatedAt,
  urls: { location: `${baseUrl}/v1/orgs/${organization}/translations-glossary/${id}` },
});
