import type { Call } from '../../shared/contract/service.js';
import type { Outbox, OutboxEvent } from '../../shared/outbox.js';
import type { Write } from '../../shared/store/port.js';
import { spaceGone, spacesChanged } from '../sites/contract.js';

export const spaceGoneEvent = 'content.spaceGone';
const spaceChangedEvent = 'content.spaceChanged';

interface About {
  organization: string;
  space: string;
}

/** The write that tells sites of a change of a space or its content, for the batch of the change. */
export const spaceChanged = (toSites: Outbox, { organization, space }: About): Write =>
  toSites.add(spaceChangedEvent, { organization, space });

/** Tells sites of spaces that changed or are gone for good, each at least once. */
export async function deliverToSites(call: Call, events: OutboxEvent[]): Promise<void> {
  const changed = events.filter(({ event }) => event === spaceChangedEvent).map(({ payload }) => payload as About);
  const gone = events.filter(({ event }) => event === spaceGoneEvent).map(({ payload }) => payload as About);
  if (changed.length > 0) await call(spacesChanged, { changed });
  for (const about of gone) await call(spaceGone, about);
}
