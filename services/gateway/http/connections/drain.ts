import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { scaled } from '../../../../shared/settings/time-scale.js';

/** A busy client sends its next request within this time. */
const idleMs = 500;
const sweepMs = 50;
const longestMs = scaled(8000);

/**
 * Stops listening and resolves when every connection has ended. A connection ends with its next answer, whose headers say so: no
 * client sends a request into a connection that is being closed. Idle connections are closed a little later, all others after
 * `longestMs`.
 */
async function closeConnections(server: Server): Promise<void> {
  const closed = once(server, 'close');
  // `close` of the HTTP server would also close the connections of busy clients between two requests.
  NetServer.prototype.close.call(server);
  let sweep: NodeJS.Timeout | undefined;
  const idle = setTimeout(() => {
    sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
  }, idleMs);
  const all = setTimeout(() => server.closeAllConnections(), longestMs);
  await closed;
  clearTimeout(idle);
  clearInterval(sweep);
  clearTimeout(all);
}

/** How a server that stops tells its clients. */
export interface Farewell {
  /** From now on, readiness is refused. */
  leave(): void;
  /** From now on, each answer ends its connection. */
  close(): void;
}

/** Refuses readiness but takes requests for `noticeMs` more, so that load balancers notice; then closes the connections. */
export async function drain(server: Server, farewell: Farewell, noticeMs: number): Promise<void> {
  farewell.leave();
  if (!server.listening) return;
  await pause(noticeMs);
  farewell.close();
  await closeConnections(server);
}
