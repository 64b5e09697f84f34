import { z } from 'zod';
import { exampleId } from '../../../../shared/contract/examples.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import {
  glossaryEntrySchema,
  glossaryTranslationsSchema,
  languageSchema,
  translationSettingsKind,
  translationSettingsSchema,
  translationSourceSchema,
} from '../resources.js';

export const onTranslationSettings = (
  need: keyof typeof translationSettingsKind.rights,
  id = 'translationSettingsId',
) =>
  ({
    caller: ['user'],
    on: translationSettingsKind,
    id,
    within: 'organizationId',
    need,
  }) as const;

const title = z.string().min(1).max(100);
const languages = z
  .array(languageSchema)
  .refine((codes) => new Set(codes).size === codes.length, 'must be different languages')
  .optional();

const source = translationSourceSchema.optional().meta({
  description: 'A space that the model of the installation translates into each of the languages, each as a space.',
});
const instructions = z.string().max(4000).optional().meta({ description: 'For the model. Default: none.' });

export const translationOperations = {
  listTranslations: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/translations',
    summary: 'List the translation settings of an organization',
    description: 'In order of creation.',
    tag: 'Translations',
    access: onOrganization('view'),
    query: pageQuery,
    status: 200,
    response: listOf(translationSettingsSchema),
  }),
  createTranslation: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/translations',
    summary: 'Create translation settings',
    tag: 'Translations',
    access: onOrganization('createContent'),
    body: z
      .object({
        title: title
          .optional()
          .meta({ description: 'Required without `source`; with it, its space says it by default.' }),
        languages: languages.meta({ description: 'Language codes. Default: none.' }),
        language: languageSchema.optional().meta({ description: 'A language besides those of `languages`.' }),
        source,
        instructions,
      })
      .refine(({ title, source }) => title !== undefined || source !== undefined, {
        path: ['title'],
        error: 'required',
      })
      .meta({
        examples: [
          { title: 'Manuals' },
          { title: 'Guides', languages: ['fr', 'de'] },
          { title: 'Guide', source: { space: exampleId('space'), language: 'en' }, languages: ['fr'] },
        ],
      }),
    status: 201,
    response: translationSettingsSchema,
  }),
  getTranslation: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/translations/{translationSettingsId}',
    summary: 'Get translation settings',
    tag: 'Translations',
    access: onTranslationSettings('view'),
    status: 200,
    response: translationSettingsSchema,
  }),
  updateTranslation: operation({
    method: 'PUT',
    path: '/orgs/{organizationId}/translations/{translationSettingsId}',
    summary: 'Update translation settings',
    tag: 'Translations',
    access: onTranslationSettings('edit'),
    body: z
      .object({
        title,
        languages: languages.meta({ description: 'Language codes. Default: unchanged.' }),
        instructions: instructions.meta({ description: 'For the model. Default: unchanged.' }),
      })
      .meta({ examples: [{ title: 'Manuals', languages: ['fr', 'ja'] }] }),
    status: 200,
    response: translationSettingsSchema,
  }),
  deleteTranslation: operation({
    method: 'DELETE',
    path: '/orgs/{organizationId}/translations/{translationSettingsId}',
    summary: 'Delete translation settings',
    tag: 'Translations',
    access: onTranslationSettings('edit'),
    status: 205,
  }),
};

const glossary = '/orgs/{organizationId}/translations-glossary';
const id = z.string().min(1).max(100);

export const glossaryOperations = {
  listGlossaryEntries: operation({
    method: 'GET',
    path: glossary,
    summary: 'List the glossary of an organization',
    description: 'In order of creation.',
    tag: 'Translations',
    access: onOrganization('view'),
    query: pageQuery.extend({
      orderBy: languageSchema
        .optional()
        .meta({ description: 'By their terms in this language; those without one last. Default: by creation.' }),
    }),
    status: 200,
    response: listOf(glossaryEntrySchema),
  }),
  updateGlossaryEntries: operation({
    method: 'PUT',
    path: glossary,
    summary: 'Change the glossary of an organization',
    description: 'All of the operations, or none. What the model translates from then on uses the terms.',
    tag: 'Translations',
    access: onOrganization('createContent'),
    body: z
      .object({
        operations: z
          .array(
            z.discriminatedUnion('type', [
              z.object({ type: z.literal('insert'), translations: glossaryTranslationsSchema }),
              z.object({ type: z.literal('update'), id, translations: glossaryTranslationsSchema }),
              z.object({ type: z.literal('delete'), id }),
            ]),
          )
          .min(1)
          .max(500),
      })
      .meta({
        examples: [
          { operations: [{ type: 'insert', translations: { en: 'Space', fr: 'Espace' } }] },
          { operations: [{ type: 'delete', id: exampleId('glossaryEntry') }] },
        ],
      }),
    status: 204,
  }),
  getGlossaryEntry: operation({
    method: 'GET',
    path: `${glossary}/{glossaryEntryId}`,
    summary: 'Get an entry of the glossary',
    tag: 'Translations',
    access: onOrganization('view'),
    status: 200,
    response: glossaryEntrySchema,
  }),
};
