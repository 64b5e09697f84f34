import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import { giveWay, inBackground } from '../../../../shared/work/give-way.js';
import { RuntimeFailure } from '../failure.js';

const niceness = inBackground + 2;
const workerdPackage: string = 'workerd';
const mostRuntimeThreads = 16;
const keptOfErrors = 16 * 1024;

/**
 * Writable memory that the process may map, in KiB: what workerd maps before it runs anything, with a stack for each of its threads, and some
 * 250 MiB. The resident memory is what is limited; this only refuses at once what no limit that is checked from time to time could.
 */
const dataKibibytes = 800_000 + 8192 * Math.min(mostRuntimeThreads, availableParallelism());

/**
 * Limits itself and becomes the command. Its child waits for the end of descriptor 4, which this program holds: if this program dies, so does
 * the process, and its folder goes with it.
 */
const shell = `ulimit -d ${dataKibibytes} 2>/dev/null; ulimit -c 0
(read -r _ <&4; kill -9 $$; rm -rf "$0") >/dev/null 2>&1 3>&- &
exec "$@" 4<&-`;

/** A process of workerd. */
export interface Launched {
  child: ChildProcess;
  pid: number;
  output: Readable;
  /** Resolves when its sockets take requests; never if it ends before. */
  listening: Promise<void>;
  /** Resolves when it is gone and everything that it wrote was read. */
  gone: Promise<NodeJS.Signals | number | null>;
  /** The last of what it wrote to standard error. */
  errors(): string;
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

/** Starts workerd in a folder, with the configuration there, and without any environment variable. */
export function launch(workerd: string, folder: string, configuration: string, sockets: number): Launched {
  const args = ['-c', shell, folder, workerd, 'serve', configuration, '--control-fd=3'];
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const;
  const child = spawn('/bin/sh', args, { cwd: folder, env: {}, stdio: [...stdio] });
  const [, output, errorOutput, control, lifeline] = child.stdio as unknown as [
    null,
    Readable,
    Readable,
    Duplex,
    Duplex,
  ];
  giveWay(child.pid, niceness);
  for (const stream of [control, lifeline]) stream.on('error', () => undefined);
  const gone = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.once('exit', () => lifeline.destroy());
    child.once('error', () => resolve(null));
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  let tail = '';
  errorOutput.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-keptOfErrors);
  });
  return { child, pid: child.pid ?? 0, output, gone, listening: listenEvents(control, sockets), errors: () => tail };
}

/** Each listening socket is one line on the control descriptor. */
const listenEvents = (control: Readable, sockets: number): Promise<void> =>
  new Promise((resolve) => {
    let told = '';
    control.on('data', (chunk: Buffer) => {
      told += chunk.toString();
      if (told.split('"listen"').length > sockets) resolve();
    });
  });
