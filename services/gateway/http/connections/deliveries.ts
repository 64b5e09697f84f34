import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { apiError } from '../../../../shared/errors.js';
import { scaled } from '../../../../shared/settings/time-scale.js';
import { Pace } from './pace.js';

export interface DeliveryLimits {
  /** Bytes of all answers that wait for their readers; content with several readers counts once. */
  mostBytes: number;
  /** Milliseconds in which a reader must take `leastBytes`, or what is left. */
  windowMs: number;
  leastBytes: number;
}

const usual: DeliveryLimits = { mostBytes: 192 * 1024 * 1024, windowMs: scaled(30_000), leastBytes: 240 * 1024 };

/** What is written at once; only what a reader has taken of larger content counts as taken. */
const sliceBytes = 64 * 1024;
/** Milliseconds before which no reader counts as slow. */
const graceMs = scaled(1000);
const sweepsAWindow = 10;

interface Delivery {
  response: ServerResponse;
  /** Names the content that is held in memory. */
  holds: unknown;
  /** When its reader was last seen to have taken enough, and what it had taken by then. */
  since: number;
  taken: number;
}

/** What a connection has taken, over all its answers. */
const takenOf = ({ socket }: ServerResponse) => (socket ? socket.bytesWritten - socket.writableLength : 0);

const speedOf = ({ response, since, taken }: Delivery) => (takenOf(response) - taken) / (performance.now() - since);

/**
 * Answers on their way to their readers. A reader that takes too little is cut off, and so are the slowest of all when the answers
 * that wait take too much memory.
 */
export class Deliveries {
  private readonly underWay = new Set<Delivery>();
  private readonly held = new Map<unknown, { bytes: number; readers: number }>();
  private readonly pace = new Pace();
  private heldBytes = 0;

  constructor(private readonly limits: DeliveryLimits = usual) {
    setInterval(() => this.cutSlow(), limits.windowMs / sweepsAWindow).unref();
  }

  /** Makes room for content; throws 503 where there is none. */
  makeRoom(content: string | Buffer): void {
    const { mostBytes } = this.limits;
    if (content.length <= sliceBytes || this.held.has(content)) return;
    const fits = () => this.heldBytes + content.length <= mostBytes;
    if (fits()) return;
    const slow = [...this.underWay].filter(({ since }) => performance.now() - since > graceMs);
    for (const delivery of slow.sort((a, b) => speedOf(a) - speedOf(b))) {
      if (fits()) return;
      this.cut(delivery);
    }
    if (!fits()) throw apiError('UNAVAILABLE', 'Too many large answers are being sent; try again');
  }

  /** Ends a response whose headers are set. */
  end(response: ServerResponse, content?: string | Buffer): void {
    if (content === undefined) return void response.end();
    if (typeof content !== 'string' && content.length > sliceBytes) {
      this.watch(response, content);
      // An error has already ended the connection.
      return void pipeline(Readable.from(this.slicesOf(content)), response).catch(() => {});
    }
    const before = takenOf(response);
    response.end(content);
    if (response.socket?.writableLength !== 0) this.watch(response, content, before);
  }

  /** Cuts the connection when the reader of this response is too slow. */
  watch(response: ServerResponse, content?: string | Buffer, taken = takenOf(response)): void {
    const holds = typeof content === 'string' ? response : content;
    const delivery: Delivery = { response, holds, since: performance.now(), taken };
    this.underWay.add(delivery);
    if (content !== undefined) this.hold(holds, Buffer.byteLength(content));
    response.once('close', () => this.release(delivery));
  }

  private async *slicesOf(content: Buffer): AsyncGenerator<Buffer> {
    for (let at = 0; at < content.length; at += sliceBytes) {
      await this.pace.turn(at);
      yield content.subarray(at, at + sliceBytes);
    }
  }

  private hold(content: unknown, bytes: number): void {
    const held = this.held.get(content) ?? { bytes, readers: 0 };
    if (held.readers === 0) this.heldBytes += bytes;
    held.readers += 1;
    this.held.set(content, held);
  }

  private release(delivery: Delivery): void {
    if (!this.underWay.delete(delivery)) return;
    const held = this.held.get(delivery.holds);
    if (!held) return;
    held.readers -= 1;
    if (held.readers > 0) return;
    this.held.delete(delivery.holds);
    this.heldBytes -= held.bytes;
  }

  private cut(delivery: Delivery): void {
    this.release(delivery);
    delivery.response.destroy();
  }

  private cutSlow(): void {
    const { windowMs, leastBytes } = this.limits;
    const now = performance.now();
    for (const delivery of this.underWay) {
      const taken = takenOf(delivery.response);
      if (taken - delivery.taken >= leastBytes) Object.assign(delivery, { since: now, taken });
      else if (now - delivery.since >= windowMs) this.cut(delivery);
    }
  }
}
