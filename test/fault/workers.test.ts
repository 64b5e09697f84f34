import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../shared/process/package-root.js';
import { eventually } from '../../shared/testing/eventually.js';
import type { Workers, WorkersOptions } from '../../shared/workers/workers.js';

const built = packageFile('dist/shared/workers/workers.js');
const tasks = `
import { writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
export const echo = (value) => value;
export const pid = () => process.pid;
export const priority = () => getPriority();
export const settings = () => Object.keys(process.env);
export const later = async (ms) => { await new Promise((resolve) => setTimeout(resolve, ms)); return ms; };
export const forever = () => { for (;;); };
export const busy = (path) => { writeFileSync(path, ''); for (;;); };
export const objects = () => { const all = []; for (;;) all.push({ at: all.length, text: String(all.length) }); };
export const arrays = () => { const all = []; for (;;) all.push(new Array(5e7).fill(1)); };
export const map = () => { const all = new Map(); for (let at = 0; ; at++) all.set(at, at); };
export const texts = () => { const all = []; for (;;) all.push('x'.repeat(1 << 20) + all.length.toString().charCodeAt(0)); };
export const text = () => { let all = 'ab'; for (;;) all += all; };
export const deep = () => deep() + 1;
export const refuse = () => { throw Object.assign(new Error('Not this'), { type: 'FORBIDDEN' }); };
export const fault = () => { throw new TypeError('a fault'); };
`;
const module = new URL(`data:text/javascript,${encodeURIComponent(tasks)}`);
const opened: Workers[] = [];

async function open(options: Partial<WorkersOptions> = {}): Promise<Workers> {
  const { openWorkers } = (await import(built)) as typeof import('../../shared/workers/workers.js');
  const workers = openWorkers({ module, max: 1, deadlineMs: 600_000, memoryMb: 64, waiting: 10, ...options });
  opened.push(workers);
  return workers;
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((workers) => workers.close()));
});

const owner = 'ada';

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const ended = (pid: number) => eventually(`the end of process ${pid}`, () => !isRunning(pid));

test('a task that outlives its deadline ends with its process; the tasks behind it run', async () => {
  const workers = await open();
  const first = await workers.run<number>('pid', null, { owner });
  const endless = workers.run('forever', null, { owner, deadlineMs: 300 });
  const behind = [1, 2, 3].map((value) => workers.run('echo', value, { owner }));
  await expect(endless).rejects.toMatchObject({ failure: 'deadline', type: 'UNAVAILABLE', code: 503 });
  expect(await Promise.all(behind)).toEqual([1, 2, 3]);
  expect(await workers.run('pid', null, { owner })).not.toBe(first);
  await ended(first);
});

test.each(['objects', 'arrays', 'map', 'texts', 'text', 'deep'])(
  'a task that needs too much memory (%s) fails alone; the tasks behind it run',
  async (task) => {
    const workers = await open();
    const greedy = workers.run(task, null, { owner });
    const behind = [1, 2, 3].map((value) => workers.run('echo', value, { owner }));
    await expect(greedy).rejects.toMatchObject({ failure: 'memory', type: 'UNPROCESSABLE', code: 422 });
    expect(await Promise.all(behind)).toEqual([1, 2, 3]);
  },
);

test('a signal to the whole group of processes interrupts no task', async () => {
  const workers = await open();
  const pid = await workers.run<number>('pid', null, { owner });
  const task = workers.run('later', 500, { owner });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal);
  expect(await task).toBe(500);
});

test('a process that is killed fails its task as one to try again, and is replaced', async () => {
  const workers = await open();
  const pid = await workers.run<number>('pid', null, { owner });
  const task = workers.run('later', 60_000, { owner });
  process.kill(pid, 'SIGKILL');
  await expect(task).rejects.toMatchObject({ failure: 'lost', code: 503 });
  expect(await workers.run('echo', 1, { owner })).toBe(1);
});

test('a task throws what it threw: an answer keeps its type, a fault has none', async () => {
  const workers = await open();
  await expect(workers.run('refuse', null, { owner })).rejects.toMatchObject({
    type: 'FORBIDDEN',
    message: 'Not this',
  });
  const fault = await workers.run<never>('fault', null, { owner }).catch((error) => error);
  expect([fault.message, fault.type, fault.failure]).toEqual(['a fault', undefined, undefined]);
  expect(await workers.run('echo', new Map([['a', [1]]]), { owner })).toEqual(new Map([['a', [1]]]));
});

test('an owner waits for one task of each other owner, however many they have', async () => {
  const workers = await open({ waiting: 100 });
  const done: string[] = [];
  const run = async (by: string, at: number) => {
    await workers.run('echo', at, { owner: by });
    done.push(`${by}${at}`);
  };
  const many = [...Array(50).keys()].map((at) => run('many', at));
  await Promise.all([run('few', 0), run('few', 1), ...many]);
  expect(done.indexOf('few0')).toBeLessThan(3);
  expect(done.indexOf('few1')).toBeLessThan(5);
});

test('an owner never has more than its share of the processes', async () => {
  const workers = await open({ max: 2, maxOfOwner: 1 });
  const endless = workers.run('forever', null, { owner: 'hostile', deadlineMs: 30_000 });
  const second = workers.run('echo', 2, { owner: 'hostile' });
  let isDone = false;
  second.then(
    () => (isDone = true),
    () => {},
  );
  expect(await workers.run('echo', 1, { owner: 'honest' })).toBe(1);
  expect(isDone).toBe(false);
  await Promise.all([
    workers.close(),
    expect(endless).rejects.toMatchObject({ failure: 'lost' }),
    expect(second).rejects.toMatchObject({ failure: 'lost' }),
  ]);
});

test('an owner with too many waiting tasks is refused, others are not; its busiest client gives way', async () => {
  const workers = await open({ waiting: 3 });
  const running = workers.run('later', 500, { owner });
  const waiting = [1, 2, 3].map((value) => workers.run('echo', value, { owner, client: 'busy' }));
  const evicted = expect(waiting[2]).rejects.toMatchObject({ failure: 'busy' });
  await expect(workers.run('echo', 4, { owner, client: 'busy' })).rejects.toMatchObject({ failure: 'busy', code: 503 });
  const other = workers.run('echo', 5, { owner: 'grace' });
  const quiet = workers.run('echo', 6, { owner, client: 'quiet' });
  await evicted;
  expect(await Promise.all([running, waiting[0], waiting[1], other, quiet])).toEqual([500, 1, 2, 5, 6]);
});

test('a task that waits too long is refused, without a turn; one that may wait for ever is not', async () => {
  const workers = await open({ waitMs: 50 });
  const pid = await workers.run<number>('pid', null, { owner, waitMs: 600_000 });
  const running = workers.run('later', 600_000, { owner });
  const patient = workers.run('echo', 2, { owner, waitMs: Number.POSITIVE_INFINITY });
  await expect(workers.run('echo', 1, { owner })).rejects.toMatchObject({ failure: 'late', code: 503 });
  process.kill(pid, 'SIGKILL');
  await expect(running).rejects.toMatchObject({ failure: 'lost' });
  expect(await patient).toBe(2);
});

test('a task that gets no processor is not blamed for it', async () => {
  const workers = await open();
  const pid = await workers.run<number>('pid', null, { owner });
  process.kill(pid, 'SIGSTOP');
  const stopped = workers.run('echo', 1, { owner, deadlineMs: 200 });
  await expect(stopped).rejects.toMatchObject({ failure: 'late', code: 503 });
  expect(await workers.run('echo', 2, { owner })).toBe(2);
});

test('documents of small pages need no turn; one that nobody waits for any more is kept', async () => {
  const { openPageWork } = (await import(
    packageFile('dist/services/content/format/workers/page-work.js')
  )) as typeof import('../../services/content/format/workers/page-work.js');
  const work = openPageWork();
  opened.push(work as unknown as Workers);
  const done: string[] = [];
  const document = async (name: string, source: string) => {
    await work.document({ source, refs: new Map(), title: undefined }, owner);
    done.push(name);
  };
  const large = (at: number) => `# ${at}\n\n${'Some *words* of a manual. '.repeat(400)}`;
  // What they share is loaded.
  await document('first', '# First\n');
  const waiting = Array.from({ length: 12 }, (_, at) => document(`large ${at}`, large(at)));
  await document('small', '# Small\n\nSome *words*.\n');
  expect(done).toEqual(['first', 'small']);
  await Promise.all(waiting);
  const first = await work.document({ source: large(11), refs: new Map(), title: undefined }, owner);
  expect(await work.document({ source: large(11), refs: new Map(), title: undefined }, owner)).toBe(first);
});

test('a process knows no setting of its parent, and gives way to others in the background', async () => {
  const workers = await open();
  expect(await workers.run<string[]>('settings', null, { owner })).not.toContain('PATH');
  const background = await open({ niceness: 8 });
  expect(await background.run('priority', null, { owner })).toBeGreaterThan(
    await workers.run<number>('priority', null, { owner }),
  );
});

test('no process outlives a parent that was killed, not even a busy one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-workers-'));
  const begun = join(folder, 'begun');
  const program = `
    import { openWorkers } from ${JSON.stringify(new URL(`file://${built}`).href)};
    const module = new URL(${JSON.stringify(module.href)});
    const workers = openWorkers({ module, max: 2, deadlineMs: 600_000, memoryMb: 64, waiting: 10 });
    const run = (task, input) => workers.run(task, input, { owner: 'ada' });
    const pids = await Promise.all([run('pid'), run('pid')]);
    run('busy', ${JSON.stringify(begun)}).catch(() => {});
    process.stdout.write(pids.join(' '));
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pids] = (await once(parent.stdout, 'data')) as [Buffer];
  await eventually('a busy task', () => existsSync(begun));
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  for (const pid of String(pids).split(' ')) await ended(Number(pid));
  await rm(folder, { recursive: true });
});
