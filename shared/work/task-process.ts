import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { TaskReply, TaskRequest } from './task-runner.js';

export interface TaskProcessOptions {
  /** The URL of the compiled module that exports the tasks. */
  module: URL;
  /** The size of the heap, in megabytes. */
  memoryMb: number;
  /** Whether other processes come first when processor time is scarce. */
  inBackground: boolean;
}

/** Why a task has no result: it ran too long, ran out of memory, or its process was killed. */
export type Ending = 'deadline' | 'memory' | 'lost';

const startMs = 30_000;
/** Between the deadline of a task and the time when its own process stops it. */
const graceMs = 1000;

/** A process that runs one task at a time. What a task does to it, it does to no other. */
export class TaskProcess {
  private readonly child: ChildProcess;
  private readonly started: Promise<TaskReply | 'started'>;

  constructor({ module, memoryMb, inBackground }: TaskProcessOptions) {
    this.child = fork(fileURLToPath(new URL('./task-runner.js', import.meta.url)), [module.href], {
      execArgv: [`--max-old-space-size=${memoryMb}`],
      serialization: 'advanced',
      // It reads what strangers wrote: it gets no settings, and what the engine prints when it gives up helps nobody.
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // Whatever breaks the channel also ends the process.
    this.child.on('error', () => {});
    if (inBackground) this.lowerPriority();
    this.started = this.nextReply(startMs);
    this.started.catch(() => {});
  }

  get isAlive(): boolean {
    return this.child.connected && !this.child.killed && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Whether the process keeps this program running. */
  hold(held: boolean): void {
    const { child } = this;
    for (const each of [child, child.channel]) held ? each?.ref() : each?.unref();
  }

  /** Returns what the task returned or threw. Rejects with an `Ending`; then the process is gone. */
  async run(task: string, input: unknown, deadlineMs: number): Promise<TaskReply> {
    const started = await this.started;
    if (started !== 'started') return started;
    const reply = this.nextReply(deadlineMs);
    this.child.send({ task, input, deadlineMs: deadlineMs + graceMs } satisfies TaskRequest, () => {});
    return (await reply) as TaskReply;
  }

  async end(): Promise<void> {
    if (this.child.pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  private nextReply(withinMs: number): Promise<TaskReply | 'started'> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        child.off('message', onMessage).off('exit', onExit);
      };
      const onMessage = (reply: unknown) => {
        settle();
        resolve(reply as TaskReply | 'started');
      };
      const onEnd = (ending: Ending) => {
        settle();
        child.kill('SIGKILL');
        reject(ending);
      };
      const onExit = (_: number | null, signal: NodeJS.Signals | null) => onEnd(isAbort(signal) ? 'memory' : 'lost');
      const timer = setTimeout(onEnd, withinMs, 'deadline');
      child.on('message', onMessage).on('exit', onExit);
    });
  }

  private lowerPriority(): void {
    try {
      if (this.child.pid !== undefined) setPriority(this.child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // Not every system allows this; there the process is one like any other.
    }
  }
}

/** The engine ends its process like this when it finds no memory. */
const isAbort = (signal: NodeJS.Signals | null) => signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL';
