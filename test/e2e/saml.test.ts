import { selfSigned } from '../support/certificate.js';
import { newOrganization, newUser, shared, unique, walk } from '../support/fixtures.js';
import { Browser, IdentityProvider } from '../support/identity-provider.js';
import { type Client, startServer } from '../support/server.js';

const client = shared();
const identityProvider = new IdentityProvider();

interface Setting {
  organization: string;
  provider: string;
  browser: Browser;
}

async function newProvider(organization: string, settings: Record<string, unknown> = {}): Promise<Setting> {
  const { status, body } = await client.post(`/v1/orgs/${organization}/saml`, {
    label: 'Example',
    ...identityProvider.settings,
    defaultRole: 'edit',
    ...settings,
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return { organization, provider: body.id, browser: new Browser(client, body.id) };
}

const newSetting = async (settings?: Record<string, unknown>) => newProvider(await newOrganization(client), settings);
const newEmail = () => `${unique('ada').replace(/ /g, '-')}@example.com`;
const membersOf = async (organization: string, as: Client = client) =>
  walk(as, `/v1/orgs/${organization}/members`, 100);

const expectRefused = ({ status, body }: { status: number; body: any }, message: RegExp, code = 403) => {
  expect({ status, body }).toMatchObject({ status: code, body: { error: { code } } });
  expect(body.error.message).toMatch(message);
};

describe('a SAML sign-in', () => {
  it('makes a newcomer a member and answers a token of the organization', async () => {
    const organization = await newOrganization(client);
    const team = await client.put(`/v1/orgs/${organization}/teams`, { title: 'Writers' });
    const { browser } = await newProvider(organization, { defaultTeam: team.body.id });
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
    const { organization, browser } = await newSetting();
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
    const { organization, browser } = await newSetting();
    const elsewhere = await newOrganization(client);
    const email = newEmail();
    const { body } = await browser.signIn(identityProvider, { email });
    await client.post(`/v1/orgs/${elsewhere}/invites`, { emails: [email] });
    expect((await client.get(`/v1/orgs/${elsewhere}`, { token: body.token })).status).toBe(404);
    expect((await client.get(`/v1/orgs/${organization}`, { token: body.token })).status).toBe(200);
  });

  it('makes one account of two first sign-ins at once', async () => {
    const { organization, browser } = await newSetting();
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 4 }, () => browser.signIn(identityProvider, { email })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
    expect(await membersOf(organization)).toHaveLength(2);
  });

  it('counts once, also when the answer comes many times at once', async () => {
    const { browser } = await newSetting();
    const answer = await identityProvider.answer(await browser.metadata(), await browser.start(), {
      email: newEmail(),
    });
    const all = await Promise.all(Array.from({ length: 6 }, () => browser.finish(answer)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403, 403]);
    expectRefused(await browser.finish(answer), /no sign-in is waiting for it/);
  });

  it('goes on with either key while the provider changes it', async () => {
    const next = new IdentityProvider();
    const { browser } = await newSetting({
      certificate: next.own.certificate + identityProvider.own.certificate,
    });
    expect((await browser.signIn(identityProvider, { email: newEmail() })).status).toBe(200);
    expect((await browser.signIn(next, { email: newEmail() })).status).toBe(200);
  });

  it('takes answers whose response is signed beside the assertion', async () => {
    const { browser } = await newSetting();
    expect((await browser.signIn(identityProvider, { email: newEmail() }, { signs: 'both' })).status).toBe(200);
  });

  it('ends no later than the session at the identity provider', async () => {
    const { browser } = await newSetting();
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
    const { browser, provider } = await newProvider(organization, { defaultTeam: team.body.id });
    await client.delete(`/v1/orgs/${organization}/teams/${team.body.id}`);
    expect((await client.get(`/v1/orgs/${organization}/saml/${provider}`)).body.defaultTeam).toBeUndefined();
    const { status, body } = await browser.signIn(identityProvider, { email: newEmail() });
    expect(status).toBe(200);
    const [member] = (await membersOf(organization)).filter(({ id }) => id === body.user.id);
    expect(member.teams).toBe(0);
  });

  it('shows people a page with the token, and errors, without scripts', async () => {
    const { browser } = await newSetting();
    const person = { email: newEmail(), first: '<script>alert(1)</script>' };
    const answer = await identityProvider.answer(await browser.metadata(), await browser.start(), person);
    const { status, body, headers } = await browser.finish(answer, 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/html');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(body).toMatch(/<code class="token"[^>]*>bnd_[\w-]{43}<\/code>/);
    expect(body).toContain('&lt;script&gt;');
    expect(body).not.toContain('<script');
    const again = await browser.finish(answer, 'text/html');
    expect(again.status).toBe(403);
    expect(again.headers.get('content-type')).toContain('text/html');
    expect(again.body).toContain('role="alert"');
  });
});

describe('who is let in by single sign-on', () => {
  it('is no member who was not marked for it, until an admin does', async () => {
    const { organization, browser } = await newSetting();
    const { id, email } = await newUser(client, { organization });
    expectRefused(await browser.signIn(identityProvider, { email }), /An admin must allow single sign-on/);
    expect((await client.post(`/v1/orgs/${organization}/members/${id}/sso`)).status).toBe(200);
    const { status, body } = await browser.signIn(identityProvider, { email });
    expect({ status, id: body.user?.id }).toEqual({ status: 200, id });
  });

  it('is no account of elsewhere that nobody invited', async () => {
    const { organization, browser } = await newSetting();
    const { email } = await newUser(client);
    expectRefused(await browser.signIn(identityProvider, { email }), /an admin must invite it first/);
    expect(await membersOf(organization)).toHaveLength(1);
    await client.post(`/v1/orgs/${organization}/invites`, { emails: [email], sso: true });
    expect((await browser.signIn(identityProvider, { email })).status).toBe(200);
  });

  it('is who still reaches an organization that enforces it, by that token alone', async () => {
    const { organization, browser } = await newSetting();
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
    const { organization, browser } = await newSetting();
    const email = newEmail();
    const { body } = await browser.signIn(identityProvider, { email });
    await client.patch(`/v1/orgs/${organization}/members/${body.user.id}`, { disabled: true });
    expectRefused(await browser.signIn(identityProvider, { email }), /switched off/);
  });
});

describe('an answer that does not hold', () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await newSetting();
  });

  const past = (ms: number) => new Date(Date.now() - ms).toISOString();
  const ahead = (ms: number) => past(-ms);
  const minutes = 60_000;

  it.each([
    ['signed by somebody else', { key: new IdentityProvider().own }, /signature is not valid/],
    ['signed with SHA-1', { sha1: true }, /algorithm that is not accepted/, 400],
    ['signed outside of its assertion alone', { signs: 'response' as const }, /assertion is not signed/, 400],
    ['expired', { tags: { ConditionsNotOnOrAfter: past(2 * minutes) } }, /has expired/],
    ['expired for its bearer', { tags: { SubjectConfirmationDataNotOnOrAfter: past(2 * minutes) } }, /has expired/],
    ['not valid yet', { tags: { ConditionsNotBefore: ahead(2 * minutes) } }, /not valid yet/],
    ['for another audience', { tags: { Audience: 'https://other.example/metadata' } }, /audience/],
    ['from another issuer', { tags: { Issuer: 'https://other.example' } }, /issuer/],
    ['for another recipient', { tags: { SubjectRecipient: 'https://other.example/acs' } }, /recipient/],
    ['for another destination', { tags: { Destination: 'https://other.example/acs' } }, /destination/],
    ['to a request that nobody made', { tags: { InResponseTo: '_nobody' } }, /no sign-in is waiting for it/],
    ['without an address', { tags: { NameID: 'ada' } }, /NameID is not an e-mail address/],
    ['with an address and more', { tags: { NameID: 'a@example.com,b@example.com' } }, /NameID/],
    [
      'a refusal',
      { tags: { StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' } },
      /did not sign you in: Responder/,
    ],
    [
      'to no request',
      { edit: (xml: string) => xml.replace(/ InResponseTo="[^"]*"/g, '') },
      /no sign-in is waiting for it/,
    ],
    [
      'to a request that only the unsigned part names',
      { edit: (xml: string) => xml.replace(/(<saml:SubjectConfirmationData[^>]*) InResponseTo="[^"]*"/, '$1') },
      /recipient|another sign-in/,
    ],
    [
      'to another request in the signed part',
      {
        edit: (xml: string) =>
          xml.replace(/(<saml:SubjectConfirmationData[^>]*) InResponseTo="[^"]*"/, '$1 InResponseTo="_other"'),
      },
      /another sign-in/,
    ],
    [
      'without conditions',
      { edit: (xml: string) => xml.replace(/<saml:Conditions.*<\/saml:Conditions>/, '') },
      /audience/,
    ],
    [
      'without a time limit',
      { edit: (xml: string) => xml.replace(/<saml:Conditions [^>]*>/, '<saml:Conditions>') },
      /lacks the elements of a sign-in/,
    ],
    [
      'without an audience',
      { edit: (xml: string) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') },
      /audience/,
    ],
    [
      'not confirmed to its bearer',
      { edit: (xml: string) => xml.replace('cm:bearer', 'cm:holder-of-key') },
      /recipient/,
    ],
  ])('is refused: %s', async (_, options, message, code = 403) => {
    const email = newEmail();
    const answer = await setting.browser.signIn(identityProvider, { email }, options);
    expectRefused(answer, message, code);
    expect((await membersOf(setting.organization)).map(({ user }) => user.email)).not.toContain(email);
  });

  it('is taken when clocks differ by less than a minute', async () => {
    const tags = { ConditionsNotBefore: ahead(30_000), ConditionsNotOnOrAfter: past(30_000) };
    expect((await setting.browser.signIn(identityProvider, { email: newEmail() }, { tags })).status).toBe(200);
  });

  /** An honest answer, changed after it was signed. */
  const tampered = async (change: (xml: string) => string) => {
    const { browser } = setting;
    const answer = await identityProvider.answer(await browser.metadata(), await browser.start(), {
      email: 'mallory@example.com',
    });
    const xml = Buffer.from(answer, 'base64').toString();
    const changed = change(xml);
    expect(changed).not.toBe(xml);
    return browser.finish(Buffer.from(changed).toString('base64'));
  };
  const assertionOf = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
  const signatureOf = (xml: string) => /<ds:Signature.*<\/ds:Signature>/s.exec(xml)?.[0] ?? '';
  const evil = (xml: string) =>
    assertionOf(xml)
      .replace(signatureOf(xml), '')
      .replace('mallory@', 'admin@')
      .replace(/ID="_a[^"]*"/, 'ID="_evil"');

  it.each<[string, (xml: string) => string, RegExp, number]>([
    ['another NameID', (xml) => xml.replace('mallory@', 'admin@'), /signature is not valid/, 403],
    ['a comment in the NameID', (xml) => xml.replace('mallory@', 'mallory<!---->@'), /SAMLResponse/, 400],
    ['no signature', (xml) => xml.replace(signatureOf(xml), ''), /not signed/, 400],
    ['another audience', (xml) => xml.replace('<saml:Audience>', '<saml:Audience>x'), /signature/, 403],
    [
      'a second assertion before',
      (xml) => xml.replace('<saml:Assertion', `${evil(xml)}<saml:Assertion`),
      /one assertion/,
      400,
    ],
    [
      'a second assertion after',
      (xml) => xml.replace('</samlp:Response>', `${evil(xml)}</samlp:Response>`),
      /one assertion/,
      400,
    ],
    [
      'the signed one inside of a false one',
      (xml) =>
        xml.replace(assertionOf(xml), evil(xml).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`)),
      /one assertion/,
      400,
    ],
    [
      'the signed one in an object of a moved signature',
      (xml) => {
        const moved = signatureOf(xml).replace(
          '</ds:Signature>',
          `<ds:Object>${assertionOf(xml).replace(signatureOf(xml), '')}</ds:Object></ds:Signature>`,
        );
        return xml.replace(assertionOf(xml), evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${moved}`));
      },
      /one assertion/,
      400,
    ],
    [
      'the signed one renamed in extensions',
      (xml) =>
        xml
          .replace(assertionOf(xml), evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(xml)}`))
          .replace(
            '<samlp:Status>',
            `<samlp:Extensions>${assertionOf(xml).replace(signatureOf(xml), '').replaceAll('saml:Assertion', 'saml:Other')}</samlp:Extensions><samlp:Status>`,
          ),
      /signature is not valid/,
      403,
    ],
    [
      'a signature over the wrong ID',
      (xml) => xml.replace(/(<saml:Assertion[^>]*) ID="[^"]*"/, '$1 ID="_x"'),
      /signature/,
      403,
    ],
    ['a DOCTYPE', (xml) => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml}`, /SAMLResponse/, 400],
  ])('is refused after it was tampered with: %s', async (_, change, message, code) => {
    expectRefused(await tampered(change), message, code);
  });

  it('is refused at another provider, of this or of another organization', async () => {
    const sibling = await newProvider(setting.organization);
    const stranger = await newSetting();
    for (const other of [sibling, stranger]) {
      const redirect = await setting.browser.start();
      const answer = await identityProvider.answer(await setting.browser.metadata(), redirect, { email: newEmail() });
      expectRefused(await other.browser.finish(answer), /no sign-in is waiting for it/);
      expect((await setting.browser.finish(answer)).status).toBe(200);
    }
    const forOther = await identityProvider.answer(await stranger.browser.metadata(), await setting.browser.start(), {
      email: newEmail(),
    });
    expectRefused(await setting.browser.finish(forOther), /destination/);
  });

  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
  it.each([
    ['no base64', '<Response/>', 400],
    ['no XML', base64('hello'), 400],
    ['broken XML', base64('<samlp:Response><'), 400],
    ['another document', base64('<html></html>'), 400],
    ['an external entity', base64('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'), 400],
    ['a billion laughs', base64(`<!DOCTYPE r [<!ENTITY l0 "lol">${laughs}]><r>&l9;</r>`), 400],
    ['depth', base64('<a>'.repeat(40_000)), 400],
    ['nothing', '', 400],
    ['too much', 'A'.repeat(300_000), 413],
  ])('is a 4xx within its time when it is %s', async (_, response, code) => {
    expectRefused(await setting.browser.finish(response), /./, code);
  });

  it('is a form, posted', async () => {
    const path = `/saml/${setting.provider}/acs`;
    const json = await client.post(path, { SAMLResponse: 'x' }, { headers: { accept: 'application/json' } });
    expectRefused(json, /x-www-form-urlencoded/, 415);
    const got = await client.get(path, { headers: { accept: 'application/json' } });
    expectRefused(got, /not allowed here/, 405);
    expect(got.headers.get('allow')).toBe('POST');
  });
});

describe('the endpoints of a provider', () => {
  it('tell an identity provider what it needs before it is set up, and sign nobody in until then', async () => {
    const organization = await newOrganization(client);
    const { body } = await client.post(`/v1/orgs/${organization}/saml`, { label: 'Later' });
    expect(body).toMatchObject({ status: 'pending', defaultRole: null });
    const { service } = body;
    const path = new URL(service.metadataURL).pathname;
    const metadata = await client.get<string>(path, { token: null });
    expect(metadata.headers.get('content-type')).toContain('application/samlmetadata+xml');
    expect(metadata.body).toContain(`entityID="${service.entityID}"`);
    expect(metadata.body).toContain(`Location="${service.acsURL}"`);
    expect(metadata.body).toContain('WantAssertionsSigned="true"');
    expect((await client.get<string>(path)).body).toBe(metadata.body);
    const browser = new Browser(client, body.id);
    expect((await client.get(new URL(service.startURL).pathname)).status).toBe(404);
    expect((await browser.finish('AAAA')).status).toBe(404);
    expect((await client.get(`/v1/orgs/${organization}/sso`)).body).toEqual({ items: [] });
    const { body: active } = await client.patch(`/v1/orgs/${organization}/saml/${body.id}`, identityProvider.settings);
    expect(active.status).toBe('active');
    expect((await client.get(`/v1/orgs/${organization}/sso`)).body).toEqual({
      items: [{ id: body.id, label: 'Later', startURL: service.startURL }],
    });
    const started = await client.get(new URL(service.startURL).pathname);
    expect(started.status).toBe(302);
    const to = new URL(started.headers.get('location') ?? '');
    expect(`${to.origin}${to.pathname}`).toBe('https://idp.example.com/sso');
    expect(to.searchParams.get('tenant')).toBe('1');
    expect(to.searchParams.get('SAMLRequest')).toBeTruthy();
  });

  it('are 404 for providers that do not exist', async () => {
    for (const path of [
      '/saml/nobody/metadata',
      '/saml/nobody/start',
      '/saml/nobody/other',
      '/saml/',
      '/saml/%00/start',
    ])
      expect((await client.get(path)).status).toBe(404);
    expect((await new Browser(client, 'nobody').finish('AAAA')).status).toBe(404);
  });

  it('count against the limit of an address', async () => {
    const server = await startServer({ env: { RATE_LIMIT_PER_MINUTE: '3' } });
    try {
      const codes: number[] = [];
      for (let at = 0; at < 5; at++) codes.push((await server.get('/saml/nobody/start', { token: null })).status);
      expect(codes).toEqual([404, 404, 404, 429, 429]);
      const refused = await new Browser(server, 'nobody').finish('AAAA');
      expectRefused(refused, /requests in a minute/, 429);
      expect(refused.headers.get('retry-after')).toBeTruthy();
    } finally {
      await server.stop();
    }
  });
});

describe('SAML providers', () => {
  it('are made, shown, listed page by page, changed and deleted', async () => {
    const organization = await newOrganization(client);
    const path = `/v1/orgs/${organization}/saml`;
    const team = await client.put(`/v1/orgs/${organization}/teams`, { title: 'Writers' });
    const made = await client.post(path, {
      label: 'One',
      ...identityProvider.settings,
      defaultTeam: team.body.id,
      defaultRole: 'read',
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(made.body.urls.location);
    expect(made.body).toMatchObject({
      object: 'saml-provider',
      label: 'One',
      ...identityProvider.settings,
      defaultTeam: { object: 'team', id: team.body.id },
      status: 'active',
    });
    for (const label of ['Two', 'Three', 'Four', 'Five']) await client.post(path, { label });
    const items = await walk(client, path, 2);
    expect(items.map(({ label }) => label)).toEqual(['One', 'Two', 'Three', 'Four', 'Five']);
    expect((await client.get(`${path}?limit=0`)).body).toEqual({ count: 5, items: [] });
    const one = `${path}/${made.body.id}`;
    const changed = await client.patch(one, { label: 'First', defaultRole: null });
    expect({ status: changed.status, body: changed.body }).toEqual({
      status: 200,
      body: { ...made.body, label: 'First', defaultRole: null },
    });
    const trail = `/v1/orgs/${organization}/audit-events?resource=${made.body.id}&limit=0`;
    const { count } = (await client.get(trail)).body;
    expect((await client.patch(one, { label: 'First' })).body).toEqual(changed.body);
    expect((await client.get(trail)).body.count).toBe(count);
    expect((await client.get(one)).body).toEqual(changed.body);
    expect((await client.delete(one)).status).toBe(204);
    expect((await client.get(one)).status).toBe(404);
    expect((await client.delete(one)).status).toBe(404);
    expect((await client.get(trail)).body.count).toBe(count + 1);
  });

  const expired = selfSigned({ validTo: new Date(Date.now() - 60_000) }).certificate;
  it.each([
    ['no label', {}, 'label'],
    ['an empty label', { label: '' }, 'label'],
    ['a long label', { label: 'x'.repeat(31) }, 'label'],
    ['an empty entity id', { label: 'x', entityID: '' }, 'entityID'],
    ['a long entity id', { label: 'x', entityID: 'x'.repeat(1025) }, 'entityID'],
    ['a long certificate', { label: 'x', certificate: 'x'.repeat(10_001) }, 'certificate'],
    ['no certificate', { label: 'x', certificate: 'no certificate' }, 'certificate'],
    ['an expired certificate', { label: 'x', certificate: expired }, 'certificate'],
    ['a private key', { label: 'x', certificate: identityProvider.own.privateKey }, 'certificate'],
    ['a script as URL', { label: 'x', ssoURL: 'javascript:alert(1)' }, 'ssoURL'],
    ['another protocol', { label: 'x', ssoURL: 'ftp://idp.example.com' }, 'ssoURL'],
    ['a path as URL', { label: 'x', ssoURL: '/sso' }, 'ssoURL'],
    ['a URL of two lines', { label: 'x', ssoURL: 'https://idp.example.com/\r\nSet-Cookie: a=b' }, 'ssoURL'],
    ['a long URL', { label: 'x', ssoURL: `https://idp.example.com/${'x'.repeat(2048)}` }, 'ssoURL'],
    ['an unknown team', { label: 'x', defaultTeam: 'nobody' }, 'defaultTeam'],
    ['an unknown role', { label: 'x', defaultRole: 'owner' }, 'defaultRole'],
  ])('are refused by name with %s', async (_, input, field) => {
    const organization = await newOrganization(client);
    const path = `/v1/orgs/${organization}/saml`;
    const { body: kept } = await client.post(path, { label: 'kept' });
    for (const answer of [
      await client.post(path, input),
      ...(Object.keys(input).length === 0 ? [] : [await client.patch(`${path}/${kept.id}`, input)]),
    ])
      expectRefused(answer, new RegExp(field), 400);
    expect((await client.get(path)).body).toEqual({ count: 1, items: [kept] });
  });

  it('take no team of another organization', async () => {
    const organization = await newOrganization(client);
    const elsewhere = await newOrganization(client);
    const team = await client.put(`/v1/orgs/${elsewhere}/teams`, { title: 'Theirs' });
    const input = { label: 'x', defaultTeam: team.body.id };
    expectRefused(await client.post(`/v1/orgs/${organization}/saml`, input), /defaultTeam/, 400);
  });

  it('are at most twenty', async () => {
    const organization = await newOrganization(client);
    const path = `/v1/orgs/${organization}/saml`;
    const answers = await Promise.all(Array.from({ length: 22 }, (_, at) => client.post(path, { label: `P${at}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), 409, 409]);
    expect((await client.get(`${path}?limit=0`)).body.count).toBe(20);
  });

  it('are for admins; members see how one signs in', async () => {
    const { organization, provider } = await newSetting();
    const path = `/v1/orgs/${organization}/saml`;
    const member = (await newUser(client, { organization, role: 'create' })).client;
    const stranger = (await newUser(client)).client;
    for (const [as, code] of [
      [member, 403],
      [stranger, 404],
    ] as const) {
      expect((await as.get(path)).status).toBe(code);
      expect((await as.post(path, { label: 'x' })).status).toBe(code);
      expect((await as.get(`${path}/${provider}`)).status).toBe(code);
      expect((await as.patch(`${path}/${provider}`, { label: 'x' })).status).toBe(code);
      expect((await as.delete(`${path}/${provider}`)).status).toBe(code);
    }
    expect((await member.get(`/v1/orgs/${organization}/sso`)).body.items).toHaveLength(1);
    expect((await stranger.get(`/v1/orgs/${organization}/sso`)).status).toBe(404);
  });

  it('of another organization do not exist', async () => {
    const { provider } = await newSetting();
    const organization = await newOrganization(client);
    const path = `/v1/orgs/${organization}/saml/${provider}`;
    expect((await client.get(path)).status).toBe(404);
    expect((await client.patch(path, { label: 'x' })).status).toBe(404);
    expect((await client.delete(path)).status).toBe(404);
  });

  it('stay while the organization relies on them: the last active one, also against two deletions at once', async () => {
    const { organization, provider } = await newSetting();
    const path = `/v1/orgs/${organization}/saml`;
    const other = await newProvider(organization);
    const pending = await client.post(path, { label: 'Pending' });
    expect((await client.patch(`/v1/orgs/${organization}`, { sso: true })).status).toBe(200);
    expect((await client.delete(`${path}/${pending.body.id}`)).status).toBe(204);
    const both = await Promise.all([provider, other.provider].map((id) => client.delete(`${path}/${id}`)));
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect((await client.patch(`/v1/orgs/${organization}`, { sso: false })).status).toBe(200);
    const left = (await client.get(path)).body.items[0].id;
    expect((await client.delete(`${path}/${left}`)).status).toBe(204);
  });
});
