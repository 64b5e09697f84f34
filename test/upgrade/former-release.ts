import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFile } from '../../shared/process/package-root.js';

const run = promisify(execFile);

/** Builds a release of the past, once; its program. Rejects where the history here lacks its commit. */
export async function builtRelease(commit: string): Promise<string> {
  const folder = packageFile(`dist/former-release/${commit}`);
  const program = join(folder, 'dist/services/main.js');
  if (existsSync(folder)) return program;
  await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: packageFile('') }).catch(() => {
    throw new Error(`this clone lacks the commit ${commit} of the last release; run: git fetch --unshallow`);
  });
  const making = `${folder}-${process.pid}`;
  await mkdir(making, { recursive: true });
  const archive = join(making, 'release.tar');
  await run('git', ['archive', '--output', archive, commit], { cwd: packageFile('') });
  await run('tar', ['-xf', archive, '-C', making]);
  await rm(archive);
  if (hasPackagesOf(making)) await symlink(packageFile('node_modules'), join(making, 'node_modules'));
  else await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: making });
  await run('npm', ['run', '--silent', 'build'], { cwd: making });
  await rename(making, folder);
  return program;
}

interface Lock {
  packages: Record<string, { version?: string }>;
}

/** Whether the packages that a release locks are installed here, in the same versions. */
function hasPackagesOf(folder: string): boolean {
  const read = (path: string) => (JSON.parse(readFileSync(path, 'utf8')) as Lock).packages;
  const own = read(packageFile('package-lock.json'));
  return Object.entries(read(join(folder, 'package-lock.json'))).every(
    ([name, { version }]) => name === '' || own[name]?.version === version,
  );
}
