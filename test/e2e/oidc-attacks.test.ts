import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { AppBrowser } from '../support/app-browser.js';
import { newOrganization, shared, walk } from '../support/fixtures.js';
import {
  type Begun,
  begunIn,
  challengeOf,
  newOpenIdSetting,
  OddProvider,
  type OpenIdSetting,
} from '../support/oidc-provider.js';

const client = shared();
const secret = 'a secret';
let op: OddProvider;
let setting: OpenIdSetting;
let browser: AppBrowser;
beforeEach(async () => {
  op = await new OddProvider().open();
  setting = await newOpenIdSetting(client, op);
  browser = new AppBrowser(client.url);
});
afterEach(() => op.close());

const begin = async (): Promise<Begun> => begunIn((await browser.redirectOf(setting.start)).location);

/** Brings an answer of the provider back, with the parameters of an honest one. */
function bring({ state, callback }: Begun, more: Record<string, string> = {}) {
  const query = new URLSearchParams({ code: 'a code', state, iss: op.issuer, ...more });
  return browser.open(`${new URL(callback).pathname}?${query}`);
}

async function expectRefused(screen: Awaited<ReturnType<typeof bring>>, why: RegExp): Promise<void> {
  expect([screen.status, screen.text]).toEqual([403, expect.stringMatching(why)]);
  expect(browser.cookie('bindery_session')).toBeUndefined();
  expect(await walk(client, `/v1/orgs/${setting.organization}/members`, 100)).toHaveLength(1);
}

const unsigned = (claims: object) =>
  `${[{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;

it('an honest answer lets its person in, once its code was exchanged with the verifier and the secret', async () => {
  const begun = await begin();
  op.tokens = async () => op.tokensWith(await op.sign(op.claims(begun)));
  const screen = await bring(begun);
  expect([screen.status, screen.url.pathname]).toEqual([200, `/app/o/${setting.organization}`]);
  const [form] = op.asked;
  expect(challengeOf(form?.get('code_verifier') ?? '')).toBe(begun.challenge);
  expect(begun.challenge).toHaveLength(43);
  expect([form?.get('code'), form?.get('redirect_uri'), form?.get('client_secret')]).toEqual([
    'a code',
    begun.callback,
    null,
  ]);
  expect(op.authorizations).toEqual([`Basic ${Buffer.from('bindery:a+secret').toString('base64')}`]);
  expect(new Set([begun.state, begun.nonce, form?.get('code_verifier')]).size).toBe(3);
});

it('no two sign-ins have the same state, nonce or challenge', async () => {
  const all = [await begin(), await begin(), await begin()];
  for (const part of ['state', 'nonce', 'challenge'] as const)
    expect(new Set(all.map((begun) => begun[part])).size).toBe(3);
});

describe('an ID token lets nobody in', () => {
  const now = () => Math.floor(Date.now() / 1000);
  it.each<[string, () => JWTPayload, RegExp]>([
    ['of another issuer', () => ({ iss: 'https://evil.example' }), /`iss`/],
    ['for another client', () => ({ aud: 'another' }), /`aud`/],
    ['for another client beside ours', () => ({ aud: ['another', 'bindery'], azp: 'another' }), /`azp`/],
    ['for many clients without saying which', () => ({ aud: ['another', 'bindery'] }), /`a(zp|ud)`/],
    ['of another sign-in', () => ({ nonce: 'another' }), /`nonce`/],
    ['of no sign-in', () => ({ nonce: undefined }), /`nonce`|not a valid/],
    ['that has expired', () => ({ iat: now() - 7200, exp: now() - 3600 }), /has expired/],
    ['that is not valid yet', () => ({ nbf: now() + 3600 }), /expired, or the clocks/],
    ['without an end', () => ({ exp: undefined }), /not a valid/],
    ['without a person', () => ({ sub: undefined }), /not a valid/],
  ])('%s', async (_, odd, why) => {
    const begun = await begin();
    op.tokens = async () => op.tokensWith(await op.sign(op.claims(begun, odd())));
    await expectRefused(await bring(begun), why);
  });

  it('that nobody signed', async () => {
    const begun = await begin();
    op.tokens = () => op.tokensWith(unsigned(op.claims(begun)));
    await expectRefused(await bring(begun), /rejected/);
  });

  it('that its client could have signed: with the secret, or with the public key as one', async () => {
    const pem = op.keys.publicKey.export({ type: 'spki', format: 'pem' });
    for (const key of [secret, String(pem)]) {
      const begun = await begin();
      op.tokens = async () =>
        op.tokensWith(await op.sign(op.claims(begun), { key: createSecretKey(Buffer.from(key)), alg: 'HS256' }));
      await expectRefused(await bring(begun), /signed in a way that is not taken/);
    }
  });

  it('signed by another key, also one that it brings itself', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const begun = await begin();
    op.tokens = async () => op.tokensWith(await op.sign(op.claims(begun), { key: privateKey }));
    await expectRefused(await bring(begun), /rejected/);
    const again = await begin();
    const jwk = publicKey.export({ format: 'jwk' }) as never;
    const own = new SignJWT(op.claims(again)).setProtectedHeader({ alg: 'RS256', jwk, jku: `${op.issuer}/evil` });
    op.tokens = async () => op.tokensWith(await own.sign(privateKey));
    await expectRefused(await bring(again), /rejected/);
  });

  it('that has been changed', async () => {
    const begun = await begin();
    const [header, , signature] = (await op.sign(op.claims(begun))).split('.');
    const changed = Buffer.from(JSON.stringify(op.claims(begun, { sub: 'eve' }))).toString('base64url');
    op.tokens = () => op.tokensWith(`${header}.${changed}.${signature}`);
    await expectRefused(await bring(begun), /rejected/);
  });
});

describe('an answer lets nobody in', () => {
  it('of another issuer, or of none where it is due', async () => {
    const first = await begin();
    await expectRefused(await bring(first, { iss: 'https://evil.example' }), /rejected/);
    const second = await begin();
    await expectRefused(await bring(second, { iss: '' }), /rejected/);
    expect(op.asked).toEqual([]);
  });

  it('with the state of another sign-in of the same browser', async () => {
    const [first, second] = [await begin(), await begin()];
    op.tokens = async () => op.tokensWith(await op.sign(op.claims(first)));
    await expectRefused(await bring({ ...first, state: second.state }), /`nonce`/);
  });

  it('that somebody else obtained (login CSRF)', async () => {
    const attacker = browser;
    const begun = await begin();
    op.tokens = async () => op.tokensWith(await op.sign(op.claims(begun)));
    browser = new AppBrowser(client.url);
    await expectRefused(await bring(begun), /No sign-in of this browser is waiting/);
    expect(op.asked).toEqual([]);
    browser = attacker;
    expect((await bring(begun)).status).toBe(200);
  });

  it.each<[string, () => object, RegExp]>([
    ['without an ID token', () => ({ access_token: 'a', token_type: 'Bearer' }), /rejected/],
    ['with an ID token that is none', () => op.tokensWith('a.b.c'), /rejected|cannot be read/],
    ['that is huge', () => op.tokensWith('a'.repeat(200_000)), /larger than/],
    ['that is a list', () => [], /rejected/],
  ])('of the token endpoint %s', async (_, tokens, why) => {
    const begun = await begin();
    op.tokens = tokens;
    await expectRefused(await bring(begun), why);
  });

  it('of the userinfo endpoint about somebody else, or about another address', async () => {
    const bare = (begun: Begun) => ({ ...op.claims(begun), email: undefined, email_verified: undefined });
    for (const [more, why] of [
      [{ sub: 'eve', email: 'ada@odd.example', email_verified: true }, /another issuer or another person/],
      [{ sub: 'ada', email: 'ada@odd.example' }, /has not verified/],
    ] as const) {
      const begun = await begin();
      op.tokens = async () => op.tokensWith(await op.sign(bare(begun)));
      op.userinfo = () => more;
      await expectRefused(await bring(begun), why);
    }
    const begun = await begin();
    op.tokens = async () => op.tokensWith(await op.sign(op.claims(begun, { email_verified: undefined })));
    op.userinfo = () => ({ sub: 'ada', email: 'other@odd.example', email_verified: true });
    await expectRefused(await bring(begun), /has not verified/);
  });
});

describe('keys let nobody in', () => {
  it.each<[string, () => object, RegExp]>([
    ['that are huge', () => ({ keys: Array.from({ length: 1000 }, () => op.jwk()) }), /larger than/],
    ['that are none', () => ({ keys: [] }), /none of its keys/],
    ['that are no list', () => ({ keys: { own: op.jwk() } }), /rejected/],
    ['that are no objects', () => ({ keys: [null, 5, 'own'] }), /rejected/],
    ['that are broken', () => ({ keys: [{ ...op.jwk(), n: 'AQAB' }] }), /rejected/],
    ['that are for something else', () => ({ keys: [{ ...op.jwk(), use: 'enc' }] }), /none of its keys/],
    ['that are secrets', () => ({ keys: [{ kty: 'oct', kid: 'own', k: 'YSBzZWNyZXQ' }] }), /none of its keys/],
  ])('%s', async (_, jwks, why) => {
    const begun = await begin();
    op.tokens = async () => op.tokensWith(await op.sign(op.claims(begun)));
    op.jwks = jwks;
    await expectRefused(await bring(begun), why);
  });
});

it('the error of a token endpoint is shown as text', async () => {
  const begun = await begin();
  op.tokens = () => ({ error: 'invalid_client', error_description: '<script>alert(1)</script>' });
  const screen = await bring(begun);
  expect(screen.status).toBe(403);
  expect(screen.html).not.toContain('<script>alert');
});

describe('a provider that speaks for others', () => {
  it('is not asked for people: another issuer, a tenant that anybody may have', async () => {
    for (const issuer of ['https://evil.example', `${op.issuer}/{tenantid}`]) {
      const other = await newOpenIdSetting(client, op, {}, await newOrganization(client));
      op.metadata = () => ({ ...op.honestMetadata(), issuer });
      const screen = await browser.open(other.start);
      expect([screen.status, screen.text]).toEqual([403, expect.stringMatching(/another issuer|calls itself/)]);
    }
  });
});
