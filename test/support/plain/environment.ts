import { ModernFakeTimers } from '@jest/fake-timers';
import type { TestEnvironment } from 'jest-environment-node';
import { ModuleMocker } from 'jest-mock';
import { jestObject } from '../jest-object.ts';
import { Waits } from '../waits.ts';

type Config = ConstructorParameters<typeof TestEnvironment>[0];

/** The process itself, for all test files that a worker runs: what a file changed of it is put back after it. See runtime.js. */
export default class PlainEnvironment {
  readonly global = globalThis;
  readonly fakeTimers = null;
  readonly fakeTimersModern;
  readonly moduleMocker = new ModuleMocker(globalThis);
  private readonly waits = new Waits(globalThis);
  readonly handleTestEvent = this.waits.handleTestEvent;
  private readonly before = { console: globalThis.console, exit: process.exit, variables: { ...process.env } };

  constructor({ projectConfig: config }: Config) {
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
  }

  async setup(): Promise<void> {
    Object.assign(globalThis, { jest: jestObject(this.fakeTimersModern, this.moduleMocker) });
    // Node knows the source maps; what jest has put here knows only of what it loaded itself.
    Object.assign(Error, { prepareStackTrace: undefined });
  }

  getVmContext(): null {
    return null;
  }

  async teardown(): Promise<void> {
    const { console, exit, variables } = this.before;
    this.waits.end();
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    Object.assign(globalThis, { console });
    Object.assign(process, { exit });
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
  }
}
