import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { ErrorReason } from '../errors/errors.js';
import { scaleMs } from '../settings/time-scale.js';
import { isWithin, networkOf, type Ranges } from './addresses.js';

/** Milliseconds for the headers of a request, for the whole of it, and between two of them. */
const headersMs = scaleMs(20_000);
const requestMs = scaleMs(30_000);
const keepAliveMs = 65_000;
const checkMs = 1000;
/** How long a client may take to read why its connection ends. */
const farewellMs = scaleMs(1000);
const maxConnections = 20_000;

/** A busy client sends its next request within this time. */
const idleMs = 500;
const sweepMs = 50;
const maxClosingMs = scaleMs(8000);

const refusals: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** Ends a connection with an error in the API's shape. */
function refuseConnection(socket: Socket, [code, message]: [status: number, message: string]): void {
  if (!socket.writable) return void socket.destroy();
  const reason: ErrorReason = code === 429 ? 'rate_limited' : 'invalid_request';
  const body = JSON.stringify({ error: { code, message, reason } });
  socket.end(
    `HTTP/1.1 ${code} ${message}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), farewellMs).unref();
}

export interface ConnectionLimits {
  /** Maximum number of connections of one address. */
  perAddress: number;
  /** Addresses without that limit. */
  proxies: Ranges;
}

/** Ends the connections of clients that are slow or idle, and those of an address with too many; answers what is not HTTP. */
export function limitConnections(server: Server, { perAddress, proxies }: ConnectionLimits): void {
  Object.assign(server, { connectionsCheckingInterval: checkMs, maxConnections });
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  server.keepAliveTimeout = keepAliveMs;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseConnection(socket as Socket, refusals[error.code ?? ''] ?? [400, 'Bad Request']),
  );
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isWithin(address, proxies)) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
    if (count > perAddress) refuseConnection(socket, [429, 'Too many connections from this address']);
  });
}

/**
 * Stops listening and resolves when every connection has ended. A connection ends with its next answer, whose headers say so: no
 * client sends a request into a connection that is being closed. Idle connections are closed a little later, all others after
 * `maxClosingMs`.
 */
export async function closeConnections(server: Server): Promise<void> {
  const closed = once(server, 'close');
  // `close` of the HTTP server would also close the connections of busy clients between two requests.
  NetServer.prototype.close.call(server);
  let sweep: NodeJS.Timeout | undefined;
  const idle = setTimeout(() => {
    sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
  }, idleMs);
  const all = setTimeout(() => server.closeAllConnections(), maxClosingMs);
  await closed;
  clearTimeout(idle);
  clearInterval(sweep);
  clearTimeout(all);
}
