import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../process/package-root.js';
import { eventually } from '../testing/eventually.js';
import type { ChildSpec } from './child-orders.js';
import { type Child, startChild } from './children.js';

const spec = (script: string, more: Partial<ChildSpec> = {}): ChildSpec => ({
  command: 'sh',
  args: ['-c', script],
  cwd: '/',
  env: { PATH: String(process.env.PATH) },
  niceness: 0,
  ...more,
});

/** Reads all that a process writes, and how it ends. */
async function outcome({ stdin, stdout, stderr, closed }: Child, input = '') {
  stdin.end(input);
  const [out, errors, end] = await Promise.all([text(stdout), text(stderr), closed]);
  return { out, errors, end };
}

const run = async (script: string, more: Partial<ChildSpec> = {}) => outcome(await startChild(spec(script, more)));

/** The third field of `/proc/<pid>/stat` after the name is the parent; none when it has ended. */
function parentOf(pid: number): number | undefined {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
    return rest.startsWith('Z') ? undefined : Number(rest.split(' ')[1]);
  } catch {
    return undefined;
  }
}

const isGone = (pid: number) => eventually(`the end of process ${pid}`, () => parentOf(pid) === undefined);

/** A process that has started another, which would outlive it. */
async function startFamily(): Promise<{ child: Child; grandchild: number }> {
  const child = await startChild(spec('sleep 1000 & echo $!; exec sleep 1000'));
  const [line] = await once(child.stdout, 'data');
  return { child, grandchild: Number(line) };
}

describe('a process that another starts', () => {
  it('has its input, its output, its errors and its exit code', async () => {
    expect(await run('echo out; echo errors >&2; exit 3')).toEqual({ out: 'out\n', errors: 'errors\n', end: 3 });
    const large = 'x'.repeat(5_000_000);
    const copied = await outcome(await startChild(spec('cat')), large);
    expect([copied.out.length, copied.out === large, copied.end]).toEqual([large.length, true, 0]);
  });

  it('has the environment, the folder and the priority that it is given, and no other', async () => {
    const more = { env: { PATH: String(process.env.PATH), A: 'b c' }, cwd: '/usr', niceness: 3 };
    // The priority is set after the start: the line holds the process until then.
    const { out } = await outcome(await startChild(spec('read line; env; pwd; nice', more)), 'go\n');
    const lines = out.trim().split('\n');
    expect(lines).toEqual(expect.arrayContaining(['A=b c', '/usr', `${getPriority() + 3}`]));
    expect(lines.filter((line) => /^(?!PWD|PATH|OLDPWD|SHLVL|_|A)\w+=/.test(line))).toEqual([]);
  });

  it('is told apart from many that end at once and say nothing', async () => {
    const all = Array.from({ length: 60 }, async (_, at) => (await run(`exit ${at}`)).end);
    expect(await Promise.all(all)).toEqual(Array.from({ length: 60 }, (_, at) => at));
  });

  it('does not hold what it did not read', async () => {
    const child = await startChild(spec('exec sleep 0'));
    child.stdin.write('x'.repeat(1_000_000));
    expect(await outcome(child)).toEqual({ out: '', errors: '', end: 0 });
  });

  it('ends with its group at a signal', async () => {
    const { child, grandchild } = await startFamily();
    process.kill(-child.pid, 'SIGTERM');
    expect(await child.closed).toBe('SIGTERM');
    await isGone(grandchild);
  });

  it('is refused where it does not exist', async () => {
    await expect(startChild(spec('', { command: 'no-such-command' }))).rejects.toThrow('ENOENT');
    await expect(startChild(spec('true', { cwd: '/no-such-folder' }))).rejects.toThrow('ENOENT');
    expect((await run('exit 4')).end).toBe(4);
  });

  it('ends with the process that started it, and others start after that', async () => {
    const { child, grandchild } = await startFamily();
    process.kill(Number(parentOf(child.pid)), 'SIGKILL');
    child.stdin.destroy();
    expect(await child.closed).toBe('SIGKILL');
    await Promise.all([isGone(child.pid), isGone(grandchild)]);
    expect((await run('exit 5')).end).toBe(5);
  });

  it('ends with the program that ordered it, however that ends', async () => {
    const module = pathToFileURL(packageFile('dist/shared/workers/children.js')).href;
    const program = `import { startChild } from ${JSON.stringify(module)};
      const { pid } = await startChild(${JSON.stringify(spec('exec sleep 1000'))});
      console.log(pid);`;
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    const [line] = await once(owner.stdout, 'data');
    const pid = Number(line);
    const starter = Number(parentOf(pid));
    owner.kill('SIGKILL');
    await Promise.all([isGone(pid), isGone(starter)]);
  });
});
