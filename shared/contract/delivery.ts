import type { ServiceBroker } from 'moleculer';
import { everywhere, type OutboxEvent } from '../work/outbox.js';
import { callAsSystem } from './context.js';
import type { DeliveredEvent } from './event.js';
import { verb } from './verb.js';

/** Bytes of payloads in one message; a bus message holds at most a megabyte. */
const messageBytes = 256 * 1024;

/** The internal action by which a service receives events. */
const receipt = (consumer: string) => verb<{ events: DeliveredEvent[] }, void>(consumer, 'receive');

/** Delivers events over the bus, in messages of bounded size. */
export const deliverOver =
  (broker: ServiceBroker) =>
  async (consumer: string, events: OutboxEvent[]): Promise<void> => {
    if (consumer === everywhere) {
      for (const name of new Set(events.map((event) => event.name))) await broker.broadcast(name);
      return;
    }
    for (const part of parts(events.map(({ name, payload }) => ({ name, payload }))))
      await callAsSystem(broker)(receipt(consumer), { events: part });
  };

function* parts(events: DeliveredEvent[]): Generator<DeliveredEvent[]> {
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
