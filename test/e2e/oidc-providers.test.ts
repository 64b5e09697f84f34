import { newOrganization, newUser, shared, walk } from '../support/fixtures.js';
import { expectRefused, IdentityProvider, newProvider } from '../support/identity-provider.js';

const client = shared();
const required = { label: 'One', issuer: 'https://op.example/realms/docs', clientId: 'bindery' };
const secret = 'only the provider knows it';

const newOidcProvider = async (organization: string, settings: object = {}): Promise<string> => {
  const { status, body } = await client.post(`/v1/orgs/${organization}/oidc`, { ...required, ...settings });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id;
};

describe('OpenID Connect providers', () => {
  it('are made, shown, listed page by page, changed and deleted', async () => {
    const organization = await newOrganization(client);
    const path = `/v1/orgs/${organization}/oidc`;
    const team = (await client.put(`/v1/orgs/${organization}/teams`, { title: 'Writers' })).body.id;
    const settings = {
      ...required,
      scopes: ['openid', 'email', 'groups'],
      groupsClaim: 'groups',
      groups: [
        { group: 'writers', team, role: 'edit' },
        { group: 'admins', role: 'admin' },
      ],
      defaultRole: 'read',
    };
    const domains = ['Example.com', 'example.COM', 'example.org'];
    const made = await client.post(path, {
      ...settings,
      clientSecret: secret,
      defaultTeam: team,
      emailDomains: domains,
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(made.body.urls.location);
    const { id, service } = made.body;
    expect(made.body).toMatchObject({
      object: 'oidc-provider',
      ...settings,
      hasClientSecret: true,
      emailDomains: ['example.com', 'example.org'],
      defaultTeam: { object: 'team', id: team },
      active: true,
    });
    expect(new URL(service.startURL).pathname).toBe(`/app/sign-in/oidc/${id}/start`);
    expect(new URL(service.callbackURL).pathname).toBe(`/app/sign-in/oidc/${id}/callback`);
    for (const label of ['Two', 'Three', 'Four', 'Five']) await newOidcProvider(organization, { label });
    const items = await walk(client, path, 2);
    expect(items.map(({ label }) => label)).toEqual(['One', 'Two', 'Three', 'Four', 'Five']);
    expect(items[1]).toMatchObject({
      hasClientSecret: false,
      scopes: ['openid', 'email', 'profile'],
      groups: [],
      emailDomains: [],
      defaultRole: null,
    });
    expect((await client.get(`${path}?limit=0`)).body).toEqual({ count: 5, items: [] });
    const one = `${path}/${id}`;
    const changed = await client.patch(one, {
      label: 'First',
      defaultRole: null,
      groupsClaim: null,
      clientSecret: null,
    });
    const { groupsClaim: _, ...rest } = made.body;
    const expected = { ...rest, label: 'First', defaultRole: null, hasClientSecret: false };
    expect({ status: changed.status, body: changed.body }).toEqual({ status: 200, body: expected });
    const trail = `/v1/orgs/${organization}/audit-events?resource=${id}`;
    const { count } = (await client.get(`${trail}&limit=0`)).body;
    expect((await client.patch(one, { label: 'First' })).body).toEqual(changed.body);
    expect((await client.get(`${trail}&limit=0`)).body.count).toBe(count);
    expect((await client.get(one)).body).toEqual(changed.body);
    expect((await client.delete(one)).status).toBe(204);
    for (const answer of [await client.get(one), await client.patch(one, { label: 'x' }), await client.delete(one)])
      expect(answer.status).toBe(404);
    expect((await client.get(`${trail}&limit=0`)).body.count).toBe(count + 1);
  });

  it('keep their secret to themselves', async () => {
    const organization = await newOrganization(client);
    const path = `/v1/orgs/${organization}/oidc`;
    const id = await newOidcProvider(organization, { clientSecret: secret });
    const changed = await client.patch(`${path}/${id}`, { clientSecret: `${secret} alone` });
    const trail = await client.get(`/v1/orgs/${organization}/audit-events?resource=${id}`);
    expect(trail.body.items.map(({ details }: any) => details.clientSecret)).toEqual(['changed', 'changed']);
    for (const { body } of [changed, trail, await client.get(path)]) expect(JSON.stringify(body)).not.toContain(secret);
  });

  it.each([
    ['no label', { label: undefined }, 'label'],
    ['a long label', { label: 'x'.repeat(31) }, 'label'],
    ['no issuer', { issuer: undefined }, 'issuer'],
    ['another protocol', { issuer: 'ftp://op.example' }, 'issuer'],
    ['an issuer by http', { issuer: 'http://op.example' }, 'issuer'],
    ['an issuer by http with a name like this machine', { issuer: 'http://localhost.example' }, 'issuer'],
    ['an issuer at a private address', { issuer: 'https://10.1.2.3' }, 'issuer'],
    ['an issuer with a query', { issuer: 'https://op.example?a=b' }, 'issuer'],
    ['an issuer with a fragment', { issuer: 'https://op.example#' }, 'issuer'],
    ['an issuer with credentials', { issuer: 'https://ada:secret@op.example' }, 'issuer'],
    ['the address of its metadata', { issuer: 'https://op.example/.well-known/openid-configuration' }, 'issuer'],
    ['a long issuer', { issuer: `https://op.example/${'x'.repeat(512)}` }, 'issuer'],
    ['no client', { clientId: undefined }, 'clientId'],
    ['an empty client', { clientId: '' }, 'clientId'],
    ['an empty secret', { clientSecret: '' }, 'clientSecret'],
    ['a long secret', { clientSecret: 'x'.repeat(1025) }, 'clientSecret'],
    ['scopes without openid', { scopes: ['email'] }, 'scopes'],
    ['scopes in one text', { scopes: ['openid email'] }, 'scopes'],
    ['too many scopes', { scopes: ['openid', ...Array(20).fill('email')] }, 'scopes'],
    ['an empty claim', { groupsClaim: '' }, 'groupsClaim'],
    ['a group without a use', { groups: [{ group: 'writers' }] }, 'groups.0'],
    ['a group without a name', { groups: [{ group: '', role: 'read' }] }, 'groups.0.group'],
    ['too many groups', { groups: Array(101).fill({ group: 'writers', role: 'read' }) }, 'groups'],
    ['an unknown team of a group', { groups: [{ group: 'writers', team: 'nobody' }] }, 'groups.0.team'],
    ['an unknown role of a group', { groups: [{ group: 'writers', role: 'owner' }] }, 'groups.0.role'],
    ['no domain', { emailDomains: ['example'] }, 'emailDomains.0'],
    ['too many domains', { emailDomains: Array(101).fill('example.com') }, 'emailDomains'],
    ['an unknown team', { defaultTeam: 'nobody' }, 'defaultTeam'],
    ['an unknown role', { defaultRole: 'owner' }, 'defaultRole'],
    ['no answer whether they are active', { active: 'yes' }, 'active'],
  ])('are refused by name with %s', async (_, input, field) => {
    const organization = await newOrganization(client);
    const path = `/v1/orgs/${organization}/oidc`;
    const kept = await newOidcProvider(organization);
    const answers = [await client.post(path, { ...required, ...input })];
    if (Object.values(input)[0] !== undefined) answers.push(await client.patch(`${path}/${kept}`, input));
    for (const answer of answers) expectRefused(answer, new RegExp(field), 400);
    expect((await client.get(path)).body.count).toBe(1);
  });

  it('take an issuer by http on this machine, for those who try Bindery there', async () => {
    const organization = await newOrganization(client);
    for (const issuer of ['http://localhost:8080/realms/a', 'http://127.0.0.1:8080', 'http://op.localhost'])
      await newOidcProvider(organization, { issuer });
  });

  it('and those by SAML are at most twenty together', async () => {
    const organization = await newOrganization(client);
    const path = `/v1/orgs/${organization}`;
    const kinds = Array.from({ length: 22 }, (_, at) => (at % 2 === 0 ? 'saml' : 'oidc'));
    const answers = await Promise.all(
      kinds.map((kind) => client.post(`${path}/${kind}`, kind === 'saml' ? { label: 'S' } : required)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), 409, 409]);
    const [one] = (await client.get(`${path}/oidc`)).body.items;
    expect((await client.delete(`${path}/oidc/${one.id}`)).status).toBe(204);
    expect((await client.post(`${path}/saml`, { label: 'Room' })).status).toBe(201);
  });

  it('are for admins; members see how one signs in', async () => {
    const organization = await newOrganization(client);
    const id = await newOidcProvider(organization);
    await newOidcProvider(organization, { label: 'Off', active: false });
    const path = `/v1/orgs/${organization}/oidc`;
    const member = (await newUser(client, { organization, role: 'create' })).client;
    const stranger = (await newUser(client)).client;
    for (const [as, code] of [
      [member, 403],
      [stranger, 404],
    ] as const) {
      expect((await as.get(path)).status).toBe(code);
      expect((await as.post(path, required)).status).toBe(code);
      expect((await as.get(`${path}/${id}`)).status).toBe(code);
      expect((await as.patch(`${path}/${id}`, { label: 'x' })).status).toBe(code);
      expect((await as.delete(`${path}/${id}`)).status).toBe(code);
    }
    const { service } = (await client.get(`${path}/${id}`)).body;
    expect((await member.get(`/v1/orgs/${organization}/sso`)).body.items).toEqual([
      { id, label: 'One', startURL: service.startURL },
    ]);
  });

  it('of another organization do not exist', async () => {
    const id = await newOidcProvider(await newOrganization(client));
    const path = `/v1/orgs/${await newOrganization(client)}/oidc/${id}`;
    for (const answer of [await client.get(path), await client.patch(path, { label: 'x' }), await client.delete(path)])
      expect(answer.status).toBe(404);
  });
});

describe('an organization that enforces single sign-on', () => {
  const enforce = (organization: string, sso: boolean) => client.patch(`/v1/orgs/${organization}`, { sso });

  it('may do so with an active provider of either kind, and tells where it is', async () => {
    const organization = await newOrganization(client);
    const member = await newUser(client, { organization });
    const id = await newOidcProvider(organization, { active: false });
    expectRefused(await enforce(organization, true), /sso: requires an active provider/, 400);
    const { body } = await client.patch(`/v1/orgs/${organization}/oidc/${id}`, { active: true });
    expect((await enforce(organization, true)).status).toBe(200);
    const refused = await member.client.get(`/v1/orgs/${organization}`);
    expectRefused(refused, /requires single sign-on/);
    expect(refused.body.error.message).toContain(body.service.startURL);
  });

  it('keeps its last active provider on, of either kind, also against two ends at once', async () => {
    const organization = await newOrganization(client);
    const id = await newOidcProvider(organization);
    const off = await newOidcProvider(organization, { active: false });
    const { provider } = await newProvider(organization, new IdentityProvider());
    const path = `/v1/orgs/${organization}`;
    expect((await enforce(organization, true)).status).toBe(200);
    expect((await client.delete(`${path}/oidc/${off}`)).status).toBe(204);
    const both = await Promise.all([
      client.patch(`${path}/oidc/${id}`, { active: false }),
      client.delete(`${path}/saml/${provider}`),
    ]);
    expect(both.filter(({ status }) => status === 409)).toHaveLength(1);
    expect(both.find(({ status }) => status === 409)?.body.error.reason).toBe('last_single_sign_on_provider');
    expect((await client.get(`${path}/sso`)).body.items).toHaveLength(1);
    expect((await enforce(organization, false)).status).toBe(200);
    expect((await client.delete(`${path}/oidc/${id}`)).status).toBe(204);
  });
});
