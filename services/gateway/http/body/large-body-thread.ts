import { parentPort } from 'node:worker_threads';
import { failureOf } from '../../../../shared/errors.js';
import { parseBody } from './json-body.js';

/** What the thread makes of a body. */
export type ReadBody = { value: unknown } | { refused: string };

parentPort?.on('message', (bytes: Uint8Array) => parentPort?.postMessage(read(bytes)));

function read({ buffer, byteOffset, byteLength }: Uint8Array): ReadBody {
  try {
    return { value: parseBody(Buffer.from(buffer, byteOffset, byteLength)) };
  } catch (error) {
    if (failureOf(error).type !== 'INVALID') throw error;
    return { refused: (error as Error).message };
  }
}
