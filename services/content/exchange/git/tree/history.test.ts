import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProxy, type GuardedProxy } from '../address/proxy.js';
import { type FetchOptions, fetchTree } from '../fetch.js';
import { type RepositoryServer, serveRepositories } from '../serve.js';
import type { SourceTree } from './source-tree.js';

const room = mkdtempSync(join(tmpdir(), 'bindery-history-'));
const root = join(room, 'served');
const work = join(room, 'work');
const served = join(root, 'docs.git');
const at = (day: number) => `2024-05-0${day}T00:00:00.000Z`;

let server: RepositoryServer;
let proxy: GuardedProxy;
let caches = 0;

function git(dir: string, day: number, ...args: string[]): void {
  const env = { ...process.env, GIT_COMMITTER_DATE: at(day), GIT_AUTHOR_DATE: at(1) };
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: dir, env });
}

function commit(day: number, path: string, content: string): void {
  writeFileSync(join(work, path), content);
  git(work, day, 'add', '--all');
  git(work, day, 'commit', '--quiet', '-m', 'a change');
  git(work, day, 'push', '--quiet', served, 'HEAD:refs/heads/main');
}

beforeAll(async () => {
  mkdirSync(root);
  mkdirSync(work);
  git(room, 1, 'init', '--quiet', '--bare', served);
  git(served, 1, 'config', 'uploadpack.allowFilter', 'true');
  git(work, 1, 'init', '--quiet', '--initial-branch=main');
  server = await serveRepositories({ root });
  proxy = createProxy({ allowCidrs: ['127.0.0.1/32'] });
});

afterAll(async () => {
  await Promise.all([server.close(), proxy.close()]);
  rmSync(room, { recursive: true, force: true });
});

const opened = (options: Partial<FetchOptions> = {}): Promise<SourceTree> =>
  fetchTree({
    owner: 'tests',
    url: `${server.url}/docs.git`,
    ref: 'refs/heads/main',
    proxy,
    cacheDir: newCache(),
    ...options,
  });

const newCache = () => join(room, `cache-${++caches}`);

async function timesOf(paths: string[], options: Partial<FetchOptions> = {}) {
  const tree = await opened(options);
  try {
    return Object.fromEntries((await tree.times?.(new Set(paths))) ?? []);
  } finally {
    await tree.close();
  }
}

test('the times of files are those of the commits that made and changed them', async () => {
  commit(1, 'a b.md', 'one');
  expect(await timesOf(['a b.md'])).toEqual({ 'a b.md': { createdAt: at(1), updatedAt: at(1) } });
  commit(2, 'é.md', randomBytes(150_000).toString('base64'));
  commit(3, 'a b.md', 'two');
  commit(4, 'é.md', 'short');
  const cacheDir = newCache();
  const known = { 'a b.md': { createdAt: at(1), updatedAt: at(3) }, 'é.md': { createdAt: at(2), updatedAt: at(4) } };
  // Less than the files that were there once: they are not fetched.
  expect(await timesOf(['a b.md', 'é.md', 'none.md'], { cacheDir, historyMaxBytes: 50_000 })).toEqual(known);
  commit(5, 'c.md', 'x');
  const later = { ...known, 'c.md': { createdAt: at(5), updatedAt: at(5) } };
  expect(await timesOf(['a b.md', 'é.md', 'c.md'], { cacheDir })).toEqual(later);
  git(work, 6, 'commit', '--quiet', '--allow-empty', '-m', 'nothing');
  git(work, 6, 'push', '--quiet', served, 'HEAD:refs/heads/main');
  expect(await timesOf(['c.md'], { cacheDir })).toEqual({ 'c.md': later['c.md'] });
});

test('a history that is too large is left out, and not fetched again', async () => {
  const cacheDir = newCache();
  expect(await timesOf(['c.md'], { cacheDir, historyMaxBytes: 500 })).toEqual({});
  expect(await timesOf(['c.md'], { cacheDir })).toEqual({});
  const marked = readdirSync(cacheDir).filter(
    (name) => name !== 'home' && readdirSync(join(cacheDir, name)).length === 1,
  );
  expect(marked).toHaveLength(1);
});

test('what cannot be fetched has no times', async () => {
  const tree = await opened();
  const moved = `${served}.moved`;
  execFileSync('mv', [served, moved]);
  try {
    expect((await tree.times?.(new Set(['c.md'])))?.size).toBe(0);
  } finally {
    execFileSync('mv', [moved, served]);
    await tree.close();
  }
});

test('a commit from the future gets the current time', async () => {
  const before = Date.now();
  const env = { ...process.env, GIT_COMMITTER_DATE: '2099-01-01T00:00:00Z' };
  writeFileSync(join(work, 'c.md'), 'later');
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-qam', 'x'], { cwd: work, env });
  git(work, 7, 'push', '--quiet', served, 'HEAD:refs/heads/main');
  const { 'c.md': times } = await timesOf(['c.md']);
  expect(Date.parse(times?.updatedAt ?? '')).toBeLessThanOrEqual(Date.now());
  expect(Date.parse(times?.updatedAt ?? '')).toBeGreaterThanOrEqual(before - 1000);
});
