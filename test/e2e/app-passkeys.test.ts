import { freePort } from '../../shared/process/free-port.js';
import { AppBrowser, type Screen, signedIn, signedInByLink } from '../support/app-browser.js';
import { Authenticator } from '../support/authenticator.js';
import { newOrganization, unique, walk } from '../support/fixtures.js';
import { askOperator } from '../support/operator.js';
import { Client, type StartedServer, startServer } from '../support/server.js';

/** Browsers keep no passkeys for an IP address. */
let server: StartedServer;
let origin: string;
beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  server = await startServer({ port, env: { BASE_URL: origin } });
});
afterAll(() => server.stop());

/** A guest of an organization of its own. */
async function newUser() {
  const email = `${unique('ada').replace(/ /g, '-')}@example.com`;
  const home = await newOrganization(server);
  await server.post(`/v1/orgs/${home}/invites`, { emails: [email], role: null });
  const tokenOf = (scope?: string) =>
    askOperator({ issue: { email, label: 'test', ...(scope === undefined ? {} : { scope }) } }, server.settings);
  const token = await tokenOf();
  const client = new Client(server.url, token);
  await client.post(`/v1/user/invites/${home}`);
  return { email, home, token, client, tokenOf };
}

/** Asks as the script of a screen does. */
async function ask(browser: AppBrowser, screen: Screen, path: string) {
  const [, token = ''] = /<meta name="form-token" content="([^"]+)"/.exec(screen.html) ?? [];
  const answer = await browser.open(path, {
    method: 'POST',
    headers: { 'X-Form-Token': token, 'Sec-Fetch-Site': 'same-origin' },
  });
  return { status: answer.status, body: JSON.parse(answer.html) };
}

const enterByLink = async (email: string) =>
  signedInByLink({ url: origin }, await askOperator({ link: { email } }, server.settings));

/** Somebody with a passkey, in a browser that is signed in. */
async function newOwner() {
  const user = await newUser();
  const browser = await enterByLink(user.email);
  const device = new Authenticator(origin);
  const added = await add(browser, device);
  return { user, browser, device, added };
}

async function add(browser: AppBrowser, device: Authenticator): Promise<Screen> {
  const account = await browser.open('/app/account');
  const { body } = await ask(browser, account, '/app/account/passkey');
  return browser.act(account, 'add-passkey', { credential: JSON.stringify(device.create(body)) });
}

/** A browser that asks for a passkey on the sign-in screen. */
async function asking(next = '') {
  const browser = new AppBrowser(origin);
  const screen = await browser.open(`/app/sign-in${next}`);
  const { body } = await ask(browser, screen, '/app/sign-in/passkey');
  return { browser, screen, body };
}

describe('a passkey in the app', () => {
  it('is added on the account screen and signs another browser in, to where it wanted', async () => {
    const { user, device, added } = await newOwner();
    expect([added.status, added.text]).toEqual([200, expect.stringContaining('The passkey is kept.')]);
    const { browser, screen, body } = await asking('?next=%2Fapp%2Faccount');
    const entered = await browser.act(screen, 'passkey', { credential: JSON.stringify(device.get(body)) });
    expect([entered.status, entered.url.pathname]).toEqual([200, '/app/account']);
    expect(entered.text).toContain(user.email);
    expect((await walk(user.client, '/v1/user/sessions', 10)).length).toBe(2);
  });

  it('is refused with a text, on the screen where it was used', async () => {
    const { browser, screen, body } = await asking();
    const credential = JSON.stringify(new Authenticator(origin).get(body, { userHandle: 'AAAA' }));
    const refused = await browser.act(screen, 'passkey', { credential });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('it is unknown here')]);
    for (const wrong of ['', '{', '[]'])
      expect((await browser.act(await browser.open('/app/sign-in'), 'passkey', { credential: wrong })).status).toBe(
        400,
      );
    expect(browser.cookie('bindery_session')).toBeUndefined();
  });

  it('signs nobody in by an answer that another browser was asked for (login CSRF)', async () => {
    const { device } = await newOwner();
    const [attacker, victim] = [await asking(), await asking()];
    const credential = JSON.stringify(device.get(attacker.body));
    expect((await victim.browser.act(victim.screen, 'passkey', { credential })).status).toBe(403);
    expect((await attacker.browser.act(attacker.screen, 'passkey', { credential })).status).toBe(200);
  });

  it('is asked for by pages of ours alone', async () => {
    const { browser, screen } = await asking();
    const [, token = ''] = /<meta name="form-token" content="([^"]+)"/.exec(screen.html) ?? [];
    for (const [headers, status] of [
      [{ 'X-Form-Token': token, 'Sec-Fetch-Site': 'cross-site' }, 403],
      [{ 'X-Form-Token': 'wrong', 'Sec-Fetch-Site': 'same-origin' }, 403],
      [{ 'Sec-Fetch-Site': 'same-origin' }, 403],
    ] as const)
      expect((await browser.open('/app/sign-in/passkey', { method: 'POST', headers })).status).toBe(status);
    expect((await browser.open('/app/sign-in/passkey')).status).toBe(405);
    const nobody = await new AppBrowser(origin).redirectOf('/app/account/passkey', { method: 'POST' });
    expect(nobody.location).toContain('/app/sign-in');
  });

  it('is listed page by page, renamed and removed, by its user alone', async () => {
    const { user, browser, device } = await newOwner();
    await add(browser, new Authenticator(origin));
    await add(browser, new Authenticator(origin));
    const items = await walk(user.client, '/v1/user/passkeys', 2);
    expect(items).toHaveLength(3);
    expect((await user.client.get('/v1/user/passkeys?limit=0')).body).toEqual({ count: 3, items: [] });
    const first = `/v1/user/passkeys/${items[2].id}`;
    const renamed = await user.client.patch(first, { label: ' Work laptop ' });
    expect([renamed.status, renamed.body]).toEqual([200, { ...items[2], label: 'Work laptop' }]);
    for (const label of ['', ' ', 'x'.repeat(51), 5])
      expect((await user.client.patch(first, { label })).status).toBe(400);
    const other = (await newUser()).client;
    for (const answer of [await other.patch(first, { label: 'Mine' }), await other.delete(first)])
      expect(answer.status).toBe(404);
    expect((await other.get('/v1/user/passkeys')).body.count).toBe(0);
    const screen = await browser.open('/app/account');
    expect(screen.text).toContain('Work laptop');
    const removed = await browser.submit(screen, screen.form('remove-passkey', { passkey: items[2].id }));
    expect(removed.text).toContain('The passkey is removed.');
    const { browser: late, screen: signIn, body } = await asking();
    expect((await late.act(signIn, 'passkey', { credential: JSON.stringify(device.get(body)) })).status).toBe(403);
    expect((await user.client.delete(`/v1/user/passkeys/${items[1].id}`)).status).toBe(205);
    expect((await user.client.delete(`/v1/user/passkeys/${items[1].id}`)).status).toBe(404);
  });

  it('reaches no organization that enforces single sign-on', async () => {
    const { user, device } = await newOwner();
    const { home } = user;
    const settings = { label: 'OP', issuer: 'https://op.example', clientId: 'bindery' };
    expect((await server.post(`/v1/orgs/${home}/oidc`, settings)).status).toBe(201);
    expect((await server.patch(`/v1/orgs/${home}`, { sso: true })).status).toBe(200);
    const { browser, screen, body } = await asking();
    await browser.act(screen, 'passkey', { credential: JSON.stringify(device.get(body)) });
    const refused = await browser.open(`/app/o/${home}`);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('requires single sign-on')]);
  });

  it('is not added by an API token, which it would outlive', async () => {
    const { user } = await newOwner();
    const browser = await signedIn({ url: origin }, user.token);
    const account = await browser.open('/app/account');
    expect([account.hasForm('add-passkey'), account.hasForm('remove-passkey')]).toEqual([false, true]);
    expect(account.text).toContain('To add a passkey, sign in with a link or a passkey');
    expect((await ask(browser, account, '/app/account/passkey')).status).toBe(403);
  });

  it('is nothing for a sign-in of one organization', async () => {
    const { user } = await newOwner();
    const token = await user.tokenOf(user.home);
    const scoped = new Client(server.url, token);
    for (const answer of [await scoped.get('/v1/user/passkeys'), await scoped.delete('/v1/user/passkeys/x')])
      expect([answer.status, answer.body.error.reason]).toEqual([403, 'token_of_one_organization']);
    const browser = await signedIn({ url: origin }, token);
    const account = await browser.open('/app/account');
    expect(account.hasForm('add-passkey')).toBe(false);
    expect((await ask(browser, account, '/app/account/passkey')).status).toBe(403);
  });
});
