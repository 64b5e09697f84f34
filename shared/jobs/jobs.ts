import { type Log, onceASecond, type Tell } from '../monitoring/log.js';
import { scaleMs } from '../settings/time-scale.js';
import { type Store, type Write, write } from '../store/port.js';
import { timeIn } from '../values/ids.js';
import { JobLanes, type LaneLimits } from './job-lanes.js';
import { heldJob, JobLeases } from './job-leases.js';
import { jobMeasurements, jobsWaiting } from './job-metrics.js';
import { type EnqueueOptions, type Job, type JobCollections, jobCollections, newJob } from './job-records.js';
import { isSuspect, type JobKind, JobRuns } from './job-runs.js';

export type { LaneLimits } from './job-lanes.js';
export { type Job, jobCollections } from './job-records.js';
export type { JobKind, JobRun, NextRun } from './job-runs.js';

const hourMs = 3_600_000;
const keepMs = 7 * 24 * hourMs;
const releaseMs = 1_000;
/** Milliseconds after which what could not begin is tried again. */
const againMs = 2_000;

export interface JobsOptions {
  store: Store;
  service: string;
  log: Log;
  /** This process alone uses the store, so leases found at start belong to a dead process. */
  exclusive: boolean;
  /** Jobs of kinds without lanes of their own that run at the same time in one process, 4 by default; half of them of one share at most. */
  concurrency?: number;
  /** Milliseconds after which a run without a sign of life is taken for dead; a run renews its lease three times as often. */
  leaseMs?: number;
  /** The work of these jobs cannot bring a process down: runs that were lost with one are not held against them. */
  blameless?: boolean;
  /** Milliseconds between two looks for due jobs, 2,000 by default; 30,000 where no other process adds any. */
  pollMs?: number;
  /** Milliseconds from a failed attempt (counted from 1) to the next. */
  backoff?: (attempts: number) => number;
}

/** Claims, runs, retries and resumes the jobs of one service. */
export class Jobs {
  private readonly kinds = new Map<string, JobKind<never>>();
  private readonly collections: JobCollections;
  private readonly options: JobsOptions & { pollMs: number };
  private readonly leases: JobLeases;
  private readonly runs: JobRuns;
  private readonly tell: Tell;
  private readonly commonLanes: LaneLimits;
  private readonly lanes = new Map<LaneLimits, JobLanes>();
  private polling: NodeJS.Timeout | undefined;
  private sweeping: NodeJS.Timeout | undefined;
  private waking: NodeJS.Timeout | undefined;
  private unmeasure = () => {};
  private claiming: Promise<void> | undefined;
  private claimAgain = false;
  private releasedAt = Number.NEGATIVE_INFINITY;
  private stopping = false;
  private unlisten = () => {};

  constructor(options: JobsOptions) {
    const {
      store,
      service,
      log,
      leaseMs = scaleMs(30_000),
      // Other processes add jobs, and die with theirs. Where there are none, a timer knows when the next is due.
      pollMs = options.exclusive ? 30_000 : againMs,
      concurrency = 4,
      backoff,
      blameless,
    } = options;
    this.options = { ...options, pollMs };
    this.commonLanes = { count: concurrency, ofShare: concurrency / 2 };
    this.collections = jobCollections(service);
    this.leases = new JobLeases({ store, collections: this.collections, leaseMs, blameless });
    this.runs = new JobRuns({ service, log, leases: this.leases, leaseMs, backoff });
    this.tell = onceASecond(log);
  }

  register<P>(kind: JobKind<P>): void {
    this.kinds.set(kind.kind, kind as unknown as JobKind<never>);
    const limits = kind.lanes ?? this.commonLanes;
    const lanes = this.lanes.get(limits) ?? new JobLanes(limits);
    this.lanes.set(limits, lanes);
    lanes.kinds.push(kind.kind);
  }

  /** The condition, for a batch, that a run still holds its job: a run that lost its lease writes nothing. */
  stillHeld(job: Pick<Job, '_id' | 'fence'>): Write {
    return write.check(this.collections.jobs, heldJob(job), 1);
  }

  /** The write that enqueues a job, for the batch of the change that causes it; one that is due starts after the batch. */
  enqueue<P>(kind: string, payload: P, options: EnqueueOptions = {}): Write {
    return write.insert(this.collections.jobs, newJob(kind, payload, options));
  }

  /** As `enqueue`, for a job with an id of its own: where it is already, however it ended, the write changes nothing. */
  enqueueOnce<P>(id: string, kind: string, payload: P, options: EnqueueOptions = {}): Write {
    const { _id, orderKey, ...job } = newJob(kind, payload, { orderKey: id, ...options });
    return write.upsert(this.collections.jobs, { _id: id }, { $setOnInsert: { orderKey, ...job } });
  }

  /**
   * As `enqueue`, for a job that stands for all work of its key: asked for while it waits, it runs once, asked for while it runs, once more.
   * Its run sees what every batch before had written. It is removed when its work is done, so its kind needs unlimited attempts.
   */
  enqueueStanding<P>(key: string, kind: string, payload: P, options: Omit<EnqueueOptions, 'orderKey'> = {}): Write {
    const { _id, ...job } = newJob(kind, payload, { ...options, orderKey: key });
    return write.upsert(this.collections.jobs, { _id: key }, { $setOnInsert: job, $inc: { asked: 1 } });
  }

  /** As `enqueueStanding`, for a job that also runs by itself at times: a run that waits for its time, or its next attempt, comes now. */
  enqueueStandingSoon<P>(key: string, kind: string, payload: P, options: Pick<EnqueueOptions, 'share'> = {}): Write {
    const { _id, runAt, ...job } = newJob(kind, payload, { ...options, orderKey: key });
    const update = { $setOnInsert: job, $inc: { asked: 1 }, $set: { soon: true as const }, $min: { runAt } };
    return write.upsert(this.collections.jobs, { _id: key }, update);
  }

  /** Returns the keys of those standing jobs that wait or run. */
  async findStanding(keys: string[]): Promise<Set<string>> {
    const found = await this.options.store.getMany(this.collections.jobs, keys, { fields: [] });
    return new Set(found.map(({ _id }) => _id));
  }

  /** Removes a job that has not begun: its work was done otherwise. */
  async removeQueued(id: string): Promise<void> {
    await this.options.store.deleteMany(this.collections.jobs, { _id: id, state: 'queued' });
  }

  /** The number of jobs of a share that have not ended; `standing` counts standing jobs too, which may wait for their time without an end. */
  async countUnfinished(share: string, { standing = true } = {}): Promise<number> {
    const { jobs } = this.collections;
    const unfinished = { share, state: { $in: ['queued', 'running'] as const } };
    return this.options.store.count(jobs, standing ? unfinished : { ...unfinished, asked: null as never });
  }

  async start(): Promise<void> {
    if (this.options.exclusive) await this.leases.takeOver([...this.kinds.keys()]);
    await this.removeOld();
    this.unlisten = this.options.store.listen(this.collections.jobs, () => this.claimNow());
    this.polling = setInterval(() => this.claimNow(), this.options.pollMs).unref();
    this.sweeping = setInterval(() => void this.removeOld(), hourMs).unref();
    this.unmeasure = jobMeasurements.add(() => this.measureCounts());
    this.claimNow();
  }

  /** Looks for due jobs now instead of at the next poll; a batch that enqueues one does so by itself. */
  claimNow(): void {
    if (this.stopping || !this.polling) return;
    this.claimAgain = true;
    this.claiming ??= this.claimAll().finally(() => {
      this.claiming = undefined;
      if (this.claimAgain) this.claimNow();
    });
  }

  /** Ends the running jobs early; the next start resumes them. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.unlisten();
    clearInterval(this.polling);
    clearInterval(this.sweeping);
    clearTimeout(this.waking);
    this.unmeasure();
    await this.claiming;
    await this.runs.stop();
  }

  private async claimAll(): Promise<void> {
    while (this.claimAgain && !this.stopping) {
      this.claimAgain = false;
      try {
        await this.releaseExpired();
        await this.claimDue();
        if (this.options.exclusive) await this.wakeWhenDue();
      } catch (err) {
        const { service } = this.options;
        this.tell('error', 'claiming', { err, service }, 'claiming jobs failed; will retry');
      }
    }
  }

  /** Looks again when the next job is due, or soon where one is that could not begin. */
  private async wakeWhenDue(): Promise<void> {
    clearTimeout(this.waking);
    const due = await this.leases.nextDue([...this.kinds.keys()]);
    if (due === undefined || this.stopping) return;
    const ms = due - Date.now();
    if (ms < this.options.pollMs) this.waking = setTimeout(() => this.claimNow(), ms > 0 ? ms : againMs).unref();
  }

  /** A run of another process that died is not missed for a second. */
  private async releaseExpired(): Promise<void> {
    if (performance.now() - this.releasedAt < Math.min(this.options.pollMs, releaseMs)) return;
    this.releasedAt = performance.now();
    await this.leases.releaseExpired();
  }

  private async claimDue(): Promise<void> {
    const all = [...this.lanes.values()];
    while (!this.runs.isAlone) {
      const free = all.filter(({ isFull }) => !isFull);
      if (await this.startNext(free)) continue;
      // The turns of full lanes go on when one is free.
      if (free.filter((lanes) => lanes.beginRound()).length === 0) return;
    }
  }

  /** Starts the longest due job that may have one of the lanes. */
  private async startNext(free: readonly JobLanes[]): Promise<boolean> {
    for await (const job of this.leases.dueJobs(free.map((lanes) => lanes.sought))) {
      if (this.stopping || (isSuspect(job) && this.runs.count > 0)) return false;
      const claimed = this.runs.hasKey(job.orderKey) ? null : await this.leases.claim(job);
      if (!claimed) continue;
      const leave = free.find(({ kinds }) => kinds.includes(job.kind))?.enter(job.share);
      this.runs.start(claimed, this.kinds.get(job.kind) as JobKind<never>, () => {
        leave?.();
        this.claimNow();
      });
      return true;
    }
    return false;
  }

  /** Removes jobs that ended more than a week ago. */
  private async removeOld(): Promise<void> {
    const { store, service, log } = this.options;
    const old = { state: { $in: ['done', 'failed'] as const }, updatedAt: { $lt: timeIn(-keepMs) } };
    try {
      await store.deleteMany(this.collections.jobs, old);
    } catch (err) {
      log.warn({ err, service }, 'removing old jobs failed; will retry in an hour');
    }
  }

  private async measureCounts(): Promise<void> {
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
}

export type HasJobs = { jobs: Jobs };
