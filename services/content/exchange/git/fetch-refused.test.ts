import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { createProxy, type GuardedProxy } from './address/proxy.js';
import { git, processesOf, servedRepositories } from './testing/repositories.js';

const { root, servers, makeRepository, newCache, fetched, failure, serve } = servedRepositories();

describe('what cannot be fetched', () => {
  test('a missing branch, a missing repository, a page that is not a repository', async () => {
    makeRepository('here', { 'a.md': 'a' });
    expect(await failure({ url: `${servers.open.url}/here.git`, ref: 'refs/heads/nope' })).toMatchObject({
      reason: 'ref-not-found',
    });
    expect(await failure({ url: `${servers.open.url}/nowhere.git` })).toMatchObject({ reason: 'not-found' });
    const page = await serve((_, reply) => reply.end('<html>\n<body>Hello</body>\n</html>\n'));
    expect(await failure({ url: `${page}/here.git` })).toMatchObject({ reason: 'not-found' });
  });

  test('a server that is down, or answers with an error', async () => {
    const down = createTcpServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => down.once('listening', resolve));
    const { port } = down.address() as AddressInfo;
    await new Promise((resolve) => down.close(resolve));
    expect(await failure({ url: `http://127.0.0.1:${port}/a.git` })).toMatchObject({ reason: 'network' });
    expect(await failure({ url: `https://127.0.0.1:${port}/a.git` })).toMatchObject({ reason: 'network' });
    const broken = await serve((_, reply) => reply.writeHead(503).end());
    expect(await failure({ url: `${broken}/a.git` })).toMatchObject({ reason: 'network' });
  });

  test.each([
    'git@github.com:a/b.git',
    'ssh://git@github.com/a/b.git',
    'git://github.com/a/b.git',
    'file:///etc',
    '/etc/passwd',
    '../repository',
    'ext::sh -c id',
    'ext::id',
    '--upload-pack=id',
    '-oProxyCommand=id',
    'http://',
    'javascript:alert(1)',
  ])('the URL %s', async (url) => {
    const cacheDir = newCache();
    expect(await failure({ url, cacheDir })).toMatchObject({ reason: 'invalid' });
    expect(() => readdirSync(cacheDir)).toThrow();
  });

  test.each([
    'main',
    'refs/tags/v1',
    '--upload-pack=id',
    'refs/heads/',
    'refs/heads/a..b',
    'refs/heads/x:refs/heads/y',
  ])('the ref %s', async (ref) => {
    expect(await failure({ url: `${servers.open.url}/plain.git`, ref })).toMatchObject({ reason: 'invalid' });
  });

  test('a repository with unsafe objects', async () => {
    const { work } = makeRepository('unsafe', { 'a.md': 'a' });
    const blob = git(work, 'rev-parse', 'HEAD:a.md').trim();
    const raw = Buffer.concat([Buffer.from('100644 ..\0'), Buffer.from(blob, 'hex')]);
    const tree = execFileSync('git', ['hash-object', '-t', 'tree', '--literally', '-w', '--stdin'], {
      cwd: work,
      input: raw,
      encoding: 'utf8',
    });
    const commit = git(work, 'commit-tree', tree.trim(), '-m', 'unsafe').trim();
    git(work, 'push', '--quiet', '--force', join(root, 'unsafe.git'), `${commit}:refs/heads/main`);
    expect(await failure({ url: `${servers.open.url}/unsafe.git` })).toMatchObject({ reason: 'unsafe' });
  });

  test('more bytes than allowed', async () => {
    const noise = Buffer.from(Array.from({ length: 500_000 }, (_, i) => (i * 104_729 * (i % 253)) % 256));
    makeRepository('heavy', { 'noise.bin': noise });
    const cacheDir = newCache();
    expect(await failure({ url: `${servers.open.url}/heavy.git`, cacheDir, maxBytes: 10_000 })).toMatchObject({
      reason: 'too-large',
    });
    expect(processesOf(cacheDir)).toEqual([]);
  });
});

test('a disk without room ends a fetch before and during it, and drops the clones that nobody uses', async () => {
  makeRepository('roomless', { 'a.md': 'a' });
  const cacheDir = newCache();
  const tree = await fetched({ url: `${servers.open.url}/roomless.git`, cacheDir });
  await tree.close();
  expect(readdirSync(cacheDir)).toHaveLength(2);
  let short = true;
  const room = {
    refuseIfFull() {
      if (short) throw new Error('full');
    },
    close() {},
  };
  const silent = await serve(() => {
    short = true;
  });
  const refused = { reason: 'no-room', code: 'ENOSPC' };
  expect(await failure({ url: `${servers.open.url}/other.git`, cacheDir, room })).toMatchObject(refused);
  expect(readdirSync(cacheDir)).toEqual(['home']);
  short = false;
  expect(await failure({ url: `${silent}/silent.git`, cacheDir, room })).toMatchObject(refused);
  expect(processesOf(cacheDir)).toEqual([]);
});

describe('private addresses', () => {
  let strict: GuardedProxy;
  beforeAll(() => {
    strict = createProxy();
  });
  afterAll(() => strict.close());

  test('are refused by number and by name', async () => {
    const { port } = new URL(servers.open.url);
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::1]', 'localhost']) {
      expect(await failure({ url: `http://${host}:${port}/plain.git`, proxy: strict })).toMatchObject({
        reason: 'refused',
      });
    }
  });

  test('are refused behind a redirect', async () => {
    const url = await serve((message, reply) => {
      const to = `http://127.0.0.2:${new URL(servers.open.url).port}${message.url}`;
      reply.writeHead(302, { location: to }).end();
    });
    expect(await failure({ url: `${url}/plain.git` })).toMatchObject({ reason: 'refused' });
  });

  test('a redirect to an allowed address is followed', async () => {
    makeRepository('moved', { 'a.md': 'a' });
    const url = await serve((message, reply) => {
      reply.writeHead(301, { location: `${servers.open.url}${message.url?.replace('/old', '/moved.git')}` }).end();
    });
    expect((await fetched({ url: `${url}/old` })).files).toHaveLength(1);
  });
});
