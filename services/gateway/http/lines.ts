import { once } from 'node:events';
import type { Piece } from '../../../shared/contract/operation.js';
import type { Exchange } from './reply.js';

/** One JSON value a line. */
export const linesType = 'application/x-ndjson';

/** Sends an answer piece by piece, each when its reader has taken those before. When a piece fails, the connection breaks off. */
export async function sendLines(
  exchange: Exchange,
  first: Piece,
  pieceAfter: (after: string) => Promise<Piece>,
): Promise<void> {
  const { request, response, headers, deliveries, isLast } = exchange;
  headers['Cache-Control'] = 'no-store';
  headers['Content-Type'] = linesType;
  if (isLast()) headers.Connection = 'close';
  if (response.destroyed) return;
  response.writeHead(200, headers);
  if (request.method === 'HEAD') return void response.end();
  deliveries.cutWhenSlow(response);
  for (let piece = first; ; piece = await pieceAfter(piece.after)) {
    if (!response.write(piece.lines)) await untilTaken(exchange);
    if (piece.after === null || response.destroyed) break;
  }
  response.end();
}

/** Resolves when the reader has taken what was written, or is gone. */
async function untilTaken({ response }: Exchange): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  waiting.abort();
}
