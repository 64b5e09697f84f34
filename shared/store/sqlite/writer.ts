import { diskFull, isDiskFull } from '../../disk/full.js';
import type { Log } from '../../monitoring/log.js';
import type { Connection } from './connection.js';
import type { WriteAheadLog } from './wal.js';

/** Milliseconds of short writes that share a transaction; each should take far less. */
const HOLD = 5;
/** Milliseconds of one write of many steps before reads get their turn. */
const SLICE = 3;
const PROBE_BYTES = 64 * 1024;
/** Writes that get a savepoint each after one has failed: conflicts come in swarms. */
const CAREFUL = 100;

interface Job {
  steps: () => Generator<void, unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

export interface WriterOptions {
  /** Called when readers see what a group has written, before any of them reads. */
  committed: () => void;
  log?: Pick<Log, 'error'> | undefined;
}

/**
 * Group commit: writes that wait together share one transaction and one fsync, and settle only when the commit is on the disk. When one
 * fails, the group is undone and done again with a savepoint for each, so that a failed one undoes only itself: most groups need none.
 */
export class Writer {
  readonly #connection: Connection;
  readonly #wal: WriteAheadLog;
  readonly #committed: () => void;
  readonly #log: Pick<Log, 'error'> | undefined;
  #queue: Job[] = [];
  #flushing: Promise<void> | undefined;
  #closed = false;
  #full = false;
  /** How many of the next writes get a savepoint. */
  #careful = 0;

  constructor(connection: Connection, wal: WriteAheadLog, { committed, log }: WriterOptions) {
    this.#connection = connection;
    this.#wal = wal;
    this.#committed = committed;
    this.#log = log;
  }

  /** Runs work with a bounded number of statements. */
  write<T>(work: (connection: Connection) => T): Promise<T> {
    // biome-ignore lint/correctness/useYield: work of one step
    return this.writeInSteps(function* (connection) {
      return work(connection);
    });
  }

  /** Runs work in steps. Between them, reads continue and other writes wait. */
  writeInSteps<T>(work: (connection: Connection) => Generator<void, T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('the store is closed'));
    return new Promise<T>((resolve, reject) => {
      const steps = () => work(this.#connection);
      this.#queue.push({ steps, resolve: resolve as (result: unknown) => void, reject });
      this.#flushing ??= this.#flush();
    });
  }

  /** Looks whether a disk that was full has room again; throws while it has not. */
  async checkRoom(): Promise<void> {
    if (!this.#full) return;
    await this.write((connection) => {
      connection.run('CREATE TABLE IF NOT EXISTS store_probes (probe BLOB)');
      connection.run('INSERT INTO store_probes VALUES (zeroblob(?))', [PROBE_BYTES]);
    });
    await this.write((connection) => connection.run('DELETE FROM store_probes'));
    this.#full = false;
  }

  /** Writes what is queued, then closes. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#flushing;
    await this.#wal.close();
  }

  async #flush(): Promise<void> {
    await nextTurn();
    while (this.#queue.length > 0) {
      const settle = await this.#group();
      for (const each of settle) each();
      await nextTurn();
    }
    this.#flushing = undefined;
  }

  /** Writes one group; returns the functions that settle its writes. */
  async #group(): Promise<(() => void)[]> {
    const jobs: Job[] = [];
    const settle: (() => void)[] = [];
    const end = performance.now() + HOLD;
    try {
      this.#connection.run('BEGIN IMMEDIATE');
      do {
        const job = this.#queue.shift();
        if (!job) break;
        jobs.push(job);
        const settled = this.#careful > 0 ? await this.#attempt(job) : await this.#attemptPlainly(job);
        if (!settled) return this.#redo(jobs);
        settle.push(settled);
      } while (performance.now() < end);
      this.#connection.run('COMMIT');
      this.#committed();
      await this.#wal.sync();
      return settle;
    } catch (error) {
      const reported = this.#reportedError(error);
      this.#log?.error({ err: reported, writes: jobs.length }, 'a group of writes failed');
      this.#rollBack();
      const failed = jobs.length > 0 ? jobs : this.#queue.splice(0);
      return failed.map((job) => () => job.reject(reported));
    }
  }

  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.run('ROLLBACK');
    } catch (error) {
      this.#log?.error({ err: error }, 'a group of writes could not be rolled back');
    }
  }

  /** Undoes a group, and leaves its writes to the next one. */
  #redo(jobs: Job[]): [] {
    this.#rollBack();
    this.#queue.unshift(...jobs);
    this.#careful = jobs.length + CAREFUL;
    return [];
  }

  /** Resolves to undefined where the write has failed, with a part of it done. Throws only when the whole transaction is lost. */
  async #attemptPlainly(job: Job): Promise<(() => void) | undefined> {
    try {
      const result = await inTurns(job.steps());
      return () => job.resolve(result);
    } catch (error) {
      if (!this.#connection.inTransaction) throw error;
      return undefined;
    }
  }

  /** Throws only when the whole transaction is lost. */
  async #attempt(job: Job): Promise<() => void> {
    const connection = this.#connection;
    this.#careful -= 1;
    connection.run('SAVEPOINT job');
    try {
      const result = await inTurns(job.steps());
      connection.run('RELEASE job');
      return () => job.resolve(result);
    } catch (error) {
      if (!connection.inTransaction) throw error;
      connection.run('ROLLBACK TO job');
      connection.run('RELEASE job');
      const reported = this.#reportedError(error);
      return () => job.reject(reported);
    }
  }

  /** The error for the caller of a write. */
  #reportedError(error: unknown): unknown {
    if (!isDiskFull(error)) return error;
    this.#full = true;
    return diskFull('DATA_DIR', error);
  }
}

/** Runs steps to their end. They have time of their own in each turn: other writes wait for them. */
async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  let began = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - began < SLICE) continue;
    await nextTurn();
    began = performance.now();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
