import { apiError, notFound } from '../errors/errors.js';
import { stillClock } from '../testing/still-clock.js';
import { BusCalls } from './calls.js';

stillClock();

const limits = { againAfterMs: 20, maxRetries: 10, maxWaiting: 3 };

/** Lets the time pass in which a call is sent again so many times. */
const pass = (times: number) => jest.advanceTimersByTimeAsync(times * limits.againAfterMs);

type Send = (action: string, parameters: unknown, options: { timeout?: number; nodeID?: string }) => Promise<unknown>;

function callsOver(send: Send) {
  const calls = new BusCalls(limits);
  const { call } = calls.middleware() as unknown as { call: (next: Send) => Send };
  return { calls, call: call(send) as (action: string, parameters: object, options: object) => Promise<unknown> };
}

const never = () => new Promise<never>(() => {});
/** Answers after that time. */
const late = (times: number) => new Promise<void>((resolve) => setTimeout(resolve, times * limits.againAfterMs));

it('a call that may be sent twice goes out again until somebody answers', async () => {
  let sent = 0;
  const { call } = callsOver(() => (++sent < 4 ? never() : Promise.resolve('answer')));
  const answer = call('content.getSpace', {}, { safe: true });
  await pass(3);
  expect([await answer, sent]).toEqual(['answer', 4]);
  await pass(3);
  expect(sent).toBe(4);
});

/** A call over processes, each of which behaves in its own way; the bus picks the first. `repeatable`: those that run a call once. */
function callOver(
  processes: Record<string, () => Promise<unknown>>,
  options: object,
  repeatable = Object.keys(processes),
) {
  const asked: string[] = [];
  const [picked = ''] = Object.keys(processes);
  const { calls, call } = callsOver((_, __, { nodeID = picked }) => {
    asked.push(nodeID);
    return Object.assign((processes[nodeID] ?? never)(), { ctx: { nodeID } });
  });
  const { created } = calls.middleware() as unknown as { created: (broker: object) => void };
  const endpoints = Object.keys(processes).map((id) => ({ id, action: { repeatable: repeatable.includes(id) } }));
  created({ registry: { actions: { get: () => ({ endpoints }) } } });
  return { calls, asked, answer: call('content.getSpace', {}, options) };
}

const away = async () => {
  throw apiError('UNAVAILABLE', 'Away');
};
const unknown = async () => {
  throw apiError('OUTCOME_UNKNOWN', 'No answer');
};
const absent = async () => {
  throw notFound('Space');
};

it('goes to every other process before one is asked twice', async () => {
  const { calls, asked, answer } = callOver({ one: never, two: never, three: never }, { safe: true, timeout: 100 });
  void answer.catch(() => {});
  await pass(3);
  expect(asked).toHaveLength(4);
  expect(asked.slice(0, 3).sort()).toEqual(['one', 'three', 'two']);
  calls.connectionChanged(false);
});

it('waits for those that were asked too while a process is away', async () => {
  const { answer } = callOver({ one: never, two: away, three: async () => 'it' }, { safe: true });
  await pass(2);
  expect(await answer).toBe('it');
});

it('ends with an error that is an answer', async () => {
  const { answer } = callOver({ one: never, two: absent }, { safe: true });
  const refused = expect(answer).rejects.toMatchObject({ code: 404 });
  await pass(1);
  await refused;
});

it('knows no outcome where one of those that were asked knows none', async () => {
  const later = (failure: () => Promise<unknown>) => () => late(1.5).then(failure);
  const { answer } = callOver({ one: later(unknown), two: later(away) }, { repeatable: true });
  const refused = expect(answer).rejects.toMatchObject({ code: 504 });
  await pass(3);
  await refused;
});

it('does not repeat a change while a process is there that would make it twice', async () => {
  const processes = { one: () => late(3), two: () => late(3) };
  const mixed = callOver(processes, { repeatable: true }, ['two']);
  await pass(3);
  await mixed.answer;
  expect(mixed.asked).toEqual(['one']);
  const alike = callOver(processes, { repeatable: true });
  await pass(3);
  await alike.answer;
  expect(alike.asked.slice(0, 2)).toEqual(['one', 'two']);
});

it('any other call goes out once', async () => {
  let sent = 0;
  const { call } = callsOver(() => {
    sent += 1;
    return late(3);
  });
  const answer = call('content.createSpace', {}, {});
  await pass(3);
  await answer;
  expect(sent).toBe(1);
});

it('what waits for one service is bounded, at once and for as long as it waits; others go on', async () => {
  const answers: (() => void)[] = [];
  const { call } = callsOver(() => new Promise<void>((answer) => answers.push(answer)));
  const waiting = Array.from({ length: limits.maxWaiting }, () => call('content.getSpace', {}, {}));
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
  const waiting = Array.from({ length: limits.maxWaiting }, () => call('content.getSpace', {}, {}));
  calls.connectionChanged(false);
  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
  calls.connectionChanged(true);
  void call('content.getSpace', {}, {}).catch(() => {});
  calls.connectionChanged(false);
});

it('asks again after an outage, before the processes are found; else nobody is waited for', async () => {
  let sent = 0;
  const nobody = () => Promise.reject({ type: 'SERVICE_NOT_AVAILABLE', data: { action: 'content.getSpace' } });
  const { calls, call } = callsOver(() => (++sent < 4 ? nobody() : Promise.resolve('found')));
  await expect(call('content.getSpace', {}, {})).rejects.toMatchObject({ type: 'SERVICE_NOT_AVAILABLE' });
  expect(sent).toBe(1);
  calls.connectionChanged(false);
  calls.connectionChanged(true);
  expect(await call('content.getSpace', {}, {})).toBe('found');
});
