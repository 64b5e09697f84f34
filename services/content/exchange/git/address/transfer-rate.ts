import type { Socket } from 'node:net';

/** The bytes that servers must send or take in this time, while a connection to one is open. */
export interface LeastRate {
  bytes: number;
  ms: number;
}

const looks = 3;

/**
 * Watches what the connections of one run transfer, and calls `onSlow` when that is less than the least rate: before the
 * first byte, between answers and within one. A reader that falls behind is not the server's fault.
 */
export class TransferRate {
  private readonly open = new Set<Socket>();
  private readonly looking: NodeJS.Timeout;
  private before = 0;
  private seen: number[] = [];

  constructor(
    private readonly least: LeastRate,
    private readonly onSlow: () => void,
  ) {
    this.looking = setInterval(() => this.checkRate(), least.ms / looks).unref();
  }

  watchSocket(upstream: Socket): void {
    this.open.add(upstream);
    upstream.once('close', () => {
      this.open.delete(upstream);
      this.before += bytesTransferred(upstream);
    });
  }

  /** Takes note that the server has said what it works on: the time begins anew. */
  restartClock(): void {
    this.seen = [];
  }

  stop(): void {
    clearInterval(this.looking);
  }

  private checkRate(): void {
    const sockets = [...this.open];
    if (sockets.length === 0 || sockets.some((socket) => socket.isPaused())) {
      this.seen = [];
      return;
    }
    const all = sockets.reduce((sum, socket) => sum + bytesTransferred(socket), this.before);
    this.seen.push(all);
    if (this.seen.length <= looks || all - (this.seen.shift() ?? 0) >= this.least.bytes) return;
    this.seen = [];
    this.onSlow();
  }
}

const bytesTransferred = ({ bytesRead, bytesWritten }: Socket): number => bytesRead + bytesWritten;
