import type { OutgoingHttpHeaders } from 'node:http';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { apiError } from '../../../../shared/errors.js';

/** Counts a request of `key` and adds the rate limit headers. Throws 429 above the limit. */
export type RateLimit = (key: string, headers: OutgoingHttpHeaders) => Promise<void>;

/** Limits requests per key in this process; `perMinute` 0 turns the limit off. */
export function createRateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) return async () => {};
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  const describe = (headers: OutgoingHttpHeaders, state: RateLimiterRes) => {
    headers['X-RateLimit-Limit'] = perMinute;
    headers['X-RateLimit-Remaining'] = Math.max(0, state.remainingPoints);
    headers['X-RateLimit-Reset'] = Math.ceil((Date.now() + state.msBeforeNext) / 1000);
  };
  return async (key, headers) => {
    try {
      describe(headers, await limiter.consume(key));
    } catch (state) {
      if (!(state instanceof RateLimiterRes)) throw state;
      describe(headers, state);
      headers['Retry-After'] = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
      throw apiError('RATE_LIMITED', `More than ${perMinute} requests in a minute; wait ${headers['Retry-After']} s`);
    }
  };
}
