import { isDiskFull } from '../disk/full.js';
import { apiError } from '../errors/errors.js';
import type { Log } from '../monitoring/log.js';
import { runTraced } from '../tracing/tracing.js';
import { timeIn } from '../values/ids.js';
import type { LaneLimits } from './job-lanes.js';
import type { JobLeases } from './job-leases.js';
import { jobDuration, jobRuns } from './job-metrics.js';
import type { Job } from './job-records.js';

export interface JobRun<P> {
  job: Job<P>;
  /** Aborted when the process stops or the run lost its lease. */
  signal: AbortSignal;
}

export interface NextRun {
  runAt: string;
}

/**
 * How jobs of one kind run. A thrown error is retried with backoff, unless it has `permanent: true`. One with `expected: true` is not
 * a fault of this code: it is logged as a warning. What it has in `about` goes into its log line.
 */
export interface JobKind<P> {
  kind: string;
  attempts: number;
  /** Lanes of their own, for kinds that wait for servers of strangers; by default they share those of all others. */
  lanes?: LaneLimits;
  /** Milliseconds to wait after this many attempts; a minute at most by default. */
  backoff?: (attempts: number) => number;
  /** Standing jobs may return the ISO time of their next run. */
  // biome-ignore lint/suspicious/noConfusingVoidType: other jobs return nothing
  run: (run: JobRun<P>) => Promise<void | NextRun>;
  /** Called after the last attempt failed. */
  failed?: (job: Job<P>, error: Error) => Promise<void>;
}

/** Between two attempts of a job that found no room on the disk, which are not counted. */
const roomMs = 10_000;

interface JobFailure {
  permanent: boolean;
  expected: boolean;
  about: object;
}

/** Lost runs after which a job is set aside. The second one ran alone, so that the job is the cause. */
const maxLostRuns = 2;

/** Whether a run of the job was lost, perhaps by the fault of another: it runs alone until that is known. */
export const isSuspect = ({ lost = 0 }: Pick<Job, 'lost'>): boolean => lost > 0 && lost < maxLostRuns;

export interface JobRunsOptions {
  service: string;
  log: Log;
  leases: JobLeases;
  leaseMs: number;
  /** Goes before the backoff of each kind. */
  backoff?: ((attempts: number) => number) | undefined;
}

interface Running {
  job: Job;
  abort: AbortController;
  /** The store could not be reached to renew the lease. */
  unreached: boolean;
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

  /** Whether a run is going on that no other may join. */
  get isAlone(): boolean {
    return this.runningJobs().some(isSuspect);
  }

  hasKey(orderKey: string): boolean {
    return this.runningJobs().some((job) => job.orderKey === orderKey);
  }

  private runningJobs(): Job[] {
    return [...this.running.values()].map(({ job }) => job);
  }

  /** Runs a claimed job; `ended` is called when it has ended, however it did. */
  start(job: Job, kind: JobKind<never>, ended: () => void): void {
    const { fence = '' } = job;
    const run: Running = { job, abort: new AbortController(), unreached: false, done: Promise.resolve() };
    this.running.set(fence, run);
    run.done = this.execute(run, kind as unknown as JobKind<unknown>).finally(() => {
      this.running.delete(fence);
      ended();
    });
  }

  /** Ends all runs early and queues their jobs again. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const { abort } of this.running.values()) abort.abort(new Error('stopping'));
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  private async execute(run: Running, kind: JobKind<unknown>): Promise<void> {
    const { log, leases, leaseMs, service } = this.options;
    const { job, abort } = run;
    const renewal = setInterval(() => void this.renewLease(run), leaseMs / 3);
    try {
      const stopTimer = jobDuration.startTimer({ service, kind: job.kind });
      const { error, next } = await runOnce(kind, { job, signal: abort.signal });
      stopTimer();
      if (error) await this.failRun(job, kind, error, abort.signal);
      else await this.completeRun(job, next);
    } catch (err) {
      log.error({ err, job: job._id }, 'ending a job failed; it will run again when its lease expires');
    } finally {
      clearInterval(renewal);
      await leases
        .releaseOrderKey(job)
        .catch((err) => log.error({ err, job: job._id }, 'releasing a job lock failed; it stays until it expires'));
    }
  }

  private async renewLease(run: Running): Promise<void> {
    const { leases, log } = this.options;
    const { job, abort } = run;
    try {
      if (await leases.renew(job)) run.unreached = false;
      else if (!abort.signal.aborted) {
        abort.abort(new Error('the lease of this job was lost'));
        if (run.unreached) await leases.forgiveLostRun(job);
      }
    } catch (err) {
      run.unreached = true;
      log.warn({ err, job: job._id }, 'renewing a job lease failed; will retry');
    }
  }

  private async completeRun(job: Job, next: NextRun | undefined): Promise<void> {
    if (job.asked === undefined) return this.endRun(job, { state: 'done' }, 'completed');
    const { leases, service } = this.options;
    if (await leases.endStanding(job, next?.runAt)) jobRuns.inc({ service, kind: job.kind, outcome: 'completed' });
  }

  private async endRun(
    job: Job,
    end: Partial<Job>,
    outcome?: 'completed' | 'failed' | 'retried' | 'set_aside',
  ): Promise<void> {
    const { leases, service } = this.options;
    const ended = await leases.writeEnd(job, end);
    if (ended && outcome) jobRuns.inc({ service, kind: job.kind, outcome });
  }

  private async failRun(job: Job, kind: JobKind<unknown>, error: Error, signal: AbortSignal): Promise<void> {
    if (this.stopping && signal.aborted) return this.endRun(job, { state: 'queued', attempts: job.attempts - 1 });
    const { log, leases } = this.options;
    const { permanent = false, expected = false, about: more } = error as Partial<JobFailure>;
    const about = { job: job._id, kind: job.kind, ...more, error: error.message };
    const lost = job.lost ?? 0;
    if (isDiskFull(error)) {
      log.warn(about, 'a job found no room on the disk; will wait');
      const waiting = {
        state: 'queued',
        runAt: timeIn(roomMs),
        attempts: job.attempts - 1,
        error: error.message,
      } as const;
      return this.endRun(job, waiting, 'retried');
    }
    if (!permanent && job.attempts - lost < kind.attempts) {
      log.warn(about, 'job failed; will retry');
      const backoff = this.options.backoff ?? kind.backoff ?? exponentialBackoff;
      const again = { state: 'queued', runAt: timeIn(backoff(job.attempts)), error: error.message } as const;
      return this.endRun(job, again, 'retried');
    }
    if (!(await leases.isHeld(job))) return log.warn(about, 'job lost its lease; another run will end it');
    log[expected ? 'warn' : 'error'](about, 'job failed');
    await kind.failed?.(job, error);
    await this.endRun(job, { state: 'failed', error: error.message }, lost < maxLostRuns ? 'failed' : 'set_aside');
  }
}

/** Runs a job once. */
async function runOnce(kind: JobKind<unknown>, run: JobRun<unknown>): Promise<{ error?: Error; next?: NextRun }> {
  if ((run.job.lost ?? 0) >= maxLostRuns) return { error: setAsideError() };
  try {
    const about = { attributes: { 'bindery.job': run.job._id } };
    const next = await runTraced(`job ${kind.kind}`, about, () => kind.run(run));
    return next ? { next } : {};
  } catch (error) {
    return { error: typeof error === 'object' && error !== null ? (error as Error) : new Error(String(error)) };
  }
}

const setAsideError = () =>
  Object.assign(apiError('UNPROCESSABLE', 'This stopped or froze its process twice, so it was set aside'), {
    permanent: true,
  });

const exponentialBackoff = (attempts: number) => Math.min(60_000, 1000 * 2 ** attempts) * (0.9 + Math.random() * 0.2);
