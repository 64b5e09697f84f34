import { RuntimeFailure } from '../failure.js';
import { type GuardOptions, openGuard } from '../guard/guard.js';
import type { Launched, Launcher } from './launched.js';
import { makeFolder } from './process-folder.js';
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
