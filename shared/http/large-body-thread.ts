import { parentPort } from 'node:worker_threads';
import { failureOf } from '../errors/errors.js';
import { parseBody } from './json-body.js';

/** Messages to the thread: the bytes of a body, then its end. */
export type PartOfBody = Uint8Array | 'end';

/** The thread's answer: the value of a body, or why it was refused. */
export type ReadBody = { value: unknown } | { refused: string };

let pieces: Uint8Array[] = [];

parentPort?.on('message', (part: PartOfBody) => {
  if (part !== 'end') return void pieces.push(part);
  const whole = Buffer.concat(pieces);
  pieces = [];
  parentPort?.postMessage(parseOrRefuse(whole));
});

function parseOrRefuse(body: Buffer): ReadBody {
  try {
    return { value: parseBody(body) };
  } catch (error) {
    if (failureOf(error).type !== 'INVALID') throw error;
    return { refused: (error as Error).message };
  }
}
