import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { rateLimited } from '../../../shared/errors/errors.js';

/** Limits the events of visitors from each network; `perMinute` 0 turns the limit off. */
export class EventLimit {
  private readonly limiter: RateLimiterMemory | undefined;

  constructor(private readonly perMinute: number) {
    if (perMinute > 0) this.limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  }

  /** Counts events. Throws 429 for those above the limit. */
  async countOrRefuse(network: string, events: number): Promise<void> {
    try {
      await this.limiter?.consume(network, events);
    } catch (state) {
      if (!(state instanceof RateLimiterRes)) throw state;
      throw rateLimited(`More than ${this.perMinute} events in a minute`, state.msBeforeNext);
    }
  }
}
