import { write } from '../store/port.js';
import { eventually } from '../testing/eventually.js';
import { stillClock } from '../testing/still-clock.js';
import { timeIn, timestamp } from '../values/ids.js';
import { aborted, gate, jobServices, kindOf } from './testing/job-services.js';

const newService = jobServices();

describe('stopping', () => {
  it('queues a running job again, without counting the attempt, and the next start resumes it', async () => {
    const { open, enqueue, all, allEnded, locks, store } = await newService();
    const begun = gate();
    const first = await open([
      kindOf(({ signal }) => {
        begun.open();
        return aborted(signal);
      }),
    ]);
    await enqueue(first.enqueue('work', 'a'));
    await begun.opened;
    await first.stop();
    expect(await all()).toMatchObject([{ state: 'queued', attempts: 0 }]);
    expect(await store.count(locks, {})).toBe(0);
    await open([kindOf(async () => {})]);
    expect(await allEnded()).toMatchObject([{ state: 'done', attempts: 1 }]);
  });

  it('starts no more jobs', async () => {
    const { open, enqueue, all, looksPass } = await newService();
    const runner = await open([kindOf(async () => {})]);
    await runner.stop();
    await enqueue(runner.enqueue('work', 'a'));
    await looksPass();
    expect(await all()).toMatchObject([{ state: 'queued' }]);
  });

  it('that did not happen (kill -9) leaves a job that the next exclusive start takes over at once', async () => {
    const { open, enqueue, allEnded, jobs, locks, store } = await newService();
    const none = await open([]);
    await enqueue(none.enqueue('work', 'a', { orderKey: 'key' }));
    const leaseUntil = timestamp(new Date(Date.now() + 60_000));
    await store.updateMany(jobs, {}, { $set: { state: 'running', attempts: 1, fence: 'dead', leaseUntil } });
    await store.insert(locks, { _id: 'key', fence: 'dead', leaseUntil });
    await open([kindOf(async () => {})]);
    expect(await allEnded()).toMatchObject([{ state: 'done', attempts: 2 }]);
  });
});

describe('runners that share a store', () => {
  it('never run a job twice at once, nor two jobs of a key', async () => {
    const { open, enqueue, allEnded } = await newService();
    const inside = new Set<string>();
    const ran: string[] = [];
    const kind = kindOf(async ({ job }) => {
      const names = [job._id, job.orderKey];
      expect(names.filter((name) => inside.has(name))).toEqual([]);
      for (const name of names) inside.add(name);
      ran.push(job.payload);
      await new Promise(setImmediate);
      for (const name of names) inside.delete(name);
    });
    const [a, b] = [await open([kind], { exclusive: false }), await open([kind], { exclusive: false })];
    const writes = Array.from({ length: 40 }, (_, i) =>
      a.enqueue('work', String(i), { orderKey: `key ${i % 7}`, sequence: `2026-01-01T00:00:00.${100 + i}Z` }),
    );
    await enqueue(...writes);
    b.claimNow();
    const after = await allEnded();
    expect(after.map(({ state, attempts }) => [state, attempts])).toEqual(Array(40).fill(['done', 1]));
    expect([...ran].sort((x, y) => Number(x) - Number(y))).toEqual(Array.from({ length: 40 }, (_, i) => String(i)));
    for (let key = 0; key < 7; key++) {
      const ofKey = ran.map(Number).filter((i) => i % 7 === key);
      expect(ofKey).toEqual([...ofKey].sort((x, y) => x - y));
    }
  });
});

describe('leases of runners that share a store', () => {
  stillClock();

  it.each([['resolves'], ['throws']])(
    'let another take over when they expire; the lost run, which %s, writes no end',
    async (end) => {
      const { open, enqueue, all, allEnded, jobs, locks, store } = await newService();
      const [begun, taken, lost, finish] = [gate(), gate(), gate(), gate()];
      const told: string[] = [];
      const first = await open(
        [
          kindOf(
            async ({ signal }) => {
              begun.open();
              const reason = await aborted(signal).catch((error: Error) => error);
              expect(reason.message).toContain('lease');
              lost.open();
              if (end === 'throws') throw Object.assign(reason, { permanent: true });
            },
            { failed: async ({ payload }) => void told.push(payload) },
          ),
        ],
        { exclusive: false, leaseMs: 30_000 },
      );
      await enqueue(first.enqueue('work', 'a', { orderKey: 'key' }));
      await begun.opened;
      await open(
        [
          kindOf(async () => {
            taken.open();
            await finish.opened;
          }),
        ],
        { exclusive: false },
      );
      const past = { $set: { leaseUntil: timestamp(new Date(Date.now() - 1)) } };
      await store.batch([write.update(jobs, {}, past), write.update(locks, {}, past)]);
      jest.advanceTimersByTime(1_000);
      await taken.opened;
      jest.advanceTimersByTime(9_000);
      await lost.opened;
      await first.stop();
      expect(await all()).toMatchObject([{ state: 'running', attempts: 2 }]);
      expect(await store.count(locks, { _id: 'key' })).toBe(1);
      finish.open();
      expect(await allEnded()).toMatchObject([{ state: 'done', attempts: 2 }]);
      expect(told).toEqual([]);
    },
  );

  it('are renewed while the run lasts', async () => {
    const { open, enqueue, all, store } = await newService();
    const [begun, finish] = [gate(), gate()];
    let runs = 0;
    const kind = kindOf(async () => {
      runs++;
      begun.open();
      await finish.opened;
    });
    const options = { exclusive: false, leaseMs: 30_000, pollMs: 10_000 };
    const first = await open([kind], options);
    await enqueue(first.enqueue('work', 'a'));
    await begun.opened;
    const look = kindOf(async () => {}, { kind: 'look' });
    const second = await open([kind, look], options);
    for (let passed = 0; passed < 60_000; passed += 10_000) {
      await store.batch([second.enqueue('look', 'at the leases')]);
      jest.advanceTimersByTime(10_000);
      await eventually('a renewal, and a look of the other', all, ([job, ...looks]) => {
        return job?.leaseUntil === timeIn(30_000) && looks.every(({ state }) => state === 'done');
      });
    }
    finish.open();
    const [job] = await eventually('its end', all, ([job]) => job?.state === 'done');
    expect([job?.attempts, runs]).toEqual([1, 1]);
  });
});
