import { TestEnvironment } from 'jest-environment-node';
import { jestObject } from './jest-object.ts';
import { Waits } from './waits.ts';

/** The environment of Node, which also tells what a test was waiting for. */
export default class Environment extends TestEnvironment {
  private readonly waits = new Waits(this.global);
  readonly handleTestEvent = this.waits.handleTestEvent;

  override async setup(): Promise<void> {
    await super.setup();
    const { fakeTimersModern, moduleMocker } = this;
    if (fakeTimersModern && moduleMocker)
      Object.assign(this.global, { jest: jestObject(fakeTimersModern, moduleMocker) });
  }

  override async teardown(): Promise<void> {
    this.waits.end();
    await super.teardown();
  }
}
