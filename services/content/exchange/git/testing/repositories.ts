import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createProxy, type GuardedProxy } from '../address/proxy.js';
import type { GitFailure } from '../command/failure.js';
import { type FetchOptions, fetchTree } from '../fetch.js';
import { type RepositoryServer, serveRepositories } from '../serve.js';
import type { SourceTree } from '../tree/source-tree.js';

export const credentials = { username: 'ada', password: 's3cret-tok/en' };

type Files = Record<string, string | Buffer>;
type Fetch = Partial<FetchOptions> & { url: string };

interface Servers {
  open: RepositoryServer;
  /** Asks for `credentials`. */
  guarded: RepositoryServer;
  proxy: GuardedProxy;
}

export function git(dir: string, ...args: string[]): string {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...author, ...args], { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Every running process whose environment names the folder, as `/proc` shows them. */
export function processesOf(cacheDir: string): { argv: string }[] {
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

/** Repositories served for the tests of one file, and fetches from them; the hooks of the file open and close everything. */
export function servedRepositories() {
  const room = mkdtempSync(join(tmpdir(), 'bindery-git-'));
  const root = join(room, 'served');
  const servers = {} as Servers;
  const ends: (() => Promise<unknown>)[] = [];
  let caches = 0;

  beforeAll(async () => {
    mkdirSync(root);
    servers.open = await serveRepositories({ root, allowPush: true });
    servers.guarded = await serveRepositories({ root, credentials, allowPush: true });
    servers.proxy = createProxy({ allowCidrs: ['127.0.0.1/32'] });
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  afterAll(async () => {
    const { open, guarded, proxy } = servers;
    await Promise.all([open.close(), guarded.close(), proxy.close()]);
    rmSync(room, { recursive: true, force: true });
  });

  /** A served repository with a work tree to commit from. */
  function makeRepository(name: string, files: Files) {
    const work = join(room, `${name}-work`);
    mkdirSync(work);
    git(work, 'init', '--quiet');
    git(room, 'init', '--quiet', '--bare', join(root, `${name}.git`));
    const repository = {
      work,
      commit(changed: Files, message = 'a change'): string {
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

  const newCache = (): string => join(room, `cache-${++caches}`);

  async function fetched(options: Fetch): Promise<SourceTree> {
    const { proxy } = servers;
    const tree = await fetchTree({
      owner: 'tests',
      ref: 'refs/heads/main',
      proxy,
      cacheDir: newCache(),
      timeoutMs: 20_000,
      ...options,
    });
    ends.push(() => tree.close());
    return tree;
  }

  const failure = (options: Fetch): Promise<GitFailure> =>
    fetched(options).then(
      () => {
        throw new Error('the fetch succeeded');
      },
      (error: GitFailure) => error,
    );

  /** Any HTTP server, until the test ends; returns its URL. */
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  return { room, root, servers, makeRepository, newCache, fetched, failure, serve };
}
