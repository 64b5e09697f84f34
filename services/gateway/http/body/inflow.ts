import type { IncomingMessage } from 'node:http';
import { apiError } from '../../../../shared/errors.js';
import { readBytes } from './body.js';

export interface InflowLimits {
  /** Bytes of one body, of all bodies of a network, and of all together. */
  body: number;
  ofNetwork: number;
  ofAll: number;
}

/** Bodies that strangers send, and that are held until they are answered: together they take no more memory than this. */
export class Inflow {
  private readonly held = new Map<string, number>();
  private heldOfAll = 0;

  constructor(private readonly limits: InflowLimits) {}

  /** Reads a body and does something with it. Throws 413 for a larger one, 503 while too much of others is held. */
  async withBody<T>(request: IncomingMessage, network: string, work: (body: Buffer) => Promise<T>): Promise<T> {
    let size = 0;
    const onPart = (bytes: number) => {
      size += bytes;
      this.hold(network, bytes);
      if (this.isOver(network)) throw apiError('UNAVAILABLE', 'Too many large requests are under way; try again');
    };
    try {
      return await work(await readBytes(request, this.limits.body, onPart));
    } finally {
      this.hold(network, -size);
    }
  }

  private isOver(network: string): boolean {
    const { ofNetwork, ofAll } = this.limits;
    return this.heldOfAll > ofAll || (this.held.get(network) ?? 0) > ofNetwork;
  }

  private hold(network: string, bytes: number): void {
    this.heldOfAll += bytes;
    const held = (this.held.get(network) ?? 0) + bytes;
    if (held > 0) this.held.set(network, held);
    else this.held.delete(network);
  }
}
