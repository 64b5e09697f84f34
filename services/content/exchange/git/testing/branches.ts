import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BranchOptions, type FileChange, workOnBranch } from '../branch.js';
import type { GitFailure } from '../command/failure.js';
import { git, servedRepositories } from './repositories.js';

export const author = 'Grace Höpper <grace@example.com>';
/** The new content of a file. */
export const file = (text: string | Buffer, mode = '100644'): FileChange => ({
  mode,
  read: async () => Buffer.from(text),
});
/** A commit with these changes. */
export const changed = (changes: Record<string, FileChange>) => ({
  author,
  message: 'Say more\n\nMuch more.',
  changes: new Map(Object.entries(changes)),
});

/** The failure of work that must fail. */
export const failureOf = (work: Promise<unknown>): Promise<GitFailure> =>
  work.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: GitFailure) => error,
  );

/** Served repositories with branches that tests push to. */
export function servedBranches() {
  const repositories = servedRepositories();
  const { root, servers, newCache } = repositories;
  const optionsFor = (name: string, options: Partial<BranchOptions> = {}): BranchOptions => ({
    owner: 'tests',
    url: `${servers.open.url}/${name}.git`,
    ref: 'refs/heads/main',
    beginnings: [],
    proxy: servers.proxy,
    cacheDir: newCache(),
    timeoutMs: 20_000,
    ...options,
  });
  /** Commits and pushes; the hash of the commit. */
  const pushed = (name: string, changes: Record<string, FileChange>, options: Partial<BranchOptions> = {}) =>
    workOnBranch(optionsFor(name, options), async (branch) => {
      const oid = await branch.commit(changed(changes));
      await branch.push(oid);
      return oid;
    });
  /** The output of git in a served repository. */
  const served = (name: string, ...args: string[]) => git(join(root, `${name}.git`), ...args).trimEnd();
  /** `<mode> <path>` of all entries. */
  const inRepository = (name: string, at = 'main') =>
    served(name, 'ls-tree', '-r', '-z', at)
      .split('\0')
      .filter(Boolean)
      .map((line) => line.replace(/ blob \w+\t/, ' '));
  const hook = (name: string, which: string, script: string) => {
    const path = join(root, `${name}.git`, 'hooks', which);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  };

  return { ...repositories, optionsFor, pushed, served, inRepository, hook };
}
