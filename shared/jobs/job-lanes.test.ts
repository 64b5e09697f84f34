import { metricsRegistry } from '../monitoring/metrics.js';
import { eventually } from '../testing/eventually.js';
import { stillClock } from '../testing/still-clock.js';
import { timestamp } from '../values/ids.js';
import { aborted, gate, jobServices, kindOf } from './testing/job-services.js';

const newService = jobServices();

/** Makes every running job one of a process that is dead. */
const dead = { $set: { state: 'running' as const, fence: 'dead' } };

describe('jobs whose process died while they ran', () => {
  it('run again alone, one after the other, and none that is innocent is set aside', async () => {
    const { open, enqueue, allEnded, looksPass, jobs, store } = await newService();
    const inside = new Set<string>();
    const together: string[][] = [];
    const kind = kindOf(async ({ job }) => {
      inside.add(job.payload);
      together.push([...inside]);
      await looksPass();
      inside.delete(job.payload);
    });
    const first = await open([]);
    await enqueue(...['a', 'b', 'c'].map((payload) => first.enqueue('work', payload)));
    await store.updateMany(jobs, {}, dead);
    await first.stop();
    const second = await open([kind]);
    await enqueue(second.enqueue('work', 'beside'));
    const after = await allEnded();
    expect(after.map(({ payload, state, lost }) => [payload, state, lost])).toEqual([
      ['a', 'done', 1],
      ['b', 'done', 1],
      ['c', 'done', 1],
      ['beside', 'done', undefined],
    ]);
    expect(together.filter((names) => names.length > 1)).toEqual([]);
  });

  it('are set aside when that happens twice, with an error that says so, without another run', async () => {
    const { open, enqueue, allEnded, jobs, store } = await newService();
    const ran: string[] = [];
    const told: [string, string][] = [];
    const kind = kindOf(async ({ job }) => void ran.push(job.payload), {
      failed: async ({ payload }, { message }) => void told.push([payload, message]),
    });
    const first = await open([]);
    await enqueue(first.enqueue('work', 'poison'), first.enqueue('work', 'unlucky'));
    await store.updateMany(jobs, { payload: 'poison' } as never, { ...dead, $inc: { lost: 1 } });
    await store.updateMany(jobs, { payload: 'unlucky' } as never, dead);
    await first.stop();
    await open([kind]);
    expect((await allEnded()).map(({ payload, state, lost }) => [payload, state, lost])).toEqual([
      ['poison', 'failed', 2],
      ['unlucky', 'done', 1],
    ]);
    expect([ran, told]).toEqual([['unlucky'], [['poison', expect.stringContaining('twice')]]]);
    expect(await metricsRegistry.getSingleMetricAsString('bindery_job_runs_total')).toMatch(/outcome="set_aside"\} 1/);
  });

  it('still have all their attempts', async () => {
    const { open, enqueue, allEnded, jobs, store } = await newService();
    const first = await open([]);
    await enqueue(first.enqueue('work', 'a'));
    await store.updateMany(jobs, {}, { ...dead, $inc: { attempts: 1 } });
    await first.stop();
    await open([kindOf(() => Promise.reject(new Error('no')))]);
    expect(await allEnded()).toMatchObject([{ state: 'failed', attempts: 4, lost: 1 }]);
  });
});

describe('a lease that expires', () => {
  const expired = { $set: { leaseUntil: timestamp(new Date(0)) } };

  it('counts as a lost run: its process froze', async () => {
    const { open, enqueue, allEnded, jobs, locks, store } = await newService();
    const begun = gate();
    const runner = await open([
      kindOf(async ({ job, signal }) => {
        begun.open();
        if (job.attempts === 1) await aborted(signal);
      }),
    ]);
    await enqueue(runner.enqueue('work', 'a'));
    await begun.opened;
    await store.updateMany(jobs, {}, expired);
    await store.updateMany(locks, {}, expired);
    const other = await open([kindOf(async () => {})], { exclusive: false });
    other.claimNow();
    expect(await allEnded()).toMatchObject([{ state: 'done', attempts: 2, lost: 1 }]);
  });
});

describe('a lease that was lost while the store could not be reached', () => {
  stillClock();

  it('is not held against the job', async () => {
    const { open, enqueue, allEnded, jobs, locks, store } = await newService();
    const begun = gate();
    let down = false;
    let refused = 0;
    const failing = new Proxy(store, {
      get(target, name) {
        const member = target[name as keyof typeof target] as (...args: unknown[]) => unknown;
        if (!down) return member.bind(target);
        return () => {
          if (name === 'update') refused += 1;
          return Promise.reject(new Error('the store is down'));
        };
      },
    });
    const runner = await open(
      [
        kindOf(async ({ job, signal }) => {
          begun.open();
          if (job.attempts === 1) await aborted(signal);
        }),
      ],
      { store: failing, exclusive: false, leaseMs: 30_000, backoff: () => 0 },
    );
    await enqueue(runner.enqueue('work', 'a'));
    await begun.opened;
    down = true;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(refused).toBe(1);
    await store.updateMany(jobs, {}, { $set: { state: 'queued', fence: 'other' }, $inc: { lost: 1 } });
    await store.deleteMany(locks, {});
    down = false;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await allEnded()).toMatchObject([{ state: 'done', lost: 0, attempts: 2 }]);
  });
});

describe('jobs of shares', () => {
  it('have half of the lanes at most, so that others need not wait for them', async () => {
    const { open, enqueue, all, allEnded } = await newService();
    const [begun, finish] = [gate(), gate()];
    let slow = 0;
    const runner = await open([
      kindOf(async ({ job }) => {
        if (job.payload !== 'slow') return;
        if (++slow === 2) begun.open();
        await finish.opened;
      }),
    ]);
    await enqueue(...Array.from({ length: 10 }, () => runner.enqueue('work', 'slow', { share: 'a' })));
    await begun.opened;
    await enqueue(runner.enqueue('work', 'quick', { share: 'b' }), runner.enqueue('work', 'quick'));
    const done = async () => (await all()).filter(({ state }) => state === 'done').map(({ payload }) => payload);
    expect(await eventually('the end of two jobs', done, ({ length }) => length === 2)).toEqual(['quick', 'quick']);
    expect(slow).toBe(2);
    finish.open();
    await allEnded();
  });

  it('take turns: the first of one share comes before the second of another that queued more', async () => {
    const { open, enqueue, all, allEnded } = await newService();
    const order: string[] = [];
    const finish = gate();
    const runner = await open([
      kindOf(async ({ job }) => {
        if (job.payload !== 'holds') order.push(job.payload);
        else await finish.opened;
      }),
    ]);
    const held = Array.from({ length: 4 }, () => runner.enqueue('work', 'holds'));
    await enqueue(...held);
    await eventually('the run of each', all, (jobs) => jobs.every(({ state }) => state === 'running'));
    const at = (index: number) => timestamp(new Date(Date.now() - 10_000 + index));
    await enqueue(
      ...Array.from({ length: 60 }, (_, index) => runner.enqueue('work', 'a', { share: 'a', runAt: at(index) })),
      runner.enqueue('work', 'b', { share: 'b', runAt: at(100) }),
      runner.enqueue('work', 'c', { share: 'c', runAt: at(200) }),
    );
    finish.open();
    await allEnded();
    expect(order.slice(0, 3).sort()).toEqual(['a', 'b', 'c']);
  });

  it('keep their turns while all lanes are full', async () => {
    const { open, enqueue, all, allEnded } = await newService();
    const order: string[] = [];
    const gates = new Map(['a', 'b', 'c', 'd'].map((share) => [share, gate()]));
    const runner = await open([
      kindOf(async ({ job: { payload } }) => {
        if (payload.startsWith('next')) order.push(payload);
        else await gates.get(payload)?.opened;
      }),
    ]);
    await enqueue(...[...gates.keys()].map((share) => runner.enqueue('work', share, { share })));
    await eventually('the run of each', all, (jobs) => jobs.every(({ state }) => state === 'running'));
    for (const share of ['a', 'e']) await enqueue(runner.enqueue('work', `next ${share}`, { share }));
    gates.get('b')?.open();
    await eventually('the first of the next', () => order.length > 0);
    expect(order[0]).toBe('next e');
    for (const each of gates.values()) each.open();
    await allEnded();
  });
});

describe('kinds with lanes of their own', () => {
  it('hold up no other kind', async () => {
    const { open, enqueue, all, allEnded } = await newService();
    const finish = gate();
    let hanging = 0;
    const hangs = kindOf(
      async () => {
        hanging++;
        await finish.opened;
      },
      { kind: 'asks', lanes: { count: 4, ofShare: 2 } },
    );
    const runner = await open([hangs, kindOf(async () => {})]);
    await enqueue(...Array.from({ length: 20 }, (_, share) => runner.enqueue('asks', 'a', { share: `s${share}` })));
    await eventually('a job in each lane', () => hanging === 4);
    await enqueue(...['b', 'c', 'd'].map((payload) => runner.enqueue('work', payload)));
    const done = async () => (await all()).filter(({ state }) => state === 'done').map(({ payload }) => payload);
    expect(await eventually('the end of the others', done, ({ length }) => length === 3)).toEqual(['b', 'c', 'd']);
    expect(hanging).toBe(4);
    finish.open();
    await allEnded();
  });

  it('go on for some shares, however many others were slow', async () => {
    const { open, enqueue, all, allEnded, looksPass } = await newService();
    const finish = gate();
    let hanging = 0;
    const kind = kindOf(
      async ({ job: { payload } }) => {
        if (payload !== 'hangs') return;
        hanging++;
        await finish.opened;
      },
      // So every run is slow.
      { lanes: { count: 4, ofShare: 2, slowMs: 0 } },
    );
    const runner = await open([kind]);
    const ofHostile = (payload: string) =>
      Array.from({ length: 10 }, (_, share) => runner.enqueue('work', payload, { share: `hostile ${share}` }));
    await enqueue(...ofHostile('was slow'));
    await allEnded();
    await enqueue(...ofHostile('hangs'));
    await eventually('jobs that hang', () => hanging === 2);
    for (const share of ['a', 'b', 'c']) await enqueue(runner.enqueue('work', 'is quick', { share }));
    const quick = async () => (await all()).filter(({ payload }) => payload === 'is quick');
    await eventually('the end of the quick', quick, (jobs) => jobs.every(({ state }) => state === 'done'));
    await looksPass();
    expect(hanging).toBe(2);
    finish.open();
    await allEnded();
    expect(hanging).toBe(10);
  });
});
