import { createLog } from '../monitoring/log.js';
import { eventually } from '../testing/eventually.js';
import { Jobs, jobCollections } from './jobs.js';
import { jobServices } from './testing/job-services.js';
import { countLooks } from './testing/looks.js';

const newService = jobServices();

test('where no other process writes, an idle service leaves the store alone until a job is due', async () => {
  const { store, open, enqueue, allEnded } = await newService();
  const alone = countLooks(store);
  const shared = countLooks(store);
  const ran: string[] = [];
  const kind = { kind: 'note', attempts: 1, run: async () => void ran.push('note') };
  const runner = await open([kind], { store: alone.observed, pollMs: 3_600_000 });
  const other = new Jobs({
    store: shared.observed,
    service: 'other',
    log: createLog('silent'),
    exclusive: false,
    pollMs: 1,
  });
  await store.prepare(Object.values(jobCollections('other')) as never[]);
  other.register({ ...kind, kind: 'other' });
  await other.start();
  const lookOften = async () => {
    const before = shared.counted.looks;
    await eventually(
      'twenty looks',
      async () => shared.counted.looks,
      (looks) => looks >= before + 20,
    );
  };
  await lookOften();
  const rested = alone.counted.looks;
  await lookOften();
  expect(alone.counted.looks).toBe(rested);

  await enqueue(runner.enqueue('note', {}));
  await allEnded();
  await enqueue(runner.enqueue('note', {}, { runAt: new Date(Date.now() + 20).toISOString() }));
  await allEnded();
  expect(ran).toEqual(['note', 'note']);
  await other.stop();
});
