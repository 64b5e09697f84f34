import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder of its own for files. Whoever asks for it removes it. */
export async function makeScratchFolder(scratchDir: string): Promise<string> {
  await mkdir(scratchDir, { recursive: true });
  return mkdtemp(join(scratchDir, 'work-'));
}

/** Parallel work may still be writing after one part failed, so removal is retried. */
export const removeScratchFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 });

/** Runs with a folder of its own for files, which is removed at the end. */
export async function runInScratchFolder<T>(scratchDir: string, run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeScratchFolder(scratchDir);
  try {
    return await run(folder);
  } finally {
    await removeScratchFolder(folder);
  }
}
