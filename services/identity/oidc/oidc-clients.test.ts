import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutbound } from '../../../shared/outbound/client.js';
import { createSecrets } from '../../../shared/secrets/secrets.js';
import { timestamp } from '../../../shared/values/ids.js';
import type { OidcProviderDocument } from '../organizations/model.js';
import { OidcClients } from './oidc-clients.js';
import { withinTime } from './provider-answers.js';

const secrets = createSecrets([Buffer.alloc(32, 7).toString('base64')]);
const sealed = secrets.encrypt('secret');
const path = '/.well-known/openid-configuration';

let server: Server;
let issuer: string;
let asked: string[];
let answer: (response: ServerResponse, request: IncomingMessage) => void;
beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(String(request.url));
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const metadata = (more: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  ...more,
});
const send = (body: object | string, headers: Record<string, string> = {}) => {
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
};
const provider = (more: object = {}): OidcProviderDocument => ({
  _id: 'provider',
  organization: 'org',
  label: 'Example',
  issuer,
  clientId: 'bindery',
  clientSecret: sealed,
  scopes: ['openid'],
  groups: [],
  emailDomains: [],
  defaultRole: null,
  active: true,
  createdAt: timestamp(),
  ...more,
});

/** Every client is closed at the end of its test. */
async function using<T>(
  use: (clients: OidcClients) => Promise<T>,
  options: { cidrs?: string[]; timeoutMs?: number } = {},
) {
  const { cidrs = ['127.0.0.0/8'], timeoutMs } = options;
  const clients = new OidcClients(secrets, createOutbound({ allowCidrs: cidrs }), timeoutMs);
  try {
    return await use(clients);
  } finally {
    await clients.close();
  }
}
const refused = (pattern: RegExp, options?: { cidrs?: string[]; timeoutMs?: number }) =>
  using(
    (clients) =>
      expect(withinTime(() => clients.clientOf(provider()))).rejects.toMatchObject({
        type: 'FORBIDDEN',
        data: { reason: 'sign_in_rejected' },
        message: expect.stringMatching(pattern),
      }),
    options,
  );

it('asks a provider once for many sign-ins at once, and no more for later ones', async () => {
  send(metadata());
  await using(async (clients) => {
    await Promise.all(Array.from({ length: 20 }, () => clients.clientOf(provider())));
    await clients.clientOf(provider());
    expect(asked).toEqual([path]);
  });
});

it('asks again after a failure, and for other settings', async () => {
  await using(async (clients) => {
    send('{');
    await expect(clients.clientOf(provider())).rejects.toThrow();
    send(metadata());
    await clients.clientOf(provider());
    await clients.clientOf(provider({ clientId: 'another' }));
    await clients.clientOf(provider({ clientSecret: secrets.encrypt('another') }));
    expect(asked).toHaveLength(4);
  });
});

it.each([
  ['of another issuer', () => metadata({ issuer: 'https://evil.example' }), /speaks for another issuer/],
  [
    'of an issuer that differs in a slash',
    () => metadata({ issuer: `${issuer}/` }),
    /it calls itself http.*\/, not http/,
  ],
  ['without addresses', () => ({ issuer }), /metadata is not right at `authorization_endpoint`/],
  [
    'with a script as address',
    () => metadata({ authorization_endpoint: 'javascript:alert(1)' }),
    /no address by https/,
  ],
  ['with numbers for texts', () => metadata({ jwks_uri: 5 }), /metadata is not right at `jwks_uri`/],
  ['with other things as a list', () => metadata({ token_endpoint_auth_methods_supported: {} }), /not right at/],
  ['that are a list', () => [], /is not valid|cannot be read|not a valid/],
  ['that are no JSON', () => '{', /rejected/],
  ['that are huge', () => metadata({ more: 'x'.repeat(200_000) }), /larger than/],
])('refuses metadata %s', async (_, made, pattern) => {
  send(made());
  await refused(pattern);
});

it('refuses metadata that unpack to much', async () => {
  const { gzipSync } = await import('node:zlib');
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify(metadata({ more: 'x'.repeat(50_000_000) }))));
  };
  await refused(/larger than/);
});

it('follows no redirect', async () => {
  answer = (response, { url }) => {
    if (url !== path) return send(metadata());
    response.writeHead(302, { location: `${issuer}/elsewhere` });
    response.end();
  };
  await refused(/its status is not 200/);
  expect(asked).toEqual([path]);
});

it('reaches no private address that the operator has not allowed', async () => {
  send(metadata());
  await refused(/not a public address/, { cidrs: [] });
  expect(asked).toEqual([]);
});

it('waits for no provider that is silent', async () => {
  answer = () => {};
  await refused(/did not answer within/, { timeoutMs: 50 });
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{');
  };
  await refused(/did not answer within/, { timeoutMs: 50 });
});
