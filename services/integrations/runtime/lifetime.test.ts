import { existsSync, readFileSync } from 'node:fs';
import { eventually } from '../../../shared/testing/eventually.js';
import { stillClock } from '../../../shared/testing/still-clock.js';
import { openHold } from './testing/hold.js';
import { runtimesOf } from './testing/processes.js';
import { eventOf, failureOf, moduleOf, programOf, type TestedOptions, testedRuntime } from './testing/scripts.js';

stillClock();

let hold: Awaited<ReturnType<typeof openHold>>;
beforeAll(async () => {
  hold = await openHold();
});
afterAll(() => hold.close());

const runtimes: ReturnType<typeof testedRuntime>[] = [];
afterEach(() => Promise.all(runtimes.splice(0).map((runtime) => runtime.close())));

function opened(options?: TestedOptions) {
  const runtime = testedRuntime({ allowCidrs: ['127.0.0.1'], ...options });
  runtimes.push(runtime);
  return runtime;
}

const processes = () => runtimesOf(process.pid);

/** Kills the first process. Without one it waits: 0 would be this whole group of processes. */
async function killOne(): Promise<void> {
  const pid = await eventually('a process', () => processes()[0]);
  process.kill(pid as number, 'SIGKILL');
}

/** The folder of a process, which its arguments name. */
const folderOf = (pid: number) => /[^\0]*\/bi-\w+/.exec(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))?.[0] ?? '';

const counting = (version: string) =>
  moduleOf(
    `const { isHeld } = JSON.parse((await request.formData()).get('event'));
    if (isHeld) ${hold.wait}
    return new Response('${version} ' + ++count);`,
    'let count = 0;',
  );

const event = (isHeld = false, timeoutMs = 10_000) =>
  eventOf({ event: { eventId: 'e', type: 'fetch', isHeld }, timeoutMs });

test('events of a program share a process, which ends when it is idle', async () => {
  const runtime = opened({ limits: { idleMs: 100 } });
  const program = programOf(counting('a'));
  const text = async () => {
    const { body, ended } = await runtime.dispatch(program, event());
    await ended;
    return body.toString();
  };
  expect([await text(), await text()]).toEqual(['a 1', 'a 2']);
  jest.advanceTimersByTime(100);
  await eventually('the end of the process', () => processes().length === 0);
  expect(await text()).toBe('a 1');
});

test('a process that is killed fails its events, and the next event gets a new one', async () => {
  const runtime = opened();
  const program = programOf(counting('a'));
  await runtime.check(program);
  const failed = failureOf(runtime.dispatch(program, event(true)));
  await hold.holds(1);
  await killOne();
  expect(await failed).toMatchObject({ reason: 'crash', message: 'The process of the script ended unexpectedly' });
  hold.release();
  expect((await runtime.dispatch(program, event())).body.toString()).toBe('a 1');
});

test('a program whose processes end badly again and again waits for the next one, while others start at once', async () => {
  const runtime = opened();
  const [ending, other] = [programOf(counting('ending')), programOf(counting('other'))];
  for (const waitMs of [0, 0, 250, 500, 1000]) {
    jest.advanceTimersByTime(waitMs);
    await runtime.check(ending);
    const failed = failureOf(runtime.dispatch(ending, event(true)));
    await killOne();
    expect((await failed).reason).toBe('crash');
  }
  const impatient = failureOf(runtime.dispatch(ending, event(false, 1999)));
  const patient = runtime.dispatch(ending, event());
  expect((await runtime.dispatch(other, event())).body.toString()).toBe('other 1');
  jest.advanceTimersByTime(1999);
  expect(await impatient).toMatchObject({ reason: 'busy' });
  jest.advanceTimersByTime(1);
  expect((await patient).body.toString()).toBe('ending 1');
});

test('a program that could not be read does not wait for that', async () => {
  const runtime = opened();
  const program = programOf('', { script: () => Promise.reject(new Error('the storage is down')) });
  for (let tries = 0; tries < 6; tries++)
    await expect(runtime.dispatch(program, event())).rejects.toThrow('the storage is down');
});

test('a new version gets a process of its own, while the old one comes to its end', async () => {
  const runtime = opened();
  const old = programOf(counting('old'), { version: '1' });
  const present = { ...programOf(counting('new')), name: old.name, version: '2' };
  await runtime.check(old);
  const running = runtime.dispatch(old, event(true));
  runtime.retire(old.name);
  const before = processes();
  expect((await runtime.dispatch(present, event())).body.toString()).toBe('new 1');
  await hold.holds(1);
  hold.release();
  expect((await running).body.toString()).toBe('old 1');
  await eventually('the end of the old process', () => !processes().some((pid) => before.includes(pid)));
});

test('the process that is idle longest makes room; when all are busy, events wait or fail', async () => {
  const runtime = opened({ maxProcesses: 1 });
  const [first, second] = [programOf(counting('first')), programOf(counting('second'))];
  await runtime.dispatch(first, event());
  expect((await runtime.dispatch(second, event())).body.toString()).toBe('second 1');
  const busy = runtime.dispatch(second, event(true));
  await hold.holds(1);
  const impatient = failureOf(runtime.dispatch(first, event(false, 100)));
  const patient = runtime.dispatch(first, event());
  jest.advanceTimersByTime(100);
  expect(await impatient).toMatchObject({ reason: 'busy' });
  hold.release();
  expect((await busy).body.toString()).toBe('second 2');
  expect((await patient).body.toString()).toBe('first 1');
});

test('a program that is always busy makes room in the end', async () => {
  const runtime = opened({ maxProcesses: 1, limits: { tenureMs: 100 } });
  const [greedy, other] = [programOf(counting('greedy')), programOf(counting('other'))];
  const textOf = async (program: typeof greedy, isHeld: boolean) =>
    (await runtime.dispatch(program, event(isHeld))).body.toString();
  await runtime.check(greedy);
  const busy = [textOf(greedy, true), textOf(greedy, true)];
  await hold.holds(2);
  const served = textOf(other, false);
  hold.release(1);
  expect(await busy[0]).toBe('greedy 1');
  jest.advanceTimersByTime(101);
  busy.push(textOf(greedy, true));
  await hold.holds(2);
  hold.release(1);
  expect(await busy[1]).toBe('greedy 2');
  const later = textOf(greedy, false);
  hold.release();
  expect(await Promise.all([served, busy[2], later])).toEqual(['other 1', 'greedy 3', 'greedy 1']);
});

test('an organization has a part of the processes, so that others find one', async () => {
  const runtime = opened({ maxProcesses: 4 });
  const of = (organization: string) => programOf(counting(organization), { organization });
  const crowd = Array.from({ length: 5 }, () => runtime.dispatch(of('crowd'), event(true)));
  await hold.holds(3);
  expect((await runtime.dispatch(of('other'), event())).body.toString()).toBe('other 1');
  expect(processes()).toHaveLength(4);
  for (const count of [3, 2]) {
    await hold.holds(count);
    hold.release();
  }
  expect(await Promise.all(crowd)).toHaveLength(5);
});

test('organizations take turns, however many programs one of them has', async () => {
  const runtime = opened({ maxProcesses: 1 });
  const order: string[] = [];
  const served = (organization: string) =>
    runtime.dispatch(programOf(counting(organization), { organization }), event()).then(() => order.push(organization));
  const first = runtime.dispatch(programOf(counting('first')), event(true));
  await hold.holds(1);
  const crowd = Array.from({ length: 5 }, () => served('crowd'));
  const other = served('other');
  hold.release();
  await Promise.all([first, other, ...crowd]);
  expect(order.indexOf('other')).toBe(1);
});

test('more events than a process takes wait for it, up to a bound', async () => {
  const runtime = opened({ limits: { eventsAtOnce: 2, waiting: 3 } });
  const program = programOf(counting('a'));
  const results = Array.from({ length: 6 }, () => runtime.dispatch(program, event(true)));
  expect(await failureOf(results.pop() as Promise<unknown>)).toMatchObject({ reason: 'busy' });
  for (const count of [2, 2, 1]) {
    await hold.holds(count);
    hold.release();
  }
  expect(await Promise.all(results)).toHaveLength(5);
});

test('what events leave behind is collected before it counts as too much memory', async () => {
  const watchMs = 50;
  const runtime = opened({ limits: { memoryBytes: 110 * 1024 * 1024, watchMs } });
  const program = programOf(counting('a'));
  let left = 5000;
  const send = async () => {
    while (left-- > 0) {
      await runtime.dispatch(program, event());
      // A check after 50 events.
      jest.advanceTimersByTime(watchMs / 50);
    }
  };
  await Promise.all(Array.from({ length: 8 }, send));
  expect((await runtime.dispatch(program, event())).body.toString()).toBe('a 5001');
});

test('close ends all processes and removes their folders', async () => {
  const runtime = opened();
  await Promise.all([1, 2].map(() => runtime.check(programOf(counting('a')))));
  const folders = processes().map(folderOf);
  expect(folders.map(existsSync)).toEqual([true, true]);
  const failed = failureOf(runtime.dispatch(programOf(counting('a')), event()));
  await runtime.close();
  expect((await failed).reason).toBe('stopped');
  expect(processes()).toHaveLength(0);
  expect(folders.map(existsSync)).toEqual([false, false]);
  expect((await failureOf(runtime.check(programOf(counting('a'))))).reason).toBe('stopped');
});
