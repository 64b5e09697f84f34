import { z } from 'zod';
import { urlSchema } from '../../../../shared/contract/fields.js';

export const fontFamilySchema = z
  .string()
  .min(1)
  .max(50)
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u, 'must be letters, digits, spaces, dots, hyphens and underscores');
export const fontWeightSchema = z.number().int().min(1).max(1000);

/** A font as customizations of sites name it. */
export const fontSchema = z
  .object({
    id: z.string(),
    custom: z.literal(true),
    fontFamily: z.string(),
    fontFaces: z.array(
      z.object({
        weight: fontWeightSchema,
        sources: z.array(z.object({ url: urlSchema, format: z.enum(['woff2', 'woff']).optional() })),
      }),
    ),
    permissions: z.object({ edit: z.boolean() }),
  })
  .meta({ id: 'CustomizationFontDefinition' });
export type Font = z.output<typeof fontSchema>;

/** The definition of a font, as customizations hold it. */
export type FontDefinition = Omit<Font, 'permissions'>;
