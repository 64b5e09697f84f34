import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../monitoring/log.js';
import type { Store, Write } from '../../store/port.js';
import { openSqliteStore } from '../../store/sqlite/store.js';
import { eventually } from '../../testing/eventually.js';
import { type Job, type JobKind, Jobs, type JobsOptions, jobCollections } from '../jobs.js';

/** A store for the tests of one file; runners stop after each test. */
export function jobServices() {
  let folder: string;
  let store: Store;
  const started: Jobs[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-jobs-'));
    store = await openSqliteStore({ path: join(folder, 'jobs.sqlite') });
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((jobs) => jobs.stop()));
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const log = createLog('silent');
  let services = 0;

  /** A service of its own for each test, so that none sees the jobs of another. */
  async function newService() {
    const service = `s${services++}`;
    const { jobs, locks } = jobCollections(service);
    await store.prepare([jobs, locks] as never[]);
    const open = async (kinds: JobKind<never>[], options: Partial<JobsOptions> = {}) => {
      const runner = new Jobs({ store, service, log, exclusive: true, pollMs: 10, backoff: () => 1, ...options });
      for (const kind of kinds) runner.register(kind);
      await runner.start();
      started.push(runner);
      return runner;
    };
    const enqueue = (...writes: Write[]) => store.batch(writes);
    const all = async () => (await store.page(jobs, { filter: {}, sort: { sequence: 1 }, limit: 100 })).items;
    /** The jobs when all have ended; one that ends in another runner emits no event. */
    const allEnded = () => eventually('the end of each job', all, ended);
    /** Lasts as many writes of the store as claiming some jobs takes: what has not begun by then is not claimed. */
    const looksPass = async () => {
      for (let write = 0; write < 20; write++)
        await store.updateMany(jobs, { _id: 'none' }, { $set: { state: 'done' } });
    };
    return { store, jobs, locks, open, enqueue, all, allEnded, looksPass };
  }
  return newService;
}

const ended = (jobs: Job[]) => jobs.every(({ state }) => state === 'done' || state === 'failed');

/** A promise that a test resolves by `open`. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Rejects when the signal is aborted, with its reason. */
export const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

export const kindOf = (run: JobKind<string>['run'], more: Partial<JobKind<string>> = {}): JobKind<never> =>
  ({ kind: 'work', attempts: 3, run, ...more }) as unknown as JobKind<never>;
