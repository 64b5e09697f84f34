import type { ServerResponse } from 'node:http';
import { apiError } from '../errors/errors.js';
import { scaleMs } from '../settings/time-scale.js';

export interface DeliveryLimits {
  /** Bytes of all answers that wait for their readers; content with several readers counts once. */
  maxBytes: number;
  /** Milliseconds in which a reader must take `minBytes`, or what is left. */
  windowMs: number;
  minBytes: number;
}

const defaultLimits: DeliveryLimits = { maxBytes: 192 * 1024 * 1024, windowMs: scaleMs(30_000), minBytes: 240 * 1024 };

/** Bytes written at once; of larger content, only the part that a reader has taken counts as taken. */
const sliceBytes = 64 * 1024;
/** Slices of an answer that are written together while no other waits: less than a reader must take in its time. */
const maxTogether = 3;
/** Milliseconds before which no reader counts as slow. */
const graceMs = scaleMs(1000);
const sweepsPerWindow = 10;

interface Delivery {
  response: ServerResponse;
  /** Names the content that is held in memory. */
  holds: unknown;
  /** When its reader was last seen to have taken enough, and what it had taken by then. */
  since: number;
  taken: number;
}

/** Bytes that a connection has taken, over all its answers. */
const bytesTaken = ({ socket }: ServerResponse) => (socket ? socket.bytesWritten - socket.writableLength : 0);

const deliverySpeed = ({ response, since, taken }: Delivery) =>
  (bytesTaken(response) - taken) / (performance.now() - since);

/**
 * Answers on their way to their readers. A reader that takes too little is cut off, and so are the slowest of all when the answers
 * that wait take too much memory.
 */
export class Deliveries {
  private readonly underWay = new Set<Delivery>();
  private readonly held = new Map<unknown, { bytes: number; readers: number }>();
  private readonly slices = new SliceTurns();
  private heldBytes = 0;

  constructor(private readonly limits: DeliveryLimits = defaultLimits) {
    setInterval(() => this.cutSlow(), limits.windowMs / sweepsPerWindow).unref();
  }

  /** Makes room for content; throws 503 where there is none. */
  makeRoom(content: string | Buffer): void {
    const { maxBytes } = this.limits;
    if (content.length <= sliceBytes || this.held.has(content)) return;
    const fits = () => this.heldBytes + content.length <= maxBytes;
    if (fits()) return;
    const slow = [...this.underWay].filter(({ since }) => performance.now() - since > graceMs);
    for (const delivery of slow.sort((a, b) => deliverySpeed(a) - deliverySpeed(b))) {
      if (fits()) return;
      this.cutConnection(delivery);
    }
    if (!fits()) throw apiError('UNAVAILABLE', 'Too many large answers are being sent; try again', 'busy');
  }

  /** Ends a response whose headers are set. */
  sendContent(response: ServerResponse, content?: string | Buffer): void {
    if (content === undefined) return void response.end();
    if (typeof content !== 'string' && content.length > sliceBytes && !this.goesAtOnce(content)) {
      this.cutWhenSlow(response, content);
      return void this.writeInTurn(response, content);
    }
    const before = bytesTaken(response);
    response.end(content);
    if (response.socket?.writableLength !== 0) this.cutWhenSlow(response, content, before);
  }

  /** Cuts the connection when the reader of this response is too slow. */
  cutWhenSlow(response: ServerResponse, content?: string | Buffer, taken = bytesTaken(response)): void {
    const holds = typeof content === 'string' ? response : content;
    const delivery: Delivery = { response, holds, since: performance.now(), taken };
    this.underWay.add(delivery);
    if (content !== undefined) this.holdContent(holds, Buffer.byteLength(content));
    response.once('close', () => this.releaseContent(delivery));
  }

  /** Whether content fits into this turn, and is no more than a reader must take in its time. */
  private goesAtOnce({ length }: Buffer): boolean {
    return length <= this.limits.minBytes && this.slices.takeTurn(Math.ceil(length / sliceBytes));
  }

  private async writeInTurn(response: ServerResponse, content: Buffer): Promise<void> {
    if (content.length <= this.limits.minBytes) {
      await this.slices.awaitTurn(0, Math.ceil(content.length / sliceBytes));
      return void response.end(content);
    }
    for (let at = 0; at < content.length; ) {
      const isAlone = this.slices.takeTurn(maxTogether);
      if (!isAlone) await this.slices.awaitTurn(at);
      // An error has ended the connection.
      if (response.destroyed) return;
      const end = at + sliceBytes * (isAlone ? maxTogether : 1);
      const isTaken = response.write(content.subarray(at, end));
      at = end;
      if (!isTaken) await awaitDrain(response);
    }
    response.end();
  }

  private holdContent(content: unknown, bytes: number): void {
    const held = this.held.get(content) ?? { bytes, readers: 0 };
    if (held.readers === 0) this.heldBytes += bytes;
    held.readers += 1;
    this.held.set(content, held);
  }

  private releaseContent(delivery: Delivery): void {
    if (!this.underWay.delete(delivery)) return;
    const held = this.held.get(delivery.holds);
    if (!held) return;
    held.readers -= 1;
    if (held.readers > 0) return;
    this.held.delete(delivery.holds);
    this.heldBytes -= held.bytes;
  }

  private cutConnection(delivery: Delivery): void {
    this.releaseContent(delivery);
    delivery.response.destroy();
  }

  private cutSlow(): void {
    const { windowMs, minBytes } = this.limits;
    const now = performance.now();
    for (const delivery of this.underWay) {
      const taken = bytesTaken(delivery.response);
      if (taken - delivery.taken >= minBytes) Object.assign(delivery, { since: now, taken });
      else if (now - delivery.since >= windowMs) this.cutConnection(delivery);
    }
  }
}

/** Resolves when a reader has taken what was written, or is gone. */
function awaitDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const resume = () => {
      response.off('drain', resume).off('close', resume);
      resolve();
    };
    response.on('drain', resume).on('close', resume);
  });
}

/** 256 KiB: less than a millisecond of copying. */
const maxSlices = 4;

interface WaitingSlice {
  /** Bytes of the answer that are written. */
  sent: number;
  slices: number;
  write: () => void;
}

/**
 * Lets large answers write a few slices, of all together, in each turn of the event loop, so that others come in between. The answer
 * that has waited longest goes on, and those that have got least so far.
 */
export class SliceTurns {
  private left = maxSlices;
  private isTurning = false;
  private readonly waiting: WaitingSlice[] = [];

  /** Resolves when an answer of which `sent` bytes are written may go on, by several slices. */
  async awaitTurn(sent: number, slices = 1): Promise<void> {
    this.endTurn();
    if (this.left > 0) this.left -= slices;
    else await new Promise<void>((write) => this.waiting.push({ sent, slices, write }));
  }

  /** Takes several slices of this turn; false where it has not as many left. */
  takeTurn(slices: number): boolean {
    this.endTurn();
    if (this.waiting.length > 0 || this.left < slices) return false;
    this.left -= slices;
    return true;
  }

  private endTurn(): void {
    if (this.isTurning) return;
    this.isTurning = true;
    setImmediate(() => this.beginTurn());
  }

  private beginTurn(): void {
    this.isTurning = false;
    this.left = maxSlices;
    for (let next = this.waiting.shift(); next; next = this.takeLeast()) {
      next.write();
      this.left -= next.slices;
      if (this.left <= 0) break;
    }
    if (this.waiting.length > 0) this.endTurn();
  }

  private takeLeast(): WaitingSlice | undefined {
    let least = 0;
    for (let at = 1; at < this.waiting.length; at++)
      if ((this.waiting[at] as WaitingSlice).sent < (this.waiting[least] as WaitingSlice).sent) least = at;
    return this.waiting.splice(least, 1)[0];
  }
}
