import { eventually } from '../../shared/testing/eventually.js';
import { AppBrowser, signedIn } from '../support/app-browser.js';
import { selfSigned } from '../support/certificate.js';
import { untilItsEnd } from '../support/expiry.js';
import { newOrganization, newUser, shared } from '../support/fixtures.js';
import {
  Browser,
  expectRefused,
  IdentityProvider,
  membersOf,
  newEmail,
  newProvider,
  newSetting,
} from '../support/identity-provider.js';

const client = shared();
const identityProvider = new IdentityProvider();

describe('a SAML sign-in', () => {
  it('makes a newcomer a member and answers a token of the organization', async () => {
    const organization = await newOrganization(client);
    const team = await client.put(`/v1/orgs/${organization}/teams`, { title: 'Writers' });
    const { browser } = await newProvider(organization, identityProvider, { defaultTeam: team.body.id });
    const email = newEmail();
    const before = Date.now();
    const person = { email: email.toUpperCase(), first: 'Ada', last: 'O’Hara <&>' };
    const { status, body, headers } = await browser.signIn(identityProvider, person);
    expect({ status, body }).toMatchObject({ status: 200, body: { organization } });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.user).toMatchObject({ object: 'user', displayName: 'Ada O’Hara <&>', email });
    expect(Date.parse(body.expiresAt) - before).toBeGreaterThan(11.9 * 3_600_000);
    const { token } = body;
    expect((await client.get(`/v1/orgs/${organization}`, { token })).status).toBe(200);
    const [member] = (await membersOf(organization)).filter(({ id }) => id === body.user.id);
    expect(member).toMatchObject({ role: 'edit', sso: true, disabled: false, teams: 1, user: { email } });
    expect((await client.get(`/v1/orgs/${organization}/teams/${team.body.id}`)).body.members).toBe(1);
    const { body: trail } = await client.get(`/v1/orgs/${organization}/audit-events?operation=signInWithSAML`);
    expect(trail.items.map(({ resource }: any) => resource.type).sort()).toEqual(['api-token', 'member']);
    expect(trail.items[0].actor).toMatchObject({ type: 'user', id: body.user.id });
    expect(trail.items[0].requestId).toBe(headers.get('x-request-id'));
    expect(JSON.stringify(trail)).not.toContain(token);
  });

  it('finds the same member the second time, whatever the case of the address', async () => {
    const { organization, browser } = await newSetting(identityProvider);
    const email = newEmail();
    const first = await browser.signIn(identityProvider, { email });
    const second = await browser.signIn(identityProvider, {
      email: `${email.charAt(0).toUpperCase()}${email.slice(1)}`,
    });
    expect(second.status).toBe(200);
    expect(second.body.user).toEqual(first.body.user);
    expect(first.body.user.displayName).toBe(email.split('@')[0]);
    expect(second.body.token).not.toBe(first.body.token);
    expect(await membersOf(organization)).toHaveLength(2);
  });

  it('issues tokens that reach no other organization of their user', async () => {
    const { organization, browser } = await newSetting(identityProvider);
    const elsewhere = await newOrganization(client);
    const email = newEmail();
    const { body } = await browser.signIn(identityProvider, { email });
    await client.post(`/v1/orgs/${elsewhere}/invites`, { emails: [email] });
    expect((await client.get(`/v1/orgs/${elsewhere}`, { token: body.token })).status).toBe(404);
    expect((await client.get(`/v1/orgs/${organization}`, { token: body.token })).status).toBe(200);
  });

  it('makes one account of two first sign-ins at once', async () => {
    const { organization, provider } = await newSetting(identityProvider);
    const email = newEmail();
    const browsers = Array.from({ length: 4 }, () => new Browser(client, provider));
    const answers = await Promise.all(browsers.map((browser) => browser.signIn(identityProvider, { email })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
    expect(await membersOf(organization)).toHaveLength(2);
  });

  it('counts once, also when the answer comes many times at once', async () => {
    const { browser } = await newSetting(identityProvider);
    const answer = await identityProvider.answer(await browser.metadata(), await browser.start(), {
      email: newEmail(),
    });
    const all = await Promise.all(Array.from({ length: 6 }, () => browser.finish(answer)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403, 403]);
    expectRefused(await browser.finish(answer), /no sign-in of this browser is waiting for it/);
  });

  it('ends in the browser that began it and in no other, which cannot use it up either', async () => {
    const { browser, provider } = await newSetting(identityProvider);
    const answer = await identityProvider.answer(await browser.metadata(), await browser.start(), {
      email: newEmail(),
    });
    const other = new Browser(client, provider);
    expectRefused(await other.finish(answer), /No sign-in began in this browser/);
    await other.start();
    expect(other.cookie).not.toBe(browser.cookie);
    expectRefused(await other.finish(answer), /no sign-in of this browser is waiting for it/);
    other.cookie = `${browser.cookie}x`;
    expectRefused(await other.finish(answer), /No sign-in began in this browser/);
    expect((await browser.finish(answer)).status).toBe(200);
  });

  it('ends the session that the browser had, where it opens another one', async () => {
    const { browser } = await newSetting(identityProvider);
    const former = await signedIn(client, (await newUser(client)).token);
    const path = async () => (await former.open('/app/account')).url.pathname;
    const answerOf = async (redirect: string) =>
      identityProvider.answer(await browser.metadata(), redirect, { email: newEmail() });
    browser.cookie = `bindery_session=${former.cookie('bindery_session')}`;
    expect((await browser.finish(await answerOf(await browser.start()))).status).toBe(200);
    expect(await path()).toBe('/app/account');
    browser.cookie = `bindery_session=${former.cookie('bindery_session')}`;
    const entered = await browser.finish(await answerOf(await browser.start()), 'text/html');
    expect([entered.status, entered.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('=bns_')]);
    await eventually('the end of the session', async () => (await path()) === '/app/sign-in');
  });

  it('may run in two tabs of a browser at once', async () => {
    const { browser } = await newSetting(identityProvider);
    const metadata = await browser.metadata();
    const [first, second] = [await browser.start(), await browser.start()];
    for (const redirect of [first, second]) {
      const answer = await identityProvider.answer(metadata, redirect, { email: newEmail() });
      expect((await browser.finish(answer)).status).toBe(200);
    }
  });

  it('ends with the certificate of its provider, and goes on with another one', async () => {
    const startAt = (provider: string) =>
      client.get(`/saml/${provider}/start`, { token: null, headers: { accept: 'application/json' } });
    const { made } = await untilItsEnd(
      async (validTo) => {
        const expiring = new IdentityProvider(selfSigned({ validTo }));
        const setting = await newSetting(expiring);
        const { browser } = setting;
        const begun = await expiring.answer(await browser.metadata(), await browser.start(), { email: newEmail() });
        expect((await browser.signIn(expiring, { email: newEmail() })).status).toBe(200);
        return { ...setting, expiring, begun };
      },
      async ({ provider }) => ((await startAt(provider)).status === 302 ? 200 : 403),
    );
    const { organization, provider, browser, expiring, begun } = made;
    expectRefused(await browser.finish(begun), /certificate of the identity provider has expired/);
    expectRefused(await startAt(provider), /certificate of the identity provider has expired/);
    const next = new IdentityProvider();
    await client.patch(`/v1/orgs/${organization}/saml/${provider}`, next.settings);
    expect((await browser.signIn(next, { email: newEmail() })).status).toBe(200);
    expectRefused(await browser.signIn(expiring, { email: newEmail() }), /signature/);
  });

  it('goes on with either key while the provider changes it', async () => {
    const next = new IdentityProvider();
    const { browser } = await newSetting(identityProvider, {
      certificate: next.own.certificate + identityProvider.own.certificate,
    });
    expect((await browser.signIn(identityProvider, { email: newEmail() })).status).toBe(200);
    expect((await browser.signIn(next, { email: newEmail() })).status).toBe(200);
  });

  it('takes answers whose response is signed beside the assertion', async () => {
    const { browser } = await newSetting(identityProvider);
    expect((await browser.signIn(identityProvider, { email: newEmail() }, { signs: 'both' })).status).toBe(200);
  });

  it('ends no later than the session at the identity provider', async () => {
    const { browser } = await newSetting(identityProvider);
    const until = (end: number) => ({
      edit: (xml: string) =>
        xml.replace('SessionIndex=', `SessionNotOnOrAfter="${new Date(end).toISOString()}" SessionIndex=`),
    });
    const end = Date.now() + 3_600_000;
    const { body } = await browser.signIn(identityProvider, { email: newEmail() }, until(end));
    expect(Date.parse(body.expiresAt)).toBe(end);
    const over = await browser.signIn(identityProvider, { email: newEmail() }, until(Date.now() - 1000));
    expectRefused(over, /session has ended/);
  });

  it('leaves out a default team that is gone', async () => {
    const organization = await newOrganization(client);
    const team = await client.put(`/v1/orgs/${organization}/teams`, { title: 'Gone soon' });
    const { browser, provider } = await newProvider(organization, identityProvider, { defaultTeam: team.body.id });
    await client.delete(`/v1/orgs/${organization}/teams/${team.body.id}`);
    expect((await client.get(`/v1/orgs/${organization}/saml/${provider}`)).body.defaultTeam).toBeUndefined();
    const { status, body } = await browser.signIn(identityProvider, { email: newEmail() });
    expect(status).toBe(200);
    const [member] = (await membersOf(organization)).filter(({ id }) => id === body.user.id);
    expect(member.teams).toBe(0);
  });

  it('signs the browser of a person in, and shows errors as a page', async () => {
    const { organization, browser } = await newSetting(identityProvider);
    const person = { email: newEmail(), first: '<script>alert(1)</script>' };
    const answer = await identityProvider.answer(await browser.metadata(), await browser.start(), person);
    const { status, headers } = await browser.finish(answer, 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect([status, headers.get('location')]).toEqual([303, `/app/o/${organization}`]);
    expect(headers.get('cache-control')).toBe('no-store');
    const [, secret = ''] = /^bindery_session=(bns_[\w-]{43}); /.exec(headers.getSetCookie()[0] ?? '') ?? [];
    const app = new AppBrowser(client.url);
    app.setCookie('bindery_session', secret);
    const screen = await app.open('/app/account');
    expect([screen.status, screen.text]).toEqual([200, expect.stringContaining(person.email)]);
    expect(screen.html).not.toContain('<script>alert');
    const other = await newOrganization(client);
    expect((await app.open(`/app/o/${other}`)).status).toBe(404);
    const again = await browser.finish(answer, 'text/html');
    expect(again.status).toBe(403);
    expect(again.headers.get('content-type')).toContain('text/html');
    expect(again.body).toContain('role="alert"');
  });
});

describe('who is let in by single sign-on', () => {
  it('is no member who was not marked for it, until an admin does', async () => {
    const { organization, browser } = await newSetting(identityProvider);
    const { id, email } = await newUser(client, { organization });
    expectRefused(await browser.signIn(identityProvider, { email }), /An admin must allow single sign-on/);
    expect((await client.post(`/v1/orgs/${organization}/members/${id}/sso`)).status).toBe(200);
    const { status, body } = await browser.signIn(identityProvider, { email });
    expect({ status, id: body.user?.id }).toEqual({ status: 200, id });
  });

  it('is no account of elsewhere that nobody invited', async () => {
    const { organization, browser } = await newSetting(identityProvider);
    const { email, client: person } = await newUser(client);
    expectRefused(await browser.signIn(identityProvider, { email }), /an admin must invite it first/);
    expect(await membersOf(organization)).toHaveLength(1);
    await client.post(`/v1/orgs/${organization}/invites`, { emails: [email], sso: true });
    expectRefused(await browser.signIn(identityProvider, { email }), /Accept the invite/);
    expect((await person.post(`/v1/user/invites/${organization}`)).status).toBe(204);
    expect((await browser.signIn(identityProvider, { email })).status).toBe(200);
  });

  it('is whoever it says, although a stranger has invited or asserted the address before', async () => {
    const [invited, asserted] = [newEmail(), newEmail()];
    const stranger = await newSetting(identityProvider);
    await client.post(`/v1/orgs/${stranger.organization}/invites`, { emails: [invited], role: 'admin' });
    const theirs = await stranger.browser.signIn(identityProvider, { email: asserted });
    expect(theirs.status).toBe(200);
    const { organization, browser } = await newSetting(identityProvider);
    for (const email of [invited, asserted]) {
      const { status, body } = await browser.signIn(identityProvider, { email, first: 'Ada' });
      expect({ status, body }).toMatchObject({ status: 200, body: { organization } });
      expect((await client.get('/v1/orgs', { token: body.token })).body.items).toMatchObject([{ id: organization }]);
      expect((await client.get(`/v1/orgs/${stranger.organization}`, { token: body.token })).status).toBe(404);
    }
    expect((await client.get(`/v1/orgs/${organization}`, { token: theirs.body.token })).status).toBe(404);
    const [guest] = (await membersOf(stranger.organization)).filter(({ user }) => user.email === invited);
    expect(guest).toMatchObject({ pending: true, user: { displayName: invited.split('@')[0] } });
  });

  it('is nobody by an account whose owner has signed in, whoever asserts it', async () => {
    const { email } = await newUser(client);
    const { organization, browser } = await newSetting(identityProvider);
    expectRefused(await browser.signIn(identityProvider, { email }), /an admin must invite it first/);
    expect(await membersOf(organization)).toHaveLength(1);
  });

  it('is who still reaches an organization that enforces it, by that token alone', async () => {
    const { organization, browser } = await newSetting(identityProvider);
    const { id, email, token } = await newUser(client, { organization });
    await client.post(`/v1/orgs/${organization}/members/${id}/sso`);
    const { body } = await browser.signIn(identityProvider, { email });
    await client.patch(`/v1/orgs/${organization}`, { sso: true });
    expect((await client.get(`/v1/orgs/${organization}`, { token: body.token })).status).toBe(200);
    const refused = await client.get(`/v1/orgs/${organization}`, { token });
    expectRefused(refused, /single sign-on/);
    expect(refused.body.error.message).toContain(`/saml/${browser.provider}/start`);
    expect((await client.get(`/v1/orgs/${organization}`)).status).toBe(200);
  });

  it('is no disabled member', async () => {
    const { organization, browser } = await newSetting(identityProvider);
    const email = newEmail();
    const { body } = await browser.signIn(identityProvider, { email });
    await client.patch(`/v1/orgs/${organization}/members/${body.user.id}`, { disabled: true });
    expectRefused(await browser.signIn(identityProvider, { email }), /switched off/);
  });
});
