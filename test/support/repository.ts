import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { serveRepositories } from '../../services/content/git/serve.js';
import { newSpace } from './fixtures.js';
import type { Client } from './server.js';

const run = promisify(execFile);

export interface CommitOptions {
  branch?: string;
  /** When it was made; now by default. */
  at?: string;
}

/** What a commit writes, by path; null deletes a file. */
export type CommittedFiles = Record<string, string | Buffer | null>;

/** Real repositories behind git's own HTTP backend. */
export interface Repositories {
  url: string;
  /** Commits these files to a repository, made on first use; the hash of the commit. */
  commit(name: string, files: CommittedFiles, options?: CommitOptions): Promise<string>;
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

/** A new space with the content of one commit to the repository `name`. */
export async function importedSpace(
  { client, organization, repositories }: { client: Client; organization: string; repositories: Repositories },
  name: string,
  files: CommittedFiles,
) {
  const commit = await repositories.commit(name, files);
  const space = await newSpace(client, organization);
  const url = `${repositories.url}/${name}.git`;
  const operation = await importInto(client, space, { url });
  return { space, url, commit, operation };
}

export interface ShownPage {
  id: string;
  title: string;
  type: string;
  path?: string;
  pages?: ShownPage[];
  [field: string]: any;
}

export const flatPages = (pages: ShownPage[]): ShownPage[] =>
  pages.flatMap((page) => [page, ...flatPages(page.pages ?? [])]);

/** All pages of a space, in order. */
export const pagesOf = async (client: Client, space: string): Promise<ShownPage[]> =>
  flatPages((await client.get(`/v1/spaces/${space}/content/pages`)).body.pages);

export const named = async (client: Client, space: string, title: string) =>
  (await pagesOf(client, space)).find((page) => page.title === title) as ShownPage;
