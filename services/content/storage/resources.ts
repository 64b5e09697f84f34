import { z } from 'zod';

export const organizationStorageSchema = z
  .object({
    object: z.literal('organization-storage'),
    used: z.number().int().meta({
      description:
        'Bytes of pages and files in all revisions of the spaces, including those in the trash, and of OpenAPI specifications.',
    }),
    limit: z.number().int().optional().meta({ description: 'Bytes that may be stored; absent without a limit.' }),
  })
  .meta({ id: 'OrganizationStorage' });
