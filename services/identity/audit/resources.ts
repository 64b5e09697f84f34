import { z } from 'zod';
import { timestampSchema } from '../../../shared/contract/fields.js';
import { userSchema } from '../users/resources.js';

export const auditEventSchema = z
  .object({
    object: z.literal('audit-event'),
    id: z.string(),
    organization: z.string(),
    operation: z.string().meta({ description: 'The operationId.' }),
    actor: z
      .object({
        type: z.enum(['user', 'integration', 'installation', 'content', 'system', 'anonymous']),
        id: z.string().optional(),
        token: z.string().optional().meta({ description: 'The id of the API token.' }),
        user: userSchema.optional(),
      })
      .meta({ description: 'Who performed the operation.' }),
    resource: z
      .object({ type: z.string(), id: z.string() })
      .meta({ description: 'The resource that the operation changed.' }),
    details: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'What the operation set or changed, without secrets.' }),
    requestId: z.string(),
    createdAt: timestampSchema,
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.output<typeof auditEventSchema>;
