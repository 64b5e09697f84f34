import { eventually } from '../../shared/testing/eventually.js';
import { untilItsEnd } from '../support/expiry.js';
import { type NewUser, newOrganization, newUser, shared } from '../support/fixtures.js';
import { IdentityProvider, newEmail, newSetting } from '../support/identity-provider.js';

const admin = shared();
const hourMs = 3_600_000;
const inOneHour = () => new Date(Date.now() + hourMs).toISOString();

interface Made {
  id: string;
  token: string;
  expiresAt?: string;
  parent?: string;
}

async function make(token: string, input: Record<string, unknown> = {}): Promise<Made> {
  const { status, body } = await admin.post('/v1/user/tokens', { label: 'made', ...input }, { token });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

const use = async (token: string, path = '/v1/user') => (await admin.get(path, { token })).status;

/** Of tokens that were in use: what is known of them is kept for a moment. */
async function fall(tokens: string[], change: () => Promise<{ status: number }>): Promise<void> {
  expect(await Promise.all(tokens.map((token) => use(token)))).toEqual(tokens.map(() => 200));
  expect((await change()).status).toBeLessThan(300);
  await eventually(
    'the end of the tokens',
    () => Promise.all(tokens.map((token) => use(token))),
    (statuses) => statuses.every((status) => status === 401),
  );
}

describe('a token made by a token', () => {
  let user: NewUser;
  beforeEach(async () => {
    user = await newUser(admin);
  });

  it('names the one that made it', async () => {
    const first = await make(user.token);
    const second = await make(first.token);
    expect(second.parent).toBe(first.id);
    const { items } = (await user.client.get('/v1/user/tokens')).body;
    expect(items.find(({ id }: Made) => id === second.id).parent).toBe(first.id);
  });

  it('expires with it at the latest, however long it is asked to live', async () => {
    const expiresAt = inOneHour();
    const short = await make(user.token, { expiresAt });
    const later = new Date(Date.now() + 100 * hourMs).toISOString();
    const sooner = new Date(Date.now() + hourMs / 2).toISOString();
    expect((await make(short.token)).expiresAt).toBe(expiresAt);
    expect((await make(short.token, { expiresAt: later })).expiresAt).toBe(expiresAt);
    expect((await make(short.token, { expiresAt: sooner })).expiresAt).toBe(sooner);
  });

  it('is refused from the moment its maker expires', async () => {
    const { status } = await untilItsEnd(
      async (end) => {
        const short = await make(user.token, { expiresAt: end.toISOString() });
        return (await make((await make(short.token)).token)).token;
      },
      (token) => use(token),
    );
    expect(status).toBe(401);
  });

  it('is revoked with it, down to the last, and no other is', async () => {
    const first = await make(user.token);
    const second = await make(first.token);
    const [third, sibling] = [await make(second.token), await make(user.token)];
    await fall([first.token, second.token, third.token], () => user.client.delete(`/v1/user/tokens/${first.id}`));
    expect([await use(user.token), await use(sibling.token)]).toEqual([200, 200]);
    const { items } = (await user.client.get('/v1/user/tokens')).body;
    expect(items.map(({ id }: Made) => id)).not.toContain(third.id);
  });

  it('cannot be made by one that is being revoked', async () => {
    const first = await make(user.token);
    const [removal, ...makings] = await Promise.all([
      user.client.delete(`/v1/user/tokens/${first.id}`),
      ...Array.from({ length: 8 }, () => admin.post('/v1/user/tokens', { label: 'race' }, { token: first.token })),
    ]);
    expect(removal.status).toBe(205);
    for (const { status } of makings) expect([201, 401, 409]).toContain(status);
    const { items } = (await user.client.get('/v1/user/tokens')).body;
    expect(items.filter(({ parent }: Made) => parent === first.id)).toEqual([]);
  });

  it('ends a chain of ten', async () => {
    let last = user.token;
    for (let depth = 0; depth < 10; depth++) last = (await make(last)).token;
    const { status, body } = await admin.post('/v1/user/tokens', { label: 'eleventh' }, { token: last });
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('chain of 10 tokens')]);
  });

  it('is revoked by no other user', async () => {
    const { id, token } = await make(user.token);
    const stranger = await newUser(admin);
    expect((await stranger.client.delete(`/v1/user/tokens/${id}`)).status).toBe(404);
    expect(await use(token)).toBe(200);
  });
});

describe('a token of a single sign-on', () => {
  const identityProvider = new IdentityProvider();

  async function signedIn() {
    const setting = await newSetting(identityProvider);
    const { body } = await setting.browser.signIn(identityProvider, { email: newEmail() });
    const made = await make(body.token, { expiresAt: '2999-01-01T00:00:00Z' });
    expect(Date.parse(String(made.expiresAt))).toBeLessThanOrEqual(Date.parse(body.expiresAt));
    const members = `/v1/orgs/${setting.organization}/members/${body.user.id}`;
    return { ...setting, email: body.user.email, tokens: [body.token, made.token] as string[], members };
  }

  it('ends with its provider, and so do those made with it', async () => {
    const { organization, provider, tokens } = await signedIn();
    await newOrganization(admin);
    await fall(tokens, () => admin.delete(`/v1/orgs/${organization}/saml/${provider}`));
  });

  it('ends with its membership, and does not come back with the next', async () => {
    const { organization, tokens, members, email } = await signedIn();
    await fall(tokens, () => admin.delete(members));
    const { body } = await admin.post(`/v1/orgs/${organization}/invites`, { emails: [email], sso: true });
    expect(body.users).toHaveLength(1);
    expect(await Promise.all(tokens.map((token) => use(token)))).toEqual([401, 401]);
  });

  it('is refused while its membership is switched off', async () => {
    const { tokens, members } = await signedIn();
    await fall(tokens, () => admin.patch(members, { disabled: true }));
    await admin.patch(members, { disabled: false });
    expect(await Promise.all(tokens.map((token) => use(token)))).toEqual([200, 200]);
  });
});
