import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Runs with a folder of its own for files, which is removed at the end. */
export async function runInScratchFolder<T>(scratchDir: string, run: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(scratchDir, { recursive: true });
  const folder = await mkdtemp(join(scratchDir, 'work-'));
  try {
    return await run(folder);
  } finally {
    // Parallel work may still be writing after one part failed, so removal is retried.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
