import { constants } from 'node:fs';
import { mkdtemp, open, rmdir, unlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { RuntimeFailure } from '../failure.js';
import { type GuardOptions, openGuard } from '../guard/guard.js';
import type { Launched, Launcher } from './launched.js';
import { type ScriptFormat, type Sockets, socketsIn, workerFiles } from './worker-files.js';

/** A script that can be run. */
export interface Program {
  /** The integration's name. */
  name: string;
  /** The one that owns it: organizations take turns. */
  organization: string;
  /** Changes with each publish. */
  version: string;
  format: ScriptFormat;
  script: () => Promise<string>;
}

/** A started process with its folder and its guard. */
export interface Started extends Launched {
  sockets: Sockets;
  /** Removes what it leaves, once it is gone. */
  remove(): Promise<void>;
}

/** A full disk, or no folder for processes, is no fault of the script. */
const asOurs = (error: unknown): RuntimeFailure =>
  error instanceof RuntimeFailure
    ? error
    : new RuntimeFailure('busy', 'Scripts of integrations cannot be run at present', { cause: error });

/**
 * Starts a process for a script, with a guard of its own; does not wait until it listens. Rejects with a `RuntimeFailure`, or with why the script
 * cannot be read.
 */
export async function startProcess(
  program: Program,
  launcher: Launcher,
  guardOptions: Omit<GuardOptions, 'socket' | 'organization'>,
): Promise<Started> {
  const script = await program.script();
  const folder = await makeFolder(launcher.folder).catch((error: unknown) => {
    throw asOurs(error);
  });
  const sockets = socketsIn(folder.path);
  const ends: (() => Promise<void>)[] = [folder.remove];
  const remove = async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    const guard = await openGuard({ ...guardOptions, organization: program.organization, socket: sockets.guard });
    ends.push(guard.close);
    await folder.write(workerFiles(folder.path, program.format, script));
    return { ...(await launcher.launch(folder.path)), sockets, remove };
  } catch (error) {
    await remove();
    throw asOurs(error);
  }
}

/** The folder of a process. */
interface ProcessFolder {
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
