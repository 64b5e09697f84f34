import { apiError } from '../errors/errors.js';
import { FairQueue } from './fair-queue.js';

export interface FairTurnsOptions {
  /** Pieces of work that run at once, of all owners and of one. */
  max: number;
  maxOfOwner: number;
  /** Pieces of work of one owner that may wait. */
  waiting: number;
  /** Message of the 503 when more would wait. */
  busy: string;
}

/** Runs few pieces of work at once; the owners whose work waits take turns. */
export class FairTurns {
  private readonly running = new Map<string, number>();
  private readonly waiting = new FairQueue<() => void>();
  private runningOfAll = 0;

  constructor(private readonly options: FairTurnsOptions) {}

  /** Runs `work` when it is its turn. Throws 503 when too much work of the owner waits already, and the reason of `signal` when that aborts before. */
  async run<T>(owner: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.mayStart(owner)) this.noteStart(owner);
    else await this.awaitTurn(owner, signal);
    try {
      return await work();
    } finally {
      this.noteEnd(owner);
    }
  }

  private readonly mayStart = (owner: string): boolean =>
    this.runningOfAll < this.options.max && this.runningOf(owner) < this.options.maxOfOwner;

  private runningOf(owner: string): number {
    return this.running.get(owner) ?? 0;
  }

  private noteStart(owner: string): void {
    this.runningOfAll += 1;
    this.running.set(owner, this.runningOf(owner) + 1);
  }

  private awaitTurn(owner: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.waiting.sizeOf(owner) >= this.options.waiting) throw apiError('UNAVAILABLE', this.options.busy, 'busy');
    return new Promise((go, leave) => {
      const start = () => {
        signal?.removeEventListener('abort', leaveQueue);
        this.noteStart(owner);
        go();
      };
      const leaveQueue = () => {
        if (this.waiting.remove({ owner }, start)) leave(signal?.reason);
      };
      signal?.addEventListener('abort', leaveQueue, { once: true });
      this.waiting.add({ owner }, start);
    });
  }

  private noteEnd(owner: string): void {
    this.runningOfAll -= 1;
    const others = this.runningOf(owner) - 1;
    if (others > 0) this.running.set(owner, others);
    else this.running.delete(owner);
    this.waiting.take(this.mayStart)?.();
  }
}
