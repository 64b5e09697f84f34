import type { IncomingMessage } from 'node:http';
import { toPieces } from '../blobs/content.js';
import { apiError } from '../errors/errors.js';
import { HeldBytes, type HeldLimits } from '../work/held-bytes.js';
import { parseBody } from './json-body.js';
import { parseLargeBody } from './large-bodies.js';

export const defaultBodyLimit = 1024 * 1024;

const sizeText = (bytes: number) =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${Math.round(bytes / 1024 / 1024)} MiB`;
const bodyTooLargeError = (limit: number) =>
  apiError('TOO_LARGE', `The body is larger than ${sizeText(limit)}, the limit of this operation`);

/** Bytes: a body that comes in many small parts takes no more memory than its length. */
const pieceBytes = 64 * 1024;

/** Called with the bytes of each part of a body; what it throws ends the reading. */
export type OnPart = (bytes: number) => void;

/** Reads a body in pieces. Throws 413 for more than `limit` bytes. */
async function readPieces(request: IncomingMessage, limit: number, onPart?: OnPart): Promise<Buffer[]> {
  const declared = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  if (declared <= pieceBytes && declared <= limit) return [await readSmall(request, declared, onPart)];
  if (declared > limit && declared < Number.POSITIVE_INFINITY) throw bodyTooLargeError(limit);
  const read: Buffer[] = [];
  for await (const piece of toPieces(limitBytes(request, limit, onPart), pieceBytes)) read.push(piece);
  return read;
}

/** Reads a body of which no more comes than it declares: without the machinery of an iterator, which costs more than the rest. */
function readSmall(request: IncomingMessage, length: number, onPart?: OnPart): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = Buffer.allocUnsafe(length);
    let size = 0;
    const take = (part: Buffer) => {
      try {
        onPart?.(part.length);
      } catch (error) {
        request.off('data', take).pause();
        reject(error);
      }
      size += part.copy(body, size);
    };
    request.on('data', take);
    request.once('end', () => resolve(body.subarray(0, size)));
    request.once('error', reject);
    request.once('close', () => {
      // An error costs as much as the reading.
      if (!request.readableEnded) reject(new Error('the request ended before its body'));
    });
  });
}

async function* limitBytes(request: IncomingMessage, limit: number, onPart?: OnPart): AsyncGenerator<Buffer> {
  let size = 0;
  // The answer to a request that is too large needs the connection.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > limit) throw bodyTooLargeError(limit);
    onPart?.(part.length);
    yield part;
  }
}

/** Reads a body. Throws 413 for more than `limit` bytes. */
export const readBytes = async (request: IncomingMessage, limit: number, onPart?: OnPart): Promise<Buffer> =>
  Buffer.concat(await readPieces(request, limit, onPart));

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const jsonType = /^application\/([\w.+-]+\+)?json$/i;

/** A body without a Content-Type is read as JSON: some clients send none. */
function checkType({ headers }: IncomingMessage): void {
  const [type = ''] = String(headers['content-type'] ?? '').split(';', 1);
  if (headers['content-type'] !== undefined && !jsonType.test(type.trim()))
    throw apiError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Send the body as application/json; its Content-Type is "${type.trim().slice(0, 100)}"`,
    );
  if (headers['content-encoding'] && headers['content-encoding'] !== 'identity')
    throw apiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding');
}

interface BodyRules {
  /** The schema of the body; none where a body is ignored. */
  body?: unknown;
  /** Bytes; 1 MiB by default. */
  bodyLimit?: number | undefined;
}

/** Reads the JSON body; undefined without a body, or where none is expected. Throws 400, 413 or 415. */
export async function readBody(request: IncomingMessage, rules: BodyRules, onPart?: OnPart): Promise<unknown> {
  if (!rules.body || !hasBody(request)) return undefined;
  checkType(request);
  const read = await readPieces(request, rules.bodyLimit ?? defaultBodyLimit, onPart);
  return read.length * pieceBytes > defaultBodyLimit ? parseLargeBody(read) : parseBody(Buffer.concat(read));
}

/** Bounds the memory of all bodies that clients send and that are held until they are answered. */
export class BodyBudget {
  private readonly bytes: HeldBytes;

  constructor(limits: HeldLimits) {
    this.bytes = new HeldBytes(limits);
  }

  /** Does work that reads a body and reports each part. Throws 503 while too much of others is held. */
  async holdWhile<T>(owner: string, work: (onPart: OnPart) => Promise<T>): Promise<T> {
    const holding = this.bytes.hold(owner);
    try {
      return await work((bytes) => {
        if (!holding.add(bytes))
          throw apiError('UNAVAILABLE', 'Too many large requests are under way; try again', 'busy');
      });
    } finally {
      holding.release();
    }
  }
}
