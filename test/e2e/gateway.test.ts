import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { load } from 'js-yaml';
import { publicOperations } from '../../services/gateway/api/public-operations.js';
import { operations } from '../../services/gateway/contracts.js';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';

const client = shared();

function rawRequest(lines: string): Promise<string> {
  const { hostname, port } = new URL(client.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(lines));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('authentication', () => {
  it.each([
    ['no token', {}],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['an unknown token', { authorization: 'Bearer bnd_unknown' }],
    ['two tokens', { authorization: 'Bearer a b' }],
    ['an empty token', { authorization: 'Bearer ' }],
  ])('%s is 401 in the error shape', async (_, headers) => {
    const { status, body, headers: answered } = await client.get('/v1/user', { token: null, headers });
    expect(status).toBe(401);
    expect(body.error.code).toBe(401);
    expect(answered.get('www-authenticate')).toBe('Bearer');
  });

  it('is not asked of the version information', async () => {
    for (const path of ['/v1', '/v1/']) {
      const { status, body } = await client.get(path, { token: null });
      expect(status).toBe(200);
      expect(body).toMatchObject({ version: expect.any(String), build: expect.any(String) });
    }
  });
});

describe('every answer', () => {
  it('carries a request id, the one that was sent if it is one', async () => {
    const own = await client.get('/v1/user', { headers: { 'x-request-id': 'my-request.1' } });
    expect(own.headers.get('x-request-id')).toBe('my-request.1');
    const bad = await client.get('/v1/user', { headers: { 'x-request-id': 'a b' } });
    expect(bad.headers.get('x-request-id')).toMatch(/^[\w-]{12,}$/);
  });

  it('carries security headers', async () => {
    const { headers } = await client.get('/v1/user');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('may be read by browsers of other origins', async () => {
    const { headers } = await client.get('/v1/user', { headers: { origin: 'https://app.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const preflight = await client.request('OPTIONS', '/v1/spaces/x', undefined, {
      token: null,
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PATCH' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, PATCH, DELETE, HEAD');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('User-Agent');
  });

  it('tells pages of renderers the id that they proposed for a browser', async () => {
    const headers = { origin: 'https://docs.example.test' };
    const ask = (proposed: string) => client.get(`/__session/2/?proposed=${proposed}`, { token: null, headers });
    const { status, body, ...answer } = await ask('d9ed3906-8140R');
    expect([status, body]).toEqual([200, { deviceId: 'd9ed3906-8140R' }]);
    expect(answer.headers.get('access-control-allow-origin')).toBe(headers.origin);
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
    for (const wrong of ['', 'x'.repeat(101), '%3Cscript%3E']) expect((await ask(wrong)).status).toBe(400);
    const other = await client.get('/v1/user', { headers });
    expect(other.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('paths and methods', () => {
  it('answers unknown paths with 404 in the error shape', async () => {
    for (const path of [
      '/v1/nothing',
      '/v2/user',
      '/v1/user/',
      '/index.html',
      '/v1/%E0%A4%A',
      '/docs/../../package.json',
    ]) {
      const { status, body } = await client.get(path);
      if (path === '/v1/user/') expect(status).toBe(200);
      else expect([status, body.error?.code]).toEqual([404, 404]);
    }
  });

  it('answers a known path with another method with 405 and Allow', async () => {
    const { status, headers, body } = await client.request('PUT', '/v1/user/tokens');
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, POST, HEAD');
    expect(body.error.code).toBe(405);
  });

  it('answers an operation of the public API that it lacks with 501, its name and a page that says so', async () => {
    const lacking = publicOperations.filter((line) => !operations.some(({ id }) => line.startsWith(`${id} `)));
    const [id, method, path] = String(lacking[0]).split(' ');
    const { status, body } = await client.request(String(method), `/v1${path}`, undefined, { token: null });
    expect([status, body.error.code]).toEqual([501, 501]);
    expect(body.error.message).toContain(id);
    const [page] = body.error.message.match(/http\S+/);
    const { body: text } = await client.get<string>(new URL(page).pathname, { token: null });
    expect(text).toContain(`<code>${id}</code>`);
  });

  it('answers HEAD as GET without the body', async () => {
    const got = await client.get('/v1/user');
    const head = await client.request('HEAD', '/v1/user');
    expect(head.status).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(JSON.stringify(got.body))));
  });
});

describe('bodies', () => {
  it.each([
    ['no JSON', '{"title":'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['no object', '"text"'],
    ['null', 'null'],
  ])('%s is 400', async (_, raw) => {
    const { status, body } = await client.request('POST', '/v1/orgs', undefined, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/body|title/);
  });

  it('of another type than JSON are 415', async () => {
    const { status, body } = await client.request('POST', '/v1/orgs', undefined, { raw: '{"title":"Typed"}' });
    expect(status).toBe(415);
    expect(body.error.message).toContain('application/json');
  });

  it('of more than 1 MiB are 413, declared or streamed', async () => {
    const title = 'x'.repeat(1024 * 1024);
    expect((await client.post('/v1/orgs', { title })).status).toBe(413);
    const { status: ofMuchMore, body } = await client.post('/v1/orgs', { title: title.repeat(40) });
    expect([ofMuchMore, body.error.message]).toEqual([413, expect.stringContaining('larger than 1 MiB')]);
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest(
        `${client.url}/v1/orgs`,
        { method: 'POST', headers: { authorization: `Bearer ${client.token}`, 'transfer-encoding': 'chunked' } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      );
      sent.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EPIPE' || error.code === 'ECONNRESET' ? undefined : reject(error),
      );
      sent.end(JSON.stringify({ title }));
    });
    expect(status).toBe(413);
  });

  it.each([
    ['cut off', (text: string) => `{"source":{"text":"${text}"`, 400, 'the body: not JSON, it ends too early'],
    ['of too many values', (text: string) => `{"a":[${'1,'.repeat(10_001)}"${text}"]}`, 400, '10000 values'],
    ['no UTF-8', (text: string) => Buffer.concat([Buffer.from(`"${text}`), Buffer.from([0xff, 0x22])]), 400, 'UTF-8'],
    ['that is well', (text: string) => `{"source":{"text":"${text}"},"__proto__":{"slug":"a"}}`, 400, 'slug: required'],
  ])('of many megabytes %s are answered like small ones', async (_, made, status, message) => {
    const organization = await newOrganization(client);
    const raw = made('x'.repeat(4 * 1024 * 1024)) as string;
    const headers = { 'content-type': 'application/json' };
    const sent = () => client.request('POST', `/v1/orgs/${organization}/openapi`, undefined, { raw, headers });
    for (const answer of await Promise.all([sent(), sent()]))
      expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(message)]);
  });

  it('never pollute prototypes', async () => {
    const raw = '{"title":"Polluted org","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}';
    const { status } = await client.request('POST', '/v1/orgs', undefined, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(201);
    expect((await client.get('/v1/user')).body.admin).toBeUndefined();
  });

  it('ignore unknown fields', async () => {
    const { status, body } = await client.post('/v1/orgs', { title: 'Known', unknown: { a: 1 } });
    expect(status).toBe(201);
    expect(body.unknown).toBeUndefined();
  });
});

describe('queries', () => {
  it.each([
    'limit=-1',
    'limit=1001',
    'limit=1.5',
    'limit=ten',
    'limit=1&limit=2',
    'limit=1e2',
    'page=nonsense',
    'page=W10',
    'limit=',
  ])('%s is 400 and named', async (query) => {
    const { status, body } = await client.get(`/v1/orgs?${query}`);
    expect(status).toBe(400);
    expect(body.error.message).toContain(query.split('=')[0]);
  });

  it('take a limit of 0 as: only the count', async () => {
    const { body } = await client.get('/v1/orgs?limit=0');
    expect(body).toEqual({ count: expect.any(Number), items: [] });
  });
});

describe('conditional reads', () => {
  it('are 304 while the revision stands', async () => {
    const organization = await newOrganization(client);
    const space = await newSpace(client, organization);
    const first = await client.get(`/v1/spaces/${space}/content`);
    const etag = String(first.headers.get('etag'));
    expect(etag).toBe(`W/"${first.body.id}"`);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const again = await client.get(`/v1/spaces/${space}/content`, { headers: { 'if-none-match': etag } });
    expect([again.status, again.body]).toEqual([304, '']);
    const other = await client.get(`/v1/spaces/${space}/content`, { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });
});

describe('pages beside the API', () => {
  it('tell health and readiness', async () => {
    expect((await client.get('/healthz', { token: null })).status).toBe(200);
    const ready = await client.get('/readyz', { token: null });
    expect(ready.status).toBe(200);
    expect(ready.body).toEqual({
      status: 'ok',
      services: {
        gateway: 'ok',
        identity: 'ok',
        content: 'ok',
        comments: 'ok',
        sites: 'ok',
        insights: 'ok',
        integrations: 'ok',
      },
    });
  });

  it('count requests by operation and status', async () => {
    await client.get('/v1/user');
    const { body } = await client.get<string>('/metrics', { token: null });
    expect(body).toMatch(/bindery_http_requests_total\{operation="getAuthenticatedUser",status="200"\} \d+/);
    expect(body).toContain('nodejs_eventloop_lag_seconds');
    expect(body).toContain('bindery_bus_connected 1');
  });

  it('show the API reference from our own assets', async () => {
    const { status, body } = await client.get<string>('/docs', { token: null });
    expect(status).toBe(200);
    expect(body).not.toMatch(/https?:\/\//);
    for (const asset of body.match(/(?<=(src|href)=")[^"]+/g) ?? [])
      expect((await client.get(asset, { token: null })).status).toBe(200);
  });

  it('show the OpenAPI document as JSON and YAML, also below /v1', async () => {
    const { body: document } = await client.get('/openapi.json', { token: null });
    for (const path of ['/v1/openapi.json', '/openapi.yaml', '/v1/openapi.yaml']) {
      const { status, headers, body } = await client.get<any>(path, { token: null });
      const read = path.endsWith('.yaml') ? load(body) : body;
      expect([path, status, headers.get('content-type')?.split(/[/;]/)[1]]).toEqual([path, 200, path.slice(-4)]);
      expect(read).toEqual(document);
    }
    expect((await client.post('/v1/openapi.json', {})).status).toBe(404);
  });

  it('compress large answers', async () => {
    const plain = await client.get<string>('/openapi.json', { headers: { 'accept-encoding': 'identity' } });
    const packed = await client.get<string>('/openapi.json', { headers: { 'accept-encoding': 'br' } });
    expect(packed.headers.get('content-encoding')).toBe('br');
    expect(packed.body).toEqual(plain.body);
  });
});

describe('an address', () => {
  const ask = (path: string, headers = '') =>
    rawRequest(`GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`);

  it('with two hosts is refused', async () => {
    for (const second of ['Host: b', 'host: a']) {
      const answer = await ask('/v1', `${second}\r\n`);
      expect(answer).toContain('HTTP/1.1 400');
      expect(answer).toContain('Host: given 2 times; give it once');
    }
    expect(await ask('/v1')).toContain('HTTP/1.1 200');
  });

  it.each(['/v1/spaces/a%ED%A0%80', '/v1/orgs?title=%ed%bf%bf', '/handbook/%ED%A0%80', '/nowhere?%eD%Af%80'])(
    'with half of a surrogate pair, as %s, is refused',
    async (path) => {
      expect(await ask(path)).toContain('{"error":{"code":400,"message":"the address: has half of a surrogate pair');
    },
  );
});

describe('what is no HTTP', () => {
  it('is answered in the error shape', async () => {
    expect(await rawRequest('NONSENSE\r\n\r\n')).toContain('{"error":{"code":400');
    const answer = await rawRequest(`GET /v1/user HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toContain('{"error":{"code":431');
  });
});
