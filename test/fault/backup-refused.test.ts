import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '../../shared/testing/eventually.js';
import { sha256 } from '../../shared/values/ids.js';
import { runCommand, startCommand } from '../support/backups/run.js';
import { newTrackedSite, TrackedSite } from '../support/insights/tracked-site.js';
import { type StartedServer, startServer } from '../support/server.js';

let folder: string;
let server: StartedServer;
let site: TrackedSite;
/** A backup that is whole, made while the server ran. */
let backup: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-backup-refused-'));
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  server = await startServer({ dataDir });
  site = await newTrackedSite(server);
  await site.tracked([{}, {}, {}]);
  for (let each = 0; each < 300; each++) await addBlob(server.dataDir);
  backup = join(folder, 'whole');
  expect(await backedUp(backup)).toEqual({ code: 0, output: expect.stringContaining('Backed up') });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function addBlob(dataDir: string): Promise<void> {
  const content = randomBytes(200_000);
  const id = sha256(content);
  const path = join(dataDir, 'blobs', id.slice(0, 2), id);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

const backedUp = (target: string, env: Record<string, string> = {}, ...options: string[]) =>
  runCommand('backup', [target, ...options], { DATA_DIR: server.dataDir, ...env });

let made = 0;
const newPath = () => join(folder, `path-${made++}`);
const restored = (from: string, dataDir: string, env: Record<string, string> = {}) =>
  runCommand('restore', [from], { DATA_DIR: dataDir, ...env });
const refused = (text: string) => ({ code: 1, output: expect.stringContaining(text) });
/** What is in a data folder, but for locks. */
const contentsOf = async (dataDir: string) =>
  existsSync(dataDir) ? (await readdir(dataDir)).filter((name) => !name.startsWith('lock')) : [];

describe('a backup', () => {
  it('is for nobody else to read, and can be checked by sha256sum', async () => {
    const lines = (await readFile(join(backup, 'SHA256SUMS'), 'utf8')).trim().split('\n');
    expect(lines.length).toBeGreaterThan(300);
    for (const line of lines) {
      const [, sum, path = ''] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
      expect([path, sha256(await readFile(join(backup, path)))]).toEqual([path, sum]);
      expect((await stat(join(backup, path))).mode & 0o077).toBe(0);
    }
    expect((await stat(backup)).mode & 0o077).toBe(0);
  });

  it('leaves nothing in DATA_DIR that takes room', async () => {
    expect(await readdir(join(server.dataDir, 'analytics', 'shadow'))).toEqual(['increment.txt']);
  });

  it.each<[string, () => string[], Record<string, string>, string]>([
    ['without a folder', () => [], {}, 'Usage: npm run backup'],
    ['of two folders', () => [newPath(), newPath()], {}, 'Usage: npm run backup'],
    ['with an unknown option', () => [newPath(), '--fast'], {}, "Unknown option '--fast'"],
    ['to a folder that exists', () => [folder], {}, 'exists already'],
    ['below a folder that does not exist', () => [join(folder, 'nowhere', 'a')], {}, 'nowhere does not exist'],
    ['into DATA_DIR', () => [join(server.dataDir, 'backup')], {}, 'is in DATA_DIR'],
    ['of no data', () => [newPath()], { DATA_DIR: '/nowhere' }, 'no data in /nowhere'],
    [
      'of MongoDB',
      () => [newPath()],
      { MONGODB_URL: 'mongodb://127.0.0.1:1/a', SECRET_KEY: randomBytes(32).toString('base64') },
      'Back it up with its own tools, such as mongodump',
    ],
  ])('%s is refused', async (_, args, env, text) => {
    const before = await readdir(folder);
    expect(await runCommand('backup', args(), { DATA_DIR: server.dataDir, ...env })).toEqual(refused(text));
    expect(await readdir(folder)).toEqual(before);
  });

  it('leaves out events only when asked to, and says so', async () => {
    const target = newPath();
    expect((await backedUp(target, {}, '--without-events')).output).toContain('The events of visitors are not in it');
    expect(existsSync(join(target, 'analytics'))).toBe(false);
  });

  it('fails when the server does not answer for the events', async () => {
    server.process.kill('SIGSTOP');
    const target = newPath();
    const command = startCommand('backup', [target], { DATA_DIR: server.dataDir });
    try {
      await eventually('the documents in the backup', () => existsSync(join(`${target}.partial`, 'bindery.sqlite')));
      expect(existsSync(target)).toBe(false);
      command.process.kill('SIGTERM');
      expect(await command.ended).toEqual(refused('ended by SIGTERM'));
    } finally {
      server.process.kill('SIGCONT');
    }
    expect([existsSync(target), existsSync(`${target}.partial`)]).toEqual([false, false]);
  });

  it('that is killed leaves no half of it under its name, and the next one makes up for it', async () => {
    const target = newPath();
    for (const part of ['', 'bindery.sqlite', 'blobs', 'SHA256SUMS']) {
      const command = startCommand('backup', [target], { DATA_DIR: server.dataDir });
      await eventually(`${part} in the backup`, () =>
        [`${target}.partial`, target].some((at) => existsSync(join(at, part))),
      );
      command.process.kill('SIGKILL');
      await command.ended;
      if (!existsSync(target)) continue;
      expect((await restored(target, newPath())).code).toBe(0);
      await rm(target, { recursive: true });
    }
    expect((await backedUp(target)).code).toBe(0);
    expect(existsSync(`${target}.partial`)).toBe(false);
    expect((await restored(target, newPath())).code).toBe(0);
  });

  it('has one beside it at most', async () => {
    const first = startCommand('backup', [newPath()], { DATA_DIR: server.dataDir });
    await eventually('the lock of a backup', () => existsSync(join(server.dataDir, 'backup.lock')));
    const others = await Promise.all([backedUp(newPath()), backedUp(newPath())]);
    const ends = [await first.ended, ...others];
    expect(ends.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
    for (const { code, output } of ends) if (code !== 0) expect(output).toContain('another backup');
  });
});

describe('restoring', () => {
  /** A copy of the whole backup, in which something is not as it was. */
  async function changed(change: (copy: string) => Promise<unknown>): Promise<string> {
    const copy = newPath();
    await cp(backup, copy, { recursive: true, verbatimSymlinks: true });
    await change(copy);
    return copy;
  }

  const aBlob = async (copy: string) => {
    const [group = ''] = await readdir(join(copy, 'blobs'));
    const [id = ''] = await readdir(join(copy, 'blobs', group));
    return join(copy, 'blobs', group, id);
  };
  const rewritten = async (path: string, change: (text: string) => string) =>
    writeFile(path, change(await readFile(path, 'utf8')));
  /** Lists a file that is elsewhere, with its true checksum and a manifest that fits. */
  const listing = (path: string) => async (copy: string) => {
    const sums = join(copy, 'SHA256SUMS');
    await appendFile(sums, `${sha256('secret')}  ${path}\n`);
    await writeFile(join(folder, 'outside'), 'secret');
    const total = sha256(await readFile(sums));
    await rewritten(join(copy, 'manifest.json'), (text) => text.replace(/"sums": "\w+"/, `"sums": "${total}"`));
  };

  it.each<[string, (copy: string) => Promise<unknown>, string]>([
    ['nothing', (copy) => rm(copy, { recursive: true }), 'is not a complete backup'],
    ['a folder that a killed backup left', (copy) => rm(join(copy, 'manifest.json')), 'it has no manifest.json'],
    ['a cut manifest', (copy) => truncate(join(copy, 'manifest.json'), 60), 'manifest.json cannot be read'],
    ['a cut list of checksums', (copy) => truncate(join(copy, 'SHA256SUMS'), 500), 'SHA256SUMS was changed or cut off'],
    ['cut documents', (copy) => truncate(join(copy, 'bindery.sqlite'), 100_000), 'bindery.sqlite was changed'],
    ['a changed file', async (copy) => appendFile(await aBlob(copy), 'x'), 'was changed or cut off'],
    ['a missing file', async (copy) => rm(await aBlob(copy)), 'is missing'],
    [
      'a link in place of a file',
      async (copy) => {
        const path = await aBlob(copy);
        await rm(path);
        await symlink('/etc/hostname', path);
      },
      'is missing',
    ],
    ['a path out of the folder', listing('blobs/../../outside'), 'is no file of an installation'],
    ['an absolute path', listing('/tmp/outside'), 'is no file of an installation'],
    ['a path out of the folder of the events', listing('analytics/store/a/b/../../../../outside'), 'is no file of'],
    [
      'a link out of the folder',
      (copy) => rewritten(join(copy, 'manifest.json'), (text) => text.replace('../store/', '../../')),
      'manifest.json cannot be read',
    ],
    [
      'a later version',
      (copy) =>
        rewritten(join(copy, 'manifest.json'), (text) => text.replace(/"version": "[^"]*"/, '"version": "99.0.1"')),
      'is a backup of Bindery 99.0.1',
    ],
  ])('%s is refused, and leaves nothing behind', async (_, change, text) => {
    const dataDir = newPath();
    expect(await restored(await changed(change), dataDir)).toEqual(refused(text));
    expect(await contentsOf(dataDir)).toEqual([]);
  });

  it('into a folder that holds something, or is in use, changes nothing', async () => {
    expect(await restored(backup, server.dataDir)).toEqual(refused('another Bindery runs on'));
    const dataDir = newPath();
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'mine'), 'mine');
    expect(await restored(backup, dataDir)).toEqual(refused('is not empty'));
    expect(await contentsOf(dataDir)).toEqual(['mine']);
  });

  it('needs a folder, and no MONGODB_URL', async () => {
    expect(await runCommand('restore', [], { DATA_DIR: newPath() })).toEqual(refused('Usage: npm run restore'));
    const mongo = { MONGODB_URL: 'mongodb://127.0.0.1:1/a', SECRET_KEY: randomBytes(32).toString('base64') };
    expect(await restored(backup, newPath(), mongo)).toEqual(refused('MONGODB_URL is set'));
  });

  it('that is killed lets no server start on half of it, and can be done again', async () => {
    const dataDir = newPath();
    const command = startCommand('restore', [backup], { DATA_DIR: dataDir });
    await eventually('the first files', () => existsSync(join(dataDir, 'restoring', 'blobs')));
    command.process.kill('SIGKILL');
    await command.ended;
    await expect(startServer({ dataDir })).rejects.toThrow('did not finish; run it again');
    expect((await restored(backup, dataDir)).code).toBe(0);
    const again = await startServer({ dataDir });
    expect(await new TrackedSite(again, site.organization, site.id).count()).toBe(3);
    expect(await again.stop()).toBe(0);
  });
});

it('without room, neither a backup nor a restore leaves anything', async () => {
  const disk = newPath();
  await mkdir(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    return console.warn('SKIPPED: a full disk; only root may mount one');
  }
  try {
    expect(await backedUp(join(disk, 'backup'))).toEqual(refused('has no room for the backup'));
    expect(await restored(backup, disk)).toEqual(refused('has no room for the backup'));
    expect(await contentsOf(disk)).toEqual([]);
  } finally {
    execFileSync('umount', ['--lazy', disk]);
  }
});

it('a stopped server is backed up as well, with its events', async () => {
  const dataDir = newPath();
  expect((await restored(backup, dataDir)).code).toBe(0);
  const target = newPath();
  expect((await runCommand('backup', [target], { DATA_DIR: dataDir })).code).toBe(0);
  const twice = newPath();
  expect((await restored(target, twice)).code).toBe(0);
  const again = await startServer({ dataDir: twice });
  expect(await new TrackedSite(again, site.organization, site.id).count()).toBe(3);
  expect(await again.stop()).toBe(0);
});

it('without events, backing up does not start the engine', async () => {
  const own = await startServer();
  const target = newPath();
  expect((await runCommand('backup', [target], { DATA_DIR: own.dataDir })).code).toBe(0);
  expect(existsSync(join(own.dataDir, 'analytics'))).toBe(false);
  expect(await own.stop()).toBe(0);
});

it('a chosen SECRET_KEY is not in the backup, which says so', async () => {
  const SECRET_KEY = randomBytes(32).toString('base64');
  const own = await startServer({ env: { SECRET_KEY } });
  const target = newPath();
  const { output } = await runCommand('backup', [target], { DATA_DIR: own.dataDir, SECRET_KEY });
  expect(output).toContain('SECRET_KEY is not in it');
  expect(existsSync(join(target, 'secret.key'))).toBe(false);
  expect((await restored(target, newPath(), { SECRET_KEY })).output).toContain('Start Bindery with the SECRET_KEY');
  expect(await own.stop()).toBe(0);
});
