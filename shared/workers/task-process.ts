import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { scaleMs } from '../settings/time-scale.js';
import { giveWay } from './process-priority.js';
import type { TaskReply, TaskRequest } from './task-runner.js';

export interface TaskProcessOptions {
  /** The URL of the compiled module that exports the tasks. */
  module: URL;
  /** The size of the heap, in megabytes. */
  memoryMb: number;
  /** How far it gives way to other processes when processor time is scarce. */
  niceness: number;
}

/** Why a task has no result: it ran too long, got too little of a processor to end, ran out of memory, or its process was killed. */
export type Ending = 'deadline' | 'late' | 'memory' | 'lost';

/** The unit of `/proc`. */
const tickMs = 10;
const startMs = scaleMs(30_000);

/** A process that runs one task at a time. What a task does to it, it does to no other. */
export class TaskProcess {
  private readonly child: ChildProcess;
  private readonly started: Promise<TaskReply | 'started'>;

  constructor({ module, memoryMb, niceness }: TaskProcessOptions) {
    this.child = fork(fileURLToPath(new URL('./task-runner.js', import.meta.url)), [module.href], {
      execArgv: [`--max-old-space-size=${memoryMb}`],
      serialization: 'advanced',
      // It reads what strangers wrote: it gets no settings, and what the engine prints when it gives up helps nobody.
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // Whatever breaks the channel also ends the process.
    this.child.on('error', () => {});
    giveWay(this.child.pid, niceness);
    // A process that starts too slowly says nothing of its task.
    this.started = this.nextReply({ withinMs: startMs, isPatient: true }).catch((ending: Ending) =>
      Promise.reject(ending === 'deadline' ? 'late' : ending),
    );
    this.started.catch(() => {});
  }

  get isAlive(): boolean {
    return this.child.connected && !this.child.killed && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Whether the process keeps this program running. */
  holdProgram(held: boolean): void {
    const { child } = this;
    for (const each of [child, child.channel]) held ? each?.ref() : each?.unref();
  }

  /** Returns what the task returned or threw. Rejects with an `Ending`; then the process is gone. */
  async run(task: string, input: unknown, limits: ProcessorLimits): Promise<TaskReply> {
    const started = await this.started;
    if (started !== 'started') return started;
    const reply = this.nextReply(limits);
    this.child.send({ task, input } satisfies TaskRequest, () => {});
    return (await reply) as TaskReply;
  }

  async end(): Promise<void> {
    if (this.child.pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return;
    // An idle process would not keep this program running until it is gone.
    this.holdProgram(true);
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  private nextReply(limits: ProcessorLimits): Promise<TaskReply | 'started'> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const stopListening = () => {
        clearTimeout(timer);
        child.off('message', onMessage).off('exit', onExit);
      };
      const onMessage = (reply: unknown) => {
        stopListening();
        resolve(reply as TaskReply | 'started');
      };
      const onEnd = (ending: Ending) => {
        stopListening();
        child.kill('SIGKILL');
        reject(ending);
      };
      const onExit = (_: number | null, signal: NodeJS.Signals | null) => onEnd(isAbort(signal) ? 'memory' : 'lost');
      const time = new ProcessorTime(limits, this.processorUse());
      const onTime = () => {
        const next = time.checkLimits(this.processorUse());
        if (typeof next === 'string') onEnd(next);
        else timer = setTimeout(onTime, next + 1);
      };
      let timer = setTimeout(onTime, limits.withinMs);
      child.on('message', onMessage).on('exit', onExit);
    });
  }

  private processorUse(): ProcessorUse {
    return { at: performance.now(), used: this.usedMs() };
  }

  /** The processor time that it has used; infinite where the system does not report it. */
  private usedMs(): number {
    try {
      const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * tickMs;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }
}

/** The engine ends its process like this when it finds no memory. */
const isAbort = (signal: NodeJS.Signals | null) => signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL';

/** The processor time that a process has used by a moment, both in milliseconds. */
interface ProcessorUse {
  at: number;
  used: number;
}

interface ProcessorLimits {
  /** The processor time that a task may use, in milliseconds. */
  withinMs: number;
  /** Whether nobody waits for the task: then it goes on as long as it gets anything of a processor. */
  isPatient: boolean;
}

/** Multiple of `withinMs` within which a task must get that much processor time or, if it is patient, any. */
const patience = 3;
/** Shortest pause until the next look, in milliseconds: the system measures processor time no finer. */
const minMs = 10;

/** Decides when a task has used too much of a processor, or got too little of one. */
export class ProcessorTime {
  /** A patient task gets its time anew with each progress. */
  private progress: ProcessorUse;

  constructor(
    private readonly limits: ProcessorLimits,
    private readonly began: ProcessorUse,
  ) {
    this.progress = began;
  }

  /** Why the task ends now, or the milliseconds until it is to be looked at again. */
  checkLimits(now: ProcessorUse): 'deadline' | 'late' | number {
    const { withinMs, isPatient } = this.limits;
    const left = withinMs - (now.used - this.began.used);
    // Not a number where the system does not report what was used.
    if (!(left > 0)) return 'deadline';
    if (isPatient && now.used > this.progress.used) this.progress = now;
    const mayWait = withinMs * patience - (now.at - this.progress.at);
    return mayWait > 0 ? Math.max(minMs, Math.min(left, mayWait)) : 'late';
  }
}
