import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import type { Outbound } from '../../../../shared/outbound/client.js';
import { OutboundFailed, OutboundRefused } from '../../../../shared/outbound/failure.js';
import type { HeldBytes } from '../../../../shared/work/held-bytes.js';
import { Semaphore } from '../../../../shared/work/semaphore.js';
import { type Limits, mebibytesText } from '../limits.js';

export interface GuardOptions {
  /** The path of its socket. */
  socket: string;
  /** The organization of the program: whose requests they are. */
  organization: string;
  /** To public addresses. */
  outbound: Outbound;
  isApi: (url: URL) => boolean;
  /** Bodies that are held in memory here, of all scripts of each organization. */
  bodies: HeldBytes;
  limits: Limits;
}

export interface Guard {
  close(): Promise<void>;
}

const bodyless = new Set(['GET', 'HEAD']);

/** The request is not made; the text is for the script. */
class Refusal extends Error {}

/** Makes the requests of one process: to the API below `/v1/`, and through the guarded client to everything else. */
export async function openGuard(options: GuardOptions): Promise<Guard> {
  const { socket, outbound, isApi, bodies, organization, limits } = options;
  // Most installations run no script.
  const { Agent, request: send } = await import('undici');
  const api = new Agent();
  const turns = new Semaphore(limits.requestsAtOnce);

  const server = createServer({ requireHostHeader: false, requestTimeout: limits.requestMs }, (request, response) => {
    const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined;
    const stop = new AbortController();
    response.once('close', () => stop.abort());
    response.on('error', () => undefined);
    const passRequest = async () => {
      if (stop.signal.aborted) return;
      if (url === undefined) throw new Refusal('the URL is not valid');
      if (isApi(url)) await throughToApi(url, request, response, stop.signal);
      else await throughOutbound(url, request, response, stop.signal);
    };
    turns.run(passRequest).catch((error) => sendRefusal(request, response, url, error));
  });
  // A tunnel would reach any address.
  server.on('connect', (_, connection) => connection.destroy());

  async function throughToApi(url: URL, request: IncomingMessage, response: ServerResponse, stopped: AbortSignal) {
    const answer = await send(url, {
      dispatcher: api,
      method: request.method as Dispatcher.HttpMethod,
      headers: apiHeaders(request.headers),
      body: hasBody(request) ? Readable.from(limitBody(request, 'the body of the request')) : null,
      signal: AbortSignal.any([stopped, AbortSignal.timeout(limits.requestMs)]),
    });
    response.writeHead(answer.statusCode, receivedHeaders(answer.headers));
    await pipeline(limitBody(answer.body, 'the answer'), response);
  }

  async function throughOutbound(url: URL, request: IncomingMessage, response: ServerResponse, stopped: AbortSignal) {
    const holding = bodies.hold(organization);
    const holdBytes = (bytes: number) => {
      if (!holding.add(bytes)) throw new OutboundRefused('too many bodies are in transfer at the same time');
    };
    try {
      const answer = await outbound.fetch(url.href, {
        owner: organization,
        method: request.method ?? 'GET',
        headers: sentHeaders(request.headers),
        ...(hasBody(request) ? { body: await readRequestBody(request, holdBytes) } : {}),
        maxRedirects: 0,
        maxBytes: limits.requestBytes,
        timeoutMs: limits.requestMs,
        signal: stopped,
        onPart: holdBytes,
      });
      response.writeHead(answer.status, decodedHeaders(answer.headers));
      await pipeline([answer.body], response);
    } finally {
      holding.release();
    }
  }

  async function readRequestBody(request: IncomingMessage, hold: (bytes: number) => void): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of limitBody(request, 'the body of the request')) {
      hold(part.length);
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  async function* limitBody(body: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
    let length = 0;
    for await (const part of body) {
      length += part.length;
      if (length > limits.requestBytes)
        throw new Refusal(`${name} is larger than ${mebibytesText(limits.requestBytes)}`);
      yield part;
    }
  }

  await new Promise<void>((listening, failed) => server.once('error', failed).listen(socket, listening));
  return {
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await api.destroy();
    },
  };
}

const hasBody = ({ method = 'GET', headers }: IncomingMessage) =>
  !bodyless.has(method) && (headers['transfer-encoding'] !== undefined || headers['content-length'] !== '0');

/** Answers with the reason, if nothing was answered yet. */
function sendRefusal(request: IncomingMessage, response: ServerResponse, url: URL | undefined, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const isRefused = error instanceof Refusal || error instanceof OutboundRefused;
  const reason = isRefused || error instanceof OutboundFailed ? error.message : 'the API could not be reached';
  const text = `fetch of ${url?.origin ?? 'an invalid URL'} ${isRefused ? 'refused' : 'failed'}: ${reason}`;
  response.writeHead(isRefused ? 403 : 502, { [refusedHeader]: encodeURIComponent(text) }).end();
  request.resume();
}

/** Gives the script the reason why a request was not made: the text, URI-encoded. */
const refusedHeader = 'x-bindery-refused';

/** Headers of one connection, in either direction. */
const hopHeaders =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade';
const notSent = new Set(`${hopHeaders} host content-length expect accept-encoding`.split(' '));
const notReceived = new Set(`${hopHeaders} content-length ${refusedHeader}`.split(' '));
/** Headers that only a proxy may send to the API. */
const ofProxies = /^(forwarded|x-forwarded-.*|x-real-ip)$/;

function sentHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !notSent.has(name)) sent[name] = Array.isArray(value) ? value.join(', ') : value;
  return sent;
}

const apiHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(sentHeaders(headers)).filter(([name]) => !ofProxies.test(name)));

type Headers = Record<string, string | string[]>;

const receivedHeaders = (headers: Record<string, string | string[] | undefined>): Headers =>
  Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => value !== undefined && !notReceived.has(name)),
  ) as Headers;

/** Headers for the script of an answer that was decoded, and whose repeated headers were joined: cookies are split again. */
function decodedHeaders(headers: Record<string, string>): Headers {
  const { 'content-encoding': _, 'set-cookie': cookies, ...rest } = headers;
  const received = receivedHeaders(rest);
  // A comma within a cookie stands before a space and no name, as in dates.
  return cookies === undefined ? received : { ...received, 'set-cookie': cookies.split(/, (?=[^\s;,=]+=)/) };
}
