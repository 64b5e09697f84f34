import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { runtimesOf } from './testing/processes.js';
import { eventOf, failureOf, moduleOf, programOf, type TestedOptions, testedRuntime } from './testing/scripts.js';

const runtimes: ReturnType<typeof testedRuntime>[] = [];
afterEach(() => Promise.all(runtimes.splice(0).map((runtime) => runtime.close())));

function opened(options?: TestedOptions) {
  const runtime = testedRuntime(options);
  runtimes.push(runtime);
  return runtime;
}

const processes = () => runtimesOf(process.pid);

/** The folder of a process, which its arguments name. */
const folderOf = (pid: number) => /[^\0]*\/bi-\w+/.exec(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))?.[0] ?? '';

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((go) => setTimeout(go, 10));
}

const counting = (version: string) =>
  moduleOf(
    `const { wait = 0 } = JSON.parse((await request.formData()).get('event'));
    await new Promise((go) => setTimeout(go, wait));
    return new Response('${version} ' + ++count);`,
    'let count = 0;',
  );

const waiting = (wait: number, timeoutMs = 10_000) =>
  eventOf({ event: { eventId: 'e', type: 'fetch', wait }, timeoutMs });

test('events of a program share a process, which ends when it is idle', async () => {
  const runtime = opened({ limits: { idleMs: 100 } });
  const program = programOf(counting('a'));
  const text = async () => (await runtime.dispatch(program, eventOf())).body.toString();
  expect([await text(), await text()]).toEqual(['a 1', 'a 2']);
  await until(() => processes().length === 0);
  expect(await text()).toBe('a 1');
});

test('a process that is killed fails its events, and the next event gets a new one', async () => {
  const runtime = opened();
  const program = programOf(counting('a'));
  await runtime.check(program);
  const [pid = 0] = processes();
  const failed = failureOf(runtime.dispatch(program, waiting(60_000)));
  process.kill(pid, 'SIGKILL');
  expect(await failed).toMatchObject({ reason: 'crash', message: 'The process of the script ended unexpectedly' });
  expect((await runtime.dispatch(program, eventOf())).body.toString()).toBe('a 1');
});

test('a program whose processes end badly again and again waits for the next one, while others start at once', async () => {
  const runtime = opened();
  const [ending, other] = [programOf(counting('ending')), programOf(counting('other'))];
  for (let kills = 0; kills < 5; kills++) {
    await runtime.check(ending);
    const [pid = 0] = processes();
    const failed = failureOf(runtime.dispatch(ending, waiting(60_000)));
    process.kill(pid, 'SIGKILL');
    expect((await failed).reason).toBe('crash');
  }
  expect(await failureOf(runtime.dispatch(ending, waiting(0, 50)))).toMatchObject({ reason: 'busy' });
  const answered: string[] = [];
  const note = async (program: typeof other) =>
    answered.push((await runtime.dispatch(program, eventOf())).body.toString());
  await Promise.all([note(ending), note(other)]);
  expect(answered).toEqual(['other 1', 'ending 1']);
});

test('a program that could not be read does not wait for that', async () => {
  const runtime = opened();
  const program = programOf('', { script: () => Promise.reject(new Error('the storage is down')) });
  for (let tries = 0; tries < 6; tries++)
    await expect(runtime.dispatch(program, waiting(0, 1000))).rejects.toThrow('the storage is down');
});

test('a new version gets a process of its own, while the old one comes to its end', async () => {
  const runtime = opened();
  const old = programOf(counting('old'), { version: '1' });
  const present = { ...programOf(counting('new')), name: old.name, version: '2' };
  await runtime.check(old);
  const running = runtime.dispatch(old, waiting(300));
  runtime.retire(old.name);
  const before = processes();
  expect((await runtime.dispatch(present, eventOf())).body.toString()).toBe('new 1');
  expect((await running).body.toString()).toBe('old 1');
  await until(() => !processes().some((pid) => before.includes(pid)));
});

test('the process that is idle longest makes room; when all are busy, events wait or fail', async () => {
  const runtime = opened({ mostProcesses: 1 });
  const [first, second] = [programOf(counting('first')), programOf(counting('second'))];
  await runtime.dispatch(first, eventOf());
  expect((await runtime.dispatch(second, eventOf())).body.toString()).toBe('second 1');
  const busy = runtime.dispatch(second, waiting(500));
  expect(await failureOf(runtime.dispatch(first, waiting(0, 100)))).toMatchObject({ reason: 'busy' });
  const patient = runtime.dispatch(first, eventOf());
  expect((await busy).body.toString()).toBe('second 2');
  expect((await patient).body.toString()).toBe('first 1');
});

test('a program that is always busy makes room in the end', async () => {
  const runtime = opened({ mostProcesses: 1, limits: { tenureMs: 100 } });
  const [greedy, other] = [programOf(counting('greedy')), programOf(counting('other'))];
  let isServed = false;
  const again = async () => {
    while (!isServed) await runtime.dispatch(greedy, waiting(100));
  };
  await runtime.check(greedy);
  const loops = [again(), new Promise((go) => setTimeout(go, 50)).then(again)];
  expect((await runtime.dispatch(other, eventOf())).body.toString()).toBe('other 1');
  isServed = true;
  await Promise.all(loops);
});

test('more events than a process takes wait for it, up to a bound', async () => {
  const runtime = opened({ limits: { eventsAtOnce: 2, waiting: 3 } });
  const program = programOf(counting('a'));
  const results = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => runtime.dispatch(program, waiting(50))));
  expect(results.map(({ status }) => status)).toEqual([...Array(5).fill('fulfilled'), 'rejected']);
});

test('what events leave behind is collected before it counts as too much memory', async () => {
  const runtime = opened({ limits: { memoryBytes: 110 * 1024 * 1024, watchMs: 50 } });
  const program = programOf(counting('a'));
  let left = 5000;
  const send = async () => {
    while (left-- > 0) await runtime.dispatch(program, eventOf());
  };
  await Promise.all(Array.from({ length: 8 }, send));
  expect((await runtime.dispatch(program, eventOf())).body.toString()).toBe('a 5001');
});

test('close ends all processes and removes their folders', async () => {
  const runtime = opened();
  await Promise.all([1, 2].map(() => runtime.check(programOf(counting('a')))));
  const folders = processes().map(folderOf);
  expect(folders.map(existsSync)).toEqual([true, true]);
  const failed = failureOf(runtime.dispatch(programOf(counting('a')), eventOf()));
  await runtime.close();
  expect((await failed).reason).toBe('stopped');
  expect(processes()).toHaveLength(0);
  expect(folders.map(existsSync)).toEqual([false, false]);
  expect((await failureOf(runtime.check(programOf(counting('a'))))).reason).toBe('stopped');
});
