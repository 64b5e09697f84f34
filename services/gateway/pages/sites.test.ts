import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { Deliveries } from '../../../shared/http/deliveries.js';
import type { ReaderAnswer, ReaderRequest } from '../../reader/contract.js';
import { commonHeaders, sendFailure } from '../http/reply.js';
import { createSites } from './sites.js';

const config = { baseUrl: 'https://bindery.test/app', PUBLISH_DOMAIN: 'docs.test' as string | undefined, READER: true };
const page: ReaderAnswer = { status: 200, headers: { 'Content-Type': 'text/html' }, body: 'a page', kind: 'page' };

let asked: ReaderRequest[] = [];
let answer: ReaderAnswer | Error = page;
const call = async (_: string, sent: ReaderRequest) => {
  asked.push(sent);
  if (answer instanceof Error) throw answer;
  return answer;
};
let sites: ReturnType<typeof createSites>;
let server: Server;
const sitesWith = (changes: Partial<typeof config> = {}) => {
  sites = createSites({
    broker: { call } as never,
    config: { ...config, ...changes },
    address: () => '192.0.2.1',
    countAddress: () => {},
  });
};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const [path = '', search = ''] = (request.url ?? '').split('?');
    const headers = commonHeaders('r1');
    const own = { requestId: 'r1', operation: 'unknown', deliveries: new Deliveries(), isLast: () => false };
    const exchange = { request, response, headers, path, ...own };
    try {
      if ((await sites(exchange, search)) === undefined) response.end(`elsewhere ${await text(request)}`);
    } catch (error) {
      await sendFailure(exchange, error);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  asked = [];
  answer = page;
  sitesWith();
});

async function get(host: string, path: string, { method = 'GET', body = '' } = {}) {
  const { port } = server.address() as { port: number };
  const sent = request({ host: '127.0.0.1', port, path, method, headers: { host, 'content-length': body.length } });
  sent.end(body);
  const [got] = await once(sent, 'response');
  return { status: got.statusCode, headers: got.headers, body: await text(got) };
}

it.each<[host: string, path: string, url: string, known: string | undefined]>([
  ['acme.docs.test', '/start?a=1', 'https://acme.docs.test/start?a=1', undefined],
  ['DOCS.Acme.example:8443', '/', 'https://docs.acme.example:8443/', undefined],
  ['bindery.test', '/sites/S/a', 'https://bindery.test/app/sites/S/a', undefined],
  ['localhost:4000', '/sites/S/a', 'https://localhost:4000/app/sites/S/a', 'https://bindery.test/app/sites/S/a'],
  ['127.0.0.1', '/sites/S/a?b', 'https://127.0.0.1/app/sites/S/a?b', 'https://bindery.test/app/sites/S/a?b'],
  ['bindery.default.svc', '/sites/S/', 'https://bindery.default.svc/app/sites/S/', 'https://bindery.test/app/sites/S/'],
  ['bindery.test', '/~reader/x.css', 'https://bindery.test/app/~reader/x.css', undefined],
])('%s%s is asked of the reader as %s', async (host, path, url, known) => {
  expect((await get(host, path)).body).toBe('a page');
  expect(asked).toEqual([
    { method: 'GET', url, ...(known === undefined ? {} : { known }), headers: {}, address: '192.0.2.1' },
  ]);
});

it.each([
  ['bindery.test', '/v1/user'],
  ['bindery.test', '/'],
  ['bindery.test', '/sites'],
  ['bindery.test', '/preview/x'],
  ['localhost', '/handbook'],
  ['[::1]:4000', '/docs'],
  ['acme.docs.test', '/~files/1/x'],
  ['acme.docs.test', '/healthz'],
])('%s%s is no page of a site', async (host, path) => {
  expect((await get(host, path)).body).toBe('elsewhere ');
  expect(asked).toEqual([]);
});

it('previews are below the base URL where there is no domain for sites', async () => {
  sitesWith({ PUBLISH_DOMAIN: undefined });
  expect((await get('bindery.test', '/preview/x')).body).toBe('a page');
});

it('without a reader, nothing is a page of a site', async () => {
  sitesWith({ READER: false });
  for (const [host, path] of [
    ['acme.docs.test', '/start'],
    ['bindery.test', '/sites/S/'],
  ] as const)
    expect((await get(host, path)).body).toBe('elsewhere ');
  expect(asked).toEqual([]);
});

it('at a host without a site the API is there, with the bodies that are sent to it', async () => {
  answer = { status: 404, headers: {}, kind: 'missing', unknownHost: true };
  for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])
    expect(await get('other.example', '/v1/orgs', { method, body: 'x' })).toMatchObject({ body: 'elsewhere x' });
  expect(new Set(asked.map(({ method, body }) => `${method} ${body}`))).toEqual(new Set(['GET undefined']));
  expect((await get('other.example', '/start')).status).toBe(404);
  answer = page;
  expect(await get('acme.docs.test', '/v1/orgs', { method: 'PATCH', body: 'x' })).toMatchObject({ body: 'a page' });
});

it.each(['a.b/c', 'a.b#', 'u@a.b', 'a.b?c', 'a.b\\c', 'a.b:99999', 'a%b.docs.test'])('%j is no host', async (host) => {
  expect((await get(host, '/start')).status).toBe(400);
  expect(asked).toEqual([]);
});

it('what is sent to a site goes to the reader, and no other method does', async () => {
  await get('acme.docs.test', '/~feedback', { method: 'POST', body: 'rating=good' });
  await get('acme.docs.test', '/~mcp', { method: 'OPTIONS' });
  expect(asked.map(({ method, body }) => [method, body])).toEqual([
    ['POST', 'rating=good'],
    ['OPTIONS', undefined],
  ]);
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect([method, (await get('acme.docs.test', '/a', { method })).status]).toEqual([method, 405]);
  const tooLong = await get('acme.docs.test', '/~feedback', { method: 'POST', body: 'x'.repeat(70_000) });
  expect([tooLong.status, asked.length]).toEqual([413, 2]);
});

it('an answer with a name has an ETag', async () => {
  answer = { ...page, name: 'abc' };
  expect((await get('acme.docs.test', '/a')).headers.etag).toBe('W/"abc"');
});
