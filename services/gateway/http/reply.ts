import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Caller } from '../../../shared/contract/caller.js';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import { type Failure, failureOf } from '../../../shared/errors.js';

/** What goes with every answer; the steps of a request add to it. */
export const commonHeaders = (requestId: string): OutgoingHttpHeaders => ({
  'X-Request-Id': requestId,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
});

const compressFrom = 2048;
const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** One exchange: what the steps of a request share. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** The headers that the steps before the answer add. */
  headers: OutgoingHttpHeaders;
  /** Without the query. */
  path: string;
  /** Its operationId, once that is known. */
  operation: string;
  /** The operation it calls, once that is known. */
  matched?: AnyOperation;
  /** Who sent it, once that is known. */
  caller?: Caller;
  /** Whether the connection ends with it: the server is stopping. */
  isLast: () => boolean;
}

/** Whether the header names the coding, other than to rule it out. */
const accepts = (header: string, coding: string) =>
  header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });

/** A text that stays one goes out with its headers in a single write. */
async function encoded({ request, headers }: Exchange, text: string): Promise<string | Buffer> {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  headers.Vary = headers.Vary ? `${headers.Vary}, Accept-Encoding` : 'Accept-Encoding';
  if (accepts(accepted, 'br')) {
    headers['Content-Encoding'] = 'br';
    return compressBrotli(text, brotliOptions);
  }
  if (!accepts(accepted, 'gzip')) return text;
  headers['Content-Encoding'] = 'gzip';
  return compressGzip(text, { level: 4 });
}

/** Ends the exchange. HEAD gets the headers of GET. */
export async function send(exchange: Exchange, status: number, type: string | undefined, text = ''): Promise<void> {
  const { request, response, headers } = exchange;
  const body = text.length < compressFrom ? text : await encoded(exchange, text);
  if (response.destroyed) return;
  const bodiless = status === 204 || status === 304;
  if (type) headers['Content-Type'] = type;
  if (!bodiless) headers['Content-Length'] = Buffer.byteLength(body);
  if (exchange.isLast()) headers.Connection = 'close';
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' || bodiless ? undefined : body);
}

export const sendJson = (exchange: Exchange, status: number, value: unknown) =>
  send(exchange, status, 'application/json; charset=utf-8', JSON.stringify(value));

const matches = (header: string | undefined, etag: string) =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));

/** The answer of an operation, with its version: a client that holds it gets a 304. */
export function sendAnswer(
  exchange: Exchange,
  operation: AnyOperation,
  answer: unknown,
  version: string | undefined,
): Promise<void> {
  const { request, headers } = exchange;
  if (operation.cache && version !== undefined) {
    const etag = `"${version}"`;
    headers.ETag = `W/${etag}`;
    headers['Cache-Control'] =
      operation.cache === 'immutable' ? 'private, max-age=31536000, immutable' : 'private, no-cache';
    if (matches(request.headers['if-none-match'], etag)) return send(exchange, 304, undefined);
  } else headers['Cache-Control'] ??= 'no-store';
  if (operation.status === 201) headers.Location = (answer as { urls?: { location?: string } }).urls?.location;
  if (headers.Location === undefined) delete headers.Location;
  if (!operation.response) return send(exchange, operation.status, undefined);
  return sendJson(exchange, operation.status, answer);
}

/** Any error in the official shape; what a 5xx was stays in the log, under the request id. */
export function sendFailure(exchange: Exchange, error: unknown): Promise<Failure> {
  const failure = failureOf(error);
  const { headers } = exchange;
  headers['Cache-Control'] = 'no-store';
  if (failure.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (failure.status === 503) headers['Retry-After'] = '1';
  const allow = (error as { allow?: string[] } | null)?.allow;
  if (allow) headers.Allow = allow.join(', ');
  if (failure.status === 413) headers.Connection = 'close';
  const body = { error: { code: failure.status, message: failure.message } };
  return sendJson(exchange, failure.status, body).then(() => failure);
}
