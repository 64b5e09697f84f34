import { z } from 'zod';
import type { ResourceKind } from '../../../../shared/contract/access.js';
import { permissionsSchema, timestampSchema, urlSchema } from '../../../../shared/contract/fields.js';
import { roles, rolesFrom } from '../../../identity/resources.js';
import { languageSchema } from '../nodes/resources.js';

/** The rights on the translation settings of an organization, by the role in it. */
export const translationSettingsKind = {
  service: 'content',
  name: 'translationSettings',
  label: 'Translation settings',
  rights: { view: [...roles, null], edit: rolesFrom('create') },
} satisfies ResourceKind;

export const translationSettingsSchema = z
  .object({
    object: z.literal('translation-settings'),
    id: z.string(),
    title: z.string().min(1).max(100),
    languages: z.array(languageSchema),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    permissions: permissionsSchema(translationSettingsKind),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'TranslationSettings' });
export type TranslationSettings = z.output<typeof translationSettingsSchema>;
