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

export const translationSourceSchema = z.object({
  space: z.string().min(1).max(100),
  language: languageSchema,
});

export const translationSettingsSchema = z
  .object({
    object: z.literal('translation-settings'),
    id: z.string(),
    title: z.string().min(1).max(100),
    languages: z.array(languageSchema),
    source: translationSourceSchema.optional(),
    status: z.enum(['pending', 'running', 'completed']).optional(),
    instructions: z.string().optional(),
    problem: z.string().optional().meta({ description: 'Why the last run did not get on; it is tried again.' }),
    results: z
      .array(
        z.object({
          language: languageSchema,
          space: z.string(),
          revision: z.string().optional(),
          pages: z.number().int().optional(),
          kept: z.number().int().optional().meta({ description: 'Texts that stayed in the language of the source.' }),
        }),
      )
      .optional(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    permissions: permissionsSchema(translationSettingsKind),
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'TranslationSettings' });
export type TranslationSettings = z.output<typeof translationSettingsSchema>;

/** The texts of a term, by language. */
export const glossaryTranslationsSchema = z
  .partialRecord(
    languageSchema,
    z
      .string()
      .min(1)
      .max(255)
      .regex(/^[^\n\r]*$/, 'must be one line'),
  )
  .refine((texts) => Object.keys(texts).length > 0, 'must be a text in one language at least');

export const glossaryEntrySchema = z
  .object({
    object: z.literal('glossary-entry'),
    id: z.string(),
    translations: glossaryTranslationsSchema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'GlossaryEntry' });
export type GlossaryEntry = z.output<typeof glossaryEntrySchema>;
