import type { OutgoingHttpHeaders } from 'node:http';
import { stillClock } from '../../../shared/testing/still-clock.js';
import { createRateLimit } from './authentication.js';

stillClock();

async function count(limit: ReturnType<typeof createRateLimit>, key: string) {
  const headers: OutgoingHttpHeaders = {};
  const error: { type?: string; code?: number; message?: string } | undefined = await limit(key, headers).then(
    () => undefined,
    (thrown) => thrown,
  );
  return { headers, error };
}

describe('the rate limit', () => {
  it('says in headers what is left and when the minute ends', async () => {
    const limit = createRateLimit(3);
    const end = Math.ceil(Date.now() / 1000 + 60);
    for (const left of [2, 1, 0]) {
      const { headers, error } = await count(limit, 'a');
      expect(error).toBeUndefined();
      expect(headers).toEqual({
        'X-RateLimit-Limit': 3,
        'X-RateLimit-Remaining': left,
        'X-RateLimit-Reset': end,
      });
    }
  });

  it('answers 429 above it, with the seconds to wait, and does not extend the wait', async () => {
    const limit = createRateLimit(1);
    await count(limit, 'a');
    for (const seconds of [60, 40, 20]) {
      const { headers, error } = await count(limit, 'a');
      expect(error).toMatchObject({ type: 'RATE_LIMITED', code: 429, message: expect.stringContaining('wait') });
      expect(headers).toMatchObject({
        'X-RateLimit-Limit': 1,
        'X-RateLimit-Remaining': 0,
        'Retry-After': seconds,
      });
      jest.advanceTimersByTime(20_000);
    }
    expect((await count(limit, 'a')).error).toBeUndefined();
  });

  it('counts each key separately, also unusual ones', async () => {
    const limit = createRateLimit(1);
    for (const key of ['a', 'b', '', '__proto__', 'constructor', 'x'.repeat(5000)]) {
      expect((await count(limit, key)).error).toBeUndefined();
      expect((await count(limit, key)).error).toMatchObject({ type: 'RATE_LIMITED' });
    }
  });

  it('lets exactly the limit through when requests come at once', async () => {
    const limit = createRateLimit(10);
    const all = await Promise.all(Array.from({ length: 25 }, () => count(limit, 'a')));
    expect(all.filter(({ error }) => !error)).toHaveLength(10);
  });

  it('is off at 0', async () => {
    const limit = createRateLimit(0);
    for (let i = 0; i < 100; i++) expect(await count(limit, 'a')).toEqual({ headers: {}, error: undefined });
  });
});
