import { Counter, Gauge } from 'prom-client';
import { newId, timestamp } from './ids.js';
import { type Log, onceASecond, type Tell } from './log.js';
import { metricsRegistry } from './metrics.js';
import { type Collection, collection, type Store, type Write, write } from './store/port.js';

/** Something that happened, written in the batch of the change itself: never lost, and never of a change that was not made. */
export interface OutboxEvent<P = unknown> {
  /** Deliveries of one event share it: who counts must drop what it knows. */
  _id: string;
  /** `<service>.<resource><PastVerb>` */
  event: string;
  payload: P;
  createdAt: string;
}

const pollMs = 2000;
const measureMs = 5000;
const atOnce = 100;

const registers = [metricsRegistry];
const labelNames = ['outbox'] as const;

const pending = new Gauge({
  name: 'bindery_outbox_pending',
  help: 'Events that wait to be delivered, by outbox; the same in every process of a service.',
  labelNames,
  registers,
});

const oldest = new Gauge({
  name: 'bindery_outbox_oldest_seconds',
  help: 'Age of the oldest event that waits to be delivered, 0 without one, by outbox.',
  labelNames,
  registers,
});

const failures = new Counter({
  name: 'bindery_outbox_failures_total',
  help: 'Failed attempts of this process to deliver events, by outbox.',
  labelNames,
  registers,
});

/** The outbox collection of a service; goes into its model. */
export const outboxCollection = (service: string): Collection<OutboxEvent> =>
  collection<OutboxEvent>(`${service}_outbox`);

export interface OutboxOptions {
  store: Store;
  collection: Collection<OutboxEvent>;
  log: Log;
  /** Rejects when they could not be delivered: then they are tried again, and later ones wait. */
  deliver: (events: OutboxEvent[]) => Promise<void>;
}

/** Relays the events of one service in their order, each at least once. */
export class Outbox {
  private timer: NodeJS.Timeout | undefined;
  private relaying: Promise<void> | undefined;
  private again = false;
  private measuring: NodeJS.Timeout | undefined;
  private readonly tell: Tell;

  constructor(private readonly options: OutboxOptions) {
    this.tell = onceASecond(options.log);
  }

  /** The write of an event, for the batch of its change; call `wake` after the batch. */
  add<P>(event: string, payload: P): Write {
    return write.insert(this.options.collection, { _id: newId(), event, payload, createdAt: timestamp() });
  }

  start(): void {
    this.timer = setInterval(() => this.wake(), pollMs);
    this.timer.unref();
    this.measuring = setInterval(() => void this.measure(), measureMs).unref();
    void this.measure();
    this.wake();
  }

  /** Relays now instead of at the next poll. */
  wake(): void {
    if (!this.timer) return;
    this.again = true;
    this.relaying ??= this.relayAll().finally(() => {
      this.relaying = undefined;
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    clearInterval(this.measuring);
    await this.relaying;
  }

  private async relayAll(): Promise<void> {
    while (this.again && this.timer) {
      this.again = false;
      try {
        await this.relay();
      } catch (err) {
        const outbox = this.options.collection.name;
        failures.inc({ outbox });
        this.tell('warn', 'delivery', { err, outbox }, 'event delivery failed; will retry');
      }
    }
  }

  private async relay(): Promise<void> {
    const { store, collection: events, deliver } = this.options;
    for (;;) {
      const { items } = await store.page(events, { filter: {}, sort: {}, limit: atOnce });
      if (items.length > 0) {
        await deliver(items);
        await store.deleteMany(events, { _id: { $in: items.map(({ _id }) => _id) } });
      }
      if (items.length < atOnce) return;
    }
  }

  private async measure(): Promise<void> {
    const { store, collection: events } = this.options;
    const outbox = events.name;
    try {
      const first = await store.findOne(events, {}, { sort: { _id: 1 } });
      oldest.set({ outbox }, first ? Math.max(0, Date.now() - Date.parse(first.createdAt)) / 1000 : 0);
      pending.set({ outbox }, await store.count(events, {}));
    } catch (err) {
      this.tell('warn', 'counting', { err, outbox }, 'counting events failed; will retry');
    }
  }
}
