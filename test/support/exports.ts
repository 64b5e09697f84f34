import { newOrganization, newSpace, shared } from './fixtures.js';
import {
  type CommittedFiles,
  type ImportOptions,
  importInto,
  named,
  openRepositories,
  operationEnd,
  pagesOf,
  type Repositories,
} from './repository.js';
import type { Client } from './server.js';

export interface Setting {
  client: Client;
  organization: string;
  repositories: Repositories;
}

/** What the tests of one file export with; its hooks open and close the repositories. */
export function exportSetting(): Setting {
  const setting = { client: shared() } as Setting;
  beforeAll(async () => {
    setting.repositories = await openRepositories({ allowPush: true });
    setting.organization = await newOrganization(setting.client);
  });
  afterAll(() => setting.repositories.close());
  return setting;
}

/** A new space that writers change at once, and a repository to export it to. */
export async function exportedSpace({ client, organization, repositories }: Setting, name: string) {
  const space = await newSpace(client, organization, { editMode: 'live' });
  const url = `${repositories.url}/${name}.git`;
  const content = `/v1/spaces/${space}/content`;
  return {
    space,
    url,
    repository: lookInto(repositories, name),
    /** Changes the content; all must be taken. */
    async write(...changes: unknown[]): Promise<void> {
      const { status, body } = await client.post(content, { changes });
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    },
    commit: (files: CommittedFiles, branch = 'main') => repositories.commit(name, files, { branch }),
    importNow: (options: object = {}) => importInto(client, space, { url, ...options }),
    exportNow: (options: object = {}) => exportFrom(client, space, { url, ...options }),
    pages: () => pagesOf(client, space),
    idOf: async (title: string) => (await named(client, space, title)).id,
    source: async (title: string): Promise<string> =>
      (await client.get(`${content}/page/${(await named(client, space, title)).id}?format=source`)).body.source,
    revision: async () => (await client.get(content)).body,
  };
}

/** The same with the content of one commit to its repository. */
export async function syncedSpace(setting: Setting, name: string, files: CommittedFiles, options: object = {}) {
  const first = await setting.repositories.commit(name, files);
  const made = await exportedSpace(setting, name);
  const { state, error } = await made.importNow(options);
  if (state !== 'success') throw new Error(error);
  return { ...made, first };
}

/** Exports and waits for the end; the operation as `git/info` shows it. */
export async function exportFrom(
  client: Client,
  space: string,
  { ref = 'refs/heads/main', ...options }: ImportOptions,
): Promise<any> {
  const body = { ref, commitMessage: 'Export', ...options };
  const { status, body: answer } = await client.post(`/v1/spaces/${space}/git/export`, body);
  if (status !== 204) throw new Error(`${status} ${JSON.stringify(answer)}`);
  return operationEnd(client, space);
}

/** Looks into one repository that exports write to. */
export function lookInto(repositories: Repositories, name: string) {
  const git = (...args: string[]) => repositories.git(name, ...args);
  const linesOf = (text: string) => text.split('\n').filter(Boolean);
  const plain = ['-c', 'core.quotePath=false'];
  const differences = ['diff', '--no-renames', '--no-color'];
  return {
    git,
    /** The commit that a branch is at; an empty text where there is none. */
    head: (branch = 'main') => git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`),
    /** The paths of all files of a branch or commit, in order. */
    paths: async (at = 'main') => linesOf(await git(...plain, 'ls-tree', '-r', '--name-only', at)),
    /** `<mode> <path>` of all files, in order. */
    modes: async (at = 'main') => linesOf(await git(...plain, 'ls-tree', '-r', '--format=%(objectmode) %(path)', at)),
    /** A file, without white space at both ends. */
    file: (path: string, at = 'main') => git('cat-file', 'blob', `${at}:${path}`),
    /** The hash of a file. */
    oid: (path: string, at = 'main') => git('rev-parse', `${at}:${path}`),
    /** What two commits differ in: `M guide.md`, `100644>100755 a.md`. */
    changes: async (from: string, to = 'main') =>
      linesOf(await git(...plain, ...differences, '--raw', from, to)).map((line) => {
        const [, before, after, status, path] = /^:(\d+) (\d+) \S+ \S+ (\w)\t(.*)$/.exec(line) ?? [];
        return status === 'M' && before !== after ? `${before}>${after} ${path}` : `${status} ${path}`;
      }),
    /** The lines of a file that two commits differ in: `-old`, `+new`. */
    lines: async (path: string, { from, to = 'main' }: { from: string; to?: string }) =>
      linesOf(await git(...differences, '--unified=0', from, to, '--', path)).filter((line) =>
        /^[+-](?!\+\+ |-- )/.test(line),
      ),
    /** The messages of all commits, latest first. */
    messages: async (branch = 'main') => linesOf(await git('log', '--format=%s', branch)),
  };
}
