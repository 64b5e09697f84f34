import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { invalid } from '../../../../shared/errors.js';
import { Turns } from '../../../../shared/work/turns.js';
import type { ReadBody } from './large-body-thread.js';

/**
 * Bodies of many megabytes are read in a thread, one after the other: reading one takes 100 ms and more, in which no other request would get its
 * turn. A thread takes over their bytes without copying them. The limits of bodies bound its memory.
 */
const turns = new Turns();
let thread: Worker | undefined;

/** Reads a body of JSON, whose bytes are given away. Throws 400. */
export const parseLarge = (bytes: Buffer): Promise<unknown> => turns.run('', () => parseNext(bytes));

async function parseNext(bytes: Buffer): Promise<unknown> {
  const parser = openThread();
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
  parser.ref();
  try {
    const answered = once(parser, 'message');
    parser.postMessage(own, [own.buffer as ArrayBuffer]);
    const [read] = (await answered) as [ReadBody];
    if ('refused' in read) throw invalid(read.refused);
    return read.value;
  } finally {
    parser.unref();
  }
}

function openThread(): Worker {
  if (thread) return thread;
  const started = new Worker(new URL('./large-body-thread.js', import.meta.url));
  started.once('exit', () => {
    if (thread === started) thread = undefined;
  });
  // `once` of a body that is read at that time rejects with it; nothing else waits for the thread.
  started.on('error', () => {});
  thread = started;
  return started;
}
