import type { Readable } from 'node:stream';

/** Content-addressed bytes: an id is the SHA-256 of the content, in hexadecimal. */
export interface Blobs {
  /** Putting twice is fine; without `expiresAt` the blob stays for good, also when it would have expired. */
  put(
    content: Buffer | AsyncIterable<Uint8Array>,
    options?: { expiresAt?: Date },
  ): Promise<{ id: string; size: number }>;
  /** Null for an unknown id. `start` and `end` are byte positions, both included. */
  open(id: string, range?: { start: number; end: number }): Promise<Readable | null>;
  read(id: string): Promise<Buffer | null>;
  size(id: string): Promise<number | null>;
  delete(id: string): Promise<void>;
  /** Drops what expired before `now`; how many. */
  sweep(now: Date): Promise<number>;
}
