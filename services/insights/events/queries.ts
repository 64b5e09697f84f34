import { apiError } from '../../../shared/errors.js';
import { FairQueue } from '../../../shared/work/fair-queue.js';

/** Queries of this process that run at once, of all organizations and of one; those of one that may wait. */
const mostAtOnce = 4;
const mostOfOrganization = 2;
const mostWaiting = 20;

/** Runs few queries of the analytics database at once; the organizations whose queries wait take turns. */
export class Queries {
  private readonly running = new Map<string, number>();
  private readonly waiting = new FairQueue<() => void>();
  private runningOfAll = 0;

  /** Runs `work` when it is its turn. Throws 503 when too many queries of the organization wait already. */
  async run<T>(organization: string, work: () => Promise<T>): Promise<T> {
    if (this.mayStart(organization)) this.started(organization);
    else await this.turn(organization);
    try {
      return await work();
    } finally {
      this.ended(organization);
    }
  }

  private readonly mayStart = (organization: string): boolean =>
    this.runningOfAll < mostAtOnce && this.runningOf(organization) < mostOfOrganization;

  private runningOf(organization: string): number {
    return this.running.get(organization) ?? 0;
  }

  private started(organization: string): void {
    this.runningOfAll += 1;
    this.running.set(organization, this.runningOf(organization) + 1);
  }

  private turn(organization: string): Promise<void> {
    if (this.waiting.sizeOf(organization) >= mostWaiting)
      throw apiError('UNAVAILABLE', 'Too many queries of this organization are waiting; try again later');
    return new Promise((go) => {
      this.waiting.add({ owner: organization }, () => {
        this.started(organization);
        go();
      });
    });
  }

  private ended(organization: string): void {
    this.runningOfAll -= 1;
    const others = this.runningOf(organization) - 1;
    if (others > 0) this.running.set(organization, others);
    else this.running.delete(organization);
    this.waiting.take(this.mayStart)?.();
  }
}
