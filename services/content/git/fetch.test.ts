import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createProxy, type GuardedProxy } from '../../../shared/outbound/proxy.js';
import { blobOid, type SourceTree } from '../source-tree.js';
import type { GitFailure } from './failure.js';
import { type FetchOptions, fetchTree } from './fetch.js';
import { type RepositoryServer, serveRepositories } from './serve.js';

const room = mkdtempSync(join(tmpdir(), 'bindery-git-'));
const root = join(room, 'served');
const REF = 'refs/heads/main';
const credentials = { username: 'ada', password: 's3cret-tok/en' };

let open: RepositoryServer;
let guarded: RepositoryServer;
let proxy: GuardedProxy;
const ends: (() => Promise<unknown>)[] = [];
let caches = 0;

beforeAll(async () => {
  mkdirSync(root);
  open = await serveRepositories({ root });
  guarded = await serveRepositories({ root, credentials });
  proxy = createProxy({ allowCidrs: ['127.0.0.1/32'] });
});

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

afterAll(async () => {
  await Promise.all([open.close(), guarded.close(), proxy.close()]);
  rmSync(room, { recursive: true, force: true });
});

function git(dir: string, ...args: string[]): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...who, ...args], { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** A served repository with a work tree to commit from. */
function makeRepository(name: string, files: Record<string, string | Buffer>) {
  const work = join(room, `${name}-work`);
  mkdirSync(work);
  git(work, 'init', '--quiet');
  git(room, 'init', '--quiet', '--bare', join(root, `${name}.git`));
  const repository = {
    work,
    commit(changed: Record<string, string | Buffer>, message = 'a change'): string {
      for (const [path, content] of Object.entries(changed)) {
        mkdirSync(dirname(join(work, path)), { recursive: true });
        writeFileSync(join(work, path), content);
      }
      git(work, 'add', '--all');
      git(work, 'commit', '--quiet', '-m', message);
      git(work, 'push', '--quiet', '--force', join(root, `${name}.git`), 'HEAD:refs/heads/main');
      return git(work, 'rev-parse', 'HEAD').trim();
    },
  };
  repository.commit(files, 'the first');
  return repository;
}

function newCache(): string {
  return join(room, `cache-${++caches}`);
}

async function fetched(options: Partial<FetchOptions> & { url: string }): Promise<SourceTree> {
  const tree = await fetchTree({ ref: REF, proxy, cacheDir: newCache(), timeoutMs: 20_000, ...options });
  ends.push(() => tree.close());
  return tree;
}

async function failure(options: Partial<FetchOptions> & { url: string }): Promise<GitFailure> {
  return fetched(options).then(
    () => {
      throw new Error('the fetch succeeded');
    },
    (error: GitFailure) => error,
  );
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  return listen(server);
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Every running process whose environment names the folder, as `/proc` shows them. */
function processesOf(cacheDir: string): { argv: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return environment.includes(cacheDir) ? [{ argv: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }] : [];
      } catch {
        return [];
      }
    });
}

describe('fetchTree', () => {
  test('lists and reads the files of the branch tip, with the commit', async () => {
    const big = Buffer.alloc(300_000, 'x\0y\n');
    const { commit } = makeRepository('plain', {
      'README.md': '# Hi\n',
      'a/empty.md': '',
      'a/ü 頁.md': 'é',
      'a/big.bin': big,
    });
    const oid = commit({ 'b.md': 'b' }, 'subject\n\nbody line');
    const tree = await fetched({ url: `${open.url}/plain.git` });
    expect(tree.commit).toEqual({
      oid,
      message: 'subject\n\nbody line',
      committedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(tree.files.map((file) => file.path)).toEqual(['README.md', 'a/big.bin', 'a/empty.md', 'a/ü 頁.md', 'b.md']);
    expect(tree.files.find((file) => file.path === 'a/big.bin')).toEqual({
      path: 'a/big.bin',
      oid: blobOid(big),
      size: big.length,
    });
    const read = await Promise.all(tree.files.map((file) => tree.read(file.path)));
    expect(read.map(blobOid)).toEqual(tree.files.map((file) => file.oid));
    expect(read[1]?.equals(big)).toBe(true);
    await expect(tree.read('nothing.md')).rejects.toThrow('not in the tree');
  });

  test('reads again from the same cache after a new commit, fetching only what is new', async () => {
    const noise = Buffer.from(Array.from({ length: 400_000 }, (_, i) => (i * 7919 * (i % 251)) % 256));
    const { commit } = makeRepository('again', { 'noise.bin': noise, 'page.md': 'one' });
    const cacheDir = newCache();
    const first = await fetched({ url: `${open.url}/again.git`, cacheDir });
    commit({ 'page.md': 'two' });
    // The whole repository no longer fits in the limit; what is new does.
    const second = await fetched({ url: `${open.url}/again.git`, cacheDir, maxBytes: 20_000 });
    expect((await second.read('page.md')).toString()).toBe('two');
    expect((await second.read('noise.bin')).equals(noise)).toBe(true);
    expect((await first.read('page.md')).toString()).toBe('one');
  });

  test('follows a branch that was rewritten', async () => {
    const { work, commit } = makeRepository('rewritten', { 'a.md': 'one' });
    const cacheDir = newCache();
    await fetched({ url: `${open.url}/rewritten.git`, cacheDir });
    git(work, 'checkout', '--quiet', '--orphan', 'other');
    const oid = commit({ 'a.md': 'another history' });
    const tree = await fetched({ url: `${open.url}/rewritten.git`, cacheDir });
    expect(tree.commit?.oid).toBe(oid);
  });

  test('takes many fetches of one cache at once', async () => {
    makeRepository('busy', { 'a.md': 'a', 'b.md': 'b' });
    const cacheDir = newCache();
    const trees = await Promise.all(
      Array.from({ length: 6 }, () => fetched({ url: `${open.url}/busy.git`, cacheDir })),
    );
    const texts = await Promise.all(trees.map(async (tree) => (await tree.read('b.md')).toString()));
    expect(texts).toEqual(Array(6).fill('b'));
    expect(readdirSync(cacheDir)).toHaveLength(2);
  });

  test('throws a damaged cache away and fetches anew', async () => {
    const { commit } = makeRepository('damaged', { 'a.md': 'a'.repeat(5000), 'b.md': 'b' });
    const cacheDir = newCache();
    const url = `${open.url}/damaged.git`;
    const damage = [
      (dir: string) =>
        truncateSync(
          join(
            dir,
            'objects/pack',
            readdirSync(join(dir, 'objects/pack')).find((name) => name.endsWith('.pack')) ?? '',
          ),
          40,
        ),
      (dir: string) => rmSync(join(dir, 'objects'), { recursive: true }),
      (dir: string) => rmSync(join(dir, 'objects/pack'), { recursive: true }),
      (dir: string) => writeFileSync(join(dir, 'config'), '[core\n'),
      (dir: string) => writeFileSync(join(dir, 'HEAD'), ''),
      (dir: string) => writeFileSync(join(dir, 'shallow.lock'), ''),
      (dir: string) => writeFileSync(join(dir, 'shallow'), 'nonsense'),
      (dir: string) =>
        writeFileSync(join(dir, 'refs/fetched', readdirSync(join(dir, 'refs/fetched'))[0] ?? ''), '0'.repeat(39)),
    ];
    for (const [index, harm] of damage.entries()) {
      const tree = await fetched({ url, cacheDir });
      await tree.close();
      harm(join(cacheDir, readdirSync(cacheDir).find((name) => name !== 'home') ?? ''));
      const text = `after damage ${index}`;
      commit({ 'b.md': text });
      const healed = await fetched({ url, cacheDir }).then(async (again) => (await again.read('b.md')).toString());
      expect(healed).toBe(text);
    }
  });

  test('a cache id keeps clones apart, and never joins two addresses', async () => {
    makeRepository('one', { 'a.md': 'a' });
    makeRepository('two', { 'a.md': 'a' });
    const cacheDir = newCache();
    await fetched({ url: `${open.url}/one.git`, cacheDir, cacheId: 'x' });
    await fetched({ url: `${open.url}/one.git`, cacheDir, cacheId: 'y' });
    await fetched({ url: `${open.url}/two.git`, cacheDir, cacheId: 'x' });
    expect(readdirSync(cacheDir).filter((name) => name !== 'home')).toHaveLength(3);
  });

  test('drops the longest unused clones when the cache is full', async () => {
    makeRepository('old', { 'a.md': 'a' });
    makeRepository('new', { 'a.md': 'a' });
    const cacheDir = newCache();
    const held = await fetched({ url: `${open.url}/old.git`, cacheDir, cacheMaxBytes: 1 });
    const other = await fetched({ url: `${open.url}/new.git`, cacheDir, cacheMaxBytes: 1 });
    expect(readdirSync(cacheDir)).toHaveLength(3);
    await held.close();
    await other.close();
    await fetched({ url: `${open.url}/new.git`, cacheDir, cacheMaxBytes: 1 });
    expect(readdirSync(cacheDir)).toHaveLength(2);
  });

  test('a symbolic link stands for a file of the tree, and leads nowhere else', async () => {
    const { work, commit } = makeRepository('links', { 'docs/page.md': 'page', 'top.md': 'top' });
    symlinkSync('../top.md', join(work, 'docs/up.md'));
    symlinkSync('up.md', join(work, 'docs/twice.md'));
    symlinkSync('/etc/passwd', join(work, 'docs/absolute.md'));
    symlinkSync('../../../../etc/passwd', join(work, 'docs/escape.md'));
    symlinkSync('docs', join(work, 'folder'));
    symlinkSync('loop-b', join(work, 'loop-a'));
    symlinkSync('loop-a', join(work, 'loop-b'));
    commit({});
    const tree = await fetched({ url: `${open.url}/links.git` });
    expect(tree.files.map((file) => file.path)).toEqual(['docs/page.md', 'docs/twice.md', 'docs/up.md', 'top.md']);
    expect((await tree.read('docs/twice.md')).toString()).toBe('top');
    const part = await fetched({ url: `${open.url}/links.git`, within: './docs/' });
    expect(part.files.map((file) => file.path)).toEqual(['docs/page.md', 'docs/twice.md', 'docs/up.md']);
  });

  test('leaves submodules out', async () => {
    const { work } = makeRepository('modules', { 'a.md': 'a' });
    git(work, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
    git(work, 'commit', '--quiet', '-m', 'with a submodule');
    git(work, 'push', '--quiet', join(root, 'modules.git'), 'HEAD:refs/heads/main');
    const tree = await fetched({ url: `${open.url}/modules.git` });
    expect(tree.files.map((file) => file.path)).toEqual(['a.md']);
  });

  test('names the file that is too large, unless it lies outside the folder asked for', async () => {
    makeRepository('large', { 'docs/a.md': 'a', 'media/film.bin': 'x'.repeat(3000) });
    const url = `${open.url}/large.git`;
    const refused = await failure({ url, maxFileBytes: 2000 });
    expect(refused).toMatchObject({ reason: 'too-large', message: expect.stringContaining('media/film.bin') });
    expect((await fetched({ url, maxFileBytes: 2000, within: 'docs' })).files).toHaveLength(1);
  });

  test('refuses more files than allowed, also from trees that hold each other many times', async () => {
    const { work } = makeRepository('bomb', { 'a.md': 'a' });
    let tree = git(work, 'rev-parse', 'HEAD^{tree}').trim();
    for (let level = 0; level < 9; level++) {
      const entries = Array.from({ length: 10 }, (_, i) => `040000 tree ${tree}\td${i}`).join('\n');
      tree = execFileSync('git', ['mktree'], { cwd: work, input: `${entries}\n`, encoding: 'utf8' }).trim();
    }
    const commit = git(work, 'commit-tree', tree, '-m', 'a bomb').trim();
    git(work, 'push', '--quiet', '--force', join(root, 'bomb.git'), `${commit}:refs/heads/main`);
    expect(await failure({ url: `${open.url}/bomb.git` })).toMatchObject({ reason: 'too-large' });
  });

  test('reports progress', async () => {
    makeRepository('progress', { 'a.md': 'a', 'b.md': 'b' });
    const seen: string[] = [];
    await fetched({
      url: `${open.url}/progress.git`,
      onProgress: ({ stage, done, total }) => seen.push(`${stage} ${done}/${total}`),
    });
    expect(seen).toContain('receiving 4/4');
  });
});

describe('what cannot be fetched', () => {
  test('a branch that is not there, a repository that is not there, a page that is no repository', async () => {
    makeRepository('here', { 'a.md': 'a' });
    expect(await failure({ url: `${open.url}/here.git`, ref: 'refs/heads/nope' })).toMatchObject({
      reason: 'ref-not-found',
    });
    expect(await failure({ url: `${open.url}/nowhere.git` })).toMatchObject({ reason: 'not-found' });
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
    expect(await failure({ url: `${open.url}/plain.git`, ref })).toMatchObject({ reason: 'invalid' });
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
    expect(await failure({ url: `${open.url}/unsafe.git` })).toMatchObject({ reason: 'unsafe' });
  });

  test('more bytes than allowed', async () => {
    const noise = Buffer.from(Array.from({ length: 500_000 }, (_, i) => (i * 104_729 * (i % 253)) % 256));
    makeRepository('heavy', { 'noise.bin': noise });
    const cacheDir = newCache();
    expect(await failure({ url: `${open.url}/heavy.git`, cacheDir, maxBytes: 10_000 })).toMatchObject({
      reason: 'too-large',
    });
    expect(processesOf(cacheDir)).toEqual([]);
  });
});

describe('private addresses', () => {
  let strict: GuardedProxy;
  beforeAll(() => {
    strict = createProxy();
  });
  afterAll(() => strict.close());

  test('are refused by number and by name', async () => {
    const { port } = new URL(open.url);
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::1]', 'localhost']) {
      expect(await failure({ url: `http://${host}:${port}/plain.git`, proxy: strict })).toMatchObject({
        reason: 'refused',
      });
    }
  });

  test('are refused behind a redirect', async () => {
    const url = await serve((message, reply) => {
      const to = `http://127.0.0.2:${new URL(open.url).port}${message.url}`;
      reply.writeHead(302, { location: to }).end();
    });
    expect(await failure({ url: `${url}/plain.git` })).toMatchObject({ reason: 'refused' });
  });

  test('a redirect to an allowed address is followed', async () => {
    makeRepository('moved', { 'a.md': 'a' });
    const url = await serve((message, reply) => {
      reply.writeHead(301, { location: `${open.url}${message.url?.replace('/old', '/moved.git')}` }).end();
    });
    expect((await fetched({ url: `${url}/old` })).files).toHaveLength(1);
  });
});

describe('credentials', () => {
  function withCredentials(base: string, { username, password } = credentials): string {
    return base.replace('://', `://${username}:${encodeURIComponent(password)}@`);
  }

  test('open a private repository', async () => {
    makeRepository('private', { 'a.md': 'a' });
    expect((await fetched({ url: `${withCredentials(guarded.url)}/private.git` })).files).toHaveLength(1);
  });

  test('wrong or missing: an authentication failure that repeats nothing of them', async () => {
    const wrong = withCredentials(guarded.url, { username: 'token-of-ada', password: 'wrong-secret' });
    const error = await failure({ url: `${wrong}/private.git` });
    expect(error.reason).toBe('authentication');
    expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/token-of-ada|wrong-secret/);
    expect(await failure({ url: `${guarded.url}/private.git` })).toMatchObject({ reason: 'authentication' });
    const local = await failure({ url: 'http://token-of-ada:wrong-secret@10.0.0.1/a.git' });
    expect(local.message).not.toMatch(/token-of-ada|wrong-secret/);
  });

  test('are in no argument and in no file while git runs and after', async () => {
    const cacheDir = newCache();
    let asked: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const seen: string[] = [];
    const url = await serve((message, reply) => {
      if (!message.headers.authorization) {
        reply.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
        return;
      }
      seen.push(message.headers.authorization);
      asked();
    });
    const stop = new AbortController();
    const result = failure({ url: `${withCredentials(url)}/a.git`, cacheDir, signal: stop.signal });
    await arrived;
    const running = processesOf(cacheDir);
    expect(running.length).toBeGreaterThan(0);
    expect(running.map(({ argv }) => argv).join()).toContain('/a.git');
    expect(running.map(({ argv }) => argv).join()).not.toContain('s3cret');
    stop.abort();
    expect(await result).toMatchObject({ reason: 'aborted' });
    expect(seen).toEqual([
      `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`,
    ]);
    const files = readdirSync(cacheDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.filter((file) => readFileSync(join(file.parentPath, file.name)).includes('s3cret'))).toEqual([]);
  });

  test('do not follow a redirect to another origin', async () => {
    const seen: string[] = [];
    const thief = await serve((message, reply) => {
      seen.push(message.url ?? '');
      reply.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    });
    for (const ask of [true, false]) {
      const url = await serve((message, reply) => {
        if (ask && !message.headers.authorization)
          reply.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
        else reply.writeHead(302, { location: `${thief}${message.url}` }).end();
      });
      const error = await failure({ url: `${withCredentials(url)}/a.git` });
      expect(error).toMatchObject({ reason: 'refused', message: expect.stringContaining('redirect') });
    }
    expect(seen).toEqual([]);
  });

  test('follow a redirect within their origin', async () => {
    const url = await serve((message, reply) => {
      if (message.url?.startsWith('/old/')) {
        reply.writeHead(301, { location: message.url.replace('/old/', '/private.git/') }).end();
        return;
      }
      const { method, headers } = message;
      const passed = request(`${guarded.url}${message.url}`, { method, headers }, (answer) => {
        reply.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(reply);
      });
      message.pipe(passed);
    });
    expect((await fetched({ url: `${withCredentials(url)}/old` })).files).toHaveLength(1);
  });
});

describe('ending early', () => {
  async function hanging(): Promise<{ url: string; asked: Promise<void> }> {
    let asked: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const url = await serve(() => asked());
    return { url, asked: arrived };
  }

  test('an abort leaves no process', async () => {
    const { url, asked } = await hanging();
    const cacheDir = newCache();
    const stop = new AbortController();
    const result = failure({ url: `${url}/a.git`, cacheDir, signal: stop.signal });
    await asked;
    expect(processesOf(cacheDir).length).toBeGreaterThanOrEqual(2);
    stop.abort();
    expect(await result).toMatchObject({ reason: 'aborted' });
    expect(processesOf(cacheDir)).toEqual([]);
  });

  test('a fetch that takes too long is stopped', async () => {
    const { url } = await hanging();
    const cacheDir = newCache();
    expect(await failure({ url: `${url}/a.git`, cacheDir, timeoutMs: 400 })).toMatchObject({ reason: 'timeout' });
    expect(processesOf(cacheDir)).toEqual([]);
  });

  test('an abort frees the one that waits for the same clone, too', async () => {
    const { url, asked } = await hanging();
    const cacheDir = newCache();
    const stop = new AbortController();
    const first = failure({ url: `${url}/a.git`, cacheDir, signal: stop.signal });
    await asked;
    const impatient = AbortSignal.timeout(50);
    expect(await failure({ url: `${url}/a.git`, cacheDir, signal: impatient })).toMatchObject({ reason: 'aborted' });
    stop.abort();
    await first;
  });

  test('an abort ends the reading, and closing ends its process', async () => {
    makeRepository('reading', { 'a.md': 'a' });
    const cacheDir = newCache();
    const stop = new AbortController();
    const tree = await fetched({ url: `${open.url}/reading.git`, cacheDir, signal: stop.signal });
    await tree.read('a.md');
    expect(processesOf(cacheDir)).toHaveLength(1);
    stop.abort();
    await expect(tree.read('a.md')).rejects.toMatchObject({ reason: 'aborted' });
    await tree.close();

    const other = await fetched({ url: `${open.url}/reading.git`, cacheDir: newCache() });
    await other.read('a.md');
    await other.close();
    await expect(other.read('a.md')).rejects.toMatchObject({ reason: 'aborted' });
    expect(processesOf(room)).toEqual([]);
  });
});
