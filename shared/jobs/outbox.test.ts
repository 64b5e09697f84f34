import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { consumersOf, domainEvent, hintEvent } from '../contract/event.js';
import { createLog } from '../monitoring/log.js';
import { collection, type Document, type Store, StoreConflict, write } from '../store/port.js';
import { openSqliteStore } from '../store/sqlite/store.js';
import { eventually } from '../testing/eventually.js';
import { everywhere, Outbox, type OutboxEvent, type OutboxOptions, outboxCollection } from './outbox.js';
import { gate } from './testing/job-services.js';
import { countLooks } from './testing/looks.js';

interface Thing extends Document {
  state: string;
}
const thingMade = domainEvent('test', 'thingMade', z.unknown());
const thingChanged = domainEvent('test', 'thingChanged', z.unknown());
const things = collection<Thing>('test_things');
const events = outboxCollection('test');
let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-outbox-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare([things, events] as never[]);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** An outbox that records its deliveries; `refuse` says which fail, `unknown` which events the consumer does not know. */
function openOutbox(
  refuse: (event: OutboxEvent, attempt: number) => boolean = () => false,
  unknown: string[] = [],
  more: Partial<OutboxOptions> = {},
) {
  const told = new EventEmitter();
  const delivered: unknown[] = [];
  let attempts = 0;
  const deliver = async (_: string, some: OutboxEvent[]) => {
    attempts += 1;
    if (refuse(some[0] as OutboxEvent, attempts)) throw new Error('not now');
    delivered.push(...some.filter(({ name }) => !unknown.includes(name)).map(({ payload }) => payload));
    told.emit('delivered');
    return unknown;
  };
  const options = {
    store,
    service: 'test',
    emits: [thingMade, thingChanged],
    log: createLog('silent'),
    deliver,
    ...more,
  };
  const outbox = new Outbox({ ...options, consumers: consumersOf({ listener: { thingMade, thingChanged } }) });
  const until = async (count: number) => {
    while (delivered.length < count) await once(told, 'delivered');
  };
  return { outbox, delivered, until };
}

test('a stop leaves events for the next start, however many there are', async () => {
  const { open: stop, opened: stopped } = gate();
  const { outbox, delivered } = openOutbox(() => {
    void outbox.stop().then(stop);
    return false;
  });
  for (let i = 0; i < 250; i++) await store.batch([outbox.add(thingMade, i)]);
  outbox.start();
  await stopped;
  expect(delivered).toHaveLength(100);
  expect(await store.count(events, {})).toBe(150);
});

test('events are delivered in order and then removed', async () => {
  const { outbox, delivered, until } = openOutbox();
  outbox.start();
  for (let i = 0; i < 250; i++)
    await store.batch([write.insert(things, { _id: `${i}`, state: 'new' }), outbox.add(thingMade, i)]);
  await until(250);
  await outbox.stop();
  expect(delivered).toEqual(Array.from({ length: 250 }, (_, i) => i));
  expect(await store.count(events, {})).toBe(0);
});

test('where no other process writes, an emptied outbox is left alone until it gets an event', async () => {
  const alone = countLooks(store);
  const shared = countLooks(store);
  const { outbox, delivered, until } = openOutbox(undefined, [], { store: alone.observed, exclusive: true, pollMs: 1 });
  const other = openOutbox(undefined, [], { store: shared.observed, service: 'other', pollMs: 1 });
  await store.prepare([outboxCollection('other')] as never[]);
  outbox.start();
  other.outbox.start();
  const lookOften = async () => {
    const before = shared.counted.looks;
    await eventually('twenty looks', async () => shared.counted.looks >= before + 20);
  };
  await lookOften();
  const rested = alone.counted.looks;
  await lookOften();
  expect(alone.counted.looks).toBe(rested);
  await store.batch([outbox.add(thingMade, 1)]);
  await until(1);
  expect(delivered).toEqual([1]);
  await Promise.all([outbox.stop(), other.outbox.stop()]);
});

test('a change that fails has no event', async () => {
  const { outbox } = openOutbox();
  const batch = [
    outbox.add(thingChanged, 1),
    write.update(things, { _id: 'none' }, { $set: { state: 'x' } }, { expect: 1 }),
  ];
  await expect(store.batch(batch)).rejects.toThrow(StoreConflict);
  expect(await store.count(events, {})).toBe(0);
});

test('events that could not be delivered are tried again, and later events wait for them', async () => {
  const { outbox, delivered } = openOutbox((_, attempt) => attempt <= 2);
  await store.batch([outbox.add(thingMade, 'first'), outbox.add(thingMade, 'second')]);
  outbox.start();
  await eventually('both', () => {
    outbox.relayNow();
    return delivered.length === 2;
  });
  await outbox.stop();
  expect(delivered).toEqual(['first', 'second']);
});

test('events that a process left are delivered by the next one', async () => {
  await store.batch([openOutbox().outbox.add(thingMade, 'left')]);
  const { outbox, delivered, until } = openOutbox();
  outbox.start();
  await until(1);
  await outbox.stop();
  expect(delivered).toEqual(['left']);
});

test('an event that the consumer does not know yet is kept for a process that does, and no other waits for it', async () => {
  const earlier = openOutbox(undefined, [thingChanged.name]);
  await store.batch([
    earlier.outbox.add(thingChanged, 'changed'),
    earlier.outbox.add(thingMade, 'made'),
    earlier.outbox.add(thingChanged, 'changed again'),
  ]);
  earlier.outbox.start();
  await earlier.until(1);
  await earlier.outbox.stop();
  expect(earlier.delivered).toEqual(['made']);
  const later = openOutbox();
  later.outbox.start();
  await later.until(2);
  await later.outbox.stop();
  expect(later.delivered).toEqual(['changed', 'changed again']);
  expect(await store.count(events, {})).toBe(0);
});

test('an event that no process of the consumer knew for a week is dropped', async () => {
  const createdAt = new Date(Date.now() - 8 * 24 * 3_600_000).toISOString();
  const { outbox, delivered } = openOutbox(undefined, ['test.thingOfTheFuture']);
  await store.insert(events, { _id: 'listener:1', name: 'test.thingOfTheFuture', payload: 1, createdAt });
  outbox.start();
  await eventually('the end of the event', async () => (await store.count(events, {})) === 0);
  await outbox.stop();
  expect(delivered).toEqual([]);
});

/** An outbox with two consumers and a hint that records its deliveries by consumer. */
function openWide(refused: string) {
  const told = new EventEmitter();
  const delivered: Record<string, unknown[]> = { deaf: [], listener: [], [everywhere]: [] };
  const somethingChanged = hintEvent('test', 'somethingChanged');
  const deliver = async (consumer: string, some: OutboxEvent[]) => {
    if (consumer === refused) throw new Error('not now');
    delivered[consumer]?.push(...some.map(({ name, payload }) => [name, payload]));
    told.emit(consumer);
    return [];
  };
  const consumers = consumersOf({ deaf: { thingMade }, listener: { thingMade, thingChanged } });
  const emits = [thingMade, thingChanged, somethingChanged];
  const outbox = new Outbox({ store, service: 'test', emits, consumers, log: createLog('silent'), deliver });
  const until = async (consumer: string, count: number) => {
    while ((delivered[consumer]?.length ?? 0) < count) await once(told, consumer);
  };
  return { outbox, delivered, until, somethingChanged };
}

test('a consumer that does not answer delays no other, and gets its events when it answers', async () => {
  const first = openWide('deaf');
  first.outbox.start();
  await store.batch([
    first.outbox.add(thingMade, 1),
    first.outbox.add(thingChanged, 2),
    first.outbox.add(thingMade, 3),
  ]);
  await first.until('listener', 3);
  await first.outbox.stop();
  expect(first.delivered).toEqual({
    deaf: [],
    listener: [
      ['test.thingMade', 1],
      ['test.thingChanged', 2],
      ['test.thingMade', 3],
    ],
    [everywhere]: [],
  });
  const second = openWide('nobody');
  second.outbox.start();
  await second.until('deaf', 2);
  await second.outbox.stop();
  expect(second.delivered.deaf).toEqual([
    ['test.thingMade', 1],
    ['test.thingMade', 3],
  ]);
  expect(second.delivered.listener).toEqual([]);
  expect(await store.count(events, {})).toBe(0);
});

test('a hint goes to all processes, and an event without a consumer to none', async () => {
  const { outbox, delivered, until, somethingChanged } = openWide('nobody');
  const unheard = domainEvent('test', 'thingIgnored', z.unknown());
  outbox.start();
  await store.batch([outbox.add(unheard, 1), outbox.add(somethingChanged, {})]);
  await until(everywhere, 1);
  await outbox.stop();
  expect(delivered).toEqual({ deaf: [], listener: [], [everywhere]: [['test.somethingChanged', {}]] });
  expect(await store.count(events, {})).toBe(0);
});
