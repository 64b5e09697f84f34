import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../shared/process/free-port.js';
import { packageFile } from '../../shared/process/package-root.js';
import { eventually } from '../../shared/testing/eventually.js';
import { startClickHouse } from '../support/clickhouse.js';
import { walk } from '../support/fixtures.js';
import { Client, startServer } from '../support/server.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-start-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The one line of a start that fails. */
async function refusal(env: Record<string, string>): Promise<string> {
  const told: Error = await startServer({ dataDir: folder, env }).then(
    async (server) => {
      await server.stop();
      throw new Error('it started');
    },
    (error) => error,
  );
  const [ended, ...all] = told.message.split('\n');
  expect(ended).toBe('the server ended with 1:');
  expect(told.message).not.toMatch(/"level":("error"|50)/);
  // The log may tell of attempts before.
  const lines = all.filter((line) => !line.startsWith('{'));
  expect(lines).toHaveLength(1);
  return lines[0] as string;
}

const secretKey = randomBytes(32).toString('base64');

describe('a start that cannot be', () => {
  it('names the port that is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    expect(await refusal({ PORT: String(port) })).toMatch(`PORT: ${port} on 127.0.0.1 is in use; stop`);
    const told = `METRICS_PORT: ${port} on 127.0.0.1 is in use; stop`;
    expect(await refusal({ METRICS_PORT: String(port) })).toMatch(told);
    taken.close();
  });

  it.each([
    ['no.such.host.invalid', 'HOST: the name no.such.host.invalid does not resolve; use'],
    ['192.0.2.1', 'HOST: 192.0.2.1 is not an address of this machine; use'],
  ])('names the host %s', async (HOST, told) => {
    expect(await refusal({ HOST })).toMatch(told);
  });

  it('names a folder that cannot be made or used', async () => {
    await writeFile(join(folder, 'file'), '');
    expect(await refusal({ DATA_DIR: join(folder, 'file') })).toMatch(
      /^DATA_DIR: .*file cannot be used \(EEXIST\): it is a file/,
    );
    expect(await refusal({ DATA_DIR: join(folder, 'file/data') })).toMatch(/\(ENOTDIR\): a part of the path is a file/);
    expect(await refusal({ DATA_DIR: '/proc/bindery' })).toMatch(
      /^DATA_DIR: \/proc\/bindery cannot be used \(E\w+\): /,
    );
  });

  it('names a database that is none', async () => {
    await (await startServer({ dataDir: folder })).stop();
    for (const suffix of ['-wal', '-shm']) await unlink(join(folder, `bindery.sqlite${suffix}`)).catch(() => undefined);
    await writeFile(join(folder, 'bindery.sqlite'), 'no database '.repeat(1000));
    expect(await refusal({})).toMatch(/^DATA_DIR: .*bindery.sqlite is not a database; restore it from a backup/);
  });

  it('names a disk that is full, and one that is read-only', async () => {
    const disk = join(folder, 'disk');
    await mkdir(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return console.warn('SKIPPED: a full disk; only root may mount one');
    }
    try {
      expect(await refusal({ DATA_DIR: disk })).toMatch(/^DATA_DIR: .*\(ENOSPC\): the disk is full; make room/);
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      expect(await refusal({ DATA_DIR: disk })).toMatch(/^DATA_DIR: .*\(EROFS\): the file system is read-only/);
    } finally {
      execFileSync('umount', ['--lazy', disk]);
    }
  });

  it.each([
    ['MONGODB_URL', { MONGODB_URL: 'mongodb://ada:hidden@127.0.0.1:1,127.0.0.1:2/docs', SECRET_KEY: secretKey }],
    ['MONGODB_URL', { MONGODB_URL: 'mongodb+srv://ada:hidden@cluster.invalid/docs', SECRET_KEY: secretKey }],
    ['MONGODB_URL', { MONGODB_URL: 'mongodb://ada:hidden@127.0.0.1/docs?nonsense=1', SECRET_KEY: secretKey }],
    ['MONGODB_URL', { MONGODB_URL: 'mongodb://ada:hid@den@127.0.0.1/docs', SECRET_KEY: secretKey }],
    ['CLICKHOUSE_URL', { CLICKHOUSE_URL: 'http://ada:hidden@127.0.0.1:1' }],
    [
      'NATS_URL',
      {
        NATS_URL: 'nats://ada:hidden@127.0.0.1:1',
        MONGODB_URL: 'mongodb://127.0.0.1:1',
        CLICKHOUSE_URL: 'http://127.0.0.1:1',
        SECRET_KEY: secretKey,
      },
    ],
  ])('names the server of %s, without its password', async (name, env) => {
    // A driver tries until its time is over.
    const told = await refusal({ ...(env as Record<string, string>), TIME_SCALE: '0.2' });
    expect(told).toMatch(new RegExp(`^${name}: no .*correct the setting$`));
    expect(told).not.toMatch(/hid/);
  });

  it('names the access and the database that a ClickHouse server refuses', async () => {
    const server = await startClickHouse({ user: 'ada', password: 'hidden', database: 'docs' });
    const changed = (change: Partial<URL>) => Object.assign(new URL(server.url), change).href;
    try {
      for (const [change, told] of [
        [{ password: 'hidden2' }, /^CLICKHOUSE_URL: no access to http:\S+ with this user and password: correct/],
        [{ pathname: '/none' }, /^CLICKHOUSE_URL: no database none on http:\S+: create it, or correct/],
      ] as const) {
        const line = await refusal({ CLICKHOUSE_URL: changed(change) });
        expect(line).toMatch(told);
        expect(line).not.toMatch(/hidden/);
      }
    } finally {
      await server.close();
    }
  });

  it('names git where it is missing', async () => {
    expect(await refusal({ PATH: folder })).toMatch(/^git cannot be run .*install git/);
  });

  it('names services that nothing connects to', async () => {
    const told = await startServer({ dataDir: folder, env: { SERVICES: 'content' } }).catch(({ message }) => message);
    expect(told).toMatch(
      /SERVICES: identity, comments, sites, insights, integrations, reader, app, gateway cannot be reached from this process without NATS_URL/,
    );
  });

  it('names a lost key, and goes on with the key of SECRET_KEY', async () => {
    await (await startServer({ dataDir: folder })).stop();
    await unlink(join(folder, 'secret.key'));
    expect(await refusal({})).toMatch(/secret\.key is missing, but there is data: .*Restore the file/);
    expect(await (await startServer({ dataDir: folder, env: { SECRET_KEY: secretKey } })).stop()).toBe(0);
  });
});

it('is tried by the command preflight', async () => {
  const preflight = (env: Record<string, string>) =>
    spawnSync(process.execPath, [packageFile('dist/services/commands/preflight.js')], {
      cwd: folder,
      env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), ...env },
      encoding: 'utf8',
    });
  expect(preflight({})).toMatchObject({ status: 0, stdout: 'A process with these settings can start.\n', stderr: '' });
  const told = preflight({ CLICKHOUSE_URL: 'http://ada:hidden@127.0.0.1:1' });
  expect(told).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^CLICKHOUSE_URL: no .*\n$/) });
});

it('keeps what it stores from other users', async () => {
  const dataDir = join(folder, 'data');
  const server = await startServer({ dataDir: folder, env: { DATA_DIR: dataDir } });
  const [organization] = (await server.get('/v1/orgs')).body.items;
  await eventually('the handbook', async () => (await walk(server, `/v1/orgs/${organization.id}/spaces`, 10)).length);
  expect(await server.stop()).toBe(0);
  const listed = execFileSync('find', [dataDir, '-printf', '%m %y %P\n']).toString().trim().split('\n');
  const open = listed.filter((line) => !/^(700 d|600 f)/.test(line));
  expect(open).toEqual([]);
  const names = listed.map((line) => line.split(' ')[2]);
  expect(names).toEqual(expect.arrayContaining(['bindery.sqlite', 'secret.key']));
});

describe('npm start', () => {
  const { PATH, HOME, BINDERY_TEST_RUN } = process.env;
  const npm = (script: string, env: Record<string, string>) => {
    const child = spawn('npm', ['run', '--silent', script], {
      env: { PATH, HOME, BINDERY_TEST_RUN, DATA_DIR: join(folder, 'data'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(child, 'close') as Promise<[number | null, string | null]>;
    const lines: string[] = [];
    const said = (text: string) =>
      new Promise<void>((resolve, reject) => {
        createInterface({ input: child.stdout }).on('line', (line) => {
          lines.push(line);
          if (line.includes(text)) resolve();
        });
        void closed.then(() => reject(new Error(`it ended:\n${lines.join('\n')}`)));
      });
    return { child, closed, said, lines };
  };

  it('names the port that it has chosen, where it may listen on any', async () => {
    const { child, closed, said, lines } = npm('serve', { PORT: '0' });
    await said('API reference');
    const started = lines.find((line) => line.includes('"msg":"started"')) ?? '{}';
    const { url } = JSON.parse(started);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(lines.find((line) => line.includes('URL  '))).toContain(url);
    child.kill('SIGTERM');
    await closed;
  });

  it.each(['start', 'dev'])('ends with its server at SIGTERM: %s', async (script) => {
    const PORT = String(await freePort());
    const { child, closed, said } = npm(script, { PORT });
    await said('"msg":"started"');
    expect((await fetch(`http://127.0.0.1:${PORT}/healthz`)).status).toBe(200);
    child.kill('SIGTERM');
    const [code] = await closed;
    if (script === 'start') expect(code).toBe(0);
    // The pipe closed, so nobody who wrote to it lives; the lock and the port are free.
    const again = await startServer({ dataDir: folder, env: { DATA_DIR: join(folder, 'data'), PORT } });
    expect(await again.stop()).toBe(0);
  });
});

it('reads .env of the working directory, where the environment says nothing', async () => {
  const port = await freePort();
  await writeFile(join(folder, '.env'), `PORT=1\nBASE_URL=https://docs.example\nBOOTSTRAP_ORG="From the file"\n`);
  const server = await startServer({ dataDir: folder, env: { PORT: String(port) } });
  const client = new Client(`http://127.0.0.1:${port}`, server.token);
  const [organization] = (await client.get('/v1/orgs')).body.items;
  expect(organization).toMatchObject({
    title: 'From the file',
    urls: { location: expect.stringMatching(/^https:\/\/docs\.example\/v1\//) },
  });
  expect(await server.stop()).toBe(0);
  await writeFile(join(folder, '.env'), 'PORT=1\nnonsense\n');
  expect(await refusal({})).toMatch(/\.env: line 2 is not NAME=value$/);
});
