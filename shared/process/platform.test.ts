import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../monitoring/log.js';
import { openCacheDir } from '../settings/cache-dir.js';
import { readConfig } from '../settings/config.js';
import { checkAnalytics, openPlatform, type Platform } from './platform.js';

let dataDir: string;
const opened: Platform[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-platform-'));
});
afterEach(async () => {
  for (const platform of opened.splice(0)) await platform.close();
  await rm(dataDir, { recursive: true, force: true });
});

const open = async (environment: Record<string, string> = {}, log = createLog('silent')) => {
  const platform = await openPlatform(readConfig({ DATA_DIR: dataDir, ...environment }), log);
  opened.push(platform);
  return platform;
};
const close = async () => {
  for (const platform of opened.splice(0)) await platform.close();
};
const key = () => randomBytes(32).toString('base64');

describe('the key of an embedded installation', () => {
  const path = () => join(dataDir, 'secret.key');

  it('is created once, readable only by its owner, and used again', async () => {
    const sealed = (await open()).secrets.encrypt('text');
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    await close();
    expect((await open()).secrets.decrypt(sealed)).toBe('text');
  });

  it('must exist where there is data: the error says what would be lost', async () => {
    await open();
    await close();
    await rename(path(), join(dataDir, 'kept'));
    await expect(open()).rejects.toThrow(/secret\.key is missing.*share links.*Restore the file.*SECRET_KEY/);
    expect(existsSync(path())).toBe(false);
    await rename(join(dataDir, 'kept'), path());
    await open();
  });

  it.each(['', 'no key', Buffer.alloc(16).toString('base64')])('must be a key, unlike %j', async (text) => {
    await open();
    await close();
    await writeFile(path(), text);
    await expect(open()).rejects.toThrow(/secret\.key does not hold a key/);
  });

  it('must be the key of the store', async () => {
    await open();
    await close();
    await writeFile(path(), key());
    await expect(open()).rejects.toThrow(/secret\.key is not the key of this store/);
    await expect(open()).rejects.toThrow(/secret\.key is not the key of this store/);
  });

  it('is replaced by SECRET_KEY, which logs what is lost, and works again when added to it', async () => {
    const [first, second] = [key(), key()];
    const lines: string[] = [];
    const log = createLog('warn');
    log.warn = ((_: object, text: string) => lines.push(text)) as unknown as typeof log.warn;
    await open({ SECRET_KEY: first }, log);
    await close();
    expect(lines).toEqual([]);
    await open({ SECRET_KEY: second }, log);
    await close();
    expect(lines).toEqual([expect.stringMatching(/^SECRET_KEY: .*share links/)]);
    await open({ SECRET_KEY: `${second},${first}` }, log);
    expect(lines).toHaveLength(1);
  });
});

describe('the analytics engine', () => {
  it('is not started by readiness', async () => {
    const platform = await open();
    await platform.ready();
    await checkAnalytics(platform);
    expect(await readdir(dataDir)).not.toContain('analytics');
  });

  it('on a server takes no part in readiness, but is checked by the services that need it', async () => {
    const platform = await open({ CLICKHOUSE_URL: 'http://ada:hidden@127.0.0.1:1' });
    await platform.ready();
    await expect(checkAnalytics(platform)).rejects.toThrow(
      /^CLICKHOUSE_URL: no answer from http:\/\/127\.0\.0\.1:1 \([^)]+\): start ClickHouse, or correct the setting$/,
    );
  });

  it.each([
    [
      516,
      'AUTHENTICATION_FAILED',
      /: no access to http:\/\/127\.0\.0\.1:\d+ with this user and password: correct the setting$/,
    ],
    [81, 'UNKNOWN_DATABASE', /: no database docs on http:\/\/127\.0\.0\.1:\d+: create it, or correct the setting$/],
    [497, 'ACCESS_DENIED', /: no answer from http:\/\/127\.0\.0\.1:\d+ \(ada may not\. \): /],
  ])('on a server that answers %s is named, without its password', async (code, type, told) => {
    const server = createServer((_, response) => {
      response.writeHead(500, { 'X-ClickHouse-Exception-Code': String(code) });
      response.end(`Code: ${code}. DB::Exception: ada may not. (${type})`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const platform = await open({ CLICKHOUSE_URL: `http://ada:hidden@127.0.0.1:${port}/docs` });
    const { message } = await checkAnalytics(platform).then(
      () => new Error('no error'),
      (error: Error) => error,
    );
    server.close();
    server.closeAllConnections();
    expect(message).toMatch(/^CLICKHOUSE_URL: /);
    expect(message).toMatch(told);
    expect(message).not.toMatch(/hidden/);
  });
});

describe('caches of several processes in one folder', () => {
  const caches = () => readdir(join(dataDir, 'caches'));

  it('are separate, and are removed with their process', async () => {
    const [one, two] = await Promise.all([openCacheDir(dataDir), openCacheDir(dataDir)]);
    expect(one.path).not.toBe(two.path);
    await writeFile(join(one.path, 'clone'), '');
    const three = await openCacheDir(dataDir);
    expect(await caches()).toHaveLength(3);
    for (const cache of [one, two, three]) await cache.close();
    expect(await caches()).toEqual([]);
  });

  it('are removed when their process is dead', async () => {
    const left = async (owner: string, pid: number, ageMinutes: number) => {
      const path = join(dataDir, 'caches', `${owner}~${pid}~${randomBytes(4).toString('hex')}`);
      await mkdir(join(path, 'git'), { recursive: true });
      const touched = new Date(Date.now() - ageMinutes * 60_000);
      await utimes(path, touched, touched);
      return path;
    };
    const noPid = 2 ** 22 + 1;
    const dead = [await left(hostname(), noPid, 0), await left(hostname(), process.pid, 0), await left('other', 1, 60)];
    const alive = [await left(hostname(), 1, 1), await left('other', noPid, 1)];
    const own = await openCacheDir(dataDir);
    for (const path of dead) expect(existsSync(path)).toBe(false);
    for (const path of [...alive, own.path]) expect(existsSync(path)).toBe(true);
    await own.close();
  });
});

it('refuses a file that is not a database', async () => {
  await open();
  await close();
  for (const suffix of ['-wal', '-shm']) await unlink(join(dataDir, `bindery.sqlite${suffix}`)).catch(() => undefined);
  await writeFile(join(dataDir, 'bindery.sqlite'), 'no database '.repeat(100));
  await expect(open()).rejects.toThrow(/^DATA_DIR: .*SQLITE_NOTADB.*restore it from a backup/);
});
