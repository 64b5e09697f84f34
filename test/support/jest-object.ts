import type { ModernFakeTimers } from '@jest/fake-timers';
import type { ModuleMocker } from 'jest-mock';

/** What tests find as `jest`, in every environment: an import of `@jest/globals` works only in the context of a file. */
export function jestObject(timers: ModernFakeTimers, mocker: ModuleMocker) {
  return {
    advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
    advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
    restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
    runAllTimers: timers.runAllTimers.bind(timers),
    runOnlyPendingTimers: timers.runOnlyPendingTimers.bind(timers),
    spyOn: mocker.spyOn.bind(mocker),
    useFakeTimers: timers.useFakeTimers.bind(timers),
    useRealTimers: timers.useRealTimers.bind(timers),
  };
}
