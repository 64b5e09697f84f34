import { type Attempt, afterAttempt, type Fault } from './attempts.js';

const now = Date.parse('2026-01-02T00:00:00.000Z');
const fresh = { attempts: 0, createdAt: '2026-01-02T00:00:00.000Z' };
const answered = (status: number): Attempt => ({ status, logs: [] });
const unanswered = (fault: Fault = 'its own'): Attempt => ({ failure: 'no answer', fault, logs: [] });

/** Milliseconds between the attempts of an event that always fails so, until it is dead. */
function waits(format: 'v2' | 'built-in', attempt: Attempt): number[] {
  const found: number[] = [];
  for (let event = { ...fresh, excused: 0 }; ; ) {
    const { update, waitMs } = afterAttempt(event, attempt, { format, now });
    if (waitMs === undefined) {
      expect(update.$set).toMatchObject({ result: 'dead' });
      return found;
    }
    found.push(waitMs);
    event = { ...event, ...(update.$set as object) };
  }
}

describe('after an attempt', () => {
  it.each([200, 204, 299, 406])('that was answered with %s, an event is over', (status) => {
    const { update, waitMs } = afterAttempt(fresh, answered(status), { format: 'v2', now });
    expect(update).toEqual({
      $set: { attempts: 1, logs: [], result: 'success' },
      $unset: { lane: true, runAt: true },
    });
    expect(waitMs).toBeUndefined();
  });

  it('that failed, scripts get 8 in all, with waits that double', () => {
    const found = waits('v2', answered(500));
    expect(found).toHaveLength(7);
    for (const [at, wait] of found.entries()) expect(wait / (1000 * 2 ** at)).toBeCloseTo(1, 0);
  });

  it('that failed, webhooks get 4 in all, after 1, 2 and 4 seconds give or take a tenth', () => {
    for (const attempt of [answered(500), answered(429), answered(302), unanswered()]) {
      const found = waits('built-in', attempt);
      expect(found).toHaveLength(3);
      for (const [at, wait] of found.entries()) {
        expect(wait).toBeGreaterThanOrEqual(900 * 2 ** at);
        expect(wait).toBeLessThanOrEqual(1100 * 2 ** at);
      }
    }
  });

  it('that a receiver refuses, webhooks get no other', () => {
    expect(waits('built-in', answered(404))).toEqual([]);
    expect(waits('v2', answered(404))).toHaveLength(7);
  });

  it('that failed by ours, it is not counted, and follows half a minute later at the most', () => {
    const excused = { ...fresh, excused: 10_000 };
    const { update, waitMs } = afterAttempt(excused, unanswered('ours'), { format: 'built-in', now });
    expect(update.$set).toMatchObject({ attempts: 0, excused: 10_001, result: 'failed' });
    expect((waitMs as number) / 30_000).toBeCloseTo(1, 0);
  });

  it('that failed, perhaps by the fault of others, it is not counted, 20 times', () => {
    const excused = afterAttempt(fresh, unanswered('unclear'), { format: 'v2', now });
    expect(excused.update.$set).toMatchObject({ attempts: 0, excused: 1, result: 'failed' });
    expect(waits('v2', unanswered('unclear'))).toHaveLength(20 + 7);
  });

  it('that failed, an event of more than a week ago is dead, whoever failed', () => {
    const old = { attempts: 0, createdAt: '2025-12-25T00:00:00.000Z' };
    for (const attempt of [answered(500), unanswered('ours')])
      expect(afterAttempt(old, attempt, { format: 'v2', now }).waitMs).toBeUndefined();
  });

  it('without an answer, the log says why, once', () => {
    const logsOf = (attempt: Attempt) => afterAttempt(fresh, attempt, { format: 'v2', now }).update.$set?.logs;
    expect(logsOf(unanswered())).toMatchObject([{ level: 'error', message: 'no answer' }]);
    expect(logsOf(answered(500))).toMatchObject([{ message: 'it answered with the status 500' }]);
    const own = { level: 'error', message: 'no answer' } as const;
    expect(logsOf({ failure: 'no answer', fault: 'its own', logs: [own] })).toEqual([own]);
  });
});
