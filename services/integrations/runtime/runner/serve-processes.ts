import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Log } from '../../../../shared/monitoring/log.js';
import { RuntimeFailure } from '../failure.js';
import type { Launched, Launcher } from '../process/launched.js';
import { encodeLine, maxBytes, type RunnerMessage, readRequests } from './messages.js';

/** Between two reports of what a process has used. */
const reportMs = 100;

/** Runs processes for a service in another container, which shares the folder of the socket. Returns what ends them, and it. */
export async function serveProcesses(path: string, launcher: Launcher, log: Log): Promise<() => Promise<void>> {
  const connections = new Set<Socket>();
  // A service that asks for the end of a process still hears when it is gone.
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    connection.on('error', () => undefined);
    let isAsked = false;
    readRequests(connection, (asked) => {
      if (isAsked || !asked) return void connection.destroy();
      isAsked = true;
      runProcess(connection, launcher, join(dirname(path), asked.folder)).catch((err) => {
        log.error({ err }, 'a process of a script could not be started');
        connection.destroy();
      });
    });
  });
  await removeDeadSocket(path);
  server.listen(path);
  await once(server, 'listening');
  return async () => {
    for (const connection of connections) connection.destroy();
    server.close();
    await once(server, 'close');
  };
}

/** Removes the socket of a runner that has died, and nothing else. */
async function removeDeadSocket(path: string): Promise<void> {
  if (!existsSync(dirname(path))) throw new Error(`INTEGRATION_RUNNER: there is no folder ${dirname(path)}`);
  const found = await lstat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isSocket()) throw new Error(`INTEGRATION_RUNNER: ${path} is not a socket; name a path that is free`);
  const isHeard = await new Promise<boolean>((resolve) => {
    const connection = connect(path, () => resolve(true)).on('error', () => resolve(false));
    connection.once('connect', () => connection.destroy());
  });
  if (isHeard) throw new Error(`INTEGRATION_RUNNER: another runner listens at ${path}`);
  await rm(path, { force: true });
}

async function runProcess(connection: Socket, launcher: Launcher, folder: string): Promise<void> {
  const sendMessage = (message: RunnerMessage) => connection.write(encodeLine(message));
  let launched: Launched;
  try {
    launched = await launcher.launch(folder);
  } catch (error) {
    if (!(error instanceof RuntimeFailure)) throw error;
    return void connection.end(encodeLine({ kind: 'missing', message: error.message }));
  }
  const { output, errorOutput, listening, gone, kill } = launched;
  for (const event of ['end', 'close']) connection.once(event, kill);
  if (connection.readableEnded || connection.destroyed) kill();
  sendMessage({ kind: 'launched' });
  void listening.then(() => sendMessage({ kind: 'listening' }));
  passOutput(output, 'output', connection);
  passOutput(errorOutput, 'errors', connection);
  const reports = setInterval(() => sendMessage({ kind: 'used', ...launched.use() }), reportMs);
  const end = await gone;
  clearInterval(reports);
  connection.end(encodeLine({ kind: 'ended', end: end === 'lost' ? null : end }));
}

/** Waits while the other side does not read. */
function passOutput(stream: Readable, kind: 'output' | 'errors', connection: Socket): void {
  stream.on('data', (chunk: Buffer) => {
    for (let from = 0; from < chunk.length; from += maxBytes)
      connection.write(encodeLine({ kind, base64: chunk.toString('base64', from, from + maxBytes) }));
    if (!connection.writableNeedDrain) return;
    stream.pause();
    connection.once('drain', () => stream.resume());
  });
}
