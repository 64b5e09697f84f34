import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../shared/process/free-port.js';
import { packageFile } from '../../shared/process/package-root.js';
import { eventually } from '../../shared/testing/eventually.js';
import { type StartedServer, startServer } from '../support/server.js';

let folder: string;
let port: number;
let server: StartedServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-crash-'));
  port = await freePort();
  await writeFile(join(folder, 'saboteur.mjs'), saboteur);
  await mkdir(join(folder, 'tmp'));
  await start();
});
afterAll(async () => {
  await server.kill();
  await rm(folder, { recursive: true, force: true });
});

/** Loaded into the server: on a signal, opens an analytics engine in it, beside its own; on the next one, does what the file `deed` names. */
const saboteur = `
import { readFileSync } from 'node:fs';
const { openAnalytics } = await import(${JSON.stringify(pathToFileURL(packageFile('dist/shared/analytics/analytics.js')))});
const log = { error: (fields, message) => console.log(JSON.stringify({ ...fields, msg: message })) };
const deeds = {
  throws: () => { throw new Error('nobody catches this'); },
  rejects: () => void Promise.reject(new Error('nobody catches this')),
  aborts: () => process.abort(),
  'runs out of memory': () => { const kept = []; for (;;) kept.push(new Array(1e6).fill(kept.length)); },
};
process.once('SIGUSR2', async () => {
  const analytics = await openAnalytics({ dataDir: process.env.DATA_DIR + '/second', log });
  await analytics.ping();
  process.once('SIGUSR2', () => setImmediate(deeds[readFileSync(new URL('./deed', import.meta.url), 'utf8')]));
  console.log('analytics answer');
});
`;

async function start(): Promise<void> {
  const NODE_OPTIONS = `--import=${pathToFileURL(join(folder, 'saboteur.mjs'))} --max-old-space-size=128`;
  server = await startServer({ dataDir: folder, port, env: { NODE_OPTIONS, TMPDIR: join(folder, 'tmp') } });
}

const childrenOf = (parent: number | undefined): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='])
    .toString()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, of]) => (of === parent ? [child] : []));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.each([
  ['throws', 1, null],
  ['rejects', 1, null],
  ['aborts', null, 'SIGABRT'],
  ['runs out of memory', null, 'SIGABRT'],
  ['gets SIGSEGV', null, 'SIGSEGV'],
  ['gets SIGBUS', null, 'SIGBUS'],
  ['gets SIGKILL', null, 'SIGKILL'],
])(
  'a process with the analytics engine in use that %s ends at once, and can be started again',
  async (deed, ...end) => {
    await writeFile(join(folder, 'deed'), deed);
    const ended = once(server.process, 'close');
    server.process.kill('SIGUSR2');
    await Promise.race([server.said(/analytics answer/), ended]);
    expect([server.process.exitCode, server.process.signalCode]).toEqual([null, null]);
    const children = childrenOf(server.process.pid);
    expect(children.length).toBeGreaterThan(0);
    server.process.kill(deed.startsWith('gets ') ? (deed.slice('gets '.length) as NodeJS.Signals) : 'SIGUSR2');
    expect(await ended).toEqual(end);
    const fatal = server.output().includes('"level":"fatal"');
    expect(fatal).toBe(end[0] === 1);
    if (fatal) expect(server.output()).toContain('nobody catches this');
    await eventually('the end of its children', () => !children.some(isAlive));
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    await start();
  },
  // Its end hung for five minutes once, in the engine; it takes less than a second.
  150_000,
);
