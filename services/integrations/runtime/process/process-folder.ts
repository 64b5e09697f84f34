import { constants } from 'node:fs';
import { mkdtemp, open, rmdir, unlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { socketsIn } from './worker-files.js';

/** The folder of a process. */
export interface ProcessFolder {
  path: string;
  /** Writes new files, by their names. Rejects where there is one of that name. */
  write(files: Record<string, string>): Promise<void>;
  /** Removes what was written, the sockets and the folder, if nothing else is in it. Never rejects. */
  remove(): Promise<void>;
}

/**
 * Makes the folder of a process, and holds it open: whoever runs the process may put a link in its place, or into it, and none is to be
 * followed to files of this process. What else a process leaves in its folder, its own shell removes.
 */
export async function makeFolder(within: string): Promise<ProcessFolder> {
  const path = await mkdtemp(join(within, 'bi-'));
  const handle = await open(path, constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const held = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
  const names = Object.values(socketsIn(path)).map((socket) => basename(socket));
  return {
    path,
    async write(files) {
      names.push(...Object.keys(files));
      await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(held, name), text, { flag: 'wx' })));
    },
    async remove() {
      await Promise.allSettled(names.map((name) => unlink(join(held, name))));
      await Promise.allSettled([handle.close(), rmdir(path)]);
    },
  };
}
