import { newId, timestamp } from '../ids.js';
import { type Log, onceASecond, type Tell } from '../log.js';
import {
  type Collection,
  type Cursor,
  collection,
  type Store,
  StoreDuplicate,
  type Write,
  write,
} from '../store/port.js';
import { jobDuration, jobRuns, jobsWaiting } from './job-metrics.js';

/** Work that outlives its request. One at a time per `orderKey`, in the order of `sequence`. */
export interface Job<P = unknown> {
  _id: string;
  kind: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  payload: P;
  orderKey: string;
  sequence: string;
  attempts: number;
  runAt: string;
  leaseUntil?: string;
  /** Names the run that holds the lease; a run that lost it may not write its end. */
  fence?: string;
  error?: string;
  createdAt: string;
  updatedAt: string;
}

/** Holds an order key for one run. */
interface Lock {
  _id: string;
  fence: string;
  leaseUntil: string;
}

export interface JobRun<P> {
  job: Job<P>;
  signal: AbortSignal;
}

/**
 * A thrown error is retried with backoff, unless it says `permanent: true`. With `expected: true` it is no fault of ours; `about` goes
 * into its log line.
 */
export interface JobKind<P> {
  kind: string;
  attempts: number;
  /** Milliseconds to wait after this many attempts; a minute at most by default. */
  backoff?: (attempts: number) => number;
  run: (run: JobRun<P>) => Promise<void>;
  /** After the last attempt failed. */
  failed?: (job: Job<P>, error: Error) => Promise<void>;
}

interface JobFailure {
  permanent: boolean;
  expected: boolean;
  about: object;
}

export interface EnqueueOptions {
  /** Jobs of one key run one after the other; a key of its own by default. */
  orderKey?: string;
  /** ISO time that orders the jobs of a key; now by default. */
  sequence?: string;
  /** ISO time of the first attempt; now by default. */
  runAt?: string;
}

const concurrency = 4;
/** Runs that died with their process, besides `attempts`; more of them, and the job is what kills it. */
const lostRuns = 5;
const later = (ms: number) => timestamp(new Date(Date.now() + ms));
const hourMs = 3_600_000;
const keepMs = 7 * 24 * hourMs;
const measureMs = 5_000;

/** The job collections of a service; goes into its model. */
export function jobCollections(service: string): { jobs: Collection<Job>; locks: Collection<Lock> } {
  return {
    jobs: collection<Job>(`${service}_jobs`, [
      { on: { state: 1, runAt: 1 } },
      { on: { state: 1, leaseUntil: 1 } },
      { on: { state: 1, updatedAt: 1 } },
      { on: { orderKey: 1, state: 1, sequence: 1 } },
    ]),
    locks: collection<Lock>(`${service}_job_locks`),
  };
}

export interface JobsOptions {
  store: Store;
  service: string;
  log: Log;
  /** This process alone uses the store, so leases found at start are of a dead process. */
  exclusive: boolean;
  /** How long a run is believed alive without a sign of it; it gives one three times as often. */
  leaseMs?: number;
  /** How often it looks for jobs that are due. */
  pollMs?: number;
  /** Milliseconds from a failed attempt (counted from 1) to the next. */
  backoff?: (attempts: number) => number;
}

interface Running {
  orderKey: string;
  abort: AbortController;
  done: Promise<void>;
}

/** Claims, leases, retries and resumes the jobs of one service. */
export class Jobs {
  private readonly kinds = new Map<string, JobKind<never>>();
  /** By fence: a job that lost its lease may run anew before its lost run has ended. */
  private readonly running = new Map<string, Running>();
  private readonly collections: ReturnType<typeof jobCollections>;
  private readonly options: JobsOptions & { leaseMs: number; pollMs: number };
  private timer: NodeJS.Timeout | undefined;
  private sweeping: NodeJS.Timeout | undefined;
  private measuring: NodeJS.Timeout | undefined;
  private readonly tell: Tell;
  private claiming: Promise<void> | undefined;
  private claimAgain = false;
  private stopping = false;

  constructor(options: JobsOptions) {
    this.options = { leaseMs: 30_000, pollMs: 2_000, ...options };
    this.collections = jobCollections(options.service);
    this.tell = onceASecond(options.log);
  }

  register<P>(kind: JobKind<P>): void {
    this.kinds.set(kind.kind, kind as unknown as JobKind<never>);
  }

  /** The write that enqueues a job, for the batch of the change it follows; call `wake` after the batch. */
  enqueue<P>(kind: string, payload: P, { orderKey, sequence, runAt }: EnqueueOptions = {}): Write {
    const _id = newId();
    const now = timestamp();
    return write.insert(this.collections.jobs, {
      _id,
      kind,
      state: 'queued',
      payload,
      orderKey: orderKey ?? _id,
      sequence: sequence ?? now,
      attempts: 0,
      runAt: runAt ?? now,
      createdAt: now,
      updatedAt: now,
    });
  }

  async start(): Promise<void> {
    if (this.options.exclusive) await this.takeOver();
    await this.sweep();
    this.timer = setInterval(() => this.wake(), this.options.pollMs).unref();
    this.sweeping = setInterval(() => void this.sweep(), hourMs).unref();
    this.measuring = setInterval(() => void this.measure(), measureMs).unref();
    void this.measure();
    this.wake();
  }

  /** Looks for work now instead of at the next poll. */
  wake(): void {
    if (this.stopping || !this.timer) return;
    this.claimAgain = true;
    this.claiming ??= this.claimAll().finally(() => {
      this.claiming = undefined;
      if (this.claimAgain) this.wake();
    });
  }

  /** Ends the running jobs early; they go on at the next start. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    clearInterval(this.sweeping);
    clearInterval(this.measuring);
    await this.claiming;
    for (const { abort } of this.running.values()) abort.abort(new Error('stopping'));
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  private async takeOver(): Promise<void> {
    const { store } = this.options;
    const kinds = [...this.kinds.keys()];
    await store.deleteMany(this.collections.locks, {});
    await store.updateMany(
      this.collections.jobs,
      { state: 'running', kind: { $in: kinds } },
      { $set: { state: 'queued' } },
    );
  }

  /** Drops what ended long ago. */
  private async sweep(): Promise<void> {
    const old = { state: { $in: ['done', 'failed'] as const }, updatedAt: { $lt: later(-keepMs) } };
    try {
      await this.options.store.deleteMany(this.collections.jobs, old);
    } catch (err) {
      this.options.log.warn({ err, service: this.options.service }, 'removing old jobs failed; will retry in an hour');
    }
  }

  private async measure(): Promise<void> {
    const { service, store } = this.options;
    try {
      for (const state of ['queued', 'running'] as const) {
        const counts = await store.countBy(this.collections.jobs, 'kind', { state });
        for (const kind of this.kinds.keys()) jobsWaiting.set({ service, kind, state }, counts.get(kind) ?? 0);
      }
    } catch (err) {
      this.tell('warn', 'counting', { err, service }, 'counting jobs failed; will retry');
    }
  }

  private async claimAll(): Promise<void> {
    while (this.claimAgain && !this.stopping) {
      this.claimAgain = false;
      try {
        await this.releaseExpired();
        await this.claimQueued();
      } catch (error) {
        const { service } = this.options;
        this.tell('error', 'claiming', { err: error, service }, 'claiming jobs failed; will retry');
      }
    }
  }

  private async releaseExpired(): Promise<void> {
    const expired = { state: 'running' as const, leaseUntil: { $lt: timestamp() } };
    await this.options.store.updateMany(this.collections.jobs, expired, { $set: { state: 'queued' } });
  }

  private async claimQueued(): Promise<void> {
    const due = { state: 'queued' as const, runAt: { $lte: timestamp() }, kind: { $in: [...this.kinds.keys()] } };
    let after: Cursor | undefined;
    do {
      const page = await this.options.store.page(this.collections.jobs, {
        filter: due,
        sort: { runAt: 1 },
        limit: 50,
        after,
      });
      for (const job of page.items) {
        if (this.running.size >= concurrency) return;
        if (!this.isBusy(job) && (await this.isNext(job))) await this.claim(job);
      }
      after = page.next;
    } while (after);
  }

  private isBusy({ orderKey }: Job): boolean {
    return [...this.running.values()].some((run) => run.orderKey === orderKey);
  }

  /** Whether no job of its key comes first: neither a running one nor one that waits for its next attempt. */
  private async isNext({ _id, orderKey }: Job): Promise<boolean> {
    const unfinished = { orderKey, state: { $in: ['queued', 'running'] as const } };
    const first = await this.options.store.findOne(this.collections.jobs, unfinished, {
      sort: { sequence: 1 },
      fields: ['state'],
    });
    return first?._id === _id && first.state === 'queued';
  }

  private async claim(job: Job): Promise<void> {
    const fence = newId();
    if (!(await this.lock(job, fence))) return;
    // Asked again under the lock: an earlier job may have gone back to waiting since.
    const claimed = (await this.isNext(job)) ? await this.take(job, fence) : null;
    if (!claimed) return this.unlock(job.orderKey, fence);
    const abort = new AbortController();
    const done = this.execute(claimed, abort).finally(() => {
      this.running.delete(fence);
      this.wake();
    });
    this.running.set(fence, { orderKey: job.orderKey, abort, done });
  }

  private take({ _id }: Job, fence: string): Promise<Job | null> {
    return this.options.store.update(
      this.collections.jobs,
      { _id, state: 'queued' },
      {
        $set: { state: 'running', fence, leaseUntil: later(this.options.leaseMs), updatedAt: timestamp() },
        $inc: { attempts: 1 },
      },
    );
  }

  private async lock({ orderKey: _id }: Job, fence: string): Promise<boolean> {
    const { store } = this.options;
    const holder = { fence, leaseUntil: later(this.options.leaseMs) };
    try {
      await store.insert(this.collections.locks, { _id, ...holder });
      return true;
    } catch (error) {
      if (!(error instanceof StoreDuplicate)) throw error;
      const expired = { _id, leaseUntil: { $lt: timestamp() } };
      return (await store.update(this.collections.locks, expired, { $set: holder })) !== null;
    }
  }

  private async unlock(orderKey: string, fence: string): Promise<void> {
    await this.options.store.delete(this.collections.locks, { _id: orderKey, fence });
  }

  private async execute(job: Job, abort: AbortController): Promise<void> {
    const { log, leaseMs } = this.options;
    const kind = this.kinds.get(job.kind) as JobKind<unknown>;
    const renewal = setInterval(() => void this.renew(job, abort), leaseMs / 3);
    try {
      const end = jobDuration.startTimer({ service: this.options.service, kind: job.kind });
      const error = await errorOf(kind, { job, signal: abort.signal });
      end();
      if (error) await this.fail(job, kind, error, abort);
      else await this.finish(job, { state: 'done' }, 'completed');
    } catch (err) {
      log.error({ err, job: job._id }, 'ending a job failed; it will run again when its lease expires');
    } finally {
      clearInterval(renewal);
      await this.unlock(job.orderKey, job.fence ?? '').catch((err) =>
        log.error({ err, job: job._id }, 'releasing a job lock failed; it stays until it expires'),
      );
    }
  }

  private async renew(job: Job, abort: AbortController): Promise<void> {
    const leaseUntil = later(this.options.leaseMs);
    try {
      const held = await this.options.store.update(this.collections.jobs, this.held(job), { $set: { leaseUntil } });
      if (!held) return abort.abort(new Error('the lease of this job was lost'));
      await this.options.store.update(
        this.collections.locks,
        { _id: job.orderKey, fence: job.fence ?? '' },
        { $set: { leaseUntil } },
      );
    } catch (err) {
      this.options.log.warn({ err, job: job._id }, 'renewing a lease failed');
    }
  }

  private held(job: Job) {
    return { _id: job._id, state: 'running' as const, fence: job.fence ?? '' };
  }

  private async finish(job: Job, end: Partial<Job>, outcome?: 'completed' | 'failed' | 'retried'): Promise<void> {
    const { service, store } = this.options;
    const ended = await store.update(this.collections.jobs, this.held(job), {
      $set: { ...end, updatedAt: timestamp() },
    });
    if (ended && outcome) jobRuns.inc({ service, kind: job.kind, outcome });
  }

  private async fail(job: Job, kind: JobKind<unknown>, error: Error, abort: AbortController): Promise<void> {
    if (this.stopping && abort.signal.aborted) return this.finish(job, { state: 'queued', attempts: job.attempts - 1 });
    const { log, store } = this.options;
    const backoff = this.options.backoff ?? kind.backoff ?? exponential;
    const { permanent = false, expected = false, about: more } = error as Partial<JobFailure>;
    const about = { job: job._id, kind: job.kind, ...more, error: error.message };
    if (!permanent && job.attempts < kind.attempts) {
      log.warn(about, 'job failed; will retry');
      const again = { state: 'queued', runAt: later(backoff(job.attempts)), error: error.message } as const;
      return this.finish(job, again, 'retried');
    }
    const held = await store.findOne(this.collections.jobs, this.held(job), { fields: ['state'] });
    if (!held) return log.warn(about, 'job lost its lease; another run will end it');
    log[expected ? 'warn' : 'error'](about, 'job failed');
    await kind.failed?.(job, error);
    await this.finish(job, { state: 'failed', error: error.message }, 'failed');
  }
}

/** Runs it once; what went wrong. */
async function errorOf(kind: JobKind<unknown>, run: JobRun<unknown>): Promise<Error | null> {
  if (run.job.attempts > kind.attempts + lostRuns) return new Error('Every run of this job ended with its process');
  try {
    await kind.run(run);
    return null;
  } catch (error) {
    return typeof error === 'object' && error !== null ? (error as Error) : new Error(String(error));
  }
}

const exponential = (attempts: number) => Math.min(60_000, 1000 * 2 ** attempts) * (0.9 + Math.random() * 0.2);
