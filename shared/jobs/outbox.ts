import { Counter, Gauge } from 'prom-client';
import type { Consumers, DomainEvent } from '../contract/event.js';
import { type Log, onceASecond, type Tell } from '../monitoring/log.js';
import { Measurements, metricsRegistry } from '../monitoring/metrics.js';
import { type Collection, collection, type Store, type Write, write } from '../store/port.js';
import { newId, timestamp } from '../values/ids.js';

/** An event for one consumer, written in the batch of its change: it is never lost, and there is none for a change that failed. */
export interface OutboxEvent {
  /** `<consumer>:<id>`, so that the events of a consumer are adjacent and in order. */
  _id: string;
  name: string;
  payload: unknown;
  createdAt: string;
}

const atOnce = 100;
/** Failures are logged only after this time: a consumer may be starting. */
const patienceMs = 5000;
/** How long events that no process of the consumer knew are left before they are tried again. */
const asideMs = 5000;
/** How long an event waits for a process that knows it. */
const keptMs = 7 * 24 * 3_600_000;

const registers = [metricsRegistry];
const labelNames = ['service', 'consumer'] as const;

const measurements = new Measurements();
const collect = () => measurements.measure() as Promise<void>;

const pending = new Gauge({
  name: 'bindery_outbox_pending',
  help: 'Events not yet delivered, by service and consumer; the same in every process of a service.',
  labelNames,
  registers,
  collect,
});

const oldest = new Gauge({
  name: 'bindery_outbox_oldest_seconds',
  help: 'Age in seconds of the oldest event not yet delivered (0 if none), by service and consumer.',
  labelNames,
  registers,
  collect,
});

const failures = new Counter({
  name: 'bindery_outbox_failures_total',
  help: 'Failed attempts of this process to deliver events, by service and consumer.',
  labelNames,
  registers,
});

/** The outbox collection of a service; goes into its model. */
export const outboxCollection = (service: string): Collection<OutboxEvent> =>
  collection<OutboxEvent>(`${service}_outbox`);

/** Selects the events of one consumer: in ASCII, `;` follows `:`. */
const ofConsumer = (consumer: string) => ({ _id: { $gt: `${consumer}:`, $lt: `${consumer};` } });

/** The consumer of hints: all processes. */
export const everywhere = '*';

export interface OutboxOptions {
  store: Store;
  /** The service that emits the events. */
  service: string;
  emits: readonly DomainEvent[];
  consumers: Consumers;
  log: Log;
  /** No other process adds events: they are looked for when one is added, and while some could not be delivered. */
  exclusive?: boolean;
  /** Milliseconds between two looks for events; 2,000 by default. */
  pollMs?: number;
  /**
   * Rejects when the events could not be delivered: they are tried again, and later ones of this consumer wait. Resolves to the names
   * of those that the consumer does not know, because its process is of an earlier release: they are kept, and no other waits for them.
   */
  deliver: (consumer: string, events: OutboxEvent[]) => Promise<string[]>;
}

/** Relays the events of one service to each consumer, in order and at least once. A consumer that does not answer does not delay others. */
export class Outbox {
  private readonly events: Collection<OutboxEvent>;
  private readonly relays: Relay[];
  private unlisten = () => {};

  constructor(private readonly options: OutboxOptions) {
    this.events = outboxCollection(options.service);
    const consumers = new Set(options.emits.flatMap((event) => this.consumersOf(event)));
    this.relays = [...consumers].map((consumer) => new Relay(options, this.events, consumer));
  }

  /** The write of an event, for the batch of its change; it is relayed after the batch. */
  add<P>(event: DomainEvent<P>, payload: P): Write {
    const id = newId();
    const about = { name: event.name, payload, createdAt: timestamp() };
    return write.insertMany(
      this.events,
      this.consumersOf(event).map((consumer) => ({ _id: `${consumer}:${id}`, ...about })),
    );
  }

  private consumersOf({ name, isHint }: Pick<DomainEvent, 'name' | 'isHint'>): readonly string[] {
    return isHint ? [everywhere] : (this.options.consumers.get(name) ?? []);
  }

  start(): void {
    this.unlisten = this.options.store.listen(this.events, (added) => this.relayNow(added));
    for (const relay of this.relays) relay.start();
  }

  /** Relays now instead of at the next poll, to the consumers of some events or to all; a batch with an event does so by itself. */
  relayNow(added?: readonly { _id: string }[]): void {
    const consumers = added && new Set(added.map(({ _id }) => _id.slice(0, _id.indexOf(':'))));
    for (const relay of this.relays) if (!consumers || consumers.has(relay.consumer)) relay.relayNow();
  }

  async stop(): Promise<void> {
    this.unlisten();
    await Promise.all(this.relays.map((relay) => relay.stop()));
  }
}

/** Relays the events of one consumer. */
class Relay {
  private running = false;
  private waking: NodeJS.Timeout | undefined;
  private unmeasure = () => {};
  private relaying: Promise<void> | undefined;
  private again = false;
  /** Epoch milliseconds. */
  private failingSince: number | undefined;
  /** Names of events that the consumer did not know, until when they are left: epoch milliseconds. */
  private readonly aside = new Map<string, number>();
  private readonly tell: Tell;

  constructor(
    private readonly options: OutboxOptions,
    private readonly events: Collection<OutboxEvent>,
    readonly consumer: string,
  ) {
    this.tell = onceASecond(options.log);
  }

  private get labels() {
    return { service: this.options.service, consumer: this.consumer };
  }

  start(): void {
    this.running = true;
    this.unmeasure = measurements.add(() => this.measureBacklog());
    this.relayNow();
  }

  relayNow(): void {
    if (!this.running) return;
    this.again = true;
    this.relaying ??= this.relayAll().finally(() => {
      this.relaying = undefined;
      this.wakeLater();
    });
  }

  async stop(): Promise<void> {
    this.running = false;
    clearTimeout(this.waking);
    this.unmeasure();
    await this.relaying;
  }

  /** Looks again later, where another process may have added events, or some could not be delivered. */
  private wakeLater(): void {
    clearTimeout(this.waking);
    const hasLeft = this.failingSince !== undefined || this.aside.size > 0;
    if (!this.running || (this.options.exclusive && !hasLeft)) return;
    this.waking = setTimeout(() => this.relayNow(), this.options.pollMs ?? 2_000).unref();
  }

  private async relayAll(): Promise<void> {
    while (this.again && this.running) {
      this.again = false;
      try {
        await this.relayDue();
        this.failingSince = undefined;
      } catch (err) {
        this.noteFailure(err);
      }
    }
  }

  private noteFailure(err: unknown): void {
    failures.inc(this.labels);
    this.failingSince ??= Date.now();
    if (Date.now() - this.failingSince >= patienceMs)
      this.tell('warn', 'delivery', { err, ...this.labels }, 'event delivery failed; will retry');
  }

  private async relayDue(): Promise<void> {
    const { store, deliver } = this.options;
    for (;;) {
      const { items } = await store.page(this.events, { filter: this.dueFilter(), sort: {}, limit: atOnce });
      if (items.length > 0) {
        const unknown = await deliver(this.consumer, items);
        if (unknown.length > 0) this.setAside(unknown);
        const oldest = new Date(Date.now() - keptMs).toISOString();
        const over = items.filter(({ name, createdAt }) => !unknown.includes(name) || createdAt < oldest);
        await store.deleteMany(this.events, { _id: { $in: over.map(({ _id }) => _id) } });
      }
      if (items.length < atOnce || !this.running) return;
    }
  }

  /** Selects what is to be delivered now. */
  private dueFilter() {
    const names = [...this.aside].filter(([, until]) => until > Date.now()).map(([name]) => name);
    return { ...ofConsumer(this.consumer), ...(names.length > 0 ? { name: { $nin: names } } : {}) };
  }

  private setAside(names: string[]): void {
    for (const name of names) this.aside.set(name, Date.now() + asideMs);
    this.tell(
      'warn',
      'unknown',
      { names, ...this.labels },
      'events wait for a process of the consumer that knows them',
    );
  }

  private async measureBacklog(): Promise<void> {
    const { store } = this.options;
    const filter = ofConsumer(this.consumer);
    try {
      const first = await store.findOne(this.events, filter, { sort: { _id: 1 } });
      oldest.set(this.labels, first ? Math.max(0, Date.now() - Date.parse(first.createdAt)) / 1000 : 0);
      pending.set(this.labels, await store.count(this.events, filter));
    } catch (err) {
      this.tell('warn', 'counting', { err, ...this.labels }, 'counting events failed; will retry');
    }
  }
}

export type HasOutbox = { outbox: Outbox };
