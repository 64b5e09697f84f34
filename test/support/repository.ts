import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type ServeOptions, serveRepositories } from '../../services/content/exchange/git/serve.js';
import { eventually } from '../../shared/testing/eventually.js';
import { newSpace } from './fixtures.js';
import type { Client } from './server.js';

const run = promisify(execFile);

export interface CommitOptions {
  branch?: string;
  /** When it was made; now by default. */
  at?: string;
  /** The commit that the files were made from: refused where the branch has another by now. */
  onto?: string;
}

/** What a commit writes, by path; null deletes a file. */
export type CommittedFiles = Record<string, string | Buffer | { executable: string } | { linkTo: string } | null>;

/** Real repositories behind git's own HTTP backend. */
export interface Repositories {
  url: string;
  /** Commits these files to a repository, made on first use, on top of what the branch has; the hash of the commit. */
  commit(name: string, files: CommittedFiles, options?: CommitOptions): Promise<string>;
  /** Makes a repository without commits. */
  makeEmpty(name: string): Promise<void>;
  /** The output of git in the repository that is served. */
  git(name: string, ...args: string[]): Promise<string>;
  /** Makes the repository run a shell script as one of its hooks. */
  hook(name: string, hook: string, script: string): Promise<void>;
  /** The folder of the repository that is served. */
  folderOf(name: string): string;
  close(): Promise<void>;
}

type RepositoriesOptions = Pick<ServeOptions, 'credentials' | 'allowPush'>;

export async function openRepositories(options: RepositoriesOptions = {}): Promise<Repositories> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-repositories-'));
  const served = join(folder, 'served');
  await mkdir(served);
  const server = await serveRepositories({ root: served, ...options });
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'core.autocrlf=false'];
  const git = async (name: string, ...args: string[]) => {
    return (await run('git', ['-C', join(folder, name), ...identity, ...args])).stdout.trim();
  };
  const folderOf = (name: string) => join(served, `${name}.git`);
  const made = new Set<string>();
  const make = async (name: string, branch: string) => {
    await mkdir(join(folder, name));
    await git(name, 'init', '--quiet', `--initial-branch=${branch}`);
    await run('git', ['init', '--quiet', '--bare', `--initial-branch=${branch}`, folderOf(name)]);
    await git(name, 'remote', 'add', 'origin', folderOf(name));
    made.add(name);
  };
  /** Others may have pushed. */
  const update = async (name: string, branch: string) => {
    await git(name, 'fetch', '--quiet', '--prune', 'origin');
    if ((await git(name, 'branch', '--remotes', '--list', `origin/${branch}`)) !== '')
      await git(name, 'checkout', '--quiet', '-B', branch, `origin/${branch}`);
  };
  return {
    url: server.url,
    async commit(name, files, { branch = 'main', at, onto } = {}) {
      if (!made.has(name)) await make(name, branch);
      if (options.allowPush) await update(name, branch);
      if (onto !== undefined && (await git(name, 'rev-parse', 'HEAD')) !== onto) throw new Error('others pushed');
      for (const [path, content] of Object.entries(files)) await put(join(folder, name, path), content);
      await git(name, 'add', '--all');
      const message = `Change ${Object.keys(files).join(', ')}`;
      const env = at === undefined ? process.env : { ...process.env, GIT_COMMITTER_DATE: at, GIT_AUTHOR_DATE: at };
      await run('git', ['-C', join(folder, name), ...identity, 'commit', '--quiet', '--allow-empty', '-m', message], {
        env,
      });
      await git(name, 'push', '--quiet', 'origin', `HEAD:${branch}`);
      return git(name, 'rev-parse', 'HEAD');
    },
    makeEmpty: (name) => make(name, 'main'),
    git: (name, ...args) => git(join('served', `${name}.git`), ...args),
    hook: (name, hook, script) => put(join(folderOf(name), 'hooks', hook), { executable: `#!/bin/sh\n${script}\n` }),
    folderOf,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function put(target: string, content: CommittedFiles[string]): Promise<void> {
  if (content === null) return rm(target);
  await mkdir(dirname(target), { recursive: true });
  if (typeof content === 'string' || Buffer.isBuffer(content)) return writeFile(target, content);
  if ('linkTo' in content) return symlink(content.linkTo, target);
  await writeFile(target, content.executable);
  await chmod(target, 0o755);
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

export const operationEnd = (client: Client, space: string): Promise<any> =>
  eventually(
    'the end of a Git operation',
    async () => (await client.get(`/v1/spaces/${space}/git/info`)).body.operation,
    ({ state }) => !['queued', 'running'].includes(state),
  );

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
