import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { type StartOrder, type StartReport, streamCount, streamHeader } from './child-orders.js';
import { giveWay } from './process-priority.js';

const running = new Set<ChildProcess>();

const report = (message: StartReport) => process.send?.(message, () => {});

async function openStream(path: string, id: number, stream: number): Promise<Socket> {
  const socket = connect(path);
  await once(socket, 'connect');
  // What the process writes comes after it.
  await new Promise((written) => socket.write(streamHeader(id, stream), written));
  return socket;
}

async function startOrdered(path: string, { id, command, args, cwd, env, niceness }: StartOrder): Promise<void> {
  const streams = await Promise.all(Array.from({ length: streamCount }, (_, stream) => openStream(path, id, stream)));
  const child = spawn(command, args, { cwd, env, detached: true, stdio: streams });
  for (const stream of streams) stream.destroy();
  child.once('error', ({ message }) => report({ id, error: message }));
  if (child.pid === undefined) return;
  running.add(child);
  giveWay(child.pid, niceness);
  child.once('exit', (code, signal) => {
    running.delete(child);
    report({ id, ended: signal ?? code ?? 0 });
  });
  report({ id, pid: child.pid });
}

/** Ends all processes and what they started: nobody is left who could stop them, or read what they write. */
function endAll(path: string): void {
  for (const { pid = 0 } of running) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
  rmSync(dirname(path), { recursive: true, force: true });
  process.exit();
}

/** Starts processes for the one that forked this one, with streams to the socket at `path`; ends with it. */
function serve(path: string): void {
  // A signal to the whole group is for the parent, which may still need its processes.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('disconnect', () => endAll(path));
  process.on('message', (order: StartOrder) => {
    startOrdered(path, order).catch(({ message }: Error) => report({ id: order.id, error: message }));
  });
}

serve(process.argv[2] as string);
