import { type Collection, collection } from '../store/port.js';
import { newId, timestamp } from '../values/ids.js';

/** Work that outlives its request. One at a time per `orderKey`, in the order of `sequence`. */
export interface Job<P = unknown> {
  _id: string;
  kind: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  payload: P;
  orderKey: string;
  /** The owner of the work: jobs of different shares take turns, and one share has part of the lanes at most. */
  share?: string;
  sequence: string;
  attempts: number;
  /** Runs that ended with their process, or lost their lease because it froze. */
  lost?: number;
  runAt: string;
  leaseUntil?: string;
  /** How often a standing job was asked for. If asked for again during its run, it runs once more; if not, it is removed. */
  asked?: number;
  /** A standing job was asked for with its next run at once, rather than at its time. */
  soon?: true;
  /** Names the run that holds the lease. A run that lost its lease may not write its end. */
  fence?: string;
  error?: string;
  createdAt: string;
  updatedAt: string;
}

/** Holds an order key for one run. */
export interface Lock {
  _id: string;
  fence: string;
  leaseUntil: string;
}

export interface EnqueueOptions {
  /** Jobs of one key run one after the other; by default each job has its own key. */
  orderKey?: string;
  /** The owner of the work, such as an organization; without it, the job takes no turns. */
  share?: string;
  /** ISO time that orders the jobs of a key; now by default. */
  sequence?: string;
  /** ISO time of the first attempt; now by default. */
  runAt?: string;
}

export interface JobCollections {
  jobs: Collection<Job>;
  locks: Collection<Lock>;
}

/** The job collections of a service; goes into its model. */
export function jobCollections(service: string): JobCollections {
  return {
    jobs: collection<Job>(`${service}_jobs`, [
      { on: { state: 1, runAt: 1 } },
      { on: { state: 1, leaseUntil: 1 } },
      { on: { state: 1, updatedAt: 1 } },
      { on: { orderKey: 1, state: 1, sequence: 1 } },
      { on: { share: 1, state: 1 } },
    ]),
    locks: collection<Lock>(`${service}_job_locks`),
  };
}

/** A job that waits for its first attempt. */
export function newJob<P>(kind: string, payload: P, { orderKey, share, sequence, runAt }: EnqueueOptions): Job<P> {
  const _id = newId();
  const now = timestamp();
  return {
    _id,
    kind,
    state: 'queued',
    payload,
    orderKey: orderKey ?? _id,
    ...(share === undefined ? {} : { share }),
    sequence: sequence ?? now,
    attempts: 0,
    runAt: runAt ?? now,
    createdAt: now,
    updatedAt: now,
  };
}

export { timeIn } from '../values/ids.js';
