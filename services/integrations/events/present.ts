import type { Secrets } from '../../../shared/secrets/secrets.js';
import type { EventDocument } from './model.js';
import { payloadOf } from './payloads.js';
import type { IntegrationEvent } from './resources.js';

/** An event that was tried, as the API shows it. */
export function presentEvent(deps: { secrets: Secrets }, event: EventDocument): IntegrationEvent {
  const { _id: id, integration, installation, createdAt, result, attempts, lane, runAt } = event;
  return {
    id,
    integrationId: integration,
    ...(installation === undefined ? {} : { installationId: installation }),
    createdAt,
    payload: payloadOf(deps, event),
    status: result === 'success' ? 'success' : 'failed',
    attempts,
    ...(lane === undefined || runAt === undefined ? {} : { nextAttemptAt: runAt }),
    ...(result === 'dead' ? { dead: true } : {}),
  };
}
