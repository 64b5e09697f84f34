import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceBroker } from 'moleculer';
import { openFolderBlobs } from '../../shared/blobs/folder.js';
import { createBus } from '../../shared/bus/bus.js';
import { createLog } from '../../shared/log.js';

const { NATS_URL } = process.env;
if (!NATS_URL) console.warn('SKIPPED: a bus whose members stop; set NATS_URL to test it');

(NATS_URL ? describe : describe.skip)('a bus', () => {
  let folder: string;
  const running = new Set<ServiceBroker>();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-stopping-'));
  });
  afterAll(async () => {
    for (const bus of running) await bus.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const newBus = () => {
    const bus = createBus({ natsUrl: NATS_URL, blobs: openFolderBlobs(folder), log: createLog('silent') });
    running.add(bus);
    return bus;
  };

  /** A process that takes calls; `calls` tells of each. */
  async function serving(): Promise<{ bus: ServiceBroker; calls: EventEmitter }> {
    const bus = newBus();
    const calls = new EventEmitter();
    bus.createService({ name: 'echo', actions: { say: () => calls.emit('call') || 'said' } });
    await bus.start();
    return { bus, calls };
  }

  it('repeats a change only while every process declares that it makes it once', async () => {
    let made = 0;
    const late = async () => {
      made += 1;
      await new Promise((resolve) => setTimeout(resolve, 2_500));
    };
    const offer = async (repeatable: boolean) => {
      const bus = newBus();
      bus.createService({ name: 'change', actions: { make: { handler: late, repeatable } } });
      await bus.start();
      return bus;
    };
    const caller = newBus();
    await caller.start();
    const make = () => caller.call('change.make', {}, { repeatable: true } as object);
    const former = await offer(false);
    await offer(true);
    await caller.waitForServices('change');
    const known = () =>
      caller.registry.getActionList({ withEndpoints: true } as never).find(({ name }: any) => name === 'change.make');
    const processes = async (count: number) => {
      while ((known() as any)?.endpoints?.length !== count) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await processes(2);
    await make();
    expect(made).toBe(1);
    await former.stop();
    running.delete(former);
    await processes(1);
    await make();
    expect(made).toBe(3);
  }, 30_000);

  it('stops without waiting for a process that says nothing, where another has answered', async () => {
    const mute = newBus();
    const silent = new EventEmitter();
    const say = () => {
      silent.emit('call');
      return once(silent, 'end');
    };
    mute.createService({ name: 'echo', actions: { say } });
    await mute.start();
    const caller = newBus();
    await caller.start();
    await caller.waitForServices('echo');
    const asked = once(silent, 'call');
    const answer = caller.call('echo.say', {}, { safe: true } as object);
    await asked;
    const { bus: other } = await serving();
    expect(await answer).toBe('said');
    const began = performance.now();
    await caller.stop();
    expect(performance.now() - began).toBeLessThan(3_000);
    silent.emit('end');
    for (const bus of [mute, other]) await bus.stop();
    for (const bus of [caller, mute, other]) running.delete(bus);
  }, 30_000);

  it('loses no call when a process that takes calls stops', async () => {
    const { calls } = await serving();
    const caller = newBus();
    await caller.start();
    await caller.waitForServices('echo');
    const say = (timeout: number) => caller.call('echo.say', {}, { timeout });
    const first = once(calls, 'call');
    // A process takes calls a moment after it is known.
    const asking = setInterval(() => void say(100).catch(() => undefined), 100);
    await first.finally(() => clearInterval(asking));

    const failed: unknown[] = [];
    let going = true;
    const callers = Array.from({ length: 32 }, async () => {
      while (going) await say(3000).catch((error) => failed.push(error));
    });
    for (let round = 0; round < 8; round++) {
      const { bus, calls } = await serving();
      for (let taken = 0; taken < 50; taken++) await once(calls, 'call');
      await bus.stop();
      running.delete(bus);
    }
    going = false;
    await Promise.all(callers);
    expect(failed).toEqual([]);
  }, 60_000);
});
