import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { FairQueue, type Lane } from '../../../../shared/work/fair-queue.js';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Milliseconds of a turn of the event loop that are for requests. */
const turnMs = 5;
/** Turns in a row that only accept connections: a turn accepts one. */
const mostAccepting = 32;
/** Requests that a client may send ahead on one connection. */
const mostAhead = 64;

export interface EntranceOptions {
  handle: Handle;
  /** Who sends a request: those who wait take turns. */
  laneOf: (request: IncomingMessage) => Lane;
}

/**
 * Lets requests in: a few in each turn of the event loop, of each client in turn, one at a time of each connection, and none
 * while clients wait to be connected. Health is answered at once.
 */
export class Entrance {
  private readonly queue = new FairQueue<() => void>();
  /** What else came on the connections that wait for an answer. */
  private readonly ahead = new WeakMap<Socket, (() => void)[]>();
  /** When the turn began; undefined while there is nothing to do. */
  private began: number | undefined;
  private hasAccepted = false;
  private accepting = 0;

  constructor(private readonly options: EntranceOptions) {}

  watch(server: Server): void {
    server.on('connection', () => {
      this.hasAccepted = true;
    });
  }

  enter(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === '/healthz') this.options.handle(request, response);
    else this.enterInTurn(request, response);
  }

  private enterInTurn(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const act = () => {
      response.once('close', () => this.followOn(socket));
      if (socket.destroyed) response.destroy();
      else this.options.handle(request, response);
    };
    const arrive = () => this.arrive(request, act);
    const ahead = this.ahead.get(socket);
    if (!ahead) {
      this.ahead.set(socket, []);
      arrive();
    } else if (ahead.length < mostAhead) ahead.push(arrive);
    else socket.destroy();
  }

  private followOn(socket: Socket): void {
    const next = this.ahead.get(socket)?.shift();
    if (next) next();
    else this.ahead.delete(socket);
  }

  private arrive(request: IncomingMessage, act: () => void): void {
    if (this.began === undefined) {
      this.began = performance.now();
      setImmediate(() => this.nextTurn());
    }
    if (!this.queue.isEmpty || this.hasAccepted || this.isOver()) this.queue.add(this.options.laneOf(request), act);
    else act();
  }

  private isOver(): boolean {
    return this.began !== undefined && performance.now() - this.began > turnMs;
  }

  private nextTurn(): void {
    if (this.queue.isEmpty) {
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
    this.queue.take(() => true)?.();
    if (!this.queue.isEmpty) queueMicrotask(() => process.nextTick(() => this.letIn()));
  }
}
