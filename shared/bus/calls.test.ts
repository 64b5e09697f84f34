import { setTimeout as delay } from 'node:timers/promises';
import { BusCalls } from './calls.js';

const limits = { againAfterMs: 20, mostAgain: 10, mostWaiting: 3 };

type Send = (action: string, parameters: unknown, options: { timeout?: number; nodeID?: string }) => Promise<unknown>;

function callsOver(send: Send) {
  const calls = new BusCalls(limits);
  const { call } = calls.middleware() as unknown as { call: (next: Send) => Send };
  return { calls, call: call(send) as (action: string, parameters: object, options: object) => Promise<unknown> };
}

const never = () => new Promise<never>(() => {});

it('a call that may be sent twice goes out again until somebody answers', async () => {
  let sent = 0;
  const { call } = callsOver(() => (++sent < 4 ? never() : Promise.resolve('answer')));
  expect(await call('content.getSpace', {}, { safe: true })).toBe('answer');
  expect(sent).toBe(4);
  await delay(3 * limits.againAfterMs);
  expect(sent).toBe(4);
});

it('goes to each process that offers the action in turn', async () => {
  const asked: (string | undefined)[] = [];
  const { calls, call } = callsOver((_, __, { nodeID }) => {
    asked.push(nodeID);
    return asked.length < 4 ? never() : Promise.resolve('answer');
  });
  const { created } = calls.middleware() as unknown as { created: (broker: object) => void };
  created({ registry: { actions: { get: () => ({ endpoints: [{ id: 'one' }, { id: 'two' }] }) } } });
  await call('content.getSpace', {}, { safe: true });
  expect(asked).toEqual([undefined, 'one', 'two', 'one']);
});

it('any other call goes out once', async () => {
  let sent = 0;
  const { call } = callsOver(() => {
    sent += 1;
    return delay(3 * limits.againAfterMs);
  });
  await call('content.createSpace', {}, {});
  expect(sent).toBe(1);
});

it('what waits for one service is bounded, at once and for as long as it waits; others go on', async () => {
  const answers: (() => void)[] = [];
  const { call } = callsOver(() => new Promise<void>((answer) => answers.push(answer)));
  const waiting = Array.from({ length: limits.mostWaiting }, () => call('content.getSpace', {}, {}));
  await expect(call('content.getSpace', {}, {})).rejects.toMatchObject({ code: 503 });
  const other = call('identity.getUser', {}, {});
  for (const answer of answers) answer();
  await Promise.all([...waiting, other]);
  const next = call('content.getSpace', {}, {});
  answers.at(-1)?.();
  await next;
});

it('calls that ended with the connection leave room', async () => {
  const { calls, call } = callsOver(never);
  const waiting = Array.from({ length: limits.mostWaiting }, () => call('content.getSpace', {}, {}));
  calls.connectionChanged(false);
  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
  calls.connectionChanged(true);
  void call('content.getSpace', {}, {}).catch(() => {});
  calls.connectionChanged(false);
});
