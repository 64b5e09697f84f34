import { z } from 'zod';
import { newId } from '../values/ids.js';

/** Something that happened in a service, for whichever services consume it. */
export interface DomainEvent<P = unknown> {
  /** `<service>.<resource><PastVerb>` */
  name: string;
  payload: z.ZodType<P>;
  /** A hint to every process instead of a message to each consumer: it may be lost, so nothing may depend on it. */
  isHint?: true;
}

/** Declares `<service>.<name>`; its owner emits it through its outbox, in the batch of the change. */
export const domainEvent = <S extends z.ZodType>(
  service: string,
  name: string,
  payload: S,
): DomainEvent<z.output<S>> => ({ name: `${service}.${name}`, payload: payload as z.ZodType<z.output<S>> });

/** Declares `<service>.<name>`, a hint without a payload; services handle it in `hints`. */
export const hintEvent = (service: string, name: string): DomainEvent<Record<string, never>> => ({
  ...domainEvent(service, name, z.object({}) as z.ZodType<Record<string, never>>),
  isHint: true,
});

/** The events that a service consumes. */
export type Consumed = Record<string, DomainEvent>;

type PayloadOf<E> = E extends DomainEvent<infer P> ? P : never;

/**
 * The handlers of the events that a service consumes. Each takes one or more events of a kind, in the order in which their
 * owner emitted them, with their ids: delivery is at least once, each time with the same id, so handling must be idempotent. A handler
 * that throws gets its events again.
 */
export type Subscribers<E extends Consumed> = {
  [K in keyof E]: (payloads: PayloadOf<E[K]>[], ids: string[]) => Promise<void>;
};

/** The services that consume each event, by its name, including those that run in other processes. */
export type Consumers = ReadonlyMap<string, readonly string[]>;

/** Turns what each service consumes (by the name of the service) into the consumers of each event. */
export function consumersOf(consumed: Record<string, Consumed>): Consumers {
  const consumers = new Map<string, string[]>();
  for (const [service, events] of Object.entries(consumed))
    for (const { name } of Object.values(events)) consumers.set(name, [...(consumers.get(name) ?? []), service]);
  return consumers;
}

/** An event on its way to a consumer. */
export interface DeliveredEvent {
  /** The same for each consumer and in each delivery. Absent in events from processes of earlier releases. */
  id?: string;
  name: string;
  payload: unknown;
}

/** A consumer's answer to events: the names of those that it does not know. They are of a later release, and wait for it. */
export interface Received {
  unknown: string[];
}

/** The function behind a service's `receive` action. Throws when a payload is not what its event declares. */
export function eventReceiver<E extends Consumed>(
  consumed: E,
  subscribers: Subscribers<E>,
): (events: DeliveredEvent[]) => Promise<Received> {
  const byName = new Map(
    Object.entries(consumed).map(([key, event]) => [event.name, { event, handle: subscribers[key as keyof E] }]),
  );
  return async (events) => {
    const unknown = new Set<string>();
    for (const { name, payloads, ids } of groupRuns(events)) {
      const known = byName.get(name);
      if (known) await known.handle(payloads.map((payload) => known.event.payload.parse(payload)) as never, ids);
      else unknown.add(name);
    }
    return { unknown: [...unknown] };
  };
}

/** Groups consecutive events of the same name. */
function groupRuns(events: DeliveredEvent[]): { name: string; payloads: unknown[]; ids: string[] }[] {
  const runs: { name: string; payloads: unknown[]; ids: string[] }[] = [];
  for (const { id = newId(), name, payload } of events) {
    let run = runs.at(-1);
    if (run?.name !== name) {
      run = { name, payloads: [], ids: [] };
      runs.push(run);
    }
    run.payloads.push(payload);
    run.ids.push(id);
  }
  return runs;
}
