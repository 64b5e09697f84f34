import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { FairQueue, type Lane } from '../work/fair-queue.js';
import { holdSlices } from '../work/slices.js';
import { type ConnectionLimits, closeConnections, limitConnections } from './connections.js';
import { Deliveries } from './deliveries.js';

/** Milliseconds of a turn of the event loop that are for requests. */
const turnMs = 3;
/** Milliseconds for which requests wait while connections are accepted: a turn accepts one. */
const acceptingMs = 8;
/** Requests that a client may send ahead on one connection. */
const maxAhead = 64;

export interface FairServerOptions extends ConnectionLimits {
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Names who sends a request: those who wait take turns. */
  laneOf: (request: IncomingMessage) => Lane;
  /** Tells whether a request is answered out of turn: the one for liveness. */
  isUrgent: (request: IncomingMessage) => boolean;
}

/**
 * An HTTP server that admits requests by turns of their clients, for at most 3 ms per turn of the event loop, one per connection, and for 8 ms
 * none while new connections are pending. The README says why.
 */
export class FairServer {
  readonly server = createServer((request, response) => {
    if (this.options.isUrgent(request)) this.options.handle(request, response);
    else this.enterInOrder(request, response);
  });
  readonly deliveries = new Deliveries();
  /** Whether the server is about to stop, so that readiness is refused. */
  isLeaving = false;
  /** Whether each answer ends its connection. */
  isClosing = false;
  private readonly queue = new FairQueue<() => void>();
  /** Further requests on the connections that wait for an answer. */
  private readonly ahead = new WeakMap<Socket, (() => void)[]>();
  /** When the turn began; undefined while no request waits. */
  private began: number | undefined;
  private hasAccepted = false;
  /** Since when turns only accept connections. */
  private acceptingSince: number | undefined;

  constructor(private readonly options: FairServerOptions) {
    this.server.on('connection', () => {
      this.hasAccepted = true;
    });
    limitConnections(this.server, options);
  }

  /** Refuses readiness but takes requests for `noticeMs` more, so that load balancers notice; then closes the connections. */
  async stop(noticeMs: number): Promise<void> {
    this.isLeaving = true;
    if (!this.server.listening) return;
    await pause(noticeMs);
    this.isClosing = true;
    await closeConnections(this.server);
  }

  private enterInOrder(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const handleRequest = () => {
      response.once('close', () => this.handleFollowing(socket));
      if (socket.destroyed) response.destroy();
      else this.options.handle(request, response);
    };
    const ahead = this.ahead.get(socket);
    if (!ahead) {
      this.ahead.set(socket, []);
      this.handleOrQueue(request, handleRequest);
    } else if (ahead.length < maxAhead) ahead.push(() => this.handleOrQueue(request, handleRequest));
    else socket.destroy();
  }

  private handleFollowing(socket: Socket): void {
    const next = this.ahead.get(socket)?.shift();
    if (next) next();
    else this.ahead.delete(socket);
  }

  private handleOrQueue(request: IncomingMessage, act: () => void): void {
    const isFirst = this.began === undefined;
    if (isFirst) {
      this.began = performance.now();
      setImmediate(() => this.nextTurn());
    }
    const mayAct = !this.hasAccepted && (isFirst || (this.queue.isEmpty && !this.isOver()));
    if (mayAct) act();
    else this.queue.add(this.options.laneOf(request), act);
  }

  private isOver(): boolean {
    return this.began !== undefined && performance.now() - this.began > turnMs;
  }

  private nextTurn(): void {
    const isAccepting = !this.queue.isEmpty && this.isAccepting();
    holdSlices(isAccepting);
    if (this.queue.isEmpty) {
      this.began = undefined;
      this.acceptingSince = undefined;
      return;
    }
    setImmediate(() => this.nextTurn());
    if (isAccepting) return;
    this.began = performance.now();
    this.handleQueued();
  }

  private isAccepting(): boolean {
    const now = performance.now();
    this.acceptingSince = this.hasAccepted ? (this.acceptingSince ?? now) : undefined;
    this.hasAccepted = false;
    if (this.acceptingSince === undefined) return false;
    if (now - this.acceptingSince < acceptingMs) return true;
    this.acceptingSince = undefined;
    return false;
  }

  /** Admits the next request when the last one has done all that it can do without waiting. */
  private handleQueued(): void {
    if (this.isOver()) return;
    this.queue.take(() => true)?.();
    if (!this.queue.isEmpty) queueMicrotask(() => process.nextTick(() => this.handleQueued()));
  }
}
