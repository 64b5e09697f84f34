import type { FailureReason } from './failure.js';

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
