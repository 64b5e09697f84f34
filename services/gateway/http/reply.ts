import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Caller } from '../../../shared/contract/caller.js';
import { Encoded } from '../../../shared/contract/encoded.js';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import { type Failure, failureOf } from '../../../shared/errors/errors.js';
import type { Deliveries } from '../../../shared/http/deliveries.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { KeyedCache } from '../../../shared/work/keyed-cache.js';
import { Semaphore } from '../../../shared/work/semaphore.js';
import { parseWeights } from './accept.js';
/** The headers of every answer; the steps of a request add to them. */
export const commonHeaders = (requestId: string): OutgoingHttpHeaders => ({
  'X-Request-Id': requestId,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
});

const compressFrom = 2048;
const jsonType = 'application/json; charset=utf-8';

/** One exchange of request and answer: what its steps share. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** The headers of the answer so far. */
  headers: OutgoingHttpHeaders;
  /** Without the query. */
  path: string;
  /** The operationId, or the kind of page, once it is known. */
  operation: string;
  /** The organization of what the operation is about, once it is known. */
  organization?: string;
  /** The operation, once it is known. */
  matched?: AnyOperation;
  /** The caller, once it is known. */
  caller?: Caller;
  deliveries: Deliveries;
  /** Whether the connection ends with this answer because the server is stopping. */
  isLast: () => boolean;
}

/** Content that may be sent to several readers. Equal content has an equal name. */
export interface NamedContent {
  bytes: Buffer;
  name: string;
}

/** A text that may be sent to several readers, as `NamedContent`. */
export interface NamedText {
  text: string;
  name: string;
}

type Content = string | NamedContent | NamedText;

const plainOf = (content: Content): string | Buffer =>
  typeof content === 'string' ? content : 'text' in content ? content.text : content.bytes;

/** Compresses content where the client allows it. A string is not turned into a buffer: it is written together with the headers. */
async function compressContent({ request, headers }: Exchange, content: Content): Promise<string | Buffer> {
  const plain = plainOf(content);
  if (plain.length < compressFrom) return plain;
  headers.Vary = headers.Vary ? `${headers.Vary}, Accept-Encoding` : 'Accept-Encoding';
  const coding = chooseCoding(String(request.headers['accept-encoding'] ?? ''));
  // The name of a long answer takes time to find out.
  const made = coding && (await compressBody(plain, coding, typeof content === 'string' ? undefined : content.name));
  if (made) headers['Content-Encoding'] = coding;
  return made ?? plain;
}

/** Ends the exchange. HEAD gets the headers of GET. */
export async function sendContent(
  exchange: Exchange,
  status: number,
  type: string | undefined,
  content: Content = '',
): Promise<void> {
  const { request, response, headers, deliveries } = exchange;
  const body = await compressContent(exchange, content);
  if (response.destroyed) return;
  deliveries.makeRoom(body);
  const bodiless = status === 204 || status === 304;
  if (type) headers['Content-Type'] = type;
  if (!bodiless) headers['Content-Length'] = Buffer.byteLength(body);
  if (exchange.isLast()) headers.Connection = 'close';
  response.writeHead(status, headers);
  deliveries.sendContent(response, request.method === 'HEAD' || bodiless ? undefined : body);
}

/** Ends the exchange with bytes that are sent as they are, of the type that its headers have. */
export function sendBytes(exchange: Exchange, status: number, body: Buffer): void {
  const { request, response, headers, deliveries } = exchange;
  if (response.destroyed) return;
  deliveries.makeRoom(body);
  const bodiless = status === 204 || status === 205 || status === 304;
  const isHead = request.method === 'HEAD';
  if (!bodiless && !isHead) headers['Content-Length'] = body.length;
  if (exchange.isLast()) headers.Connection = 'close';
  response.writeHead(status, headers);
  deliveries.sendContent(response, isHead || bodiless ? undefined : body);
}

/** Sends content that seldom changes, with its name as ETag; 304 to a client that has it. */
export function sendNamed(exchange: Exchange, type: string, content: NamedContent): Promise<void> {
  const { request, headers } = exchange;
  headers['Cache-Control'] = 'no-cache';
  headers.ETag = `W/"${content.name}"`;
  const known = knownVersions(request.headers['if-none-match'] ?? '');
  const isKnown = known.includes('*') || known.includes(content.name);
  return isKnown ? sendContent(exchange, 304, undefined) : sendContent(exchange, 200, type, content);
}

export const sendJson = (exchange: Exchange, status: number, value: unknown) =>
  sendContent(exchange, status, jsonType, value instanceof Encoded ? value : JSON.stringify(value));

/** The versions that a client has, as its `If-None-Match` header names them; `*` stands for any. */
export const knownVersions = (header: string): string[] =>
  header.split(',').flatMap(
    (tag) =>
      /^(?:W\/)?"([^"]*)"$|^\*$/
        .exec(tag.trim())
        ?.slice(1)
        .map((known) => known ?? '*') ?? [],
  );

export interface Answered {
  answer: unknown;
  version?: string | undefined;
  /** How caches may keep the answer, where the operation does not say it. */
  cacheControl?: string | undefined;
  /** The client has this version; `answer` is undefined. */
  unchanged?: boolean | undefined;
}

/** Sends the answer of an operation with its version as ETag; 304 to a client that has this version. */
export function sendAnswer(
  exchange: Exchange,
  operation: AnyOperation,
  { answer, version, cacheControl, unchanged }: Answered,
): Promise<void> {
  const { headers } = exchange;
  if (operation.cache && version !== undefined) {
    headers.ETag = `W/"${version}"`;
    headers['Cache-Control'] =
      operation.cache === 'immutable' ? 'private, max-age=31536000, immutable' : 'private, no-cache';
    if (unchanged) return sendContent(exchange, 304, undefined);
  } else if (cacheControl !== undefined) {
    headers['Cache-Control'] = cacheControl;
    // Keeps caches from serving one caller's answer to another.
    headers.Vary = headers.Vary ? `${headers.Vary}, Authorization` : 'Authorization';
  } else headers['Cache-Control'] ??= 'no-store';
  const status = operation.accepted?.safeParse(answer).success ? 202 : operation.status;
  if (operation.status === 201)
    headers.Location = (answer as { urls?: { location?: string } } | undefined)?.urls?.location;
  if (headers.Location === undefined) delete headers.Location;
  if (!operation.response) return sendContent(exchange, status, undefined);
  return sendJson(exchange, status, answer);
}

/** Sets the headers of the answer that tells of an error; returns what it tells. */
export function beginFailure({ headers }: Exchange, error: unknown): Failure {
  const failure = failureOf(error);
  headers['Cache-Control'] = 'no-store';
  if (failure.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  const { retryAfter = 1 } = (error as { data?: { retryAfter?: number } } | null)?.data ?? {};
  if (failure.status === 503 || failure.status === 429) headers['Retry-After'] ??= retryAfter;
  const allow = (error as { allow?: string[] } | null)?.allow;
  if (allow) headers.Allow = allow.join(', ');
  return failure;
}

/** Sends an error in the official shape. The cause of a 5xx is only logged, under the request id. */
export async function sendFailure(exchange: Exchange, error: unknown): Promise<Failure> {
  const failure = beginFailure(exchange, error);
  const { status: code, message, reason } = failure;
  await sendMessage(exchange, code, jsonType, JSON.stringify({ error: { code, message, reason } }));
  return failure;
}

/** Ends the exchange with a short text that tells how a request ended, though it may still be coming. */
export const sendMessage = (exchange: Exchange, status: number, type: string, text: string): Promise<void> =>
  status === 413 ? sendBeforeRest(exchange, { status, type, text }) : sendContent(exchange, status, type, text);

interface Message {
  status: number;
  type: string;
  text: string;
}

/** Limits, in bytes and milliseconds, on reading the rest of a refused request before its connection ends. */
const maxRest = 64 * 1024 * 1024;
const restMs = scaleMs(5_000);

/** Answers a request that is still coming, and takes the rest of it: the client of a connection that ends before that loses the answer. */
async function sendBeforeRest(
  { request, response, headers }: Exchange,
  { status, type, text }: Message,
): Promise<void> {
  if (response.destroyed) return;
  const described = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, ...described, Connection: 'close' });
  response.write(text);
  await awaitRest(request);
  response.end();
}

/** Resolves when a request has come to its end, or when enough of it has come. */
function awaitRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let size = 0;
    const timer = setTimeout(resolve, restMs);
    const stopWaiting = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxRest) stopWaiting();
    });
    for (const event of ['end', 'close', 'error']) request.once(event, stopWaiting);
    request.resume();
    if (request.complete || request.destroyed) stopWaiting();
  });
}

type Coding = 'br' | 'gzip';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
/** How hard each coding works: on a page, which is sent more often than it changes, harder than on what is sent once. */
const levels = { once: { br: 4, gzip: 4 }, page: { br: 5, gzip: 6 } };

const compress = (content: string | Buffer, coding: Coding, level: number): Promise<Buffer> =>
  coding === 'br'
    ? compressBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: level } })
    : compressGzip(content, { level });

/** The coding that an `Accept-Encoding` header prefers, the better one of two that it likes as much; undefined where that is none. */
function chooseCoding(header: string): Coding | undefined {
  const wishes = parseWeights(header);
  const codingWeight = (coding: Coding) => wishes.get(coding) ?? wishes.get('*') ?? 0;
  const best = codingWeight('gzip') > codingWeight('br') ? 'gzip' : 'br';
  return codingWeight(best) > 0 && codingWeight(best) >= (wishes.get('identity') ?? 0) ? best : undefined;
}

/** Bytes of compressed answers that are kept. */
const maxCacheBytes = 64 * 1024 * 1024;
/** Files, name look-ups and passwords share the process's four threads with compression. */
const few = new Semaphore(2);
const maxWaiting = 64;

const answers = new KeyedCache<Buffer>({ maxSize: maxCacheBytes, sizeOf: ({ length }) => length + 200 });

/**
 * Compresses content off the event loop; content that has a name (equal for equal content) once for each coding. Undefined where
 * too many others wait: the content then goes out as it is.
 */
async function compressBody(
  content: string | Buffer,
  coding: Coding,
  name: string | undefined,
): Promise<Buffer | undefined> {
  const known = name === undefined ? undefined : answers.getIfKept(`${coding} ${name}`);
  if (known) return known;
  if (few.waiting >= maxWaiting) return undefined;
  const level = levels[name !== undefined && typeof content === 'string' ? 'page' : 'once'][coding];
  const compressNow = () => few.run(() => compress(content, coding, level));
  return name === undefined ? compressNow() : answers.get(`${coding} ${name}`, compressNow);
}
