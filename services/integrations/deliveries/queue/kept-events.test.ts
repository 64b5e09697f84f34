import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Store, write } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { countFinished, finishedEventUsage, removeEvents, trimKept, uncountWrites } from './kept-events.js';
import { type EventDocument, eventCollections, events, eventUsages } from './model.js';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-kept-'));
  store = await openSqliteStore({ path: join(folder, 'events.sqlite') });
  await store.prepare(eventCollections);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

let made = 0;
/** Keeps an event of an organization that is over. */
async function keep(organization: string, more: Partial<EventDocument> = {}): Promise<EventDocument> {
  const at = made++;
  const event: EventDocument = {
    _id: `${at}`,
    integration: 'i',
    publication: 'p',
    type: 'task',
    payload: '{}',
    createdAt: new Date(Date.UTC(2026, 0, 1) + at).toISOString(),
    sequence: 0,
    attempts: 1,
    result: 'success',
    logs: [],
    ...more,
  };
  const { fields, count } = countFinished(organization, event);
  await store.batch([write.insert(events, { ...event, ...fields }), count]);
  return { ...event, ...fields };
}
const ids = async () =>
  (await store.page(events, { filter: {}, sort: { createdAt: 1 }, limit: 1000 })).items.map(({ _id }) => _id);
const used = (organization: string) => store.get(eventUsages, organization);
const never = () => false;

it('events that are over are counted with payload and log for their organization', async () => {
  const logs = [{ level: 'info' as const, message: 'é' }];
  const [small, large] = [await keep('a'), await keep('a', { payload: JSON.stringify('x'.repeat(998)), logs })];
  expect([small.bytes, large.bytes]).toEqual([502, 500 + 1000 + 100 + 2]);
  await keep('b');
  expect([await used('a'), await used('b')]).toMatchObject([
    { items: 2, bytes: 2104 },
    { items: 1, bytes: 502 },
  ]);
  expect(await finishedEventUsage(store, 'a')).toMatchObject({ kind: 'deliveries', unit: 'bytes', used: 2104 });
  expect(await finishedEventUsage(store, 'none')).toMatchObject({ used: 0 });
});

it('the oldest go where an organization has too many of them, and none of others', async () => {
  const all = [];
  for (const organization of ['a', 'b', 'a', 'a', 'b', 'a']) all.push(await keep(organization));
  const [, other, , three, another, four] = all.map(({ _id }) => _id);
  const waits = await keep('a', { createdAt: '2025-01-01T00:00:00.000Z', lane: 'l' });
  await store.update(eventUsages, { _id: 'a' }, { $inc: { items: -1, bytes: -(waits.bytes ?? 0) } });
  await trimKept(store, never, { items: 2, bytes: 1_000_000 });
  expect(await ids()).toEqual([waits._id, other, three, another, four]);
  expect([await used('a'), await used('b')]).toMatchObject([
    { items: 2, bytes: 1004 },
    { items: 2, bytes: 1004 },
  ]);
});

it('the oldest go until the bytes of the others are few enough', async () => {
  const large = { payload: 'x'.repeat(1000) };
  for (const more of [{}, large, {}, large, large]) await keep('a', more);
  await trimKept(store, never, { items: 1000, bytes: 3010 });
  expect(await used('a')).toMatchObject({ items: 2, bytes: 3000 });
});

it('what was counted twice, for an event that is there once, is counted no longer when all are gone', async () => {
  await keep('a');
  await store.update(eventUsages, { _id: 'a' }, { $inc: { items: 9, bytes: 9000 } });
  await trimKept(store, never, { items: 5, bytes: 1_000_000 });
  expect([await ids(), await used('a')]).toMatchObject([[], { items: 0, bytes: 0 }]);
});

it('events that are removed or sent again are counted no longer', async () => {
  const [first, second] = [await keep('a'), await keep('b')];
  await keep('a', { publication: 'q' });
  await store.batch(uncountWrites([first, second, { bytes: 5 }]));
  expect([await used('a'), await used('b')]).toMatchObject([
    { items: 1, bytes: 502 },
    { items: 0, bytes: 0 },
  ]);
  expect(await removeEvents(store, { filter: { publication: 'q' }, sort: {} })).toBe(1);
  expect([await used('a'), (await ids()).length]).toMatchObject([{ items: 0, bytes: 0 }, 2]);
});
