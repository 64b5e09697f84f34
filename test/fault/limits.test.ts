import { newOrganization, newSpace } from '../support/fixtures.js';
import { type Answer, type StartedServer, startServer } from '../support/server.js';

type ErrorBody = { error: { code: number; message: string } };

const expectError = ({ status, body }: Answer<ErrorBody>, expected: number) => {
  expect(status).toBe(expected);
  expect(body).toEqual({ error: { code: expected, message: expect.any(String), reason: expect.any(String) } });
};

describe('the limit of requests a minute', () => {
  const perMinute = 5;
  let server: StartedServer;
  beforeAll(async () => {
    server = await startServer({
      env: { RATE_LIMIT_PER_MINUTE: String(perMinute), TRUSTED_PROXIES: '127.0.0.1/32' },
    });
  });
  afterAll(() => server.stop());

  const bad = (address: string, token = `bnd_wrong_${Math.random()}`) =>
    server.get<ErrorBody>('/v1/user', { token, headers: { 'x-forwarded-for': address } });
  const left = ({ headers }: Answer<unknown>) => Number(headers.get('x-ratelimit-remaining'));

  it('counts each token for itself, tells what is left, and ends in a 429', async () => {
    const { body } = await server.post('/v1/user/tokens', { label: 'another' });
    for (const remaining of [3, 2, 1, 0]) {
      const answer = await server.get('/v1/user');
      expect([answer.status, left(answer)]).toEqual([200, remaining]);
      expect(answer.headers.get('x-ratelimit-limit')).toBe(String(perMinute));
      const reset = Number(answer.headers.get('x-ratelimit-reset')) - Date.now() / 1000;
      expect(reset).toBeGreaterThan(0);
      expect(reset).toBeLessThanOrEqual(61);
    }
    const refused = await server.get<ErrorBody>('/v1/user');
    expectError(refused, 429);
    expect(left(refused)).toBe(0);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait >= 1 && wait <= 60).toBe(true);
    const other = await server.get('/v1/user', { token: body.token });
    expect([other.status, left(other)]).toEqual([200, perMinute - 1]);
  });

  it('acts on nothing that it refuses', async () => {
    const before = await server.post('/v1/user/tokens', { label: 'refused' });
    expect(before.status).toBe(429);
    expect(server.output()).not.toContain('"status":5');
  });

  it('counts failed authentications by address, whichever tokens are tried', async () => {
    for (const remaining of [4, 3, 2, 1, 0]) {
      const answer = await bad('203.0.113.1');
      expectError(answer, 401);
      expect(left(answer)).toBe(remaining);
    }
    expectError(await bad('203.0.113.1'), 429);
    expectError(await bad('203.0.113.2'), 401);
  });

  it('counts requests without a token by address too', async () => {
    const anonymous = { token: null, headers: { 'x-forwarded-for': '203.0.113.3' } };
    for (let i = 0; i < perMinute; i++) expect((await server.get('/v1', anonymous)).status).toBe(200);
    expectError(await server.get<ErrorBody>('/v1', anonymous), 429);
  });

  it('believes of X-Forwarded-For what the proxy wrote, not what the client sent it', async () => {
    for (let i = 0; i < perMinute; i++) expectError(await bad(`198.51.100.${i}, 203.0.113.4`), 401);
    expectError(await bad('198.51.100.99, 203.0.113.4'), 429);
    expectError(await bad('203.0.113.4, 203.0.113.5'), 401);
  });

  const outside = [
    '/',
    '/openapi.json',
    '/docs',
    '/docs/swagger-ui.css',
    '/handbook',
    '/metrics',
    '/sign-in',
    '/unsubscribe?token=x',
    '/__session/2/?proposed=a',
    '/~files/a/b',
    '/nothing',
    '/v1/nothing',
    '/saml/x/metadata',
  ];
  it.each(outside.map((path, at) => [path, `192.0.2.${at}`] as const))(
    'counts requests for %s by address',
    async (path, address) => {
      const headers = { 'x-forwarded-for': address };
      const statuses: number[] = [];
      for (let i = 0; i < perMinute; i++) statuses.push((await server.get(path, { token: null, headers })).status);
      expect(statuses).not.toContain(429);
      expect((await server.get(path, { token: null, headers })).status).toBe(429);
    },
  );

  it('leaves health alone', async () => {
    for (const path of ['/healthz', '/readyz'])
      for (let i = 0; i < 2 * perMinute; i++) expect((await server.get(path, { token: null })).status).toBe(200);
  });
});

describe('a server without proxies and without allowed addresses', () => {
  let server: StartedServer;
  let space: string;
  beforeAll(async () => {
    server = await startServer({ env: { RATE_LIMIT_PER_MINUTE: '100' } });
    space = await newSpace(server, await newOrganization(server));
  });
  afterAll(() => server.stop());

  it('does not believe X-Forwarded-For', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 101; i++) {
      const headers = { 'x-forwarded-for': `203.0.113.${i}` };
      statuses.push((await server.get('/v1/user', { token: 'bnd_wrong', headers })).status);
    }
    expect(statuses).toEqual([...Array(100).fill(401), 429]);
  });

  it.each([
    '127.0.0.1',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::]',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '0.0.0.0',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    '１２７.0.0.1',
  ])('refuses an import from %s in the answer to it, and nothing changes', async (host) => {
    const { port } = new URL(server.url);
    const before = (await server.get(`/v1/spaces/${space}`)).body;
    const url = `http://${host}:${port}/docs.git`;
    const answer = await server.post<ErrorBody>(`/v1/spaces/${space}/git/import`, { url, ref: 'refs/heads/main' });
    expectError(answer, 400);
    expect(answer.body.error.message).toMatch(/^url: /);
    expect((await server.get(`/v1/spaces/${space}`)).body).toEqual(before);
  });

  it('has then nothing under way', async () => {
    expectError(await server.get<ErrorBody>(`/v1/spaces/${space}/git/info`), 404);
  });
});
