import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller } from '../../../shared/contract/caller.js';
import type { Store } from '../../../shared/store/port.js';
import { openSqliteStore } from '../../../shared/store/sqlite/store.js';
import { newId, newSecret, sha256, timestamp } from '../../../shared/values/ids.js';
import { Authenticator } from '../../../test/support/authenticator.js';
import { accountCollections, type SessionDocument, sessions } from '../accounts/model.js';
import { newSession } from '../accounts/sessions.js';
import { userCollections, users } from '../users/model.js';
import { newUser } from '../users/users.js';
import { passkeyChallenges, passkeyCollections, passkeys } from './model.js';
import { addPasskey, beginPasskey, challengePasskey, openSessionByPasskey } from './passkeys.js';

const baseUrl = 'https://docs.example/bindery';
const origin = 'https://docs.example';
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const network = '192.0.2.1';
const rejected = (why: RegExp) => ({ type: 'FORBIDDEN', message: expect.stringMatching(why) });

let folder: string;
let store: Store;
let deps: { store: Store; baseUrl: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-passkeys-'));
  store = await openSqliteStore({ path: join(folder, 'passkeys.sqlite') });
  await store.prepare([...userCollections, ...accountCollections, ...passkeyCollections]);
  deps = { store, baseUrl };
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

type UserCaller = Extract<Caller, { kind: 'user' }>;

/** Somebody in a browser that a link signed in, or whatever `by` says. */
async function newCaller(by: Partial<SessionDocument> = {}): Promise<UserCaller> {
  const user = newUser(`ada-${newId()}@example.com`);
  const { document } = newSession({ user: user._id, agent });
  await store.insert(users, user);
  await store.insert(sessions, { ...document, ...by });
  return { kind: 'user', user: user._id, token: document._id, memberships: {} };
}

/** Somebody with a passkey. */
async function newOwner(device = new Authenticator(origin)) {
  const caller = await newCaller();
  const asked = await beginPasskey(deps, { network }, caller);
  const passkey = await addPasskey(deps, { credential: device.create(asked), agent }, caller);
  return { caller, device, passkey };
}

const challenge = (browser: string) => challengePasskey(deps, { browser, network });
const enter = (credential: unknown, browser: string) => openSessionByPasskey(deps, { credential, browser, agent });

describe('a passkey', () => {
  it('is added by a user and signs a browser in, as often as one likes', async () => {
    const { caller, device, passkey } = await newOwner();
    expect(passkey).toEqual({
      object: 'passkey',
      id: expect.any(String),
      label: 'Firefox on Linux',
      createdAt: expect.any(String),
      urls: { location: `${baseUrl}/v1/user/passkeys/${passkey.id}` },
    });
    for (let times = 0; times < 2; times++) {
      const browser = newSecret();
      const asked = await challenge(browser);
      expect(asked).toMatchObject({ rpId: 'docs.example', userVerification: 'required' });
      expect(asked).not.toHaveProperty('allowCredentials.0');
      const opened = await enter(device.get(asked), browser);
      expect(await store.findOne(sessions, { hash: sha256(opened.secret) })).toMatchObject({ user: caller.user });
      expect(opened.organization).toBeUndefined();
    }
    expect((await store.get(passkeys, passkey.id))?.lastUsedAt).toBeDefined();
  });

  it('may be one that is synced, and counts nothing', async () => {
    const { device } = await newOwner(new Authenticator(origin, false));
    for (let times = 0; times < 2; times++) {
      const browser = newSecret();
      expect(await enter(device.get(await challenge(browser)), browser)).toMatchObject({ secret: expect.any(String) });
    }
  });

  it('is one of twenty at most, also when many are added at once', async () => {
    const caller = await newCaller();
    const asked = [];
    for (let at = 0; at < 22; at++) asked.push(await beginPasskey(deps, { network }, caller));
    const added = await Promise.allSettled(
      asked.map((each) => addPasskey(deps, { credential: new Authenticator(origin).create(each), agent }, caller)),
    );
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    await expect(beginPasskey(deps, { network }, caller)).rejects.toMatchObject({ type: 'CONFLICT' });
  });

  it('is asked for with those that one has, so that no device gets two', async () => {
    const { caller, device } = await newOwner();
    const { excludeCredentials, user, rp } = await beginPasskey(deps, { network }, caller);
    expect(excludeCredentials).toMatchObject([{ id: device.id, type: 'public-key' }]);
    expect([rp.id, Buffer.from(user.id, 'base64url').toString()]).toEqual(['docs.example', caller.user]);
  });
});

describe('an addition is refused', () => {
  it.each<[string, object, RegExp]>([
    ['of another site', { origin: 'https://evil.example' }, /asked for by another site/],
    ['for another host', { rpId: 'evil.example' }, /belongs to another site/],
    ['without a look at who is there', { unverified: true }, /did not check that it is you/],
    ['with an answer to a sign-in', { type: 'webauthn.get' }, /does not fit/],
    [
      'with an attestation that names certificates',
      { format: 'packed', attestation: new Map([['x5c', []]]) },
      /not fit/,
    ],
    ['with another attestation', { format: 'tpm' }, /does not fit/],
    ['with an algorithm that nobody asked for', { algorithm: -65535 }, /does not fit/],
    ['with a challenge that nobody made', { challenge: 'AAAA' }, /was not asked/],
  ])('%s', async (_, odd, why) => {
    const caller = await newCaller();
    const asked = await beginPasskey(deps, { network }, caller);
    const credential = new Authenticator(origin).create(asked, odd);
    await expect(addPasskey(deps, { credential, agent }, caller)).rejects.toMatchObject(rejected(why));
    expect(await store.count(passkeys, { user: caller.user })).toBe(0);
  });

  it('the second time, in another session, and after five minutes', async () => {
    const caller = await newCaller();
    const asked = await beginPasskey(deps, { network }, caller);
    const credential = new Authenticator(origin).create(asked);
    const elsewhere = { ...caller, token: newId() };
    await expect(addPasskey(deps, { credential, agent }, elsewhere)).rejects.toMatchObject(rejected(/was not asked/));
    await addPasskey(deps, { credential, agent }, caller);
    await expect(addPasskey(deps, { credential, agent }, caller)).rejects.toMatchObject(rejected(/was not asked/));
    const late = await beginPasskey(deps, { network }, caller);
    const past = timestamp(new Date(Date.now() - 1000));
    await store.update(passkeyChallenges, { _id: sha256(late.challenge) }, { $set: { expiresAt: past } });
    const made = new Authenticator(origin).create(late);
    await expect(addPasskey(deps, { credential: made, agent }, caller)).rejects.toMatchObject(
      rejected(/was not asked/),
    );
  });

  it('to whoever else has that passkey', async () => {
    const { device } = await newOwner();
    const thief = await newCaller();
    const credential = device.create(await beginPasskey(deps, { network }, thief));
    await expect(addPasskey(deps, { credential, agent }, thief)).rejects.toMatchObject(rejected(/kept already/));
  });

  it.each<[string, Partial<SessionDocument>]>([
    ['an API token, with which it ends', { ancestors: ['token'] }],
    ['an API token that ends at a time', { ancestors: ['token'], endsAt: '2099-12-31T00:00:00.000Z' }],
  ])('after a sign-in by %s', async (_, by) => {
    const caller = await newCaller(by);
    const refused = { type: 'FORBIDDEN', message: expect.stringContaining('with a link or a passkey') };
    await expect(beginPasskey(deps, { network }, caller)).rejects.toMatchObject(refused);
  });

  it('to an API token, and in a session that ended after it was asked for', async () => {
    const caller = await newCaller();
    const asked = await beginPasskey(deps, { network }, caller);
    const credential = new Authenticator(origin).create(asked);
    await store.delete(sessions, { _id: caller.token });
    const refused = { type: 'FORBIDDEN', message: expect.stringContaining('with a link or a passkey') };
    await expect(addPasskey(deps, { credential, agent }, caller)).rejects.toMatchObject(refused);
    await expect(beginPasskey(deps, { network }, { ...caller, token: newId() })).rejects.toMatchObject(refused);
    expect(await store.count(passkeys, { user: caller.user })).toBe(0);
  });

  it('after a single sign-on, and to nobody', async () => {
    const scoped = { ...(await newCaller()), scope: 'org' };
    await expect(beginPasskey(deps, { network }, scoped)).rejects.toMatchObject({ type: 'FORBIDDEN' });
    await expect(addPasskey(deps, { credential: {}, agent }, scoped)).rejects.toMatchObject({ type: 'FORBIDDEN' });
    await expect(beginPasskey(deps, { network }, { kind: 'anonymous' })).rejects.toMatchObject({ type: 'NOT_FOUND' });
  });

  it.each(['http://docs.example', 'https://192.0.2.1', 'http://127.0.0.1:4000', 'https://[::1]'])(
    'where browsers keep none: %s',
    async (address) => {
      const asked = { network, browser: newSecret() };
      await expect(challengePasskey({ store, baseUrl: address }, asked)).rejects.toMatchObject({
        type: 'PRECONDITION_FAILED',
      });
    },
  );
});

describe('a sign-in is refused', () => {
  it.each<[string, object, RegExp]>([
    ['of another site', { origin: 'https://evil.example' }, /asked for by another site/],
    ['of a site below ours', { origin: 'https://sub.docs.example' }, /asked for by another site/],
    ['for another host', { rpId: 'evil.example' }, /belongs to another site/],
    ['without a look at who is there', { unverified: true }, /did not check that it is you/],
    ['with an answer to an addition', { type: 'webauthn.create' }, /does not fit/],
    ['with a count that does not go on', { counter: 1 }, /may have been copied/],
    ['as somebody else', { userHandle: Buffer.from('somebody').toString('base64url') }, /unknown here/],
    [
      'signed by another key',
      { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey },
      /not fit|not valid/,
    ],
    ['with a challenge that nobody made', { challenge: 'AAAA' }, /was not asked/],
  ])('%s', async (_, odd, why) => {
    const { caller, device } = await newOwner();
    const browser = newSecret();
    const credential = device.get(await challenge(browser), odd);
    await expect(enter(credential, browser)).rejects.toMatchObject(rejected(why));
    expect(await store.count(sessions, { user: caller.user })).toBe(1);
  });

  it('in another browser, the second time, and with a challenge of an addition', async () => {
    const { caller, device } = await newOwner();
    const browser = newSecret();
    const credential = device.get(await challenge(browser));
    await expect(enter(credential, newSecret())).rejects.toMatchObject(rejected(/was not asked/));
    await enter(credential, browser);
    await expect(enter(credential, browser)).rejects.toMatchObject(rejected(/was not asked/));
    const { challenge: forAddition } = await beginPasskey(deps, { network }, caller);
    const mixed = device.get({ challenge: forAddition, rpId: 'docs.example' });
    await expect(enter(mixed, caller.token)).rejects.toMatchObject(rejected(/was not asked/));
  });

  it('with a passkey that was removed', async () => {
    const { device, passkey } = await newOwner();
    await store.delete(passkeys, { _id: passkey.id });
    const browser = newSecret();
    await expect(enter(device.get(await challenge(browser)), browser)).rejects.toMatchObject(rejected(/unknown here/));
  });

  it('for one of two uses with the same count at once', async () => {
    const { device } = await newOwner();
    const browser = newSecret();
    const [first, second] = [await challenge(browser), await challenge(browser)];
    const used = await Promise.allSettled(
      [first, second].map((asked) => enter(device.get(asked, { counter: 7 }), browser)),
    );
    expect(used.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'credential'],
    ['no response', { id: 'AAAA', rawId: 'AAAA', type: 'public-key' }],
    ['another kind', { id: 'AAAA', rawId: 'AAAA', type: 'password', response: {} }],
    ['a long id', { id: 'A'.repeat(2000), rawId: 'A', type: 'public-key', response: {} }],
    [
      'client data that are no JSON',
      {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'AAAA', authenticatorData: '', signature: '', userHandle: 'AAAA' },
      },
    ],
  ])('by its form: %s', async (_, credential) => {
    await expect(enter(credential, newSecret())).rejects.toMatchObject({ type: 'INVALID' });
  });

  it('where the network has left too many without an answer', async () => {
    const flooded = '198.51.100.7';
    const expiresAt = timestamp(new Date(Date.now() + 60_000));
    const open = { purpose: 'sign-in', browser: '', network: flooded, createdAt: timestamp(), expiresAt } as const;
    await store.insertMany(
      passkeyChallenges,
      Array.from({ length: 1000 }, () => ({ ...open, _id: newId() })),
    );
    const asked = { browser: newSecret(), network: flooded };
    await expect(challengePasskey(deps, asked)).rejects.toMatchObject({ type: 'RATE_LIMITED' });
    await challenge(newSecret());
  });
});

it('hostile CBOR ends in a refusal', async () => {
  const caller = await newCaller();
  const deep = Buffer.concat([Buffer.alloc(12_000, 0x81), Buffer.from([0x00])]).toString('base64url');
  const asked = await beginPasskey(deps, { network }, caller);
  const credential = new Authenticator(origin).create(asked) as { response: object };
  Object.assign(credential.response, { attestationObject: deep });
  await expect(addPasskey(deps, { credential, agent }, caller)).rejects.toMatchObject(rejected(/does not fit/));
});
