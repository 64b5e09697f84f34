import { createSecrets } from '../../shared/secrets/secrets.js';
import { signedTokens } from '../../shared/secrets/signed-tokens.js';
import { type StartedServer, startServer } from '../support/server.js';

const key = Buffer.alloc(32, 7).toString('base64');
const nobody = { token: null };
const html = 'text/html; charset=utf-8';
const oneClick = {
  token: null,
  raw: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
};

let server: StartedServer;
/** The id of the first user. */
let user: string;
beforeAll(async () => {
  server = await startServer({ env: { SECRET_KEY: key, LOG_LEVEL: 'trace', LOG_REQUESTS: 'all' } });
  user = (await server.get('/v1/user')).body.id;
});
afterAll(() => server.stop());

const sign = (purpose: string, sub: string) =>
  signedTokens(createSecrets([key]), { purpose, issuer: server.url }).sign({ sub }, 60);
const linkOf = async (sub: string) => `/unsubscribe?token=${await sign('unsubscribe', sub)}`;
const post = (path: string, options: object = oneClick) => server.request<string>('POST', path, undefined, options);
const wants = async () => (await server.get('/v1/user')).body.commentMails;
const turnOn = () => server.patch(`/v1/users/${user}`, { commentMails: true });

beforeEach(async () => {
  expect((await turnOn()).body.commentMails).toBe(true);
});

describe('the link of a mail', () => {
  it('offers to stop such mails, and does nothing by being opened', async () => {
    const link = await linkOf(user);
    const { status, headers, body } = await server.get<string>(link, nobody);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, html, 'no-store']);
    expect(body.match(/<form[^>]*>|<button[^>]*>/g)).toEqual(['<form method="post">', '<button type="submit">']);
    expect(body).not.toMatch(/<script|<link|<img| style=| on[a-z]+=/);
    const policy = String(headers.get('content-security-policy'));
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; /);
    expect([headers.get('referrer-policy'), headers.get('x-frame-options')]).toEqual(['no-referrer', 'DENY']);
    const head = await server.request('HEAD', link, undefined, nobody);
    expect([head.status, head.body, head.headers.get('content-length')]).toEqual([
      200,
      '',
      headers.get('content-length'),
    ]);
    expect(await wants()).toBe(true);
  });

  it.each<[string, object]>([
    ['its button', { token: null, raw: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['the one click of a mail program', oneClick],
    [
      'a mail program that sends a form of parts',
      { token: null, raw: '--a--', headers: { 'content-type': 'multipart/form-data; boundary=a' } },
    ],
    ['a request without a body', nobody],
  ])('stops them by %s, also twice', async (_, options) => {
    const link = await linkOf(user);
    for (let times = 0; times < 2; times++) {
      const { status, headers, body } = await post(link, options);
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, html, 'no-store']);
      expect(body).toContain('PATCH /v1/users/{userId}');
      expect(headers.get('content-security-policy')).toContain("form-action 'none'");
      expect(await wants()).toBe(false);
    }
  });

  it('leaves no token in the log', async () => {
    const link = await linkOf(user);
    expect((await post(link)).status).toBe(200);
    await server.said(/"operation":"unsubscribe"/);
    expect(server.output()).not.toContain(link.slice(-40));
  });
});

describe('a link', () => {
  const forms: [string, () => string | Promise<string>][] = [
    ['without a token', () => '/unsubscribe'],
    ['with an empty token', () => '/unsubscribe?token='],
    ['with two tokens', async () => `${await linkOf(user)}&token=x`],
    ['with a token that was changed', async () => `${await linkOf(user)}x`],
    ['with a token for something else', async () => `/unsubscribe?token=${await sign('site-preview', user)}`],
    ['with an API token', () => `/unsubscribe?token=${server.token}`],
    ['of nobody', () => linkOf('nobody')],
    ['with bytes of all kinds', () => '/unsubscribe?token=%00%ff..%F0%9F%98%80'],
    ['with a long token', () => `/unsubscribe?token=${'a.'.repeat(6000)}`],
  ];
  it.each(forms)('%s is a 400, as a page, or as JSON to programs that ask for it', async (_, link) => {
    const path = await link();
    const { status, headers, body } = await post(path);
    expect([status, headers.get('content-type')]).toEqual([400, html]);
    expect(body).toMatch(/<h1>These mails were not stopped<\/h1>\n<p role="alert">token: /);
    const json = { ...oneClick, headers: { ...oneClick.headers, accept: 'application/json' } };
    const program = await server.request('POST', path, undefined, json);
    expect([program.status, program.body.error.message]).toEqual([400, expect.stringMatching(/^token: /)]);
    expect(await wants()).toBe(true);
  });

  it('is no token for the API', async () => {
    const token = await sign('unsubscribe', user);
    expect((await server.get('/v1/user', { token })).status).toBe(401);
  });

  it('takes no other method, and no large body', async () => {
    const link = await linkOf(user);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await server.request(method, link, undefined, nobody);
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD, POST']);
    }
    const large = await post(link, { ...oneClick, raw: 'a'.repeat(17 * 1024) });
    expect([large.status, large.body]).toEqual([413, expect.stringContaining('16 KiB')]);
    expect(await wants()).toBe(true);
  });
});
