import type { Call } from '../../shared/contract/service.js';
import type { OutboxEvent } from '../../shared/outbox.js';
import { spaceGone } from '../sites/contract.js';

export const spaceGoneEvent = 'content.spaceGone';

/** Tells sites of spaces that are gone for good, each at least once. */
export async function deliverToSites(call: Call, events: OutboxEvent[]): Promise<void> {
  for (const { payload } of events) await call(spaceGone, payload as { organization: string; space: string });
}
