import { availableParallelism } from 'node:os';
import { apiError, type ErrorReason, type ErrorType } from '../errors/errors.js';
import { FairQueue, type Lane } from '../work/fair-queue.js';
import { type Ending, TaskProcess } from './task-process.js';
import type { TaskReply } from './task-runner.js';

export interface WorkersOptions {
  /** The URL of the compiled module that exports the tasks. */
  module: URL;
  /** Maximum number of tasks at once; each has a process of its own. */
  max: number;
  /** Maximum number of tasks of one owner at once; by default all. */
  maxOfOwner?: number;
  /** Milliseconds of processor time that a task may use; one that somebody waits for gets three times as long for that. */
  deadlineMs: number;
  /** The heap of a process, in megabytes. */
  memoryMb: number;
  /** Tasks of one owner that may wait. */
  waiting: number;
  /** Milliseconds that a task may wait for its turn; by default, and where it is infinite, as long as it takes: nobody waits for it. */
  waitMs?: number;
  /** How far tasks give way when processor time is scarce; by default a little, to the process that answers everybody. */
  niceness?: number;
}

/** The owner of a task, and how long this one may run and wait. */
export interface TaskOptions extends Lane {
  deadlineMs?: number;
  waitMs?: number;
}

/**
 * Processes for tasks that take long or read what strangers wrote: nothing that a task does holds the event loop, and one that
 * runs away or out of memory ends alone. Owners take turns.
 */
export interface Workers {
  /** Runs a task. Throws what it throws, or a `TaskFailure`. Input and result are copied (structured clone). */
  run<R>(task: string, input: unknown, options: TaskOptions): Promise<R>;
  close(): Promise<void>;
}

/**
 * Why a task has no result: too many of its owner wait (503), it waited too long for its turn or for a processor (503), it ran too long (503), it needs
 * too much memory (422), or its process was killed (503).
 */
export type TaskFailure = Error & { failure: 'busy' | Ending };

const failures: Record<TaskFailure['failure'], [type: ErrorType, message: string, reason: ErrorReason]> = {
  busy: ['UNAVAILABLE', 'Too many requests like this one are waiting; try again later', 'busy'],
  late: ['UNAVAILABLE', 'This waited too long for its turn, as the machine is busy; try again later', 'busy'],
  deadline: [
    'UNAVAILABLE',
    'This takes longer to process than is allowed; try again later, or make it smaller',
    'took_too_long',
  ],
  memory: ['UNPROCESSABLE', 'This needs more memory to process than is allowed; make it smaller', 'too_complex'],
  lost: ['UNAVAILABLE', 'Processing was interrupted; try again', 'unavailable'],
};

const taskFailureError = (failure: TaskFailure['failure']): TaskFailure =>
  Object.assign(apiError(...failures[failure]), { failure });

export const isTaskFailure = (error: unknown): error is TaskFailure =>
  error instanceof Error && Object.hasOwn(failures, String((error as Partial<TaskFailure>).failure));

/** Whether a task took more time or memory than it may: it would again. */
export const isTooMuch = (error: unknown): error is TaskFailure =>
  isTaskFailure(error) && (error.failure === 'deadline' || error.failure === 'memory');

/** For the `catch` of a task that its caller can do without. */
export function unlessTaskFailed(error: unknown): undefined {
  if (!isTaskFailure(error)) throw error;
}

/** As many tasks as the machine has processors, within bounds. */
export const perProcessor = (share: number, { least, max }: { least: number; max: number }): number =>
  Math.max(least, Math.min(max, Math.floor(availableParallelism() * share)));

const idleMs = 30_000;

interface Waiting extends TaskOptions {
  task: string;
  input: unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

class Pool implements Workers {
  private readonly queue = new FairQueue<Waiting>();
  /** With the timers that end them. */
  private readonly idle = new Map<TaskProcess, NodeJS.Timeout>();
  private readonly busy = new Set<TaskProcess>();
  /** Tasks that run, by owner. */
  private readonly running = new Map<string, number>();
  private closed = false;

  constructor(private readonly options: WorkersOptions) {}

  run<R>(task: string, input: unknown, options: TaskOptions): Promise<R> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.closed) throw taskFailureError('lost');
      if (this.queue.sizeOf(options.owner) >= this.options.waiting) {
        const yielding = this.queue.makeRoom(options);
        if (!yielding) throw taskFailureError('busy');
        yielding.reject(taskFailureError('busy'));
      }
      const waiting = { ...options, task, input, resolve, reject };
      this.queue.add(options, waiting);
      this.startNext();
      const { waitMs = this.options.waitMs } = options;
      const giveUp = () => this.queue.remove(options, waiting) && reject(taskFailureError('late'));
      if (Number.isFinite(waitMs)) setTimeout(giveUp, waitMs).unref();
    }) as Promise<R>;
  }

  async close(): Promise<void> {
    this.closed = true;
    const nextTask = () => this.queue.take(() => true);
    for (let waiting = nextTask(); waiting; waiting = nextTask()) waiting.reject(taskFailureError('lost'));
    await Promise.all([...this.idle.keys(), ...this.busy].map((process) => process.end()));
  }

  private startNext(): void {
    const { max, maxOfOwner = max } = this.options;
    if (this.closed || this.busy.size >= max) return;
    const next = this.queue.take((owner) => (this.running.get(owner) ?? 0) < maxOfOwner);
    if (next) void this.start(next);
  }

  private async start(waiting: Waiting): Promise<void> {
    const {
      owner,
      task,
      input,
      deadlineMs: withinMs = this.options.deadlineMs,
      waitMs = this.options.waitMs,
    } = waiting;
    const limits = { withinMs, isPatient: !Number.isFinite(waitMs) };
    const process = this.takeProcess();
    this.countRunning(owner, 1);
    try {
      waiting.resolve(resultOrThrow(await process.run(task, input, limits)));
    } catch (error) {
      waiting.reject(typeof error === 'string' ? taskFailureError(error as Ending) : error);
    }
    this.countRunning(owner, -1);
    this.putBack(process);
    this.startNext();
  }

  private takeProcess(): TaskProcess {
    const { module, memoryMb, niceness = 3 } = this.options;
    // The one that worked last is the fastest, and the others may end.
    const known = [...this.idle.keys()].findLast(({ isAlive }) => isAlive);
    const process = known ?? new TaskProcess({ module, memoryMb, niceness });
    clearTimeout(this.idle.get(process));
    this.idle.delete(process);
    process.holdProgram(true);
    this.busy.add(process);
    return process;
  }

  private putBack(process: TaskProcess): void {
    this.busy.delete(process);
    if (this.closed || !process.isAlive) return;
    process.holdProgram(false);
    const end = () => {
      this.idle.delete(process);
      void process.end();
    };
    this.idle.set(process, setTimeout(end, idleMs).unref());
  }

  private countRunning(owner: string, by: 1 | -1): void {
    const count = (this.running.get(owner) ?? 0) + by;
    if (count > 0) this.running.set(owner, count);
    else this.running.delete(owner);
  }
}

function resultOrThrow(reply: TaskReply): unknown {
  if ('result' in reply) return reply.result;
  const { type, reason, message, stack, tooMuch } = reply.error;
  if (type) throw apiError(type as ErrorType, message, reason as ErrorReason | undefined);
  if (tooMuch) throw taskFailureError('memory');
  throw Object.assign(new Error(message), stack ? { stack } : {});
}

export const openWorkers = (options: WorkersOptions): Workers => new Pool(options);
