import type { ServiceBroker } from 'moleculer';
import { everywhere, type OutboxEvent } from '../jobs/outbox.js';
import { callAsSystem } from './context.js';
import type { DeliveredEvent, Received } from './event.js';
import { verb } from './verb.js';

/** Bytes of payloads in one message; a bus message holds at most a megabyte. */
const messageBytes = 256 * 1024;

/** The internal action by which a service receives events. Processes of earlier releases answer nothing. */
const receiveVerb = (consumer: string) => verb<{ events: DeliveredEvent[] }, Received | null>(consumer, 'receive');

/** Delivers events over the bus, in messages of bounded size; the names of those that the consumer does not know. */
export const deliverOver =
  (broker: ServiceBroker) =>
  async (consumer: string, events: OutboxEvent[]): Promise<string[]> => {
    if (consumer === everywhere) {
      for (const name of new Set(events.map((event) => event.name))) await broker.broadcast(name);
      return [];
    }
    const unknown = new Set<string>();
    for (const part of messageParts(events.map((event) => toDelivered(consumer, event)))) {
      // The next process may know an event of which the first one is left: it would come out of order.
      const ordered = part.filter(({ name }) => !unknown.has(name));
      if (ordered.length === 0) continue;
      const received = await callAsSystem(broker)(receiveVerb(consumer), { events: ordered });
      for (const name of received?.unknown ?? []) unknown.add(name);
    }
    return [...unknown];
  };

/** In the outbox, the id of an event begins with its consumer. */
const toDelivered = (consumer: string, { _id, name, payload }: OutboxEvent): DeliveredEvent => ({
  id: _id.slice(consumer.length + 1),
  name,
  payload,
});

function* messageParts(events: DeliveredEvent[]): Generator<DeliveredEvent[]> {
  let part: DeliveredEvent[] = [];
  let size = 0;
  for (const event of events) {
    const bytes = Buffer.byteLength(JSON.stringify(event.payload));
    if (part.length > 0 && size + bytes > messageBytes) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(event);
    size += bytes;
  }
  yield part;
}
