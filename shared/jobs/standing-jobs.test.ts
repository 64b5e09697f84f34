import { eventually } from '../testing/eventually.js';
import { timestamp } from '../values/ids.js';
import { gate, jobServices, kindOf } from './testing/job-services.js';

const newService = jobServices();

const later = () => timestamp(new Date(Date.now() + 3_600_000));
const none = (jobs: unknown[]) => jobs.length === 0;

describe('a standing job', () => {
  it('runs once for all that asked for it while it waited, and is removed then', async () => {
    const { open, enqueue, all } = await newService();
    const first = await open([]);
    await enqueue(...['a', 'b', 'c'].map((payload) => first.enqueueStanding('key', 'work', payload)));
    expect(await all()).toMatchObject([{ _id: 'key', payload: 'a', orderKey: 'key', asked: 3, state: 'queued' }]);
    await first.stop();
    const ran: string[] = [];
    const second = await open([kindOf(async ({ job }) => void ran.push(job.payload), { attempts: Infinity })]);
    second.claimNow();
    await eventually('no job', all, none);
    expect(ran).toEqual(['a']);
  });

  it('runs once more when it is asked for during its run', async () => {
    const { open, enqueue, all } = await newService();
    const [begun, finish] = [gate(), gate()];
    let runs = 0;
    const runner = await open([
      kindOf(async () => {
        runs += 1;
        begun.open();
        await finish.opened;
      }),
    ]);
    await enqueue(runner.enqueueStanding('key', 'work', 'a'));
    await begun.opened;
    for (const payload of ['b', 'c']) await enqueue(runner.enqueueStanding('key', 'work', payload));
    expect(await all()).toMatchObject([{ state: 'running', asked: 3 }]);
    finish.open();
    await eventually('no job', all, none);
    expect(runs).toBe(2);
  });

  it('runs again at the time that its run tells, not sooner when it is asked for', async () => {
    const { open, enqueue, all } = await newService();
    const at = later();
    let runs = 0;
    const runner = await open([
      kindOf(async () => {
        runs += 1;
        return { runAt: runs === 1 ? timestamp() : at };
      }),
    ]);
    await enqueue(runner.enqueueStanding('key', 'work', 'a'));
    await eventually('a second run', all, () => runs === 2);
    await eventually('a third run planned', all, ([job]) => job?.state === 'queued' && job.runAt === at);
    await enqueue(runner.enqueueStanding('key', 'work', 'b'));
    expect(await all()).toMatchObject([{ state: 'queued', runAt: at, attempts: 0, asked: 2 }]);
    expect(runs).toBe(2);
    expect(await runner.findStanding(['key', 'other'])).toEqual(new Set(['key']));
  });

  it('runs at once when it is asked for so: while it waits for its time, and again when that was during its run', async () => {
    const { open, enqueue, all } = await newService();
    const at = later();
    const [begun, finish] = [gate(), gate()];
    let runs = 0;
    const runner = await open([
      kindOf(async () => {
        runs += 1;
        if (runs === 2) {
          begun.open();
          await finish.opened;
        }
        return { runAt: at };
      }),
    ]);
    await enqueue(runner.enqueueStandingSoon('key', 'work', 'a'));
    await eventually('the first run', all, ([job]) => job?.state === 'queued' && job.runAt === at);
    await enqueue(runner.enqueueStandingSoon('key', 'work', 'b'));
    await begun.opened;
    await enqueue(runner.enqueueStandingSoon('key', 'work', 'c'));
    finish.open();
    await eventually('no run but the next at its time', all, ([job]) => job?.state === 'queued' && job.runAt === at);
    expect([runs, (await all())[0]]).toMatchObject([3, { asked: 3 }]);
  });

  it('is retried when its run fails, and lost runs are not held against a blameless one', async () => {
    const { open, enqueue, all, jobs, store } = await newService();
    const first = await open([], { blameless: true });
    await enqueue(first.enqueueStanding('key', 'work', 'a'));
    const dead = { $set: { state: 'running' as const, fence: 'dead', leaseUntil: timestamp(new Date(0)) } };
    for (let time = 0; time < 3; time++) {
      await store.updateMany(jobs, {}, dead);
      first.claimNow();
      await eventually('a queued job', all, ([job]) => job?.state === 'queued');
    }
    expect((await all())[0]?.lost).toBeUndefined();
    let runs = 0;
    const kind = kindOf(() => (++runs < 5 ? Promise.reject(new Error('no')) : Promise.resolve()), {
      attempts: Number.POSITIVE_INFINITY,
    });
    await open([kind], { blameless: true });
    await eventually('no job', all, none);
    expect(runs).toBe(5);
  });

  it('is counted among the unfinished jobs of its share, or not', async () => {
    const { open, enqueue } = await newService();
    const runner = await open([]);
    const [share, runAt] = ['a', later()];
    await enqueue(
      runner.enqueueStanding('key', 'work', 'a', { share, runAt }),
      runner.enqueue('work', 'b', { share, runAt }),
    );
    expect([await runner.countUnfinished(share), await runner.countUnfinished(share, { standing: false })]).toEqual([
      2, 1,
    ]);
  });
});
