import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../../../shared/contract/fields.js';

export const organizationExportStates = ['pending', 'in-progress', 'completed', 'failed'] as const;

export const organizationExportSchema = z
  .object({
    object: z.literal('organization-export'),
    id: z.string(),
    state: z.enum(organizationExportStates),
    exportedSpaces: z.number().int().meta({ description: 'Spaces that are in the archive by now.' }),
    totalSpaces: z.number().int().meta({ description: 'Spaces that were found; 0 until the export has begun.' }),
    size: z.number().int().optional().meta({ description: 'Bytes of the archive, once it is `completed`.' }),
    error: z
      .object({ code: z.number().int().meta({ description: 'As an HTTP status.' }), message: z.string() })
      .optional()
      .meta({ description: 'Why it `failed`.' }),
    createdBy: z.string().meta({ description: 'The id of a user.' }),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    completedAt: timestampSchema.optional(),
    expiresAt: timestampSchema.meta({ description: 'The export and its archive are removed then.' }),
    urls: z.object({
      location: urlSchema,
      download: urlSchema.optional().meta({
        description: 'Of the archive, for whoever has the address, within an hour. Each answer has a new one.',
      }),
    }),
  })
  .meta({ id: 'OrganizationExport' });
export type OrganizationExport = z.output<typeof organizationExportSchema>;
