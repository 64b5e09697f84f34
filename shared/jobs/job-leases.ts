import { type Cursor, type Store, StoreDuplicate } from '../store/port.js';
import { newId, timeIn, timestamp } from '../values/ids.js';
import type { Job, JobCollections } from './job-records.js';

export interface JobLeasesOptions {
  store: Store;
  collections: JobCollections;
  leaseMs: number;
  /** Lost runs are not held against a job. */
  blameless?: boolean | undefined;
}

/** Jobs of some kinds, without those of some shares. */
export interface SoughtJobs {
  kinds: string[];
  without: string[];
}

/** Claims the jobs of one service: a run holds its job, and the lock of its order key, by a lease that expires. */
export class JobLeases {
  constructor(private readonly options: JobLeasesOptions) {}

  private get jobs() {
    return this.options.collections.jobs;
  }

  private get locks() {
    return this.options.collections.locks;
  }

  /** Queues a job whose run was lost. */
  private get requeued() {
    return this.options.blameless ? { $set: lost.$set } : lost;
  }

  /** Takes every lease away: for the only process of a store, whose predecessor is dead. */
  async takeOver(kinds: string[]): Promise<void> {
    const { store } = this.options;
    await store.deleteMany(this.locks, {});
    await store.updateMany(this.jobs, { state: 'running', kind: { $in: kinds } }, this.requeued);
  }

  /** Queues the jobs whose lease expired: their process died, froze, or could not reach the store. */
  async releaseExpired(): Promise<void> {
    const { store } = this.options;
    const expired = { state: 'running' as const, leaseUntil: { $lt: timestamp() } };
    // Mostly there are none, and a write would wait for the disk.
    if (!(await store.findOne(this.jobs, expired, { fields: ['state'] }))) return;
    await store.updateMany(this.jobs, expired, this.requeued);
  }

  /** Takes back that a run was lost: its process lived, but could not reach the store. */
  async forgiveLostRun({ _id }: Job): Promise<void> {
    await this.options.store.update(this.jobs, { _id, lost: { $gt: 0 } }, { $inc: { lost: -1 } });
  }

  /** When the first queued job is due, in epoch milliseconds. */
  async nextDue(kinds: string[]): Promise<number | undefined> {
    const queued = { state: 'queued' as const, kind: { $in: kinds } };
    const next = await this.options.store.findOne(this.jobs, queued, { sort: { runAt: 1 }, fields: ['runAt'] });
    return next ? Date.parse(next.runAt) : undefined;
  }

  /** The queued jobs whose time has come, the longest due first. */
  async *dueJobs(sought: readonly SoughtJobs[]): AsyncGenerator<Job> {
    if (sought.length === 0) return;
    const filter = {
      state: 'queued' as const,
      runAt: { $lte: timestamp() },
      $or: sought.map(({ kinds, without }) => ({
        kind: { $in: kinds },
        ...(without.length > 0 ? { share: { $nin: without } } : {}),
      })),
    };
    let after: Cursor | undefined;
    do {
      const page = await this.options.store.page(this.jobs, { filter, sort: { runAt: 1 }, limit: 50, after });
      yield* page.items;
      after = page.next;
    } while (after);
  }

  /** The job as its new run holds it; null when another job of its key comes first or another process has it. */
  async claim(job: Job): Promise<Job | null> {
    const fence = newId();
    if (isStanding(job)) return this.markRunning(job, fence);
    if (!(await this.isNext(job)) || !(await this.lockOrderKey(job, fence))) return null;
    // Asked again under the lock: an earlier job may have been queued again since.
    const claimed = (await this.isNext(job)) ? await this.markRunning(job, fence) : null;
    if (!claimed) await this.unlockOrderKey(job.orderKey, fence);
    return claimed;
  }

  /** Whether no job of its key comes first: neither a running one nor one that waits for its next attempt. */
  private async isNext({ _id, orderKey }: Job): Promise<boolean> {
    const unfinished = { orderKey, state: { $in: ['queued', 'running'] as const } };
    const first = await this.options.store.findOne(this.jobs, unfinished, {
      sort: { sequence: 1 },
      fields: ['state'],
    });
    return first?._id === _id && first.state === 'queued';
  }

  private async lockOrderKey({ orderKey: _id }: Job, fence: string): Promise<boolean> {
    const { store, leaseMs } = this.options;
    const holder = { fence, leaseUntil: timeIn(leaseMs) };
    try {
      await store.insert(this.locks, { _id, ...holder });
      return true;
    } catch (error) {
      if (!(error instanceof StoreDuplicate)) throw error;
      const expired = { _id, leaseUntil: { $lt: timestamp() } };
      return (await store.update(this.locks, expired, { $set: holder })) !== null;
    }
  }

  private markRunning({ _id }: Job, fence: string): Promise<Job | null> {
    const { store, leaseMs } = this.options;
    return store.update(
      this.jobs,
      { _id, state: 'queued' },
      {
        $set: { state: 'running', fence, leaseUntil: timeIn(leaseMs), updatedAt: timestamp() },
        $unset: { soon: true },
        $inc: { attempts: 1 },
      },
    );
  }

  private async unlockOrderKey(orderKey: string, fence: string): Promise<void> {
    await this.options.store.delete(this.locks, { _id: orderKey, fence });
  }

  /** Extends the lease of a run; false when the run lost it. */
  async renew(job: Job): Promise<boolean> {
    const { store, leaseMs } = this.options;
    const renewed = { $set: { leaseUntil: timeIn(leaseMs) } };
    if (!(await store.update(this.jobs, heldJob(job), renewed))) return false;
    if (!isStanding(job)) await store.update(this.locks, { _id: job.orderKey, fence: job.fence ?? '' }, renewed);
    return true;
  }

  async isHeld(job: Job): Promise<boolean> {
    return (await this.options.store.findOne(this.jobs, heldJob(job), { fields: ['state'] })) !== null;
  }

  /** Writes how a run ended; false when the run lost its lease, so that nothing was written. */
  async writeEnd(job: Job, end: Partial<Job>): Promise<boolean> {
    const update = { $set: { ...end, updatedAt: timestamp() } };
    return (await this.options.store.update(this.jobs, heldJob(job), update)) !== null;
  }

  /** Ends the run of a standing job: removes the job, unless it was asked for meanwhile or is to run again at a time. */
  async endStanding(job: Job, runAt?: string): Promise<boolean> {
    const { store } = this.options;
    if (runAt === undefined && (await store.delete(this.jobs, { ...heldJob(job), asked: job.asked ?? 0 }))) return true;
    const waits = { ...heldJob(job), soon: { $ne: true as const } };
    const queued = { state: 'queued' as const, attempts: 0, updatedAt: timestamp() };
    if (runAt !== undefined && (await store.update(this.jobs, waits, { $set: { ...queued, runAt } }))) return true;
    return this.writeEnd(job, { ...queued, runAt: timestamp() });
  }

  /** Frees the order key of a run, unless another run has it by now. */
  async releaseOrderKey(job: Job): Promise<void> {
    if (!isStanding(job)) await this.unlockOrderKey(job.orderKey, job.fence ?? '');
  }
}

/** Whether it is the only job of its key, so that it needs no lock of it. */
const isStanding = ({ asked }: Pick<Job, 'asked'>): boolean => asked !== undefined;

const lost = { $set: { state: 'queued' as const }, $inc: { lost: 1 } };

/** Finds a job while its run holds it. */
export const heldJob = ({ _id, fence = '' }: Pick<Job, '_id' | 'fence'>) => ({ _id, state: 'running' as const, fence });
