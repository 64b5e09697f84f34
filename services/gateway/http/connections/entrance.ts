import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Milliseconds of a turn of the event loop that are for requests. */
const turnMs = 5;
/** Turns in a row that only accept connections: a turn accepts one. */
const mostAccepting = 32;
/** Requests that a client may send ahead on one connection. */
const mostAhead = 64;

/**
 * Lets requests in: a few in each turn of the event loop, in order of arrival, one at a time of each connection, and none while
 * clients wait to be connected. Health is answered at once.
 */
export class Entrance {
  private readonly queue: (() => void)[] = [];
  /** What else came on the connections that wait for an answer. */
  private readonly ahead = new WeakMap<Socket, (() => void)[]>();
  /** When the turn began; undefined while there is nothing to do. */
  private began: number | undefined;
  private hasAccepted = false;
  private accepting = 0;

  constructor(private readonly handle: Handle) {}

  watch(server: Server): void {
    server.on('connection', () => {
      this.hasAccepted = true;
    });
  }

  enter(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === '/healthz') this.handle(request, response);
    else this.enterInTurn(request, response);
  }

  private enterInTurn(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const act = () => {
      response.once('close', () => this.followOn(socket));
      if (socket.destroyed) response.destroy();
      else this.handle(request, response);
    };
    const ahead = this.ahead.get(socket);
    if (!ahead) {
      this.ahead.set(socket, []);
      this.arrive(act);
    } else if (ahead.length < mostAhead) ahead.push(act);
    else socket.destroy();
  }

  private followOn(socket: Socket): void {
    const next = this.ahead.get(socket)?.shift();
    if (next) this.arrive(next);
    else this.ahead.delete(socket);
  }

  private arrive(act: () => void): void {
    if (this.began === undefined) {
      this.began = performance.now();
      setImmediate(() => this.nextTurn());
    }
    if (this.queue.length > 0 || this.hasAccepted || this.isOver()) this.queue.push(act);
    else act();
  }

  private isOver(): boolean {
    return this.began !== undefined && performance.now() - this.began > turnMs;
  }

  private nextTurn(): void {
    if (this.queue.length === 0) {
      this.began = undefined;
      return;
    }
    setImmediate(() => this.nextTurn());
    this.accepting = this.hasAccepted ? this.accepting + 1 : 0;
    this.hasAccepted = false;
    if (this.accepting % mostAccepting > 0) return;
    this.began = performance.now();
    this.letIn();
  }

  /** Lets the next one in when the last one has done all that it can do without waiting. */
  private letIn(): void {
    if (this.isOver()) return;
    this.queue.shift()?.();
    if (this.queue.length > 0) queueMicrotask(() => process.nextTick(() => this.letIn()));
  }
}
