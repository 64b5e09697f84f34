import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../../shared/monitoring/log.js';
import { packageFile } from '../../../shared/process/package-root.js';
import { eventually } from '../../../shared/testing/eventually.js';
import { launcherAt } from './runtime.js';
import { openHold } from './testing/hold.js';
import { runtimesOf } from './testing/processes.js';
import {
  eventOf,
  failureOf,
  forever,
  messages,
  moduleOf,
  programOf,
  rest,
  type TestedOptions,
  testedRuntime,
} from './testing/scripts.js';

const log = createLog('fatal');
// Where nothing can have walls of its own.
const bubblewrap = ['--die-with-parent', '--unshare-user', '--disable-userns', '--dev-bind', '/', '/'];
const hasBubblewrap = spawnSync('bwrap', [...bubblewrap, 'true']).status === 0;
const whereWalls = hasBubblewrap ? describe : describe.skip;

let hold: Awaited<ReturnType<typeof openHold>>;
let folder: string;
const runners: ChildProcess[] = [];
beforeAll(async () => {
  hold = await openHold();
});
afterAll(() => hold.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'br-'));
});
afterEach(async () => {
  for (const runner of runners.splice(0)) {
    if (runner.exitCode !== null || runner.signalCode !== null) continue;
    runner.kill('SIGKILL');
    await once(runner, 'exit');
  }
  rmSync(folder, { recursive: true });
});

const socket = () => join(folder, 'socket');

/** Starts the program that runs scripts for others, with nothing in its environment but the path of its socket. */
async function startRunner(env: Record<string, string> = {}, [command = process.execPath, ...before]: string[] = []) {
  const args = [...before, packageFile('dist/services/commands/script-runner.js')];
  const runner = spawn(command, args, { env: { INTEGRATION_RUNNER: socket(), PATH: process.env.PATH ?? '', ...env } });
  runners.push(runner);
  let written = '';
  for (const stream of [runner.stdout, runner.stderr]) stream.on('data', (chunk) => (written += chunk));
  await eventually('the runner', () => written.includes('started'));
  return runner;
}

async function onRunner<T>(
  work: (runtime: ReturnType<typeof testedRuntime>) => Promise<T>,
  options: TestedOptions = {},
) {
  const runtime = testedRuntime({ allowCidrs: ['127.0.0.1'], launcher: launcherAt(socket(), log), ...options });
  try {
    return await work(runtime);
  } finally {
    await runtime.close();
  }
}

const holding = () => moduleOf(`console.log('waits'); ${hold.wait} return new Response('went on');`);

test('a script runs in the process of a runner, and reaches the network through this one', async () => {
  const runner = await startRunner();
  await onRunner(async (runtime) => {
    const outcome = runtime.dispatch(programOf(holding()), eventOf());
    await hold.holds(1);
    expect([runtimesOf(process.pid).length, runtimesOf(runner.pid ?? 0).length]).toEqual([0, 1]);
    hold.release();
    const { body, ended } = await outcome;
    expect([body.toString(), messages(await ended)]).toEqual(['went on', ['waits']]);
  });
  expect([runtimesOf(runner.pid ?? 0), readdirSync(folder)]).toEqual([[], ['socket']]);
  runner.kill('SIGTERM');
  expect(await once(runner, 'exit')).toEqual([0, null]);
});

test('what it uses is limited there as here, and how it ends is told', async () => {
  const runner = await startRunner();
  const limits = { processorMs: 1000, startMs: 600_000 };
  await onRunner(
    async (runtime) => {
      const reasonOf = async (body: string, top = '') =>
        (await failureOf(runtime.dispatch(programOf(moduleOf(body, top)), eventOf()))).reason;
      expect(await reasonOf('for (;;);')).toBe('processor');
      const lines = `for (const text = 'x'.repeat(2000); ; await null) outside(() => console.log(text));`;
      const outside = `import { AsyncLocalStorage } from 'node:async_hooks'; const outside = AsyncLocalStorage.snapshot();`;
      expect(await reasonOf(lines, outside)).toBe('logs');
      const growing = `while (kept.length < 12) {
        kept.push(new Uint8Array(2e7).fill(1));
        await ${rest(50)};
      }
      await ${forever};`;
      expect(await reasonOf(growing, 'const kept = [];')).toBe('memory');
      expect(await failureOf(runtime.check(programOf('this is no script')))).toMatchObject({
        reason: 'start',
        message: expect.stringContaining('SyntaxError'),
      });
      const killed = failureOf(runtime.dispatch(programOf(holding()), eventOf()));
      await hold.holds(1);
      for (const pid of runtimesOf(runner.pid ?? 0)) process.kill(pid, 'SIGKILL');
      hold.release();
      expect(await killed).toMatchObject({ reason: 'crash' });
    },
    { limits },
  );
});

test('a runner that dies takes its processes with it, is to blame for that, and another one goes on', async () => {
  const runner = await startRunner();
  await onRunner(async (runtime) => {
    const program = programOf(holding());
    const failed = failureOf(runtime.dispatch(program, eventOf()));
    await hold.holds(1);
    const [pid = 0] = runtimesOf(runner.pid ?? 0);
    runner.kill('SIGKILL');
    expect(await failed).toMatchObject({ reason: 'stopped' });
    hold.release();
    await eventually('the end of the process', () => !isAlive(pid));
    expect(await failureOf(runtime.dispatch(program, eventOf()))).toMatchObject({ reason: 'busy' });
    await startRunner();
    const outcome = runtime.dispatch(program, eventOf());
    await hold.holds(1);
    hold.release();
    expect((await outcome).body.toString()).toBe('went on');
  });
});

test('no script runs where the folder of the runner is not there, which is not the fault of the script', async () => {
  const launcher = launcherAt(join(folder, 'missing', 'socket'), log);
  await onRunner(
    async (runtime) => {
      const program = programOf(moduleOf(''));
      expect(await failureOf(runtime.dispatch(program, eventOf()))).toMatchObject({ reason: 'busy' });
      expect(await failureOf(runtime.check(program))).toMatchObject({ reason: 'busy' });
    },
    { launcher },
  );
});

test.each(['no JSON', '{"folder":"../../etc"}', '{"folder":"bi-x/../.."}', '{}', 'x'.repeat(20_000)])(
  'a runner breaks off with who asks for no process: %s',
  async (line) => {
    const runner = await startRunner();
    const connection = createConnection(socket());
    connection.on('error', () => undefined);
    connection.write(`${line}\n`);
    await once(connection.resume(), 'close');
    expect(runtimesOf(runner.pid ?? 0)).toEqual([]);
    expect(runner.exitCode).toBeNull();
  },
);

test('a runner takes the place of one that died, but of no other, nor of a file', async () => {
  const refused = (path: string) =>
    spawnSync(process.execPath, [packageFile('dist/services/commands/script-runner.js')], {
      env: { INTEGRATION_RUNNER: path },
      encoding: 'utf8',
    });
  await startRunner();
  expect(refused(socket())).toMatchObject({ status: 1, stderr: expect.stringContaining('another runner listens') });
  const file = join(folder, 'file');
  writeFileSync(file, 'of somebody');
  expect(refused(file)).toMatchObject({ status: 1, stderr: expect.stringContaining('is not a socket') });
  expect(readFileSync(file, 'utf8')).toBe('of somebody');
  const missing = join(folder, 'missing', 'socket');
  expect(refused(missing)).toMatchObject({ status: 1, stderr: expect.stringContaining('there is no folder') });
  await onRunner((runtime) => runtime.check(programOf(moduleOf(''))));
});

describe('a runner that a script has taken over', () => {
  const takenOver = async (speak: (connection: Socket) => void, work: () => Promise<void>) => {
    const connections = new Set<Socket>();
    const server = createServer((connection) => {
      connections.add(connection.on('error', () => undefined).resume());
      speak(connection);
    });
    await once(server.listen(socket()), 'listening');
    try {
      await work();
    } finally {
      for (const connection of connections) connection.destroy();
      server.close();
    }
  };
  const reasonOf = (options: TestedOptions = {}) =>
    onRunner(async (runtime) => (await failureOf(runtime.check(programOf(moduleOf(''))))).reason, options);
  const launched = '{"kind":"launched"}\n';

  test.each([
    'no JSON',
    '{"kind":"output","base64":"*"}',
    '{"kind":"used","processorMs":-1,"residentBytes":0}',
    '{"kind":"ended","end":"SIGNONE"}',
  ])('is heard no more when it says what means nothing: %s', async (line) => {
    let ended = 0;
    await takenOver(
      (connection) => {
        connection.once('close', () => ended++);
        connection.write(`${line}\n`);
      },
      async () => {
        expect(await reasonOf()).toBe('busy');
        await eventually('the end of the connection', () => ended === 1);
      },
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is waited for as long as a script may take to start, when it says nothing', async () => {
    await takenOver(
      () => undefined,
      async () => {
        expect(await reasonOf({ launcher: launcherAt(socket(), log, 50) })).toBe('busy');
      },
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is heard no more when it says too much', async () => {
    const many = '{"kind":"used","processorMs":0,"residentBytes":0}\n'.repeat(1000);
    await takenOver(
      (connection) => {
        const flood = () => {
          while (!connection.destroyed && connection.write(many));
        };
        connection.write(launched);
        connection.on('drain', flood);
        flood();
      },
      async () => {
        expect(await reasonOf({ limits: { startMs: 600_000 } })).toBe('stopped');
      },
    );
  });
});

whereWalls('the walls of the kernel', () => {
  test('leave a process neither network nor rights, no other process, and no file but its own and libraries', async () => {
    const runtime = testedRuntime();
    await runtime.check(programOf(moduleOf(`await ${forever}`)));
    const [pid = 0] = runtimesOf(process.pid);
    const spaceOf = (of: number | string, name: string) => readlinkSync(`/proc/${of}/ns/${name}`);
    const shared = ['user', 'mnt', 'net', 'pid', 'ipc', 'uts'].filter(
      (name) => spaceOf(pid, name) === spaceOf('self', name),
    );
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const inside = (path: string) => readdirSync(`/proc/${pid}/root${path}`).sort();
    expect(shared).toEqual([]);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(inside('/dev')).toEqual(['urandom']);
    expect(inside(tmpdir())).toEqual([expect.stringMatching(/^bi-/)]);
    for (const hidden of ['home', 'root', 'proc', 'var', 'run', 'sys']) expect(inside('/')).not.toContain(hidden);
    expect(inside('/etc').filter((name) => !['ssl', 'pki'].includes(name))).toEqual([]);
    await runtime.close();
  });

  test('are required where that is set: a script does not run without', async () => {
    await startRunner({ INTEGRATION_SANDBOX: 'required' }, ['bwrap', ...bubblewrap, process.execPath]);
    await onRunner(async (runtime) => {
      const failure = await failureOf(runtime.check(programOf(moduleOf(''))));
      expect(failure).toMatchObject({
        reason: 'missing',
        message: expect.stringMatching(/^integration scripts need a sandbox here: bwrap/),
      });
    });
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
