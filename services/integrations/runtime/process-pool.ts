import { FairQueue } from '../../../shared/work/fair-queue.js';
import { RuntimeFailure } from './failure.js';
import type { Limits } from './limits.js';
import { stopped } from './process/endings.js';
import type { ProcessObserver, ScriptProcess } from './process/script-process.js';
import type { Program } from './process/start-process.js';
import { Restarts } from './restarts.js';

/** An event that waits for a process. */
interface Waiter {
  program: Program;
  go: (process: ScriptProcess) => void;
  fail: (failure: RuntimeFailure) => void;
}

export interface ProcessPoolOptions {
  mostProcesses: number;
  limits: Limits;
  start: (program: Program, observer: ProcessObserver) => ScriptProcess;
}

const keyOf = ({ name, version }: Program) => `${name} ${version}`;
const busy = (message: string) => new RuntimeFailure('busy', message);

/** The processes of all programs. Programs whose events wait for one take turns. */
export class ProcessPool {
  /** Those of a program that took no further events may still be there beside its present one. */
  private readonly processes = new Map<ScriptProcess, Program>();
  private readonly waiting = new FairQueue<Waiter>();
  private readonly restarts = new Restarts();
  /** Programs that may not start a process yet. */
  private readonly held = new Set<string>();
  private isClosed = false;

  constructor(private readonly options: ProcessPoolOptions) {}

  /** Does `work` with a process of the program, or rejects with `busy` when none took it within `waitMs`. */
  async run<T>(program: Program, waitMs: number, work: (process: ScriptProcess) => Promise<T>): Promise<T> {
    if (this.isClosed) throw new RuntimeFailure(stopped.reason, stopped.message);
    const owner = keyOf(program);
    if (this.waiting.sizeOf(owner) >= this.options.limits.waiting)
      throw busy('Too many events of the integration are waiting');
    return new Promise<T>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        this.waiting.remove({ owner }, waiter);
      };
      const waiter: Waiter = {
        program,
        go: (process) => {
          settle();
          resolve(work(process));
        },
        fail: (failure) => {
          settle();
          reject(failure);
        },
      };
      const timer = setTimeout(() => waiter.fail(busy('No process became free for the integration in time')), waitMs);
      this.waiting.add({ owner }, waiter);
      this.pump();
    });
  }

  /** Lets the processes of an integration end when their events are over. */
  retire(name: string): void {
    for (const [process, program] of this.processes) if (program.name === name) process.retire();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (let waiter = this.waiting.take(() => true); waiter; waiter = this.waiting.take(() => true))
      waiter.fail(new RuntimeFailure(stopped.reason, stopped.message));
    const processes = [...this.processes.keys()];
    for (const process of processes) process.end(stopped);
    await Promise.all(processes.map(({ gone }) => gone));
  }

  private pump(): void {
    if (this.isClosed) return;
    const mayGo = (owner: string) => this.presentOf(owner)?.mayTake ?? (this.hasPlace() && !this.held.has(owner));
    for (let waiter = this.waiting.take(mayGo); waiter; waiter = this.waiting.take(mayGo))
      waiter.go(this.presentOf(keyOf(waiter.program)) ?? this.start(waiter.program));
    if (this.waiting.owners.some((owner) => !this.presentOf(owner) && !this.held.has(owner))) this.makePlace();
  }

  /** The process of a program that is not about to end. */
  private presentOf(owner: string): ScriptProcess | undefined {
    for (const [process, program] of this.processes)
      if (!process.isRetired && !process.isGone && keyOf(program) === owner) return process;
    return undefined;
  }

  private hasPlace(): boolean {
    return this.processes.size < this.options.mostProcesses;
  }

  private start(program: Program): ScriptProcess {
    const owner = keyOf(program);
    const process = this.options.start(program, {
      onChange: () => this.pump(),
      onEnd: (reason) => this.hold(owner, this.restarts.ended(owner, reason)),
    });
    this.processes.set(process, program);
    void process.gone.then(() => {
      this.processes.delete(process);
      this.pump();
    });
    return process;
  }

  private hold(owner: string, waitMs: number): void {
    if (waitMs === 0) return;
    this.held.add(owner);
    const release = () => {
      this.held.delete(owner);
      this.pump();
    };
    setTimeout(release, waitMs).unref();
  }

  /** Ends the process that has been idle longest, or lets the one that has been busy longest come to its end. */
  private makePlace(): void {
    const all = [...this.processes.keys()];
    if (this.hasPlace() || all.some(({ isRetired, isIdle }) => isRetired && isIdle)) return;
    const [idle] = all.filter(({ isIdle }) => isIdle).toSorted((a, b) => a.idleSince - b.idleSince);
    if (idle) return void idle.retire();
    const [oldest] = all.toSorted((a, b) => a.startedAt - b.startedAt);
    const isDue = oldest && performance.now() - oldest.startedAt > this.options.limits.tenureMs;
    if (isDue && !all.some(({ isRetired }) => isRetired)) oldest.retire();
  }
}
