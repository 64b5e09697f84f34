import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../shared/process/package-root.js';
import { eventually } from '../../shared/testing/eventually.js';

const program = packageFile('test/run.js');

describe('a whole run', () => {
  let folder: string;
  let list: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-unsteady-'));
    list = join(folder, 'list.json');
    writeFileSync(list, '[]');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = (env: Record<string, string> = {}) =>
    new Promise<{ code: number; said: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [program, '--projects=unsteady'],
        { env: { ...process.env, UNSTEADY_LIST: list, UNSTEADY_MARKER: join(folder, 'marker'), ...env } },
        (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, said: stdout + stderr }),
      );
    });

  const file = 'test/fixtures/unsteady/unsteady.test.ts';

  it('runs a file that failed once more, names it as unsteady and passes', async () => {
    const { code, said } = await run();
    expect(said).toContain(`UNSTEADY: ${file}`);
    expect(said).toContain('3 passed, 0 failed, 0 skipped');
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(list, 'utf8'))).toEqual([
      { file, tests: ['is unsteady'], seen: expect.any(String) },
    ]);
  });

  it('fails where a file fails again, and names nothing as unsteady', async () => {
    const { code, said } = await run({ UNSTEADY_ALWAYS: 'true' });
    expect(code).toBe(1);
    expect(said).toContain('2 failed');
    expect(JSON.parse(readFileSync(list, 'utf8'))).toEqual([]);
  });

  it('fails where a test takes more memory than it may, instead of the machine', async () => {
    const { code, said } = await run({ UNSTEADY_LARGE: 'true', TEST_MOST_BYTES: '900000000' });
    expect(said).toMatch(/ENDED: a process of the tests had \d+ MB of memory: \S*node .*jest/);
    expect(code).toBe(1);
  });
});

describe('a run that is interrupted', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-interrupted-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const read = (path: string) => {
    try {
      return readFileSync(path, 'latin1');
    } catch {
      // That process has ended.
      return '';
    }
  };
  const processes = () =>
    readdirSync('/proc').filter((pid) => read(`/proc/${pid}/environ`).includes(`BINDERY_TEST_RUN=${folder}`));
  const servers = () => processes().filter((pid) => read(`/proc/${pid}/cmdline`).includes('services/main.js'));

  /** A disk of its own, as some tests have; only root may mount one. */
  const mountIn = (run: string) => {
    const disk = join(run, 'disk');
    mkdirSync(disk);
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
  };

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('by %s leaves no process and no folder', async (signal) => {
    const { BINDERY_TEST_RUN: _, ...env } = process.env;
    const child = spawn(process.execPath, [program, '--projects=e2e', 'test/e2e/identity.test.ts'], {
      env: { ...env, TMPDIR: folder },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await eventually('a server', servers, (pids) => pids.length > 0);
    mountIn(join(folder, String(readdirSync(folder)[0])));
    child.kill(signal);
    await ended;
    await eventually('the end of all processes', processes, (pids) => pids.length === 0);
    await eventually(
      'the end of the folder',
      () => readdirSync(folder),
      (names) => names.length === 0,
    );
  });
});
