import type { OutgoingHttpHeaders } from 'node:http';
import { stillClock } from '../../../shared/testing/still-clock.js';
import { createRateLimit } from './authentication.js';

stillClock();

function count(limit: ReturnType<typeof createRateLimit>, key: string) {
  const headers: OutgoingHttpHeaders = {};
  try {
    limit(key, headers);
    return { headers, error: undefined };
  } catch (error) {
    return { headers, error: error as { type?: string } };
  }
}

describe('the rate limit', () => {
  it('says in headers what is left and when the minute ends', () => {
    const limit = createRateLimit(3);
    const end = Math.ceil(Date.now() / 1000 + 60);
    for (const left of [2, 1, 0]) {
      const { headers, error } = count(limit, 'a');
      expect(error).toBeUndefined();
      expect(headers).toEqual({
        'X-RateLimit-Limit': 3,
        'X-RateLimit-Remaining': left,
        'X-RateLimit-Reset': end,
      });
    }
  });

  it('answers 429 above it, with the seconds to wait, and does not extend the wait', () => {
    const limit = createRateLimit(1);
    count(limit, 'a');
    for (const seconds of [60, 40, 20]) {
      const { headers, error } = count(limit, 'a');
      expect(error).toMatchObject({ type: 'RATE_LIMITED', code: 429, message: expect.stringContaining('wait') });
      expect(headers).toMatchObject({
        'X-RateLimit-Limit': 1,
        'X-RateLimit-Remaining': 0,
        'Retry-After': seconds,
      });
      jest.advanceTimersByTime(20_000);
    }
    expect(count(limit, 'a').error).toBeUndefined();
  });

  it('counts each key separately, also unusual ones', () => {
    const limit = createRateLimit(1);
    for (const key of ['a', 'b', '', '__proto__', 'constructor', 'x'.repeat(5000)]) {
      expect(count(limit, key).error).toBeUndefined();
      expect(count(limit, key).error).toMatchObject({ type: 'RATE_LIMITED' });
    }
  });

  it('lets exactly the limit through', () => {
    const limit = createRateLimit(10);
    const all = Array.from({ length: 25 }, () => count(limit, 'a'));
    expect(all.filter(({ error }) => !error)).toHaveLength(10);
  });

  it('is off at 0', () => {
    const limit = createRateLimit(0);
    for (let i = 0; i < 100; i++) expect(count(limit, 'a')).toEqual({ headers: {}, error: undefined });
  });
});
