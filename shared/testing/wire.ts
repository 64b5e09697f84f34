import { EventEmitter, on } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

type State = 'open' | 'silent' | 'closed';

/**
 * A proxy between store and server: `hang` keeps connections open and drops what comes, `refuse` ends them, `loseAnswer` ends them when
 * the server answers a request, `go` lets everything pass again.
 */
export class Wire {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private state: State = 'open';
  private lost: string | undefined;
  private readonly requests = new EventEmitter();

  constructor(host: string, port: number) {
    this.server = createServer((near) => {
      if (this.state === 'closed') return void near.destroy();
      const far = connect(port, host);
      near.on('data', (request) => {
        this.requests.emit('request', request);
        if (this.lost !== undefined && request.includes(this.lost))
          far.prependOnceListener('data', () => this.refuse());
      });
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.sockets.add(from);
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
      }
      if (this.state === 'silent') this.hang();
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return (this.server.address() as { port: number }).port;
  }

  hang(): void {
    this.state = 'silent';
    for (const socket of this.sockets) socket.unpipe().resume();
  }

  /** Resolves when a request comes that has this in it, also where it goes no further. */
  async asked(text: RegExp): Promise<void> {
    for await (const [request] of on(this.requests, 'request')) if (text.test(request.toString('latin1'))) return;
  }

  refuse(): void {
    this.state = 'closed';
    this.cut();
  }

  /** `text` is part of the request whose answer does not arrive. */
  loseAnswer(text: string): void {
    this.lost = text;
  }

  go(): void {
    this.state = 'open';
    this.lost = undefined;
    this.cut();
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Resets connections at once: whoever writes to one before it has heard of that gets an error of the system. */
  reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done));
    this.cut();
    await closed;
  }
}
