import { z } from 'zod';
import { operation } from '../../../shared/contract/operation.js';
import { listOf, pageQuery } from '../../../shared/lists/paging.js';
import { eventStatuses, integrationEventSchema, tracedEventSchema } from '../resources.js';
import { installation, integration, onInstallation, onIntegration } from './access-rules.js';

const tag = 'Integration events';
const status = z.enum(eventStatuses).optional();
const dead = z
  .boolean()
  .optional()
  .meta({ description: 'Only those that failed and are not tried again, or only others.' });

export const eventOperations = {
  listIntegrationEvents: operation({
    method: 'GET',
    path: `${integration}/events`,
    summary: 'List the events that an integration was sent',
    description: 'The latest first, once they were tried. They are kept for a week.',
    tag,
    access: onIntegration('operate'),
    query: pageQuery.extend({ status, dead }),
    status: 200,
    response: listOf(integrationEventSchema),
  }),
  getIntegrationEvent: operation({
    method: 'GET',
    path: `${integration}/events/{eventId}`,
    summary: 'Get an event with what the script wrote to its log',
    tag,
    access: onIntegration('operate'),
    status: 200,
    response: tracedEventSchema,
  }),
  queueIntegrationTask: operation({
    method: 'POST',
    path: `${integration}/tasks`,
    summary: 'Queue a task',
    description: 'Comes back to the integration as the event `task`.',
    tag,
    access: onIntegration('operate', ['integration']),
    body: z
      .object({
        task: z.record(z.string(), z.unknown()),
        schedule: z.number().min(0).max(86_400).default(0).meta({ description: 'Seconds to wait.' }),
      })
      .meta({ examples: [{ task: { type: 'sync' }, schedule: 60 }] }),
    bodyLimit: 65_536,
    status: 204,
  }),
  listInstallationEvents: operation({
    method: 'GET',
    path: `${installation}/events`,
    summary: 'List the events that an installation was sent',
    description:
      'The latest first, once they were tried; with `dead`, those that failed for good. They are kept for a week.',
    tag,
    access: onInstallation('read'),
    query: pageQuery.extend({ status, dead }),
    status: 200,
    response: listOf(integrationEventSchema),
  }),
  getInstallationEvent: operation({
    method: 'GET',
    path: `${installation}/events/{eventId}`,
    summary: 'Get an event of an installation with its log',
    tag,
    access: onInstallation('read'),
    status: 200,
    response: tracedEventSchema,
  }),
  resendInstallationEvent: operation({
    method: 'POST',
    path: `${installation}/events/{eventId}/resend`,
    summary: 'Send an event again',
    description: 'After the events that wait for this installation, whatever became of it before.',
    tag,
    access: onInstallation('configure', ['user']),
    status: 204,
  }),
};
