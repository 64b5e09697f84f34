import type { Readable } from 'node:stream';

/** Content-addressed bytes: the id of a blob is the SHA-256 of its content, in hexadecimal. */
export interface Blobs {
  /** Stores content; repeating it does no harm. Without `expiresAt` the blob never expires, even if it had an expiry before. */
  put(
    content: Buffer | AsyncIterable<Uint8Array>,
    options?: { expiresAt?: Date },
  ): Promise<{ id: string; size: number }>;
  /** Opens content; null for an unknown id. `start` and `end` are byte positions, both inclusive. */
  open(id: string, range?: { start: number; end: number }): Promise<Readable | null>;
  read(id: string): Promise<Buffer | null>;
  size(id: string): Promise<number | null>;
  delete(id: string): Promise<void>;
  /** Removes blobs that expired before `now`; returns their number. */
  sweep(now: Date): Promise<number>;
}

export type HasBlobs = { blobs: Blobs };
