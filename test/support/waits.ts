import { inspect } from 'node:util';
import type { Circus } from '@jest/types';
import { type Wait, waitsKey } from '../../shared/testing/eventually.ts';

const longest = 1000;

/** Says what a test was waiting for when it failed, and ends that wait. */
export class Waits {
  constructor(private readonly global: object) {}

  readonly handleTestEvent = (
    event: Circus.AsyncEvent | Circus.SyncEvent,
    { concurrent }: { concurrent?: boolean } = {},
  ): void => {
    if (event.name === 'test_fn_failure' || event.name === 'hook_failure') this.tell(event.test);
    if (event.name === 'test_done' && !concurrent && !event.test.concurrent) this.end();
  };

  end(): void {
    for (const wait of this.all()) wait.over = true;
  }

  private all(): Wait[] {
    return [...((this.global as { [waitsKey]?: Set<Wait> })[waitsKey] ?? [])];
  }

  private tell(test: Circus.TestEntry | undefined): void {
    // One that is over ends soon, and was told with the test before.
    for (const { missing, calledAt, last } of this.all().filter(({ over }) => !over)) {
      const words = `Still missing: ${missing}; last seen: ${inspect(last, { depth: 6 }).slice(0, longest)}`;
      const error = Object.assign(new Error(words), { stack: `Error: ${words}\n${calledAt}` });
      if (test) test.errors.push([error, test.asyncError]);
      else console.error(words);
    }
  }
}
