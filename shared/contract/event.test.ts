import { z } from 'zod';
import { consumersOf, domainEvent, eventReceiver } from './event.js';

const thingMade = domainEvent('test', 'thingMade', z.object({ id: z.string() }));
const thingDeleted = domainEvent('test', 'thingDeleted', z.object({ id: z.string() }));

it('consumers are known by event', () => {
  const consumers = consumersOf({ first: { thingMade }, second: { thingMade, thingDeleted } });
  expect([...consumers]).toEqual([
    ['test.thingMade', ['first', 'second']],
    ['test.thingDeleted', ['second']],
  ]);
});

it('consecutive events of one kind come together, in order, and unknown ones are named', async () => {
  const calls: unknown[] = [];
  const receive = eventReceiver(
    { thingMade, thingDeleted },
    {
      thingMade: async (made) => void calls.push(['made', made.map(({ id }) => id)]),
      thingDeleted: async (deleted) => void calls.push(['deleted', deleted.map(({ id }) => id)]),
    },
  );
  const event = (name: string, id: string) => ({ name, payload: { id } });
  const received = await receive([
    event('test.thingMade', 'a'),
    event('test.thingMade', 'b'),
    event('test.thingDeleted', 'a'),
    event('test.thingUnknown', 'x'),
    event('test.thingMade', 'c'),
  ]);
  expect(calls).toEqual([
    ['made', ['a', 'b']],
    ['deleted', ['a']],
    ['made', ['c']],
  ]);
  expect(received).toEqual({ unknown: ['test.thingUnknown'] });
});

it('handlers get the id of each event, the same in every delivery', async () => {
  const told: string[][] = [];
  const receive = eventReceiver({ thingMade }, { thingMade: async (_made, ids) => void told.push(ids) });
  const event = (id: string) => ({ id: `event ${id}`, name: 'test.thingMade', payload: { id } });
  for (const _ of ['once', 'twice']) await receive([event('a'), event('b')]);
  expect(told).toEqual(Array(2).fill(['event a', 'event b']));
});

it('a payload that does not match its event is refused', async () => {
  const receive = eventReceiver({ thingMade }, { thingMade: async () => {} });
  await expect(receive([{ name: 'test.thingMade', payload: { id: 1 } }])).rejects.toThrow('id');
});
