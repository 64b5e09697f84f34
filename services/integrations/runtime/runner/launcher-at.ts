import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Log } from '../../../../shared/monitoring/log.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { floodCounter } from '../events/output.js';
import { RuntimeFailure } from '../failure.js';
import { defaultLimits } from '../limits.js';
import type { End, Launched, Launcher, Use } from '../process/launched.js';
import { encodeLine, type RunnerMessage, readMessages } from './messages.js';

/** Longest wait for a killed process to end. */
const maxEndMs = scaleMs(5000);
/** Bytes that a runner may send about a process within a minute: all that the process may write, with room for the messages around it. */
const maxNotified = 4 * defaultLimits.outputBytes;
/** Bytes that a message counts for besides its own: reading a small one takes as long. */
const messageBytes = 1024;

type RunnerMessages = { [Kind in RunnerMessage['kind']]: [Extract<RunnerMessage, { kind: Kind }>] };

/** Has processes run by the runner at a socket, which has `startMs` to begin: in a container without secrets. */
export const launcherAt = (socket: string, log: Log, startMs = defaultLimits.startMs): Launcher => ({
  folder: dirname(socket),
  launch(folder) {
    const connection = connect(socket);
    connection.on('error', (err) => log.error({ err, socket }, 'the runner of integration scripts cannot be reached'));
    const messages = new EventEmitter<RunnerMessages>();
    receiveMessages(connection, messages, log);
    connection.write(encodeLine({ folder: basename(folder) }));
    const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
    const kill = () => {
      connection.end();
      setTimeout(() => connection.destroy(), maxEndMs).unref();
    };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => connection.destroy(), startMs);
      // Messages about the process before this one are dropped, because nobody takes them yet.
      messages.once('launched', () => {
        clearTimeout(timer);
        resolve(followProcess(messages, closed, kill));
      });
      messages.once('missing', ({ message }) => reject(new RuntimeFailure('missing', message)));
      void closed.then(() => {
        clearTimeout(timer);
        reject(new RuntimeFailure('busy', 'Scripts of integrations cannot be run at present'));
      });
    });
  },
});

/** Passes on what a runner sends. A script that broke out of its process may be the sender, so the amount is bounded. */
function receiveMessages(connection: Socket, messages: EventEmitter<RunnerMessages>, log: Log): void {
  const count = floodCounter(maxNotified, () => {
    log.warn('the runner of integration scripts tells too much of a process; its connection was closed');
    connection.destroy();
  });
  connection.on('data', (chunk: Buffer) => count(chunk.length));
  readMessages(connection, (message) => {
    count(messageBytes);
    if (!message) connection.destroy();
    else if (!connection.destroyed) messages.emit(message.kind, message as never);
  });
}

function followProcess(messages: EventEmitter<RunnerMessages>, closed: Promise<void>, kill: () => void): Launched {
  const output = new PassThrough();
  const errorOutput = new PassThrough();
  let use: Use = { processorMs: 0, residentBytes: 0 };
  let end: End = 'lost';
  messages.on('used', (used) => {
    use = used;
  });
  messages.on('ended', (ended) => {
    end = ended.end;
  });
  messages.on('output', ({ base64 }) => void output.write(base64, 'base64'));
  messages.on('errors', ({ base64 }) => void errorOutput.write(base64, 'base64'));
  const untilGone = async () => {
    await closed;
    await Promise.all([output, errorOutput].map((stream) => finished(stream.end())));
    return end;
  };
  const listening = new Promise<void>((resolve) => messages.once('listening', () => resolve()));
  return { output, errorOutput, listening, gone: untilGone(), use: () => use, kill };
}
