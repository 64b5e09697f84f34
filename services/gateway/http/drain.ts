import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A client that sends one request after the other sends its next one within this time. */
const idleMs = 500;
const sweepMs = 50;
const longestMs = 8000;

/**
 * Stops listening and resolves when every connection has ended. Each ends with its next answer, which says so (the answers do),
 * so that no client sends a request into a connection that is being closed; idle ones are closed a little later, and all of them
 * when the time is up.
 */
async function closeConnections(server: Server): Promise<void> {
  const closed = once(server, 'close');
  // The close of an HTTP server would close connections between two requests of a busy client.
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

/** What the answers of a server that stops tell its clients. */
export interface Farewell {
  /** From now on it is not ready. */
  leave(): void;
  /** From now on each answer ends its connection. */
  close(): void;
}

/** Takes requests for `noticeMs` more, not ready already, so that whoever sends them goes elsewhere; then ends. */
export async function drain(server: Server, farewell: Farewell, noticeMs: number): Promise<void> {
  farewell.leave();
  if (!server.listening) return;
  await pause(noticeMs);
  farewell.close();
  await closeConnections(server);
}
