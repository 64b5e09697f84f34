import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { monotonicFactory, ulid } from 'ulid';

/** Random numbers in [0, 1) from a pool of random bytes: one system call serves a thousand. */
const pool = Buffer.alloc(4096);
let used = pool.length;
function randomFraction(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const value = pool.readUInt32LE(used) / 2 ** 32;
  used += 4;
  return value;
}

const next = monotonicFactory(randomFraction);

/** A sortable id: ULID, monotonic in this process. */
export const newId = (): string => next();

/** A sortable id of another time, in epoch milliseconds. */
export const newIdAt = (time: number): string => ulid(time, randomFraction);

/** An id that does not reveal when it was made. */
export const newTimelessId = (): string => ulid(Math.floor(randomFraction() * 2 ** 32) * 2 ** 15, randomFraction);

const processPart = randomBytes(9).toString('base64url');
let counted = 0;

/** An id for requests and calls: unique among processes and cheap, but not random. */
export const newTraceId = (): string => `${processPart}-${(counted++).toString(36)}`;

/** A random secret of `bytes` bytes, in base64url. */
export const newSecret = (bytes = 32): string => randomBytes(bytes).toString('base64url');

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

const hashedAtOnce = 1024 * 1024;

/** As `sha256`, for content of any size: other work gets its turn after each MiB. */
export async function sha256InSlices(content: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < content.length; start += hashedAtOnce) {
    if (start > 0) await setImmediate();
    hash.update(content.subarray(start, start + hashedAtOnce));
  }
  return hash.digest('hex');
}

/** The time in the format of all answers and documents: ISO 8601, UTC, milliseconds. */
export const timestamp = (date = new Date()): string => date.toISOString();

/** The time in `ms` milliseconds from now. */
export const timeIn = (ms: number): string => timestamp(new Date(Date.now() + ms));
