import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceBroker } from 'moleculer';
import { openFolderBlobs } from '../../shared/blobs/folder.js';
import { createBus } from '../../shared/bus/bus.js';
import { createLog, type Log } from '../../shared/monitoring/log.js';
import { eventually } from '../../shared/testing/eventually.js';

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

  const newBus = (log: Log = createLog('silent')) => {
    const bus = createBus({ natsUrl: NATS_URL, blobs: openFolderBlobs(folder), log });
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
    const repeated = new EventEmitter();
    const make = async () => {
      made += 1;
      await once(repeated, 'question');
    };
    let asked = 0;
    /** Answered when it was sent twice: by then, a change that was sent before it has been repeated, or will not be. */
    const ask = () => {
      asked += 1;
      if (asked % 2 === 0) repeated.emit('question');
      return asked % 2 === 0 || once(repeated, 'question');
    };
    const offer = async (repeatable: boolean) => {
      const bus = newBus();
      bus.createService({ name: 'change', actions: { make: { handler: make, repeatable }, ask } });
      await bus.start();
      return bus;
    };
    const caller = newBus();
    await caller.start();
    const change = () =>
      Promise.all([
        caller.call('change.make', {}, { repeatable: true } as object),
        caller.call('change.ask', {}, { safe: true } as object),
      ]);
    const former = await offer(false);
    await offer(true);
    await caller.waitForServices('change');
    const endpoints = () =>
      caller.registry
        .getActionList({ withEndpoints: true } as never)
        .find(({ name }: any) => name === 'change.make') as any;
    const processes = (count: number) =>
      eventually(`${count} processes`, endpoints, (known) => known?.endpoints?.length === count);
    await processes(2);
    await change();
    expect(made).toBe(1);
    await former.stop();
    running.delete(former);
    await processes(1);
    await change();
    expect(made).toBe(3);
  });

  it('stops without waiting for a process that says nothing, where another has answered', async () => {
    const mute = newBus();
    const silent = new EventEmitter();
    const say = () => {
      silent.emit('call');
      return once(silent, 'end');
    };
    mute.createService({ name: 'echo', actions: { say } });
    await mute.start();
    const lines: string[] = [];
    const caller = newBus(createLog('warn', { write: (line) => lines.push(line) }));
    await caller.start();
    await caller.waitForServices('echo');
    const asked = once(silent, 'call');
    const answer = caller.call('echo.say', {}, { safe: true, timeout: 30_000 } as object);
    await asked;
    const { bus: other } = await serving();
    expect(await answer).toBe('said');
    await caller.stop();
    // It would complain of a call that it waited for in vain.
    expect(lines).toEqual([]);
    silent.emit('end');
    for (const bus of [mute, other]) await bus.stop();
    for (const bus of [caller, mute, other]) running.delete(bus);
  });

  it('loses no call when a process that takes calls stops', async () => {
    await serving();
    const caller = newBus();
    await caller.start();
    await caller.waitForServices('echo');
    const say = (options: object = {}) => caller.call('echo.say', {}, options);
    // A process takes calls a moment after it is known; until then this one is sent again.
    await say({ safe: true });

    const failed: unknown[] = [];
    let going = true;
    const callers = Array.from({ length: 32 }, async () => {
      while (going) await say().catch((error) => failed.push(error));
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
  });
});
