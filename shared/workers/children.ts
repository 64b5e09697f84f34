import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageFile } from '../process/package-root.js';
import {
  type ChildSpec,
  parseStreamHeader,
  type StartOrder,
  type StartReport,
  streamHeaderLength,
} from './child-orders.js';

/** A process in a group of its own, which has the number `pid`. */
export interface Child {
  pid: number;
  stdin: Socket;
  stdout: Socket;
  stderr: Socket;
  /** Its exit code, or the signal that ended it, once its output has ended too. */
  closed: Promise<number | NodeJS.Signals>;
}

/** A process of which not all is known. */
interface Ordered {
  pid?: number;
  /** By number, as they arrive, each with its end: one that is empty may end before the others arrive. */
  streams: { socket: Socket; closed: Promise<unknown> }[];
  started(child: Child): void;
  failed(error: Error): void;
  ended(end: number | NodeJS.Signals): void;
  /** Resolves with what `ended` gets. */
  end: Promise<number | NodeJS.Signals>;
}

/** How long the starter stays when nothing runs, in milliseconds. */
const idleMs = 30_000;

/**
 * A small process that starts others. To start one from this process would copy the tables of all its memory, which holds the
 * event loop for tens of milliseconds.
 */
class Starter {
  private readonly ordered = new Map<number, Ordered>();
  private last = 0;
  private idle: NodeJS.Timeout | undefined;
  private isGone = false;

  /** `onGone` is called once, when it starts nothing more. */
  constructor(
    private readonly helper: ChildProcess,
    private readonly server: Server,
    private readonly path: string,
    private readonly onGone: () => void,
  ) {
    server.on('connection', (socket) => this.takeStream(socket));
    helper.on('message', (report: StartReport) => this.takeReport(report));
    helper.once('exit', () => this.takeEnd());
    // It could not be started, or nothing more can be said to it.
    helper.on('error', () => this.takeEnd());
    this.holdProgram(false);
  }

  start(spec: ChildSpec): Promise<Child> {
    const id = ++this.last;
    const order: StartOrder = { id, ...spec };
    return new Promise((started, failed) => {
      let ended: Ordered['ended'] = () => {};
      const end = new Promise<number | NodeJS.Signals>((resolve) => {
        ended = resolve;
      });
      this.ordered.set(id, { streams: [], started, failed, ended, end });
      this.holdProgram(true);
      this.helper.send(order, (error) => error && this.fail(id, error));
    });
  }

  private takeReport(report: StartReport): void {
    const { id } = report;
    const ordered = this.ordered.get(id);
    if (!ordered) return;
    if ('error' in report) this.fail(id, new Error(report.error));
    else if ('ended' in report) ordered.ended(report.ended);
    else {
      ordered.pid = report.pid;
      this.startWhole(id, ordered);
    }
  }

  private takeStream(socket: Socket): void {
    // The end of a process that nobody reads from or writes to.
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const readHeader = () => {
      const header: Buffer | null = socket.read(streamHeaderLength);
      if (!header) return;
      socket.off('readable', readHeader);
      const { id, stream } = parseStreamHeader(header.toString());
      const ordered = this.ordered.get(id);
      if (!ordered) return void socket.destroy();
      ordered.streams[stream] = { socket, closed };
      this.startWhole(id, ordered);
    };
    socket.on('readable', readHeader);
  }

  private startWhole(id: number, { pid, streams, started, end }: Ordered): void {
    const [stdin, stdout, stderr] = streams;
    if (pid === undefined || !stdin || !stdout || !stderr) return;
    const closed = Promise.all([end, stdout.closed, stderr.closed]).then(([how]) => {
      stdin.socket.destroy();
      this.forget(id);
      return how;
    });
    started({ pid, stdin: stdin.socket, stdout: stdout.socket, stderr: stderr.socket, closed });
  }

  private fail(id: number, error: Error): void {
    const ordered = this.ordered.get(id);
    for (const stream of ordered?.streams ?? []) stream?.socket.destroy();
    ordered?.failed(error);
    this.forget(id);
  }

  private forget(id: number): void {
    this.ordered.delete(id);
    if (this.ordered.size === 0) this.holdProgram(false);
  }

  /** Whether the starter keeps this program running; one that need not ends after a while. */
  private holdProgram(held: boolean): void {
    const { helper } = this;
    clearTimeout(this.idle);
    for (const each of [helper, helper.channel]) held ? each?.ref() : each?.unref();
    if (!held) this.idle = setTimeout(() => this.end(), idleMs).unref();
  }

  private end(): void {
    if (this.isGone) return;
    this.retire();
    if (this.helper.connected) this.helper.disconnect();
  }

  private retire(): void {
    if (!this.isGone) this.onGone();
    this.isGone = true;
    this.server.close();
  }

  /** Ends all that it started. */
  private takeEnd(): void {
    this.retire();
    this.helper.kill('SIGKILL');
    rmSync(dirname(this.path), { recursive: true, force: true });
    for (const ordered of this.ordered.values()) endAlone(ordered);
  }
}

/** Ends a process whose starter is gone, and what it started. */
function endAlone({ pid, failed, ended }: Ordered): void {
  failed(new Error('the process that starts others has ended'));
  ended('SIGKILL');
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It had ended.
  }
}

async function openStarter(onGone: () => void): Promise<Starter> {
  const path = join(await mkdtemp(join(tmpdir(), 'bindery-')), 'streams');
  const server = createServer().listen(path).unref();
  await once(server, 'listening');
  const helper = fork(packageFile('dist/shared/workers/child-starter.js'), [path], {
    execArgv: ['--max-old-space-size=64', '--max-semi-space-size=1'],
    env: {},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Starter(helper, server, path, onGone);
}

let current: Promise<Starter> | undefined;
const forgetStarter = () => {
  current = undefined;
};

/**
 * Starts a process in a group of its own, without holding the event loop. It ends with this process. Rejects when it cannot be
 * started.
 */
export async function startChild(spec: ChildSpec): Promise<Child> {
  current ??= openStarter(forgetStarter);
  const starter = await current.catch((error) => {
    forgetStarter();
    throw error;
  });
  return starter.start(spec);
}
