import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { visit } from 'jsonc-parser';
import sjson from 'secure-json-parse';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import { apiError, invalid } from '../../../shared/errors.js';

export const defaultBodyLimit = 1024 * 1024;

/** More levels than any document has. The bus would overflow its stack at about a hundred times as many. */
const deepest = 500;

/** Of all objects and arrays together: checking each against its schema takes time. */
const mostValues = 10_000;

const sizeOf = (bytes: number) =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${Math.round(bytes / 1024 / 1024)} MiB`;
const tooLarge = (limit: number) =>
  apiError('TOO_LARGE', `The body is larger than ${sizeOf(limit)}, the limit of this operation`);

/** Reads a body. Throws 413 for more than `limit` bytes. */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  // The answer to a request that is too large needs the connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

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

/** Reads the JSON body; undefined without a body, or where the operation takes none. Throws 400, 413 or 415. */
export async function readBody(request: IncomingMessage, operation: AnyOperation): Promise<unknown> {
  if (!operation.body || !hasBody(request)) return undefined;
  checkType(request);
  const bytes = await readBytes(request, operation.bodyLimit ?? defaultBodyLimit);
  if (!isUtf8(bytes)) throw invalid('the body: not UTF-8');
  checkExtent(bytes);
  await giveWayFor(bytes);
  const text = bytes.toString();
  await giveWayFor(bytes);
  return parseJson(text);
}

/** Each step over a body of many megabytes takes a while: other requests get their turn between them. */
async function giveWayFor({ length }: Buffer): Promise<void> {
  if (length > defaultBodyLimit) await setImmediate();
}

function parseJson(text: string): unknown {
  try {
    return sjson.parse(text, undefined, { protoAction: 'remove', constructorAction: 'remove' });
  } catch {
    throw invalid(`the body: not JSON${placeOfFault(text)}`);
  }
}

/** Where a text stops being JSON, in words; empty where it is nested too deeply to find out. */
function placeOfFault(text: string): string {
  let fault: number | undefined;
  const stopAt = (offset: number) => {
    fault = offset;
    throw new Error('found');
  };
  try {
    visit(text, { onError: (_, offset) => stopAt(offset) }, { disallowComments: true });
  } catch {
    // Thrown by `stopAt`, or the stack has overflowed.
  }
  if (fault === undefined) return '';
  const before = text.slice(0, fault).split('\n');
  if (fault === text.length) return ', it ends too early';
  return `, at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

const [quote, backslash, comma, space] = [0x22, 0x5c, 0x2c, 0x20];
const opening = new Set([...'[{'].map((sign) => sign.charCodeAt(0)));
const closing = new Set([...']}'].map((sign) => sign.charCodeAt(0)));

/** Looks at the text alone: to parse a megabyte of small values takes 20 ms, and others wait. */
function checkExtent(text: Buffer): void {
  let [depth, values, last] = [0, 1, 0];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as number;
    if (sign <= space) continue;
    if (sign === quote) at = endOfString(text, at);
    else if (sign === comma) values += 1;
    else if (opening.has(sign)) {
      values += 1;
      if (++depth > deepest) throw invalid(`the body: nested more than ${deepest} levels deep`);
    } else if (closing.has(sign)) {
      depth -= 1;
      if (opening.has(last)) values -= 1;
    }
    last = sign;
    if (values > mostValues) throw invalid(`the body: more than ${mostValues} values`);
  }
}

/** The place of the quote that ends the string which begins at `start`. */
function endOfString(text: Buffer, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf(quote, end + 1);
    if (end < 0) return text.length;
    let escapes = end;
    while (text[escapes - 1] === backslash) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end;
  }
}
