import type { Log } from '../log.js';
import type { JobLeases } from './job-leases.js';
import { jobDuration, jobRuns } from './job-metrics.js';
import { inMs, type Job } from './job-records.js';

export interface JobRun<P> {
  job: Job<P>;
  /** Aborted when the process stops or the run lost its lease. */
  signal: AbortSignal;
}

/**
 * How jobs of one kind run. A thrown error is retried with backoff, unless it has `permanent: true`. One with `expected: true` is not
 * a fault of this code: it is logged as a warning. What it has in `about` goes into its log line.
 */
export interface JobKind<P> {
  kind: string;
  attempts: number;
  /** Milliseconds to wait after this many attempts; a minute at most by default. */
  backoff?: (attempts: number) => number;
  run: (run: JobRun<P>) => Promise<void>;
  /** Called after the last attempt failed. */
  failed?: (job: Job<P>, error: Error) => Promise<void>;
}

interface JobFailure {
  permanent: boolean;
  expected: boolean;
  about: object;
}

/** Runs that died with their process, in addition to `attempts`. After more of them the job itself is taken for the cause. */
const lostRuns = 5;

export interface JobRunsOptions {
  service: string;
  log: Log;
  leases: JobLeases;
  leaseMs: number;
  /** Goes before the backoff of each kind. */
  backoff?: ((attempts: number) => number) | undefined;
}

interface Running {
  orderKey: string;
  abort: AbortController;
  done: Promise<void>;
}

/** The runs of claimed jobs in this process: renews their leases and writes how they end. */
export class JobRuns {
  /** By fence: a job that lost its lease may run again before its lost run has ended. */
  private readonly running = new Map<string, Running>();
  private stopping = false;

  constructor(private readonly options: JobRunsOptions) {}

  get count(): number {
    return this.running.size;
  }

  hasKey(orderKey: string): boolean {
    return [...this.running.values()].some((run) => run.orderKey === orderKey);
  }

  /** Runs a claimed job; `ended` is called when it has ended, however it did. */
  start(job: Job, kind: JobKind<never>, ended: () => void): void {
    const { orderKey, fence = '' } = job;
    const abort = new AbortController();
    const done = this.execute(job, kind as unknown as JobKind<unknown>, abort).finally(() => {
      this.running.delete(fence);
      ended();
    });
    this.running.set(fence, { orderKey, abort, done });
  }

  /** Ends all runs early and queues their jobs again. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const { abort } of this.running.values()) abort.abort(new Error('stopping'));
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  private async execute(job: Job, kind: JobKind<unknown>, abort: AbortController): Promise<void> {
    const { log, leases, leaseMs, service } = this.options;
    const renewal = setInterval(() => void this.renew(job, abort), leaseMs / 3);
    try {
      const stopTimer = jobDuration.startTimer({ service, kind: job.kind });
      const error = await errorOf(kind, { job, signal: abort.signal });
      stopTimer();
      if (error) await this.fail(job, kind, error, abort.signal);
      else await this.end(job, { state: 'done' }, 'completed');
    } catch (err) {
      log.error({ err, job: job._id }, 'ending a job failed; it will run again when its lease expires');
    } finally {
      clearInterval(renewal);
      await leases
        .release(job)
        .catch((err) => log.error({ err, job: job._id }, 'releasing a job lock failed; it stays until it expires'));
    }
  }

  private async renew(job: Job, abort: AbortController): Promise<void> {
    const { leases, log } = this.options;
    try {
      if (!(await leases.renew(job))) abort.abort(new Error('the lease of this job was lost'));
    } catch (err) {
      log.warn({ err, job: job._id }, 'renewing a job lease failed; will retry');
    }
  }

  private async end(job: Job, end: Partial<Job>, outcome?: 'completed' | 'failed' | 'retried'): Promise<void> {
    const { leases, service } = this.options;
    const ended = await leases.end(job, end);
    if (ended && outcome) jobRuns.inc({ service, kind: job.kind, outcome });
  }

  private async fail(job: Job, kind: JobKind<unknown>, error: Error, signal: AbortSignal): Promise<void> {
    if (this.stopping && signal.aborted) return this.end(job, { state: 'queued', attempts: job.attempts - 1 });
    const { log, leases } = this.options;
    const { permanent = false, expected = false, about: more } = error as Partial<JobFailure>;
    const about = { job: job._id, kind: job.kind, ...more, error: error.message };
    if (!permanent && job.attempts < kind.attempts) {
      log.warn(about, 'job failed; will retry');
      const backoff = this.options.backoff ?? kind.backoff ?? exponential;
      const again = { state: 'queued', runAt: inMs(backoff(job.attempts)), error: error.message } as const;
      return this.end(job, again, 'retried');
    }
    if (!(await leases.isHeld(job))) return log.warn(about, 'job lost its lease; another run will end it');
    log[expected ? 'warn' : 'error'](about, 'job failed');
    await kind.failed?.(job, error);
    await this.end(job, { state: 'failed', error: error.message }, 'failed');
  }
}

/** Runs a job once; null when it succeeded. */
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
