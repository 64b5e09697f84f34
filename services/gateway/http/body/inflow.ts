import { apiError } from '../../../../shared/errors.js';
import { HeldBytes, type HeldLimits } from '../../../../shared/work/held-bytes.js';
import type { OnPart } from './body.js';

/** Bodies that clients send, and that are held until they are answered: together they take no more memory than this. */
export class Inflow {
  private readonly bytes: HeldBytes;

  constructor(limits: HeldLimits) {
    this.bytes = new HeldBytes(limits);
  }

  /** Does work that reads a body and tells each part. Throws 503 while too much of others is held. */
  async holding<T>(owner: string, work: (onPart: OnPart) => Promise<T>): Promise<T> {
    const holding = this.bytes.hold(owner);
    try {
      return await work((bytes) => {
        if (!holding.add(bytes)) throw apiError('UNAVAILABLE', 'Too many large requests are under way; try again');
      });
    } finally {
      holding.release();
    }
  }
}
