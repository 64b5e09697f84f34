import { jest } from '@jest/globals';

/**
 * In the tests of this file, or of the `describe` that calls it, the clock stands still and timers wait: both move by
 * `jest.advanceTimersByTime` alone. Promises, sockets and files go on.
 */
export function stillClock(): void {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
}
