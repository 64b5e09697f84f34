import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { invalid } from '../errors/errors.js';
import { KeyedSemaphore } from '../work/semaphore.js';
import type { PartOfBody, ReadBody } from './large-body-thread.js';

/**
 * Bodies of many megabytes are read in a thread, one after the other: reading one takes 100 ms and more, in which no other request would get its
 * turn. A thread takes over their bytes piece by piece: to put them together takes its time, too. The limits of bodies bound its memory.
 */
const turns = new KeyedSemaphore();
let thread: Worker | undefined;

/** Reads a body of JSON, whose bytes are given away. Throws 400. */
export const parseLargeBody = (pieces: Buffer[]): Promise<unknown> => turns.run('', () => parseNext(pieces));

async function parseNext(pieces: Buffer[]): Promise<unknown> {
  const parser = openThread();
  parser.ref();
  try {
    const answered = once(parser, 'message');
    for (const piece of pieces) postPiece(parser, piece);
    parser.postMessage('end' satisfies PartOfBody);
    const [read] = (await answered) as [ReadBody];
    if ('refused' in read) throw invalid(read.refused);
    return read.value;
  } finally {
    parser.unref();
  }
}

/** Without a copy, but of a small last piece, which shares its memory with others. */
function postPiece(parser: Worker, piece: Buffer): void {
  const own = piece.byteLength === piece.buffer.byteLength ? piece : Uint8Array.from(piece);
  parser.postMessage(own satisfies PartOfBody, [own.buffer as ArrayBuffer]);
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
