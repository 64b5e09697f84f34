import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const children = new Set<ChildProcess>();
const folders = new Set<string>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Kills a process with this one, if it still runs by then. */
export function endWithThis<C extends ChildProcess>(child: C): C {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** A temporary folder that is removed with this process. */
export async function newFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `bindery-cluster-${name}-`));
  folders.add(folder);
  return folder;
}

/** What every process of the tests knows, so that the runner finds those that are left over. */
export function ofTests(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR, BINDERY_TEST_RUN } = process.env;
  return { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...(BINDERY_TEST_RUN && { BINDERY_TEST_RUN }) };
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
