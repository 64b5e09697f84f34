import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import type { Log } from '../../../../shared/monitoring/log.js';
import { giveWay, inBackground } from '../../../../shared/workers/process-priority.js';
import { RuntimeFailure } from '../failure.js';
import { collectTail, type End, type Launched, type Launcher } from './launched.js';
import { behindWalls, endBehind, missingWalls, parsePid } from './walls.js';
import { configurationFile } from './worker-files.js';

const niceness = inBackground + 2;
const workerdPackage: string = 'workerd';
const maxRuntimeThreads = 16;
/** Sockets that a start waits for: the script's, and that of the worker that shows whether the process is well. */
const listeners = 2;

/**
 * Writable memory that the process may map, in KiB: what workerd maps before it runs anything, with a stack for each of its threads, and some
 * 250 MiB. The resident memory is what is limited; this only refuses at once what no limit that is checked from time to time could.
 */
const dataKibibytes = 800_000 + 8192 * Math.min(maxRuntimeThreads, availableParallelism());

/**
 * Limits itself and becomes the command. Its child waits for the end of descriptor 4, which this program holds: if this program dies, so does
 * the process, and its folder goes with it.
 */
const shell = `ulimit -d ${dataKibibytes} 2>/dev/null; ulimit -c 0
(read -r _ <&4; kill -9 $$; rm -rf "$0") >/dev/null 2>&1 3>&- 5>&- &
exec "$@" 4<&-`;
const descriptors = { control: 3, info: 5 } as const;

/** Whether processes have the kernel's walls around them: where that is possible, or not without. */
export type Sandbox = 'auto' | 'required';

interface Ground {
  workerd: string;
  hasWalls: boolean;
}

/** Runs processes as children of this one. */
export function launcherHere(sandbox: Sandbox, log: Log): Launcher {
  let found: Promise<Ground> | undefined;
  return {
    folder: tmpdir(),
    async launch(folder) {
      found ??= findGround(sandbox, log);
      return start(await found, folder);
    },
  };
}

async function findGround(sandbox: Sandbox, log: Log): Promise<Ground> {
  const workerd = await workerdPath();
  const missing = await missingWalls(workerd);
  if (missing === undefined) return { workerd, hasWalls: true };
  log[sandbox === 'required' ? 'error' : 'info'](
    { reason: missing },
    'scripts of integrations have no walls of the kernel',
  );
  if (sandbox === 'required')
    throw new RuntimeFailure('missing', `integration scripts need a sandbox here: ${missing}`);
  return { workerd, hasWalls: false };
}

export async function workerdPath(): Promise<string> {
  try {
    const { default: loaded } = (await import(workerdPackage)) as { default: { default: string } };
    return loaded.default;
  } catch {
    throw new RuntimeFailure(
      'missing',
      'integration scripts need the optional workerd package for this machine: install it with npm ci',
    );
  }
}

/** Starts workerd in a folder, without any environment variable. */
function start({ workerd, hasWalls }: Ground, folder: string): Launched {
  const { control, info } = descriptors;
  const serve = ['serve', join(folder, configurationFile), `--control-fd=${control}`];
  const command = hasWalls ? behindWalls(workerd, folder, info) : [workerd];
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'] as const;
  const child = spawn('/bin/sh', ['-c', shell, folder, ...command, ...serve], {
    cwd: folder,
    env: {},
    stdio: [...stdio],
  });
  const [, output, errorOutput, controls, lifeline, infoStream] = child.stdio as unknown as [
    null,
    Readable,
    Readable,
    Duplex,
    Duplex,
    Duplex,
  ];
  giveWay(child.pid, niceness);
  for (const stream of [controls, lifeline, infoStream]) stream.on('error', () => undefined);
  const gone = new Promise<End>((resolve) => {
    child.once('exit', () => lifeline.destroy());
    child.once('error', () => resolve(null));
    child.once('close', (code, signal) => resolve(signal ?? (hasWalls ? endBehind(code) : code)));
  });
  const informed = collectTail(infoStream);
  // Bubblewrap takes the place of the shell, and what it starts takes the place of bubblewrap.
  const findPid = () => parsePid(informed()) ?? child.pid ?? 0;
  return {
    output,
    errorOutput,
    gone,
    listening: listenEvents(controls, listeners),
    use: () => ({ processorMs: processorMsOf(findPid()), residentBytes: residentBytesOf(findPid()) }),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Each listening socket is one line on the control descriptor. */
const listenEvents = (control: Readable, sockets: number): Promise<void> =>
  new Promise((resolve) => {
    let received = '';
    control.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (received.split('"listen"').length > sockets) resolve();
    });
  });

/** The unit of `/proc/<pid>/stat`. */
const tickMs = 10;
/** Share of the elapsed time that counts as processor time where the system does not report it. */
const presumedPart = 1 / 3;

/** The processor time that a process has used, in milliseconds from any beginning. */
export function processorMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return performance.now() * presumedPart;
  }
}

/** The resident memory of a process; 0 where the system does not report it. */
export function residentBytesOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
