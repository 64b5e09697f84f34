import { writeFile } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import {
  type BrotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  type Gunzip,
  type Inflate,
} from 'node:zlib';
import type { Dispatcher } from 'undici';
import { scaleMs } from '../settings/time-scale.js';
import { bareHost, checkUrl } from './address.js';
import { Connections } from './connections.js';
import { OutboundFailed, OutboundRefused } from './failure.js';
import { allowedAddresses } from './lookup.js';
import { type Lookups, lookups as ofProcess } from './lookups.js';

export interface OutboundRequest {
  /** The owner of the request, such as an organization; owners take turns where names are looked up. */
  owner: string;
  /** GET by default. */
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** For the whole exchange: lookups, redirects and body. 10 s by default. */
  timeoutMs?: number;
  /** Limit of the decompressed body. 1 MiB by default. */
  maxBytes?: number;
  /** Take the beginning of a larger body, instead of failing. */
  cut?: boolean;
  /** 5 by default; with 0, a redirect itself is the response. */
  maxRedirects?: number;
  /** A file that gets the body, which the response does not have then: a large one is not held in memory. */
  into?: string;
  /** Called with the size of each part of the decompressed body as it arrives, and the part; what it throws ends the exchange. */
  onPart?: (bytes: number, part: Uint8Array) => void;
  signal?: AbortSignal;
}

export interface OutboundResponse {
  status: number;
  /** Lower-case names; repeated headers joined by a comma. */
  headers: Record<string, string>;
  /** Decompressed. */
  body: Buffer;
  /** The URL after redirects, without credentials. */
  url: string;
}

export interface Outbound {
  /**
   * Resolves with any status. Throws `OutboundRefused` (URL or address, also of a redirect) or `OutboundFailed`.
   * Credentials in the URL become basic auth. They and `authorization`/`cookie` headers are not sent to another origin.
   */
  fetch(url: string, request: OutboundRequest): Promise<OutboundResponse>;
  close(): Promise<void>;
}

interface Hop {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const DECOMPRESSORS: Record<string, () => Gunzip | Inflate | BrotliDecompress> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
/** Headers that only the transport sets. */
const TRANSPORT_HEADERS = new Set(
  'accept-encoding connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
);
const PRIVATE_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** The only client for outbound HTTP: to public addresses (or `allowCidrs`), bounded in time and size. One per process. */
export function createOutbound({
  allowCidrs = [],
  connectTimeoutMs = scaleMs(10_000),
  userAgent = 'Bindery',
  lookups = ofProcess,
}: {
  allowCidrs?: readonly string[];
  connectTimeoutMs?: number;
  userAgent?: string;
  lookups?: Lookups;
} = {}): Outbound {
  const connections = new Connections(connectTimeoutMs);

  async function followRedirects(
    first: string,
    options: OutboundRequest,
    signal: AbortSignal,
  ): Promise<OutboundResponse> {
    let hop = firstHop(first, options, allowCidrs, userAgent);
    const maxRedirects = options.maxRedirects ?? 5;
    for (let redirects = 0; ; redirects++) {
      const { url, ...rest } = hop;
      const { owner } = options;
      const addresses = await allowedAddresses(bareHost(url.hostname), { lookups, allowCidrs, owner, signal });
      const method = hop.method as Dispatcher.HttpMethod;
      const answer = await connections.request(url, addresses, { ...rest, method, signal });
      const headers = flattenHeaders(answer.headers);
      if (maxRedirects === 0 || !REDIRECTS.has(answer.statusCode) || headers.location === undefined) {
        const encoding = hasNoBody(hop.method, answer.statusCode, headers) ? undefined : headers['content-encoding'];
        const declared = hop.method === 'HEAD' ? 0 : Number(headers['content-length']);
        const { maxBytes: limit = 1024 * 1024, cut = false, into, onPart } = options;
        const read = decodeBody(answer.body, { encoding, declared, limit, cut, host: url.host });
        const unpacked = onPart ? tellParts(read, onPart) : read;
        const body = into === undefined ? await readWhole(unpacked) : await writeToFile(unpacked, into);
        return { status: answer.statusCode, headers, body, url: url.href };
      }
      answer.body.on('error', () => undefined).destroy();
      if (redirects === maxRedirects) throw new OutboundFailed('redirects', `${url.host} redirects too often`);
      hop = nextHop(hop, answer.statusCode, headers.location, allowCidrs);
    }
  }

  return {
    async fetch(url, options) {
      const timeoutMs = options.timeoutMs ?? scaleMs(10_000);
      const stop = new AbortController();
      const host = URL.canParse(url) ? new URL(url).host : 'the URL';
      const timer = setTimeout(() => {
        stop.abort(new OutboundFailed('timeout', `${host} did not answer within ${timeoutMs / 1000} s`));
      }, timeoutMs);
      const abortRequest = () => stop.abort(new OutboundFailed('aborted', 'the request was cancelled'));
      if (options.signal?.aborted) abortRequest();
      options.signal?.addEventListener('abort', abortRequest);
      // undici checks the signal only once connected, so a slow connection must be given up here.
      const stopped = new Promise<never>((_, reject) => {
        stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
        if (stop.signal.aborted) reject(stop.signal.reason);
      });
      try {
        return await Promise.race([followRedirects(url, options, stop.signal), stopped]);
      } catch (error) {
        throw reportableError(stop.signal.aborted ? stop.signal.reason : error, host);
      } finally {
        clearTimeout(timer);
        options.signal?.removeEventListener('abort', abortRequest);
      }
    },
    close: () => connections.close(),
  };
}

function checkedUrl(text: string, allowCidrs: readonly string[]): URL {
  const result = checkUrl(text, { allowCidrs });
  if (!result.ok) throw new OutboundRefused(`the URL ${result.problem}`);
  return result.url;
}

function firstHop(text: string, options: OutboundRequest, allowCidrs: readonly string[], userAgent: string): Hop {
  const url = checkedUrl(text, allowCidrs);
  const headers: Record<string, string> = { 'user-agent': userAgent };
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    const lower = name.toLowerCase();
    if (!TRANSPORT_HEADERS.has(lower)) headers[lower] = value;
  }
  headers['accept-encoding'] = 'gzip, deflate, br';
  if (url.username !== '' || url.password !== '') {
    const plain = `${decodeText(url.username)}:${decodeText(url.password)}`;
    headers.authorization ??= `Basic ${Buffer.from(plain).toString('base64')}`;
    url.username = '';
    url.password = '';
  }
  return { url, method: (options.method ?? 'GET').toUpperCase(), headers, body: options.body };
}

function nextHop(hop: Hop, status: number, location: string, allowCidrs: readonly string[]): Hop {
  if (!URL.canParse(location, hop.url.href))
    throw new OutboundFailed('redirects', `${hop.url.host} redirects to no valid URL`);
  const url = checkedUrl(new URL(location, hop.url).href, allowCidrs);
  url.username = '';
  url.password = '';
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status <= 302 && hop.method === 'POST';
  const sameOrigin = url.origin === hop.url.origin;
  const kept = Object.entries(hop.headers).filter(
    ([name]) => (sameOrigin || !PRIVATE_HEADERS.has(name)) && !(becomesGet && name.startsWith('content-')),
  );
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: Object.fromEntries(kept),
    body: becomesGet ? undefined : hop.body,
  };
}

/** Whether a response has no body. It may still declare an encoding, which could not be unpacked. */
function hasNoBody(method: string, status: number, headers: Record<string, string>): boolean {
  return method === 'HEAD' || status === 204 || status === 304 || headers['content-length'] === '0';
}

/** Bytes of a packed body that may be read beyond what its beginning unpacks to. */
const readAhead = 1024 * 1024;

interface Body {
  encoding: string | undefined;
  declared: number;
  limit: number;
  cut: boolean;
  host: string;
}

/** The body of an answer, decompressed and within its limit. */
async function* decodeBody(raw: Readable, { encoding = '', declared, limit, cut, host }: Body): AsyncGenerator<Buffer> {
  const tooLarge = () => new OutboundFailed('too-large', `the answer of ${host} is larger than ${sizeText(limit)}`);
  if (declared > limit && !cut) {
    raw.on('error', () => undefined).destroy();
    throw tooLarge();
  }
  const unpack = DECOMPRESSORS[encoding.trim().toLowerCase()]?.();
  const packed =
    unpack && cut ? capBytes(raw, limit + readAhead, tooLarge) : capBytes(raw, limit, cut ? undefined : tooLarge);
  // Whoever reads also gets the error of the pipeline.
  yield* unpack
    ? capBytes(
        pipeline(packed, unpack, () => undefined),
        limit,
        cut ? undefined : tooLarge,
      )
    : packed;
}

async function* tellParts(
  body: AsyncIterable<Buffer>,
  onPart: NonNullable<OutboundRequest['onPart']>,
): AsyncGenerator<Buffer> {
  for await (const part of body) {
    onPart(part.length, part);
    yield part;
  }
}

async function readWhole(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function writeToFile(body: AsyncIterable<Buffer>, file: string): Promise<Buffer> {
  await writeFile(file, body);
  return Buffer.alloc(0);
}

/** Without `tooLarge`, ends at the limit. */
async function* capBytes(
  source: AsyncIterable<Buffer>,
  limit: number,
  tooLarge: (() => Error) | undefined,
): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > limit && tooLarge) throw tooLarge();
    yield length > limit ? chunk.subarray(0, chunk.length - (length - limit)) : chunk;
    if (length >= limit && !tooLarge) return;
  }
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}

/** Keeps only our own texts and error codes: the message of a library may hold a header or a resolved address. */
function reportableError(error: unknown, host: string): OutboundFailed | OutboundRefused {
  if (error instanceof OutboundFailed || error instanceof OutboundRefused) return error;
  const code = errorCode(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new OutboundFailed('timeout', `${host} could not be reached in time`);
  if (code === 'UND_ERR_INVALID_ARG') return new OutboundFailed('invalid', 'the method or a header is not valid');
  return new OutboundFailed('network', `the request to ${host} failed${code ? ` (${code})` : ''}`);
}

function errorCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

export type HasOutbound = { outbound: Outbound };
