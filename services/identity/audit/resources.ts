import { z } from 'zod';
import { timestampSchema, urlSchema } from '../../../shared/contract/fields.js';
import { userSchema } from '../users/resources.js';

export const auditEventSchema = z
  .object({
    object: z.literal('audit-event'),
    id: z.string(),
    organization: z.string(),
    operation: z.string().meta({ description: 'The operationId.' }),
    action: z.string().meta({ description: 'The same as `operation`.' }),
    occurredAt: timestampSchema.meta({ description: 'The same as `createdAt`.' }),
    source: z
      .enum(['api', 'integration', 'workflow'])
      .meta({ description: '`workflow`: what Bindery itself does; `api` includes people who use the app.' }),
    actor: z
      .object({
        type: z.enum(['user', 'integration', 'installation', 'content', 'system', 'anonymous']),
        id: z.string().meta({ description: 'Of a user, an integration or an installation; else the same as `type`.' }),
        label: z.string().optional().meta({ description: 'The present name of the user.' }),
        token: z.string().optional().meta({ description: 'The id of the API token.' }),
        user: userSchema.optional(),
      })
      .meta({ description: 'Who performed the operation.' }),
    resource: z
      .object({ type: z.string(), id: z.string() })
      .meta({ description: 'The resource that the operation changed.' }),
    target: z.object({ type: z.string(), id: z.string() }).meta({ description: 'The same as `resource`.' }),
    details: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'What the operation set or changed, without secrets.' }),
    requestId: z.string(),
    createdAt: timestampSchema,
    urls: z.object({ location: urlSchema }),
  })
  .meta({ id: 'AuditEvent' });
export type AuditEvent = z.output<typeof auditEventSchema>;

export const auditEventDetailsSchema = auditEventSchema
  .extend({
    correlationId: z.string().optional().meta({ description: 'The same for all events of a request.' }),
    schemaVersion: z.literal(1),
    payload: z.record(z.string(), z.unknown()).meta({ description: 'The same as `details`; empty without.' }),
  })
  .meta({ id: 'AuditEventDetails' });
