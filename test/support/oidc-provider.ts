import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWTPayload, SignJWT } from 'jose';
// @ts-expect-error: it has no types.
import Provider from 'oidc-provider';
import type { AppBrowser } from './app-browser.js';
import { newOrganization, unique } from './fixtures.js';
import type { Client } from './server.js';

/** A person as a provider knows it; `sub` is the name by which a browser says who sits there. */
export interface OpenIdPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
  session_expiry?: number;
}

const kept = ['AccessToken', 'AuthorizationCode', 'Grant', 'IdToken', 'Interaction', 'Session'];

const openOn = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const closeServer = (server: Server) => {
  server.closeAllConnections();
  return new Promise<unknown>((resolve) => server.close(resolve));
};

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwkOf = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' });

/** A real provider, as npm has it: people sign in by a cookie of their browser that names them. */
export class OpenIdProvider {
  readonly people = new Map<string, OpenIdPerson>();
  issuer = '';
  private provider: any;
  private readonly server = createServer((request, response) => this.answer(request, response));

  /** `claimsInToken`: it puts all claims into the ID token, and none only into the answer of its userinfo endpoint. */
  async open({ claimsInToken = false }: { claimsInToken?: boolean } = {}): Promise<this> {
    this.issuer = await openOn(this.server);
    this.provider = new Provider(this.issuer, {
      clientDefaults: { grant_types: ['authorization_code'], response_types: ['code'] },
      features: { devInteractions: { enabled: false }, registration: { enabled: true } },
      claims: { openid: ['sub', 'groups', 'session_expiry'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: !claimsInToken,
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: async () => this.people.get(sub) ?? { sub },
      }),
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      jwks: { keys: [jwkOf(newKey().privateKey, 'own')] },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      pkce: { required: () => true },
      ttl: Object.fromEntries(kept.map((kind) => [kind, 600])),
    });
    return this;
  }

  close = () => closeServer(this.server);

  /** Makes somebody whom it knows, and whose address it has verified. */
  newPerson(more: Partial<OpenIdPerson> = {}) {
    const sub = unique('person').replace(/\W/g, '-');
    const person = { sub, email: `${sub}@example.com`, email_verified: true, name: 'Ada Lovelace', ...more };
    this.people.set(sub, person);
    return person;
  }

  /** Makes Bindery known: its client and the secret of that. */
  async register(callback: string): Promise<{ clientId: string; clientSecret: string }> {
    const answer = await fetch(`${this.issuer}/reg`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [callback] }),
    });
    const { client_id: clientId, client_secret: clientSecret } = (await answer.json()) as Record<string, string>;
    return { clientId: String(clientId), clientSecret: String(clientSecret) };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith('/interaction/')) return this.provider.callback()(request, response);
    const [, accountId = ''] = /(?:^|; )person=([^;]*)/.exec(request.headers.cookie ?? '') ?? [];
    const { params } = await this.provider.interactionDetails(request, response);
    if (accountId === '') {
      const refused = { error: 'access_denied', error_description: '<b>nobody</b> is here' };
      return this.provider.interactionFinished(request, response, refused, { mergeWithLastSubmission: false });
    }
    const grant = new this.provider.Grant({ accountId, clientId: params.client_id });
    grant.addOIDCScope(params.scope);
    const result = { login: { accountId }, consent: { grantId: await grant.save() } };
    return this.provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
}

/** Tells of a sign-in that began. */
export interface Begun {
  state: string;
  nonce: string;
  callback: string;
  challenge: string;
}

export const begunIn = (redirect: string): Begun => {
  const asked = new URL(redirect).searchParams;
  const [state = '', nonce = '', callback = '', challenge = ''] = [
    'state',
    'nonce',
    'redirect_uri',
    'code_challenge',
  ].map((name) => asked.get(name) ?? '');
  return { state, nonce, callback, challenge };
};

/** A provider by hand, which answers as a test wants. */
export class OddProvider {
  issuer = '';
  readonly keys = newKey();
  /** The forms that its token endpoint got. */
  readonly asked: URLSearchParams[] = [];
  /** The headers `authorization` that came with them. */
  readonly authorizations: (string | undefined)[] = [];
  metadata: () => object = () => this.honestMetadata();
  tokens: () => Promise<object> | object = () => ({});
  userinfo: () => object = () => ({ sub: 'ada' });
  jwks: () => object = () => ({ keys: [this.jwk()] });
  private readonly server = createServer((request, response) => this.answer(request, response));

  async open(): Promise<this> {
    this.issuer = await openOn(this.server);
    return this;
  }

  close = () => closeServer(this.server);

  honestMetadata(): object {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/auth`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  jwk = () => jwkOf(this.keys.publicKey, 'own');

  /** Claims that let somebody in. */
  claims(begun: Begun, more: JWTPayload = {}): JWTPayload {
    const now = Math.floor(Date.now() / 1000);
    const honest = { iss: this.issuer, aud: 'bindery', sub: 'ada', iat: now, exp: now + 300, nonce: begun.nonce };
    return { ...honest, email: 'ada@odd.example', email_verified: true, ...more };
  }

  sign(
    claims: JWTPayload,
    { key = this.keys.privateKey as KeyObject, alg = 'RS256', kid = 'own' } = {},
  ): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
  }

  /** The answer of the token endpoint with this ID token. */
  tokensWith = (idToken: string, more: object = {}) => ({
    access_token: 'access',
    token_type: 'Bearer',
    expires_in: 60,
    id_token: idToken,
    ...more,
  });

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = String(request.url);
    const send = (body: object) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (path === '/.well-known/openid-configuration') return send(this.metadata());
    if (path === '/jwks') return send(this.jwks());
    if (path === '/userinfo') return send(this.userinfo());
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    this.asked.push(new URLSearchParams(Buffer.concat(chunks).toString()));
    this.authorizations.push(request.headers.authorization);
    send(await this.tokens());
  }
}

/** The S256 challenge of a verifier. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** An organization with an OpenID Connect provider. */
export interface OpenIdSetting {
  organization: string;
  provider: string;
  /** The path at which a sign-in starts. */
  start: string;
}

/** Sets up a provider for an organization, as its admin does: first here, then there. */
export async function newOpenIdSetting(
  client: Client,
  op: OpenIdProvider | OddProvider,
  settings: object = {},
  given?: string,
): Promise<OpenIdSetting> {
  const organization = given ?? (await newOrganization(client));
  const path = `/v1/orgs/${organization}/oidc`;
  const asked = { label: 'Example', issuer: op.issuer, clientId: 'bindery', defaultRole: 'edit', ...settings };
  const { status, body } = await client.post(path, asked);
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  const { callbackURL, startURL } = body.service;
  const registered = op instanceof OpenIdProvider ? await op.register(callbackURL) : { clientSecret: 'a secret' };
  await client.patch(`${path}/${body.id}`, registered);
  return { organization, provider: body.id, start: new URL(startURL).pathname };
}

/** Signs somebody in with a browser, from the start to the screen at the end. */
export function signInAs(
  browser: AppBrowser,
  { start }: Pick<OpenIdSetting, 'start'>,
  person: { sub: string },
  next?: string,
) {
  browser.setCookie('person', person.sub);
  return browser.open(next === undefined ? start : `${start}?next=${encodeURIComponent(next)}`);
}

/** Takes a browser through its sign-in, up to the address at which it is to bring the answer back. */
export async function callbackOf(url: string, browser: AppBrowser, { start }: OpenIdSetting): Promise<string> {
  let at = new URL(start, url);
  while (!at.pathname.endsWith('/callback')) at = new URL((await browser.redirectOf(at.href)).location, at);
  return at.href;
}
