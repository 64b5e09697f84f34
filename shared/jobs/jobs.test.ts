import { collection, type Document, StoreConflict, write } from '../store/port.js';
import { eventually } from '../testing/eventually.js';
import { newId, timestamp } from '../values/ids.js';
import type { Job } from './jobs.js';
import { gate, jobServices, kindOf } from './testing/job-services.js';

const newService = jobServices();

const hour = 3_600_000;

describe('a job', () => {
  it('runs once, with its payload, and is done', async () => {
    const { open, enqueue, allEnded } = await newService();
    const ran: string[] = [];
    const runner = await open([
      kindOf(async ({ job }) => {
        ran.push(job.payload);
      }),
    ]);
    await enqueue(runner.enqueue('work', 'a'));
    expect(await allEnded()).toMatchObject([{ state: 'done', attempts: 1 }]);
    for (let i = 0; i < 5; i++) runner.claimNow();
    await runner.stop();
    expect(ran).toEqual(['a']);
  });

  it('starts at once after the batch that enqueued it, long before the next poll', async () => {
    const { open, enqueue, allEnded } = await newService();
    const runner = await open([kindOf(async () => {})], { pollMs: hour });
    await enqueue(runner.enqueue('work', 'a'));
    expect(await allEnded()).toMatchObject([{ state: 'done' }]);
  });

  it('waits for its time', async () => {
    const { open, enqueue, all } = await newService();
    const runner = await open([kindOf(async () => {})]);
    const runAt = timestamp(new Date(Date.now() + hour));
    await enqueue(runner.enqueue('work', 'later', { runAt }), runner.enqueue('work', 'now'));
    const jobs = await eventually('the end of a job', all, (items) => items.some(({ state }) => state === 'done'));
    expect(jobs.map(({ payload, state }) => [payload, state])).toEqual(
      expect.arrayContaining([
        ['later', 'queued'],
        ['now', 'done'],
      ]),
    );
  });

  it('that was done otherwise is forgotten, unless it runs', async () => {
    const { open, enqueue, all, allEnded } = await newService();
    const { open: go, opened } = gate();
    const runner = await open([kindOf(() => opened)]);
    const runAt = timestamp(new Date(Date.now() + hour));
    await enqueue(runner.enqueueOnce('runs', 'work', 'a'), runner.enqueueOnce('waits', 'work', 'b', { runAt }));
    await eventually('the run of a job', all, (jobs) => jobs.some(({ state }) => state === 'running'));
    for (const id of ['runs', 'waits']) await runner.removeQueued(id);
    go();
    expect(await allEnded()).toMatchObject([{ _id: 'runs', state: 'done' }]);
  });

  it('stays queued when the process stops before it begins, however many do', async () => {
    const { open, enqueue, all } = await newService();
    const { open: tell, opened: stopped } = gate();
    const runner = await open([kindOf(async () => void runner.stop().then(tell))]);
    await enqueue(...Array.from({ length: 50 }, (_, at) => runner.enqueue('work', `${at}`)));
    await stopped;
    expect((await all()).filter(({ state }) => state === 'queued').length).toBeGreaterThan(40);
  });

  it('stays queued when this process does not know its kind', async () => {
    const { open, enqueue, all } = await newService();
    const runner = await open([kindOf(async () => {})]);
    await enqueue(runner.enqueue('other', 'a'), runner.enqueue('work', 'b'));
    await eventually('the end of a job', all, (items) => items.some(({ state }) => state === 'done'));
    expect((await all()).find(({ kind }) => kind === 'other')).toMatchObject({ state: 'queued', attempts: 0 });
  });

  it('does not exist when the batch of its change fails', async () => {
    const { open, all, store } = await newService();
    const runner = await open([kindOf(async () => {})]);
    const things = collection<Document>('jobs_test_things');
    await store.prepare([things as never]);
    const failing = [runner.enqueue('work', 'a'), write.check(things, { _id: 'missing' }, 1)];
    await expect(store.batch(failing)).rejects.toThrow(StoreConflict);
    expect(await all()).toEqual([]);
  });
});

describe('a job that fails', () => {
  it('is tried again after a backoff and can succeed', async () => {
    const { open, enqueue, allEnded } = await newService();
    const waits: number[] = [];
    const backoff = (attempts: number) => waits.push(attempts);
    const runner = await open(
      [
        kindOf(async ({ job }) => {
          if (job.attempts < 3) throw new Error(`attempt ${job.attempts}`);
        }),
      ],
      { backoff },
    );
    await enqueue(runner.enqueue('work', 'a'));
    expect(await allEnded()).toMatchObject([{ state: 'done', attempts: 3 }]);
    expect(waits).toEqual([1, 2]);
  });

  it('waits no less than the backoff', async () => {
    const { open, enqueue, all } = await newService();
    const runner = await open([kindOf(() => Promise.reject(new Error('no')))], { backoff: () => hour });
    const before = Date.now();
    await enqueue(runner.enqueue('work', 'a'));
    const [job] = await eventually('a failure', all, ([only]) => only?.error === 'no');
    expect(job).toMatchObject({ state: 'queued', attempts: 1 });
    expect(Date.parse(String(job?.runAt))).toBeGreaterThanOrEqual(before + hour);
  });

  it('fails after its last attempt, and calls `failed` of its kind once', async () => {
    const { open, enqueue, allEnded } = await newService();
    const told: [string, string][] = [];
    const runner = await open([
      kindOf(({ job }) => Promise.reject(new Error(`attempt ${job.attempts}`)), {
        failed: async ({ payload }, { message }) => void told.push([payload, message]),
      }),
    ]);
    await enqueue(runner.enqueue('work', 'a'));
    expect(await allEnded()).toMatchObject([{ state: 'failed', attempts: 3, error: 'attempt 3' }]);
    expect(told).toEqual([['a', 'attempt 3']]);
  });

  it.each([
    ['an error that says so', Object.assign(new Error('never'), { permanent: true }), 1, 'never'],
    ['a thrown text, like any error', 'a text', 3, 'a text'],
    ['nothing at all', undefined, 3, 'undefined'],
  ])('%s decides whether it is tried again', async (_, thrown, attempts, error) => {
    const { open, enqueue, allEnded } = await newService();
    const runner = await open([kindOf(() => Promise.reject(thrown))]);
    await enqueue(runner.enqueue('work', 'a'));
    expect(await allEnded()).toMatchObject([{ state: 'failed', attempts, error }]);
  });
});

describe('jobs of one key', () => {
  it('run one at a time in the order of their sequence, and others at the same time', async () => {
    const { open, enqueue, allEnded } = await newService();
    const order: string[] = [];
    const [other, last] = [gate(), gate()];
    let inside = 0;
    const runner = await open([
      kindOf(async ({ job }) => {
        if (job.payload === 'other') {
          await other.opened;
          return;
        }
        expect(++inside).toBe(1);
        order.push(job.payload);
        await new Promise(setImmediate);
        inside--;
        if (job.payload === '5') last.open();
      }),
    ]);
    const writes = ['3', '1', '5', '2', '4'].map((payload) =>
      runner.enqueue('work', payload, { orderKey: 'key', sequence: `2026-01-0${payload}T00:00:00.000Z` }),
    );
    await enqueue(runner.enqueue('work', 'other'), ...writes);
    await last.opened;
    expect(order).toEqual(['1', '2', '3', '4', '5']);
    other.open();
    expect((await allEnded()).map(({ state }) => state)).toEqual(Array(6).fill('done'));
  });

  it('keep their order of arrival when their sequence is the same, also over a retry', async () => {
    const { open, enqueue, allEnded } = await newService();
    const order: string[] = [];
    const runner = await open([
      kindOf(async ({ job }) => {
        order.push(job.payload);
        if (job.payload === 'a' && job.attempts === 1) throw new Error('once');
      }),
    ]);
    const options = { orderKey: 'key', sequence: timestamp() };
    await enqueue(...['a', 'b', 'c'].map((payload) => runner.enqueue('work', payload, options)));
    await allEnded();
    expect(order).toEqual(['a', 'a', 'b', 'c']);
  });

  it('wait while an earlier one waits for its next attempt', async () => {
    const { open, enqueue, all, allEnded, jobs, store } = await newService();
    const order: string[] = [];
    const runner = await open(
      [
        kindOf(async ({ job }) => {
          order.push(job.payload);
          if (job.payload === 'first' && job.attempts === 1) throw new Error('once');
        }),
      ],
      { backoff: () => hour },
    );
    const options = { orderKey: 'key' };
    await enqueue(
      runner.enqueue('work', 'first', { ...options, sequence: '2026-01-01T00:00:00.000Z' }),
      runner.enqueue('work', 'second', { ...options, sequence: '2026-01-02T00:00:00.000Z' }),
    );
    await eventually('a failure', all, ([first]) => first?.error === 'once');
    await enqueue(runner.enqueue('work', 'beside'));
    await eventually('the end of the other', all, (items) =>
      items.some(({ payload, state }) => payload === 'beside' && state === 'done'),
    );
    expect(order).toEqual(['first', 'beside']);
    await store.updateMany(jobs, { error: 'once' }, { $set: { runAt: timestamp() } });
    await allEnded();
    expect(order).toEqual(['first', 'beside', 'first', 'second']);
  });
});

describe('what ended', () => {
  it('is dropped after a week, and nothing else', async () => {
    const { open, all, jobs, store } = await newService();
    const daysAgo = (days: number) => timestamp(new Date(Date.now() - days * 86_400_000));
    const job = (state: Job['state'], days: number): Job => ({
      _id: newId(),
      kind: 'other',
      state,
      payload: days,
      orderKey: newId(),
      sequence: daysAgo(days),
      attempts: 1,
      runAt: daysAgo(days),
      leaseUntil: timestamp(new Date(Date.now() + hour)),
      createdAt: daysAgo(40),
      updatedAt: daysAgo(days),
    });
    const states = ['queued', 'running', 'done', 'failed'] as const;
    await store.insertMany(
      jobs,
      states.flatMap((state) => [job(state, 8), job(state, 6)]),
    );
    await open([], { exclusive: false });
    const kept = (await all()).map(({ state, payload }) => `${state} ${payload}`);
    expect(kept.sort()).toEqual(['done 6', 'failed 6', 'queued 6', 'queued 8', 'running 6', 'running 8']);
  });
});
