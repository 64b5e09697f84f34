import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Caller } from '../../../shared/contract/caller.js';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import { type Failure, failureOf } from '../../../shared/errors.js';

/** The headers of every answer; the steps of a request add to them. */
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

/** One exchange of request and answer: what its steps share. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** The headers of the answer so far. */
  headers: OutgoingHttpHeaders;
  /** Without the query. */
  path: string;
  /** The operationId, once it is known. */
  operation: string;
  /** The operation, once it is known. */
  matched?: AnyOperation;
  /** The caller, once it is known. */
  caller?: Caller;
  /** Whether the connection ends with this answer because the server is stopping. */
  isLast: () => boolean;
}

/** Whether an `Accept-Encoding` header allows the coding by name. */
const accepts = (header: string, coding: string) =>
  header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });

/** Compresses the text where the client allows it. A string is not turned into a buffer: it is written together with the headers. */
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

/** Sends the answer of an operation with its version as ETag; 304 to a client that has this version. */
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

/** Sends an error in the official shape. The cause of a 5xx is only logged, under the request id. */
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
