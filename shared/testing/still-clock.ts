import { jest } from '@jest/globals';

/**
 * In the tests of this file, or of the `describe` that calls it, the clock stands still and timers wait: both move by
 * `jest.advanceTimersByTime` alone. Promises, sockets and files go on, and so does the clock of `lru-cache`, which keeps the true one.
 */
export function stillClock(): void {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
}
