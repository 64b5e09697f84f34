const notFaked: ('hrtime' | 'nextTick' | 'queueMicrotask' | 'setImmediate' | 'clearImmediate')[] = [
  'hrtime',
  'nextTick',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
];

/**
 * In the tests of this file, or of the `describe` that calls it, the clock stands still and timers wait: both move by
 * `jest.advanceTimersByTime` alone. Promises, sockets and files go on, and so does the clock of `lru-cache`, which keeps the true one.
 */
export function stillClock(): void {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: notFaked });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
}

/** Does `work`; the timers that it sets at once end at once. */
export async function withoutWaiting(work: () => Promise<unknown>): Promise<void> {
  // Timers that were set before can be cleared.
  jest.useFakeTimers({ doNotFake: [...notFaked, 'Date', 'clearTimeout'] });
  try {
    const done = work();
    await new Promise(setImmediate);
    jest.runOnlyPendingTimers();
    await done;
  } finally {
    jest.useRealTimers();
  }
}
