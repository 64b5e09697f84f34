import { z } from 'zod';

export const organizationStorageSchema = z
  .object({
    object: z.literal('organization-storage'),
    used: z.number().int().meta({
      description:
        'Bytes of pages and files in all revisions of the spaces, including those in the trash, of OpenAPI specifications and of fonts.',
    }),
    limit: z.number().int().optional().meta({ description: 'Bytes that may be stored; absent without a limit.' }),
    others: z
      .array(
        z.object({
          kind: z.enum(['answers', 'comments', 'events', 'tasks', 'deliveries']).meta({
            description:
              '`answers`: kept today for `Idempotency-Key`; `comments`: with replies; `events`: of visitors; `tasks`: of the integrations of the organization, that wait; `deliveries`: events of integrations that are over, with their logs.',
          }),
          unit: z.enum(['bytes', 'items']).meta({ description: 'What `used` and `limit` count.' }),
          used: z.number().int().meta({ description: 'How much is stored.' }),
          limit: z.number().int().meta({ description: 'How much may be; 0 without a limit.' }),
        }),
      )
      .meta({
        description: 'What is stored besides content. What a service keeps that does not answer now is missing.',
      }),
  })
  .meta({ id: 'OrganizationStorage' });
