import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { eventually } from '../../../../shared/testing/eventually.js';
import { HeldBytes } from '../../../../shared/work/held-bytes.js';
import { eventOf, failureOf, messages, moduleOf, programOf, testedRuntime } from '../testing/scripts.js';
import { apiRule } from './api-requests.js';

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

async function serve(host: string, listener: RequestListener, onConnection = () => {}): Promise<string> {
  const server = createServer(listener).on('connection', onConnection);
  await new Promise<void>((listening) => server.listen(0, host, listening));
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** Answers what a fetch of the script gave: status, headers and text, or its error. */
const fetching = programOf(
  moduleOf(`const { url, init } = JSON.parse((await request.formData()).get('event'));
    try {
      const response = await fetch(url, init);
      return Response.json([response.status, await response.text(), [...response.headers]]);
    } catch (error) {
      return Response.json([error.name, error.message]);
    }`),
);

let privateConnections = 0;
let api = '';
let secret = '';
let open = '';
let runtime: ReturnType<typeof testedRuntime>;

const openAnswers: RequestListener = (request, response) => {
  const [, kind = '', rest = ''] = /^\/(\w*)\/?(.*)$/.exec(request.url ?? '') ?? [];
  if (kind === 'to') response.writeHead(302, { location: decodeURIComponent(rest) }).end();
  else if (kind === 'gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked'));
  else if (kind === 'cookies')
    response.writeHead(200, { 'set-cookie': ['a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT', 'b=2'] }).end();
  else if (kind === 'large') response.end(Buffer.alloc(11 * 1024 * 1024));
  else if (kind === 'pretends') response.writeHead(200, { 'x-bindery-refused': 'no' }).end('fine');
  else request.pipe(response.writeHead(200, { 'x-host': request.headers.host, 'x-method': request.method }));
};

beforeAll(async () => {
  api = await serve('127.0.0.1', (request, response) =>
    request.pipe(response.writeHead(200, { 'x-url': request.url, 'x-from': `${request.headers['x-forwarded-for']}` })),
  );
  secret = await serve(
    '127.0.0.1',
    (_, response) => response.end('secret'),
    () => {
      privateConnections += 1;
    },
  );
  open = await serve('127.0.0.2', openAnswers);
  runtime = testedRuntime({ apiEndpoint: api, allowCidrs: ['127.0.0.2/32'] });
  ends.push(() => runtime.close());
});

async function scriptFetches(url: string, init: object = {}) {
  const answer = await runtime.dispatch(fetching, eventOf({ event: { eventId: 'e', type: 'fetch', url, init } }));
  return { got: JSON.parse(answer.body.toString()), lines: messages(await answer.ended) };
}

describe('private addresses', () => {
  test('are refused: as numbers, as names, with credentials, and behind redirects; nothing arrives', async () => {
    const { port } = new URL(secret);
    const refused = [
      secret,
      `http://0x7f.1:${port}/`,
      `http://localhost:${port}/`,
      `http://[::1]:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://127.0.0.2@127.0.0.1:${port}/`,
      `https://127.0.0.1:${port}/`,
      `${open}/to/${encodeURIComponent(secret)}`,
      `${open}/to/${encodeURIComponent(`${open}/to/${encodeURIComponent(secret)}`)}`,
    ];
    for (const url of refused) {
      const { got, lines } = await scriptFetches(url);
      expect([url, ...got]).toEqual([
        url,
        'TypeError',
        expect.stringMatching(/^fetch of \S+ refused: .*not a public address/),
      ]);
      expect(lines).toEqual([got[1]]);
    }
    expect(privateConnections).toBe(0);
  });

  test('are not reached by a Host header', async () => {
    const { host } = new URL(secret);
    const { got } = await scriptFetches(`${open}/`, { headers: { Host: host, 'X-Forwarded-Host': host } });
    expect(Object.fromEntries(got[2])['x-host']).toBe(new URL(open).host);
    expect(privateConnections).toBe(0);
  });
});

describe('the API', () => {
  test('is reached below /v1/, also by redirects, with bodies', async () => {
    const init = { method: 'POST', body: 'sent', headers: { 'x-forwarded-for': '1.2.3.4' } };
    const { got } = await scriptFetches(`${api}/v1/spaces/a%2Fb?c=d`, init);
    expect(got.slice(0, 2)).toEqual([200, 'sent']);
    expect(Object.fromEntries(got[2])).toMatchObject({ 'x-url': '/v1/spaces/a%2Fb?c=d', 'x-from': 'undefined' });
    const redirected = await scriptFetches(`${open}/to/${encodeURIComponent(`${api}/v1/user`)}`);
    expect(Object.fromEntries(redirected.got[2])['x-url']).toBe('/v1/user');
  });

  test('is not reached beside it', async () => {
    for (const path of ['/healthz', '/v1', '/v1/../healthz', '/v1/%2e%2e/healthz', '/v1/..%2fhealthz', '/v1x/'])
      expect((await scriptFetches(`${api}${path}`)).got[0]).toBe('TypeError');
  });

  test.each([
    ['https://docs.example.com/base/v1/spaces', true],
    ['https://docs.example.com/base/v1/page/a%2Fb%20c', true],
    ['https://docs.example.com/v1/spaces', false],
    ['https://docs.example.com/base/v1/..%2f..%2fhealthz', false],
    ['https://docs.example.com/base/v1/%252e%252e%252fhealthz', false],
    ['https://docs.example.com/base/v1/..%5chealthz', false],
    ['https://docs.example.com/base/v1/%', false],
    ['https://docs.example.com.:443/base/v1/spaces', false],
    ['https://user@docs.example.com/base/v1/spaces', false],
    ['http://docs.example.com/base/v1/spaces', false],
    ['https://docs.example.com:8443/base/v1/spaces', false],
  ])('the rule for %s: %s', (url, isAllowed) => {
    expect(apiRule('https://docs.example.com/base/')(new URL(url))).toBe(isAllowed);
  });
});

describe('what is allowed', () => {
  test('has method, body and all headers of the answer', async () => {
    const put = await scriptFetches(`${open}/`, { method: 'PUT', body: 'sent' });
    expect(put.got.slice(0, 2)).toEqual([200, 'sent']);
    expect(Object.fromEntries(put.got[2])['x-method']).toBe('PUT');
    expect((await scriptFetches(`${open}/gzip`)).got[1]).toBe('unpacked');
    const cookies = (await scriptFetches(`${open}/cookies`)).got[2].filter(([name]: [string]) => name === 'set-cookie');
    expect(cookies.map(([, value]: [string, string]) => value)).toEqual([
      'a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT',
      'b=2',
    ]);
  });

  test('an answer cannot pretend to be refused', async () => {
    expect((await scriptFetches(`${open}/pretends`)).got.slice(0, 2)).toEqual([200, 'fine']);
  });

  test('a redirect is an answer for a script that follows none', async () => {
    const { got } = await scriptFetches(`${open}/to/${encodeURIComponent(secret)}`, { redirect: 'manual' });
    expect(got[0]).toBe(302);
    expect(privateConnections).toBe(0);
  });

  test('bodies count while they arrive and are unpacked, for all scripts of an organization', async () => {
    let release = () => {};
    const packed = gzipSync(Buffer.alloc(600_000));
    const slow = await serve('127.0.0.2', (request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      if (request.url === '/whole') response.end(packed);
      else {
        response.write(packed);
        release = () => response.end();
      }
    });
    const bodies = new HeldBytes({ ofOwner: 1_000_000, ofAll: 10_000_000 });
    const runtime = testedRuntime({ allowCidrs: ['127.0.0.2/32'], bodies });
    const lengthOf = async (path: string, organization: string) => {
      const program = programOf(
        moduleOf(`try { return new Response((await (await fetch('${slow}${path}')).arrayBuffer()).byteLength); }
          catch (error) { return new Response(error.message); }`),
        { organization },
      );
      return (await runtime.dispatch(program, eventOf())).body.toString();
    };
    const first = lengthOf('/half', 'acme');
    await eventually('the first body', () => bodies.bytesOf('acme') === 600_000);
    expect(await lengthOf('/whole', 'acme')).toMatch(/refused: too many bodies are in transfer at the same time$/);
    expect(await lengthOf('/whole', 'other')).toBe('600000');
    release();
    expect([await first, await lengthOf('/whole', 'acme')]).toEqual(['600000', '600000']);
    expect(bodies.bytesOf('acme')).toBe(0);
    await runtime.close();
  });

  test('answers of scripts count as well', async () => {
    const bodies = new HeldBytes({ ofOwner: 1_000_000, ofAll: 10_000_000 });
    const runtime = testedRuntime({ bodies });
    const program = programOf(
      moduleOf(`const { length } = JSON.parse((await request.formData()).get('event'));
        return new Response(new Uint8Array(length));`),
    );
    const answered = (length: number) =>
      runtime.dispatch(program, eventOf({ event: { eventId: 'e', type: 'fetch', length } }));
    expect(await failureOf(answered(1_000_001))).toMatchObject({ reason: 'busy' });
    expect((await answered(1_000_000)).body).toHaveLength(1_000_000);
    expect(bodies.bytesOf(program.organization)).toBe(0);
    await runtime.close();
  });

  test('large bodies fail in both directions', async () => {
    expect((await scriptFetches(`${open}/large`)).got[1]).toMatch(/failed: the answer of .* is larger than 10 MiB$/);
    const sending = programOf(
      moduleOf(`try { return await fetch('${open}/', { method: 'POST', body: new Uint8Array(11 * 1024 * 1024) }); }
        catch (error) { return new Response(error.message); }`),
    );
    const { body } = await runtime.dispatch(sending, eventOf());
    expect(body.toString()).toMatch(/refused: the body of the request is larger than 10 MiB$/);
  });
});
