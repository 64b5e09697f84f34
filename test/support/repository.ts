import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { serveRepositories } from '../../services/content/git/serve.js';
import type { Client } from './server.js';

const run = promisify(execFile);

export interface CommitOptions {
  branch?: string;
  /** When it was made; now by default. */
  at?: string;
}

/** Real repositories behind git's own HTTP backend. */
export interface Repositories {
  url: string;
  /** Commits these files (null deletes one) to a repository, made on first use; the hash of the commit. */
  commit(name: string, files: Record<string, string | Buffer | null>, options?: CommitOptions): Promise<string>;
  close(): Promise<void>;
}

export async function openRepositories(
  options: { credentials?: { username: string; password: string } } = {},
): Promise<Repositories> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-repositories-'));
  const served = join(folder, 'served');
  await mkdir(served);
  const server = await serveRepositories({ root: served, ...options });
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const git = async (name: string, ...args: string[]) => {
    return (await run('git', ['-C', join(folder, name), ...identity, ...args])).stdout.trim();
  };
  const made = new Set<string>();
  const make = async (name: string, branch: string) => {
    await mkdir(join(folder, name));
    await git(name, 'init', '--quiet', `--initial-branch=${branch}`);
    await run('git', ['init', '--quiet', '--bare', join(served, `${name}.git`)]);
    await git(name, 'remote', 'add', 'origin', join(served, `${name}.git`));
    made.add(name);
  };
  return {
    url: server.url,
    async commit(name, files, { branch = 'main', at } = {}) {
      if (!made.has(name)) await make(name, branch);
      for (const [path, content] of Object.entries(files)) {
        const target = join(folder, name, path);
        await mkdir(dirname(target), { recursive: true });
        if (content === null) await rm(target);
        else await writeFile(target, content);
      }
      await git(name, 'add', '--all');
      const message = `Change ${Object.keys(files).join(', ')}`;
      const env = at === undefined ? process.env : { ...process.env, GIT_COMMITTER_DATE: at, GIT_AUTHOR_DATE: at };
      await run('git', ['-C', join(folder, name), ...identity, 'commit', '--quiet', '--allow-empty', '-m', message], {
        env,
      });
      await git(name, 'push', '--quiet', 'origin', `HEAD:${branch}`);
      return git(name, 'rev-parse', 'HEAD');
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface ImportOptions {
  url: string;
  ref?: string;
  [field: string]: unknown;
}

/** Imports and waits for the end; the operation as `git/info` shows it. */
export async function importInto(
  client: Client,
  space: string,
  { ref = 'refs/heads/main', ...options }: ImportOptions,
): Promise<any> {
  const { status, body } = await client.post(`/v1/spaces/${space}/git/import`, { ref, ...options });
  if (status !== 204) throw new Error(`${status} ${JSON.stringify(body)}`);
  return operationEnd(client, space);
}

export async function operationEnd(client: Client, space: string): Promise<any> {
  for (;;) {
    const { operation } = (await client.get(`/v1/spaces/${space}/git/info`)).body;
    if (!['queued', 'running'].includes(operation.state)) return operation;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
