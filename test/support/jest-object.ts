import type { ModernFakeTimers } from '@jest/fake-timers';
import type { ModuleMocker } from 'jest-mock';

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** What tests find as `jest`, in every environment: spies and timers. An import of `@jest/globals` works only in the context of a file. */
export const jestObject = (timers: ModernFakeTimers, mocker: ModuleMocker): Methods => ({
  ...methodsOf(mocker),
  ...methodsOf(timers),
});

const methodsOf = (object: object): Methods =>
  Object.fromEntries(
    Object.getOwnPropertyNames(Object.getPrototypeOf(object)).map((name) => [
      name,
      (object as Methods)[name]?.bind(object) as Methods[string],
    ]),
  );
