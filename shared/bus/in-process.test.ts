import type { Context, ServiceBroker } from 'moleculer';
import { openFolderBlobs } from '../blobs/folder.js';
import { createLog } from '../monitoring/log.js';
import { createBus } from './bus.js';

type Called = Promise<unknown> & { ctx: { meta: object } };

let broker: ServiceBroker;
let begun: () => void;
let release: () => void;
let held: Promise<void>;
let hasBegun: Promise<void>;

beforeEach(async () => {
  held = new Promise((resolve) => {
    release = resolve;
  });
  hasBegun = new Promise((resolve) => {
    begun = resolve;
  });
  broker = createBus({ blobs: openFolderBlobs('never used'), log: createLog('silent') });
  broker.createService({
    name: 'library',
    actions: {
      lend: async (bus: Context<{ book: string }>) => {
        Object.assign(bus.meta, { shelf: 3 });
        return `${bus.params.book} lent`;
      },
      fail: async () => {
        throw Object.assign(new Error('burnt'), { type: 'NOT_FOUND' });
      },
      hold: async () => {
        begun();
        await held;
        return 'held';
      },
      forward: (bus: Context<{ action: string }>) =>
        broker.call(`library.${bus.params.action}`, { book: 'B' }, { meta: bus.meta, parentCtx: bus }),
    },
  });
  await broker.start();
});
afterEach(async () => {
  release();
  await broker.stop();
});

const call = (action: string, parameters: object = {}, options: object = {}) =>
  broker.call(`library.${action}`, parameters, options) as Called;

it('a call has the answer or the error of its action, and what that added to the meta', async () => {
  const meta = { caller: 'c' };
  const called = call('lend', { book: 'A' }, { meta });
  expect(await called).toBe('A lent');
  expect(called.ctx.meta).toEqual({ caller: 'c', shelf: 3 });
  expect(meta).toEqual({ caller: 'c' });
  await expect(call('fail')).rejects.toMatchObject({ message: 'burnt', type: 'NOT_FOUND' });
});

it('a call within a call keeps its meta to itself', async () => {
  const called = call('forward', { action: 'lend' }, { meta: { caller: 'c' } });
  expect(await called).toBe('B lent');
  expect(called.ctx.meta).toEqual({ caller: 'c' });
});

it('an action that is not there fails as it does on a bus', async () => {
  await expect(call('burn')).rejects.toMatchObject({ type: 'SERVICE_NOT_FOUND' });
  await expect(broker.call('museum.open')).rejects.toMatchObject({ type: 'SERVICE_NOT_FOUND' });
});

it('a call that takes too long fails, also where it waits for another one', async () => {
  const late = { type: 'REQUEST_TIMEOUT' };
  await expect(call('hold', {}, { timeout: 1 })).rejects.toMatchObject(late);
  await expect(call('forward', { action: 'hold' }, { timeout: 1 })).rejects.toMatchObject(late);
});

it('all calls that wait share one timer, which ends with them', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
  const before = timers();
  const calls = Array.from({ length: 100 }, () => call('hold', {}, { timeout: 3_600_000 }));
  expect(timers()).toBeLessThanOrEqual(before + 1);
  release();
  expect(await Promise.all(calls)).toHaveLength(100);
  while (timers() > before) await new Promise((resolve) => setImmediate(resolve));
});

it('a service that stops waits for the calls under way', async () => {
  const order: string[] = [];
  const called = call('hold').then(() => order.push('answered'));
  await hasBegun;
  const stopped = broker.stop().then(() => order.push('stopped'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  release();
  await Promise.all([called, stopped]);
  expect(order).toEqual(['answered', 'stopped']);
});
