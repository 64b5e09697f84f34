import { z } from 'zod';
import { operation } from '../../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../../shared/lists/paging.js';
import { onOrganization } from '../../../identity/resources.js';
import { languageSchema, translationSettingsKind, translationSettingsSchema } from '../resources.js';

const onTranslationSettings = (need: keyof typeof translationSettingsKind.rights) =>
  ({
    caller: ['user'],
    on: translationSettingsKind,
    id: 'translationSettingsId',
    within: 'organizationId',
    need,
  }) as const;

const title = z.string().min(1).max(100);
const languages = z
  .array(languageSchema)
  .refine((codes) => new Set(codes).size === codes.length, 'must be different languages')
  .optional();

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
      .object({ title, languages: languages.meta({ description: 'Language codes. Default: none.' }) })
      .meta({ examples: [{ title: 'Manuals' }, { title: 'Guides', languages: ['fr', 'de'] }] }),
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
      .object({ title, languages: languages.meta({ description: 'Language codes. Default: unchanged.' }) })
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
