import { FairQueue } from '../../../shared/work/fair-queue.js';
import { type FailureReason, RuntimeFailure } from './failure.js';
import type { Limits } from './limits.js';
import { stopped } from './process/endings.js';
import type { ProcessObserver, ScriptProcess } from './process/script-process.js';
import type { Program } from './process/start-process.js';

/** An event that waits for a process. */
interface Waiter {
  program: Program;
  go: (process: ScriptProcess) => void;
  fail: (failure: RuntimeFailure) => void;
}

export interface ProcessPoolOptions {
  maxProcesses: number;
  limits: Limits;
  start: (program: Program, observer: ProcessObserver) => ScriptProcess;
}

const programKey = ({ name, version }: Program) => `${name} ${version}`;
const programLane = (program: Program) => ({ owner: program.organization, client: programKey(program) });
const busyFailure = (message: string) => new RuntimeFailure('busy', message);

/** Largest share of the processes that one organization may have; the rest is kept for others, even while nobody uses it. */
const partOfOne = 3 / 4;

/** The processes of all programs. Organizations whose events wait for one take turns, and the programs of each within its own. */
export class ProcessPool {
  /** A retired process of a program stays here beside its present one until it ends. */
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
    const lane = programLane(program);
    if (this.waiting.sizeOf(lane.owner, lane.client) >= this.options.limits.waiting)
      throw busyFailure('Too many events of the integration are waiting');
    return new Promise<T>((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        this.waiting.remove(lane, waiter);
      };
      const waiter: Waiter = {
        program,
        go: (process) => {
          stopWaiting();
          resolve(work(process));
        },
        fail: (failure) => {
          stopWaiting();
          reject(failure);
        },
      };
      const timer = setTimeout(
        () => waiter.fail(busyFailure('No process became free for the integration in time')),
        waitMs,
      );
      this.waiting.add(lane, waiter);
      this.startWaiting();
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

  private startWaiting(): void {
    if (this.isClosed) return;
    const mayGo = (key: string, organization: string) =>
      this.presentProcess(key)?.mayTake ?? (this.hasPlace(organization) && !this.held.has(key));
    const nextWaiter = () => this.waiting.take(() => true, mayGo);
    for (let waiter = nextWaiter(); waiter; waiter = nextWaiter())
      waiter.go(this.presentProcess(programKey(waiter.program)) ?? this.start(waiter.program));
    for (const organization of this.waiting.owners) if (this.wantsPlace(organization)) this.makePlace(organization);
  }

  /** The process of a program that is not about to end. */
  private presentProcess(key: string): ScriptProcess | undefined {
    for (const [process, program] of this.processes)
      if (!process.isRetired && !process.isGone && programKey(program) === key) return process;
    return undefined;
  }

  private hasPlace(organization: string): boolean {
    return this.processes.size < this.options.maxProcesses && !this.isAtItsBound(organization);
  }

  private isAtItsBound(organization: string): boolean {
    return this.processesOf(organization).length >= Math.max(1, Math.floor(this.options.maxProcesses * partOfOne));
  }

  private processesOf(organization: string): ScriptProcess[] {
    return [...this.processes]
      .filter(([, program]) => program.organization === organization)
      .map(([process]) => process);
  }

  private wantsPlace(organization: string): boolean {
    const wantsProcess = (key: string) => !this.presentProcess(key) && !this.held.has(key);
    return !this.hasPlace(organization) && this.waiting.clientsOf(organization).some(wantsProcess);
  }

  private start(program: Program): ScriptProcess {
    const owner = programKey(program);
    const process = this.options.start(program, {
      onChange: () => this.startWaiting(),
      onEnd: (reason) => this.holdBack(owner, this.restarts.noteEnd(owner, reason)),
    });
    this.processes.set(process, program);
    void process.gone.then(() => {
      this.processes.delete(process);
      this.startWaiting();
    });
    return process;
  }

  private holdBack(owner: string, waitMs: number): void {
    if (waitMs === 0) return;
    this.held.add(owner);
    const endHold = () => {
      this.held.delete(owner);
      this.startWaiting();
    };
    setTimeout(endHold, waitMs).unref();
  }

  /** Ends the process that has been idle longest, or lets one come to its end that has been busy for long. */
  private makePlace(organization: string): void {
    const own = this.isAtItsBound(organization);
    const some = own ? this.processesOf(organization) : [...this.processes.keys()];
    if (some.some(({ isRetired, isIdle }) => isRetired && isIdle)) return;
    const [idle] = some.filter(({ isIdle }) => isIdle).toSorted((a, b) => a.idleSince - b.idleSince);
    if (idle) return void idle.retire();
    const [oldest] = (own ? some : this.largestShare()).toSorted((a, b) => a.startedAt - b.startedAt);
    const isDue = oldest && performance.now() - oldest.startedAt > this.options.limits.tenureMs;
    if (isDue && !some.some(({ isRetired }) => isRetired)) oldest.retire();
  }

  /** The processes of the organization that has the most. */
  private largestShare(): ScriptProcess[] {
    const shares = [...new Set([...this.processes.values()].map(({ organization }) => organization))].map((each) =>
      this.processesOf(each),
    );
    return shares.toSorted((a, b) => b.length - a.length)[0] ?? [];
  }
}

const firstMs = 250;
const maxMs = 4000;
/** A program without such an end for this time starts at once again. */
const forgetMs = 60_000;

interface Faults {
  count: number;
  at: number;
}

/** Counts the processes of programs that ended badly one after the other: each start takes time from others. Times are in milliseconds. */
export class Restarts {
  private readonly faults = new Map<string, Faults>();

  /** Notes why a process of a program ended. Answers how long the program is to wait for its next one. */
  noteEnd(program: string, reason: FailureReason, now = performance.now()): number {
    for (const [each, { at }] of this.faults) if (now - at > forgetMs) this.faults.delete(each);
    // The program is not at fault.
    if (reason === 'stopped') return 0;
    const count = (this.faults.get(program)?.count ?? 0) + 1;
    this.faults.set(program, { count, at: now });
    return count === 1 ? 0 : Math.min(maxMs, firstMs * 2 ** (count - 2));
  }
}
