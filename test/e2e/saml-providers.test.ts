import { selfSigned } from '../support/certificate.js';
import { newOrganization, newUser, shared, walk } from '../support/fixtures.js';
import { Browser, expectRefused, IdentityProvider, newProvider, newSetting } from '../support/identity-provider.js';
import { startServer } from '../support/server.js';

const client = shared();
const identityProvider = new IdentityProvider();
/** Shaped like that of a sign-in. */
const madeUp = `saml=${'x'.repeat(43)}`;

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
    expectRefused(await browser.finish('AAAA'), /No sign-in began in this browser/);
    browser.cookie = madeUp;
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
    const browser = new Browser(client, 'nobody');
    browser.cookie = madeUp;
    expect((await browser.finish('AAAA')).status).toBe(404);
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
    const { organization, provider } = await newSetting(identityProvider);
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
    const { provider } = await newSetting(identityProvider);
    const organization = await newOrganization(client);
    const path = `/v1/orgs/${organization}/saml/${provider}`;
    expect((await client.get(path)).status).toBe(404);
    expect((await client.patch(path, { label: 'x' })).status).toBe(404);
    expect((await client.delete(path)).status).toBe(404);
  });

  it('stay while the organization relies on them: the last active one, also against two deletions at once', async () => {
    const { organization, provider } = await newSetting(identityProvider);
    const path = `/v1/orgs/${organization}/saml`;
    const other = await newProvider(organization, identityProvider);
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
