import { z } from 'zod';
import { exampleId } from '../../../../shared/contract/examples.js';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import {
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
