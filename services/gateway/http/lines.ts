import { once } from 'node:events';
import type { Piece } from '../../../shared/contract/operation.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import type { Exchange } from './reply.js';

/** One JSON value a line. */
export const linesType = 'application/x-ndjson';
export const eventsType = 'text/event-stream';

/** Milliseconds in which a reader must take an event. */
const eventMs = scaleMs(30_000);

interface Pieces {
  type: typeof linesType | typeof eventsType;
  first: Piece;
  pieceAfter: (after: string) => Promise<Piece>;
}

/** Sends an answer piece by piece, each when its reader has taken those before. When a piece fails, the connection breaks off. */
export async function sendPieces(exchange: Exchange, { type, first, pieceAfter }: Pieces): Promise<void> {
  const { request, response, headers, deliveries, isLast } = exchange;
  headers['Cache-Control'] = 'no-store';
  headers['Content-Type'] = type;
  // A proxy that collects the answer would deliver all events at its end.
  if (type === eventsType) headers['X-Accel-Buffering'] = 'no';
  if (isLast()) headers.Connection = 'close';
  if (response.destroyed) return;
  response.writeHead(200, headers);
  if (request.method === 'HEAD') return void response.end();
  // Events are few bytes in much time, however fast their reader is.
  if (type === linesType) deliveries.cutWhenSlow(response);
  for (let piece = first; ; piece = await pieceAfter(piece.after)) {
    // The end of a connection is told once, perhaps while the piece was made.
    if (response.destroyed) return;
    if (!response.write(piece.lines)) await untilTaken(exchange, type === eventsType ? eventMs : undefined);
    if (piece.after === null) break;
  }
  response.end();
}

/** Resolves when the reader has taken what was written, or is gone, also by `maxMs`. */
async function untilTaken({ response }: Exchange, maxMs: number | undefined): Promise<void> {
  const waiting = new AbortController();
  const late = maxMs === undefined ? undefined : setTimeout(() => response.destroy(), maxMs);
  const { signal } = waiting;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  clearTimeout(late);
  waiting.abort();
}
