import { scaleMs } from '../settings/time-scale.js';
import type { SoughtJobs } from './job-leases.js';

/** Jobs that run at the same time in one process. Kinds that name the same limits share the lanes. */
export interface LaneLimits {
  count: number;
  /** Lanes that one share has at most. */
  ofShare: number;
  /**
   * Milliseconds after which a run is slow. All shares whose runs were slow lately have half of the lanes together, so that however many
   * wait for servers that hang, the others go on.
   */
  slowMs?: number;
}

const keptMs = scaleMs(10 * 60_000);

interface Entry {
  share: string | undefined;
  since: number;
}

/** The lanes of some kinds of jobs, and the shares whose turn it is to have one. */
export class JobLanes {
  readonly kinds: string[] = [];
  private readonly entries = new Set<Entry>();
  /** The shares that had a job started in this round. */
  private readonly hadTurn = new Set<string>();
  /** Until when shares count as slow; the first is over first. */
  private readonly slowUntil = new Map<string, number>();

  constructor(private readonly limits: LaneLimits) {}

  get isFull(): boolean {
    return this.entries.size >= this.limits.count;
  }

  /** Gives every share its turn again; false where none had one. */
  beginRound(): boolean {
    const isOver = this.hadTurn.size > 0;
    this.hadTurn.clear();
    return isOver;
  }

  /** The jobs that may have a lane now. */
  get sought(): SoughtJobs {
    return { kinds: this.kinds, without: this.findWaiting() };
  }

  private findWaiting(): string[] {
    const counts = new Map<string, number>();
    for (const { share } of this.entries) if (share !== undefined) counts.set(share, (counts.get(share) ?? 0) + 1);
    const full = [...counts].filter(([, count]) => count >= this.limits.ofShare).map(([share]) => share);
    return [...this.hadTurn, ...full, ...this.findTooSlow()];
  }

  /** The slow shares, once they have half of the lanes. */
  private findTooSlow(): string[] {
    const { slowMs = Number.POSITIVE_INFINITY, count } = this.limits;
    const now = performance.now();
    const slow = new Set<string>();
    for (const [share, until] of this.slowUntil) {
      if (until > now) slow.add(share);
      else this.slowUntil.delete(share);
    }
    for (const { share, since } of this.entries) if (share !== undefined && now - since >= slowMs) slow.add(share);
    const held = [...this.entries].filter(({ share }) => share !== undefined && slow.has(share)).length;
    return held >= count / 2 ? [...slow] : [];
  }

  /** Takes a lane for a share; returns what leaves it. */
  enter(share: string | undefined): () => void {
    const entry = { share, since: performance.now() };
    this.entries.add(entry);
    if (share !== undefined) this.hadTurn.add(share);
    return () => {
      this.entries.delete(entry);
      const { slowMs = Number.POSITIVE_INFINITY } = this.limits;
      const now = performance.now();
      if (share === undefined || now - entry.since < slowMs) return;
      this.slowUntil.delete(share);
      this.slowUntil.set(share, now + keptMs);
    };
  }
}
