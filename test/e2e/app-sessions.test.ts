import { sessions } from '../../services/identity/accounts/model.js';
import { eventually } from '../../shared/testing/eventually.js';
import { sha256, timestamp } from '../../shared/values/ids.js';
import { AppBrowser, signedIn } from '../support/app-browser.js';
import { newOrganization, newUser, shared, unique, withStore } from '../support/fixtures.js';
import { Client } from '../support/server.js';

/** Of a user of its own: others count the tokens of theirs. */
let client: Client;
beforeAll(async () => {
  const root = shared();
  client = new Client(root.url, (await newUser(root)).token);
});

const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' };

/** An API token of its own for a test: what ends it ends no other. */
const newToken = async (): Promise<string> =>
  (await client.post('/v1/user/tokens', { label: unique('Browser') })).body.token;

const sessionCookie = (browser: AppBrowser) => browser.cookie('bindery_session') ?? '';

/** Waits until a session has ended: a screen may be a second late. */
const ended = (browser: AppBrowser) =>
  eventually('the end of a session', async () => (await browser.open('/app/account')).url.pathname === '/app/sign-in');

const formBody = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });

describe('a browser that nobody signed in', () => {
  it('is led to the sign-in, and from there to what it asked for', async () => {
    const organization = await newOrganization(client);
    const browser = new AppBrowser(client.url);
    const wanted = `/app/o/${organization}/search?q=a`;
    const start = await browser.open(wanted);
    expect(start.url.pathname).toBe('/app/sign-in');
    const shown = await browser.submit(start, start.form('token'), { 'api-token': await newToken() });
    expect([shown.status, shown.url.pathname + shown.url.search]).toEqual([200, wanted]);
  });

  it.each([
    'https://evil.example/',
    '//evil.example/app',
    '/app/../v1/user',
    '/app//evil.example',
    '/app/\\evil.example',
    '/application',
    'javascript:alert(1)',
    '/app/sign-in?next=/app',
    '/app/%2e%2e/saml/x',
    '/app/..//evil.example',
    '/.//evil.example',
  ])('is led nowhere else: %s', async (next) => {
    const browser = new AppBrowser(client.url);
    const start = await browser.open(`/app/sign-in?next=${encodeURIComponent(next)}`);
    const { fields } = start.form('token');
    const answer = await fetch(start.url, {
      ...formBody({ ...fields, 'api-token': await newToken() }),
      headers: { ...sameOrigin, Cookie: `bindery_browser=${browser.cookie('bindery_browser')}` },
      redirect: 'manual',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/app']);
  });

  it.each([
    ['/app?x=\n', '/app?x='],
    ['/app/account?x=€#€', '/app/account?x=%E2%82%AC#%E2%82%AC'],
    ['/app/€', '/app/%E2%82%AC'],
  ])('is led on in the form that a header takes: %j', async (next, location) => {
    const browser = new AppBrowser(client.url);
    const start = await browser.open(`/app/sign-in?next=${encodeURIComponent(next)}`);
    const answer = await fetch(start.url, {
      ...formBody({ ...start.form('token').fields, 'api-token': await newToken() }),
      headers: { ...sameOrigin, Cookie: `bindery_browser=${browser.cookie('bindery_browser')}` },
      redirect: 'manual',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, location]);
  });

  it('is told that a token is wrong, and stays where it is', async () => {
    const browser = new AppBrowser(client.url);
    const screen = await browser.act('/app/sign-in', 'token', { 'api-token': 'bnd_wrong' });
    expect(screen.status).toBe(401);
    expect(screen.text).toContain('The token is not valid');
    expect(sessionCookie(browser)).toBe('');
  });

  it('sees no screen of members', async () => {
    for (const path of ['/app', '/app/account', '/app/s/none', '/app/o/none', '/app/nothing/at/all']) {
      const answer = await fetch(client.url + path, { redirect: 'manual' });
      expect([path, answer.status]).toEqual([path, 303]);
      expect(answer.headers.get('location')).toMatch(/^\/app\/sign-in\?next=/);
    }
  });
});

describe('a session', () => {
  it('has a cookie that scripts and other sites do not get, new with each sign-in', async () => {
    const token = await newToken();
    const browser = new AppBrowser(client.url);
    browser.setCookie('bindery_session', `bns_${'a'.repeat(43)}`);
    const start = await browser.open('/app/sign-in');
    const answer = await fetch(start.url, {
      ...formBody({ ...start.form('token').fields, 'api-token': token }),
      headers: { ...sameOrigin, Cookie: `bindery_browser=${browser.cookie('bindery_browser')}` },
      redirect: 'manual',
    });
    const [set = ''] = answer.headers.getSetCookie();
    expect(set).toMatch(/^bindery_session=bns_[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    expect(set).not.toContain('a'.repeat(43));
  });

  it('is nothing to the API: neither its cookie nor its secret', async () => {
    const secret = sessionCookie(await signedIn(client, await newToken()));
    expect(secret).toMatch(/^bns_/);
    const byCookie = await client.get('/v1/user', { token: null, headers: { cookie: `bindery_session=${secret}` } });
    expect(byCookie.status).toBe(401);
    expect((await client.get('/v1/user', { token: secret })).status).toBe(401);
  });

  it('is listed, and ends when its user says so', async () => {
    const [one, other] = [await signedIn(client, await newToken()), await signedIn(client, await newToken())];
    const { body } = await client.get('/v1/user/sessions?limit=2');
    expect(body.items).toHaveLength(2);
    const [{ id, browser, current }] = body.items;
    expect([browser, current]).toEqual([expect.any(String), false]);
    expect((await client.delete(`/v1/user/sessions/${id}`)).status).toBe(205);
    expect((await client.delete(`/v1/user/sessions/${id}`)).status).toBe(404);
    await ended(other);
    expect((await one.open('/app/account')).status).toBe(200);
  });

  it('ends with the API token that began it', async () => {
    const made = (await client.post('/v1/user/tokens', { label: unique('Browser') })).body;
    const browser = await signedIn(client, made.token);
    expect((await browser.open('/app/account')).status).toBe(200);
    await client.delete(`/v1/user/tokens/${made.id}`);
    await ended(browser);
  });

  it('ends by signing out, and the screen of the browser says so', async () => {
    const browser = await signedIn(client, await newToken());
    const secret = sessionCookie(browser);
    const out = await browser.act('/app/account', 'sign-out');
    expect(out.text).toContain('You are signed out.');
    expect(sessionCookie(browser)).toBe('');
    browser.setCookie('bindery_session', secret);
    expect((await browser.open('/app/account')).url.pathname).toBe('/app/sign-in');
  });

  it('ends where its browser signs in anew', async () => {
    const browser = await signedIn(client, await newToken());
    const former = new AppBrowser(client.url);
    former.setCookie('bindery_session', sessionCookie(browser));
    const account = await browser.open('/app/account');
    const form = { ...account.form('create'), action: '/app/sign-in' };
    await browser.submit(account, form, { action: 'token', 'api-token': await newToken() });
    expect(sessionCookie(browser)).not.toBe(former.cookie('bindery_session'));
    expect((await browser.open('/app/account')).url.pathname).toBe('/app/account');
    await ended(former);
  });

  it('lasts on with its use, and so does its cookie', async () => {
    const browser = await signedIn(client, await newToken());
    const hash = sha256(sessionCookie(browser));
    const soon = timestamp(new Date(Date.now() + 3600_000));
    const wasLongAgo = () =>
      withStore([sessions], (store) =>
        store.update(sessions, { hash }, { $set: { lastUsedAt: '2026-01-01T00:00:00.000Z', expiresAt: soon } }),
      );
    await wasLongAgo();
    const [set = ''] = await eventually(
      'a cookie that lasts on',
      async () => (await browser.open('/app/account')).headers.getSetCookie(),
      ({ length }) => length > 0,
    );
    expect(set.split(';', 1)).toEqual([`bindery_session=${sessionCookie(browser)}`]);
    expect(Number(/Max-Age=(\d+)/.exec(set)?.[1])).toBeGreaterThan(29.9 * 86_400);
    expect(set).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    const kept = await withStore([sessions], (store) => store.findOne(sessions, { hash }));
    expect(String(kept?.expiresAt) > soon).toBe(true);
    const account = await browser.open('/app/account');
    await wasLongAgo();
    await browser.submit(account, account.form('sign-out'));
    expect(sessionCookie(browser)).toBe('');
  });

  it('makes API tokens, which are shown once and outlive it', async () => {
    const browser = await signedIn(client, client.token);
    const label = unique('Made here');
    const screen = await browser.act('/app/account', 'create', { label });
    const [secret] = /bnd_[\w-]{43}/.exec(screen.text) ?? [];
    expect((await client.get('/v1/user', { token: secret ?? '' })).status).toBe(200);
    const again = await browser.open('/app/account');
    expect(again.text).toContain(label);
    expect(again.text).not.toContain(secret);
    await browser.act('/app/account', 'sign-out');
    expect((await client.get('/v1/user', { token: secret ?? '' })).status).toBe(200);
  });

  it('lists are paged and take no wrong number', async () => {
    await signedIn(client, await newToken());
    await signedIn(client, await newToken());
    const first = await client.get('/v1/user/sessions?limit=1');
    const second = await client.get(`/v1/user/sessions?limit=1&page=${encodeURIComponent(first.body.next.page)}`);
    expect(second.body.items[0].id).not.toBe(first.body.items[0].id);
    expect((await client.get('/v1/user/sessions?limit=-1')).status).toBe(400);
    expect((await client.get('/v1/user/sessions', { token: null })).status).toBe(401);
    expect((await client.delete('/v1/user/sessions?others=perhaps')).status).toBe(400);
  });
});

describe('forms', () => {
  const change = async (headers: Record<string, string>, token?: string) => {
    const browser = await signedIn(client, await newToken());
    const screen = await browser.open('/app/account');
    const fields = {
      ...screen.form('create').fields,
      label: unique('Attacked'),
      ...(token === undefined ? {} : { token }),
    };
    return fetch(screen.url, {
      ...formBody(fields),
      headers: { ...headers, Cookie: `bindery_session=${sessionCookie(browser)}` },
    });
  };

  it('are taken from pages of ours', async () => {
    expect((await change(sameOrigin)).status).toBe(200);
    expect((await change({ Origin: client.url })).status).toBe(200);
  });

  it.each<[string, Record<string, string>]>([
    ['of another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
    ['of another host of this domain', { 'Sec-Fetch-Site': 'same-site' }],
    ['of no page', { 'Sec-Fetch-Site': 'none' }],
    ['of another origin, in a browser that names no site', { Origin: 'https://evil.example' }],
    ['of a sandboxed page', { Origin: 'null' }],
    ['of who knows where', {}],
  ])('%s are refused', async (_, headers) => {
    expect((await change(headers)).status).toBe(403);
  });

  it('with the token of another browser are refused', async () => {
    const other = await (await signedIn(client, await newToken())).open('/app/account');
    expect((await change(sameOrigin, other.form('create').fields.token)).status).toBe(403);
    expect((await change(sameOrigin, '')).status).toBe(403);
  });

  it('that sign a browser in are refused too where another site sends them', async () => {
    const start = await new AppBrowser(client.url).open('/app/sign-in');
    const fields = { ...start.form('token').fields, 'api-token': await newToken() };
    const answer = await fetch(start.url, { ...formBody(fields), headers: sameOrigin });
    expect([answer.status, answer.headers.getSetCookie().filter((cookie) => cookie.includes('bns_'))]).toEqual([
      403,
      [],
    ]);
  });

  it('that are too large, or no forms, are refused', async () => {
    const browser = await signedIn(client, await newToken());
    const send = (body: string, type: string) =>
      browser.open('/app/account', { method: 'POST', body, headers: { ...sameOrigin, 'Content-Type': type } });
    const form = 'application/x-www-form-urlencoded';
    expect((await send(`a=${'x'.repeat(2 ** 20)}`, form)).status).toBe(413);
    expect((await send('x&'.repeat(5000), form)).status).toBe(400);
    const part = '--a\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n';
    const parts = (count: number) => send(`${part.repeat(count)}--a--\r\n`, 'multipart/form-data; boundary="a"');
    expect([(await parts(1900)).status, (await parts(2100)).status]).toEqual([403, 400]);
    expect((await send('{}', 'application/json')).status).toBe(415);
    expect((await send('nothing', 'multipart/form-data; boundary=a')).status).toBe(400);
    expect((await send('action=nothing', form)).status).toBe(403);
    expect((await browser.act(await browser.open('/app/account'), 'end-session', { session: 'none' })).status).toBe(
      404,
    );
  });
});

it('a browser that only says that it is signed in may send no more than any other', async () => {
  const browser = new AppBrowser(client.url);
  browser.setCookie('bindery_session', `bns_${'a'.repeat(43)}`);
  const body = `token=${'x'.repeat(100_000)}`;
  const headers = { ...sameOrigin, 'Content-Type': 'application/x-www-form-urlencoded' };
  expect((await browser.open('/app/sign-in', { method: 'POST', body, headers })).status).toBe(413);
});

it('a browser whose request the gateway refuses is shown a page, and a script the official shape', async () => {
  const browser = await signedIn(client, await newToken());
  const send = (accept: string) =>
    browser.open('/app/account?page=2', {
      method: 'POST',
      body: 'x'.repeat(26 * 2 ** 20),
      headers: { ...sameOrigin, 'Content-Type': 'text/plain', Accept: accept },
    });
  const page = await send('text/html,*/*;q=0.8');
  expect([page.status, page.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
  expect(page.text).toContain('A form may send at most 25 MB. Nothing was changed.');
  expect(page.links()).toEqual(expect.arrayContaining(['/app/account?page=2', '/app', '/app/notifications']));
  const told = await send('*/*');
  expect([told.status, JSON.parse(told.html).error.code]).toEqual([413, 413]);
  const wrong = await browser.open('/app/account', { method: 'PUT', headers: { Accept: 'text/html' } });
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  expect(wrong.text).toContain('This screen cannot be shown');
});

describe('every screen', () => {
  it('is for its browser alone, runs our scripts alone, and is framed by nobody', async () => {
    const browser = await signedIn(client, await newToken());
    const { headers } = await browser.open('/app/account');
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src http:\/\/[^ ;]+\/~app\/;/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('has an icon that comes with the app, whether or not sites are shown here', async () => {
    const { html } = await new AppBrowser(client.url).open('/app/sign-in');
    const [, icon = ''] = /<link rel="icon" href="([^"]+)"/.exec(html) ?? [];
    expect(icon).toBe('/~app/favicon.svg');
    const { status, headers } = await fetch(client.url + icon);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  it('is in the language that the browser asks for, or that its user chose', async () => {
    const browser = await signedIn(client, await newToken());
    expect((await browser.open('/app/account')).html).toContain('<html lang="en" dir="ltr"');
    await browser.act('/app/account', 'look', { theme: 'dark', language: 'en' });
    expect((await browser.open('/app/account')).html).toContain('data-theme="dark"');
  });

  it('says that there is none where an address leads nowhere', async () => {
    const browser = await signedIn(client, await newToken());
    for (const path of ['/app/nothing', '/app/s/none', '/app/o/none', '/app/c/none', '/app/s/none/~/revisions/x']) {
      const screen = await browser.open(path);
      expect([path, screen.status]).toEqual([path, 404]);
      expect(screen.text).toContain('It does not exist, or you may not see it.');
    }
  });
});
