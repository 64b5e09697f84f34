import { z } from 'zod';
import { timestampSchema } from '../../../../shared/contract/fields.js';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export const eventStatuses = ['success', 'failed'] as const;

export const integrationEventSchema = z
  .object({
    id: z.string(),
    integrationId: z.string().meta({ description: 'The name of the integration.' }),
    installationId: z.string().optional(),
    createdAt: timestampSchema,
    payload: z.looseObject({ eventId: z.string(), type: z.string() }),
    status: z.enum(eventStatuses).meta({ description: 'Of the latest attempt.' }),
    attempts: z.number().int(),
    nextAttemptAt: timestampSchema.optional().meta({ description: 'When it is tried again.' }),
    dead: z.literal(true).optional().meta({ description: 'It failed, and is tried again only when it is sent again.' }),
  })
  .meta({ id: 'IntegrationEvent' });
export type IntegrationEvent = z.output<typeof integrationEventSchema>;

export const logLineSchema = z.object({
  message: z.string(),
  timestamp: timestampSchema.optional(),
  level: z.enum(logLevels),
});
export type LogLine = z.output<typeof logLineSchema>;

export const tracedEventSchema = z.object({
  event: integrationEventSchema,
  trace: z.object({ logs: z.array(logLineSchema) }).optional(),
});
export type TracedEvent = z.output<typeof tracedEventSchema>;
