import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from './log.js';
import { Outbox, type OutboxEvent, outboxCollection } from './outbox.js';
import { collection, type Document, type Store, StoreConflict, write } from './store/port.js';
import { openSqliteStore } from './store/sqlite/store.js';

interface Thing extends Document {
  state: string;
}
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

/** An outbox whose deliveries are told; `refuse` says which fail. */
function openOutbox(refuse: (event: OutboxEvent, attempt: number) => boolean = () => false) {
  const told = new EventEmitter();
  const delivered: unknown[] = [];
  let attempts = 0;
  const deliver = async (some: OutboxEvent[]) => {
    attempts += 1;
    if (refuse(some[0] as OutboxEvent, attempts)) throw new Error('not now');
    delivered.push(...some.map(({ payload }) => payload));
    told.emit('delivered');
  };
  const outbox = new Outbox({ store, collection: events, log: createLog('silent'), deliver });
  const until = async (count: number) => {
    while (delivered.length < count) await once(told, 'delivered');
  };
  return { outbox, delivered, until };
}

test('events are delivered in their order and then forgotten', async () => {
  const { outbox, delivered, until } = openOutbox();
  outbox.start();
  for (let i = 0; i < 250; i++)
    await store.batch([write.insert(things, { _id: `${i}`, state: 'new' }), outbox.add('test.thingMade', i)]);
  outbox.wake();
  await until(250);
  await outbox.stop();
  expect(delivered).toEqual(Array.from({ length: 250 }, (_, i) => i));
  expect(await store.count(events, {})).toBe(0);
});

test('a change that is not made has no event', async () => {
  const { outbox } = openOutbox();
  const batch = [
    outbox.add('test.thingChanged', 1),
    write.update(things, { _id: 'none' }, { $set: { state: 'x' } }, { expect: 1 }),
  ];
  await expect(store.batch(batch)).rejects.toThrow(StoreConflict);
  expect(await store.count(events, {})).toBe(0);
});

test('what could not be delivered is tried again, and later events wait for it', async () => {
  const { outbox, delivered, until } = openOutbox((_, attempt) => attempt <= 2);
  await store.batch([outbox.add('test.thingMade', 'first'), outbox.add('test.thingMade', 'second')]);
  outbox.start();
  const waking = setInterval(() => outbox.wake(), 5);
  await until(2);
  clearInterval(waking);
  await outbox.stop();
  expect(delivered).toEqual(['first', 'second']);
});

test('what was left at the end of a process is delivered by the next one', async () => {
  await store.batch([openOutbox().outbox.add('test.thingMade', 'left')]);
  const { outbox, delivered, until } = openOutbox();
  outbox.start();
  await until(1);
  await outbox.stop();
  expect(delivered).toEqual(['left']);
});
