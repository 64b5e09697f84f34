import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import { apiError, invalid } from '../../../shared/errors/errors.js';
import { Deliveries } from '../../../shared/http/deliveries.js';
import { operations } from '../contracts.js';
import {
  commonHeaders,
  type Exchange,
  knownVersions,
  sendAnswer,
  sendContent,
  sendFailure,
  sendJson,
} from './reply.js';

let answer: (exchange: Exchange) => Promise<unknown>;
let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const exchange = {
      request,
      response,
      requestId: 'r1',
      headers: commonHeaders('r1'),
      path: '/',
      operation: 'unknown',
      deliveries: new Deliveries(),
      isLast: () => false,
    };
    answer(exchange).catch((error) => response.destroy(error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const ask = (headers: Record<string, string> = {}, method = 'GET') => fetch(url, { headers, method });
const operationThat = (holds: (operation: AnyOperation) => boolean): AnyOperation => {
  const found = operations.find(holds);
  if (!found) throw new Error('no such operation');
  return found;
};

describe('an answer', () => {
  const large = { text: 'ä'.repeat(5000) };

  it.each([
    ['', null],
    ['identity', null],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000, gzip;q=0', null],
    ['brotli, x-gzip', null],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['gzip;q=0.8, br;q=0.8', 'br'],
    ['*', 'br'],
    ['br;q=0, *;q=0.5', 'gzip'],
    ['*;q=0', null],
    ['identity, gzip;q=0.5', null],
    ['identity;q=0.5, gzip', 'gzip'],
  ])('that is large, to a client that accepts %j, is encoded as %s', async (accepted, coding) => {
    answer = (exchange) => sendJson(exchange, 200, large);
    const headers: Record<string, string> = { 'accept-encoding': accepted || 'identity' };
    const response = await ask(headers);
    expect(response.headers.get('content-encoding')).toBe(coding);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(await response.json()).toEqual(large);
  });

  it('states its length in bytes', async () => {
    for (const value of [{ a: 'ä😀' }, large]) {
      answer = (exchange) => sendJson(exchange, 200, value);
      const head = await ask({ 'accept-encoding': 'identity' }, 'HEAD');
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(JSON.stringify(value))));
      expect(await head.text()).toBe('');
    }
  });

  it('keeps its other Vary fields', async () => {
    answer = (exchange) => {
      exchange.headers.Vary = 'Origin';
      return sendJson(exchange, 200, large);
    };
    expect((await ask({ 'accept-encoding': 'br' })).headers.get('vary')).toBe('Origin, Accept-Encoding');
  });

  it('without content has no length and no type', async () => {
    answer = (exchange) => sendContent(exchange, 204, undefined);
    const response = await ask();
    expect([response.headers.get('content-length'), response.headers.get('content-type')]).toEqual([null, null]);
  });

  it('ends the connection when the server stops', async () => {
    answer = (exchange) => sendJson({ ...exchange, isLast: () => true }, 200, {});
    expect((await ask()).headers.get('connection')).toBe('close');
  });
});

describe('a versioned answer', () => {
  const versioned = operationThat(({ cache }) => cache === 'versioned');

  it.each([
    [true, 304],
    [false, 200],
  ])('that the client has (%s) is %i', async (unchanged, status) => {
    answer = (exchange) =>
      sendAnswer(exchange, versioned, { answer: unchanged ? undefined : { id: 'v1' }, version: 'v1', unchanged });
    const response = await ask();
    expect(response.status).toBe(status);
    expect([response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([
      'W/"v1"',
      'private, no-cache',
    ]);
    expect(await response.text()).toBe(status === 304 ? '' : '{"id":"v1"}');
  });

  it.each([
    ['"v1"', ['v1']],
    ['W/"v1"', ['v1']],
    ['"v0", W/"v1"', ['v0', 'v1']],
    ['*', ['*']],
    ['v1', []],
    ['', []],
  ])('is named in If-None-Match %s as %j', (header, versions) => {
    expect(knownVersions(header)).toEqual(versions);
  });

  it('of an operation without versions is not cached', async () => {
    const plain = operationThat(({ cache, response }) => !cache && response !== undefined);
    answer = (exchange) => sendAnswer(exchange, plain, { answer: {}, version: 'v1' });
    const response = await ask({ 'if-none-match': '*' });
    expect([response.status, response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([
      plain.status,
      null,
      'no-store',
    ]);
  });
});

describe('a failure', () => {
  const about = async (error: unknown) => {
    answer = (exchange) => sendFailure(exchange, error);
    const response = await ask();
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  it('has its message and status', async () => {
    const { status, body, headers } = await about(invalid('title: too long'));
    expect([status, body]).toEqual([
      400,
      { error: { code: 400, message: 'title: too long', reason: 'invalid_request' } },
    ]);
    expect([headers.get('x-request-id'), headers.get('cache-control')]).toEqual(['r1', 'no-store']);
  });

  it.each([
    ['UNAUTHENTICATED', 'www-authenticate', 'Bearer'],
    ['UNAVAILABLE', 'retry-after', '1'],
    ['TOO_LARGE', 'connection', 'close'],
  ] as const)('%s says so in %s', async (type, header, value) => {
    expect((await about(apiError(type, 'text'))).headers.get(header)).toBe(value);
  });

  it.each([
    ['an error with a secret', new Error('password=hunter2')],
    ['a text', 'hunter2'],
    ['null', null],
    ['undefined', undefined],
  ])('that is unexpected (%s) is a 500 without detail', async (_, error) => {
    expect(await about(error)).toMatchObject({
      status: 500,
      body: { error: { code: 500, message: 'Something went wrong on our side', reason: 'internal_error' } },
    });
  });
});
