import type { Duplex, Readable, Writable } from 'node:stream';
import { OutboundRefused } from '../../../../../shared/outbound/failure.js';
import { type LeastRate, TransferRate } from './transfer-rate.js';

export interface ProxyProblem {
  kind: 'refused' | 'unreachable' | 'too-large' | 'too-slow';
  /** Safe to show. */
  message: string;
}

export interface ProxyLimits {
  /** The owner of the run: owners take turns where names are looked up. */
  owner: string;
  maxBytes: number;
  /** Called once, when the run has transferred more than `maxBytes` and its connections are cut. */
  onTooLarge?: () => void;
  /** The only origin that the run may reach, in the form of `URL.origin`: for a run that carries credentials. */
  onlyOrigin?: string;
}

/** One run of a program: what it has transferred, over which connections, and what was wrong with it. */
export class ProxyRun {
  readonly owner: string;
  readonly rate: TransferRate;
  bytes = 0;
  problem?: ProxyProblem;
  private readonly sockets = new Set<Duplex>();

  constructor(
    private readonly limits: ProxyLimits,
    leastRate: LeastRate,
  ) {
    this.owner = limits.owner;
    this.rate = new TransferRate(leastRate, () => this.endSlow(leastRate));
  }

  trackSocket(socket: Duplex): void {
    if (this.sockets.has(socket)) return;
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }

  /** Throws for another origin than the only one that the run may reach. */
  checkOrigin(url: string): void {
    const { onlyOrigin } = this.limits;
    if (onlyOrigin === undefined || (URL.canParse(url) && new URL(url).origin === onlyOrigin)) return;
    throw new OutboundRefused(`a redirect away from ${onlyOrigin} is not followed with credentials`);
  }

  /** Sends what arrives on, and counts it. */
  pipeCounted(from: Readable, to: Writable): void {
    from.on('data', (chunk: Buffer) => this.countBytes(chunk.length));
    from.pipe(to);
  }

  countBytes(bytes: number): void {
    const { maxBytes, onTooLarge } = this.limits;
    this.bytes += bytes;
    if (this.bytes <= maxBytes || this.problem?.kind === 'too-large') return;
    this.problem = { kind: 'too-large', message: `more than ${maxBytes} bytes were transferred` };
    this.destroySockets();
    onTooLarge?.();
  }

  /** Keeps the first problem of the run; returns the status for this one. */
  noteProblem(host: string, error: unknown): 403 | 502 {
    if (error instanceof OutboundRefused) {
      this.problem ??= { kind: 'refused', message: error.message };
      return 403;
    }
    this.problem ??= { kind: 'unreachable', message: `${host} could not be reached` };
    return 502;
  }

  end(): void {
    this.rate.stop();
    this.destroySockets();
  }

  private endSlow({ bytes, ms }: LeastRate): void {
    this.problem ??= {
      kind: 'too-slow',
      message: `the server sent and took less than ${bytes} bytes in ${ms / 1000} seconds`,
    };
    this.destroySockets();
  }

  private destroySockets(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
