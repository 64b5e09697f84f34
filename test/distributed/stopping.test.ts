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
