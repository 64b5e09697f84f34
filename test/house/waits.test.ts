import { eventually } from '../../shared/testing/eventually.js';
import { Waits } from '../support/waits.js';

it('a wait that a test failed in is told with the line that began it', async () => {
  const waits = new Waits(globalThis);
  const waiting = eventually('the thing', () => false);
  const errors: [Error, unknown][] = [];
  waits.handleTestEvent({ name: 'test_fn_failure', test: { errors } } as never);
  waits.handleTestEvent({ name: 'test_done', test: {} } as never);
  await expect(waiting).rejects.toThrow('the thing: did not come');
  const [[told] = []] = errors;
  expect(told?.message).toBe('Still missing: the thing; last seen: undefined');
  expect(told?.stack?.split('\n')[1]).toContain('waits.test.ts:6:');
});
