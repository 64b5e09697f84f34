import { EventEmitter } from 'node:events';
import { connect } from 'node:net';
import { basename, dirname } from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Log } from '../../../../shared/log.js';
import { scaled } from '../../../../shared/settings/time-scale.js';
import { RuntimeFailure } from '../failure.js';
import type { End, Launched, Launcher, Use } from '../process/launched.js';
import { lineOf, type RunnerMessage, readMessages } from './messages.js';

/** How long the end of a process that is killed is waited for. */
const mostEndMs = scaled(5000);

type Told = { [Kind in RunnerMessage['kind']]: [Extract<RunnerMessage, { kind: Kind }>] };

/** Has processes run by the runner at a socket: in a container without secrets. */
export const launcherAt = (socket: string, log: Log): Launcher => ({
  folder: dirname(socket),
  launch(folder) {
    const connection = connect(socket);
    connection.on('error', (err) => log.error({ err, socket }, 'the runner of integration scripts cannot be reached'));
    const told = new EventEmitter<Told>();
    readMessages(connection, (message) => {
      if (message) told.emit(message.kind, message as never);
      else connection.destroy();
    });
    connection.write(lineOf({ folder: basename(folder) }));
    const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
    const kill = () => {
      connection.end();
      setTimeout(() => connection.destroy(), mostEndMs).unref();
    };
    const launched = follow(told, closed, kill);
    return new Promise((resolve, reject) => {
      told.once('launched', () => resolve(launched));
      told.once('missing', ({ message }) => reject(new RuntimeFailure('missing', message)));
      void closed.then(() => reject(new RuntimeFailure('busy', 'Scripts of integrations cannot be run at present')));
    });
  },
});

function follow(told: EventEmitter<Told>, closed: Promise<void>, kill: () => void): Launched {
  const output = new PassThrough();
  const errorOutput = new PassThrough();
  let use: Use = { processorMs: 0, residentBytes: 0 };
  let end: End = 'lost';
  told.on('used', (used) => {
    use = used;
  });
  told.on('ended', (ended) => {
    end = ended.end;
  });
  told.on('output', ({ base64 }) => void output.write(base64, 'base64'));
  told.on('errors', ({ base64 }) => void errorOutput.write(base64, 'base64'));
  const gone = async () => {
    await closed;
    await Promise.all([output, errorOutput].map((stream) => finished(stream.end())));
    return end;
  };
  const listening = new Promise<void>((resolve) => told.once('listening', () => resolve()));
  return { output, errorOutput, listening, gone: gone(), use: () => use, kill };
}
