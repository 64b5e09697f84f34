import { operations } from '../../services/gateway/contracts.js';
import { integrationKind } from '../../services/integrations/catalogue/resources.js';
import { proveDomain } from '../support/domains.js';
import { type NewUser, peopleDomain, shared, signedInTo } from '../support/fixtures.js';
import { at, published } from '../support/integrations.js';
import { type Sample, sampleOf } from '../support/requests/sample.js';
import type { Client } from '../support/server.js';
import { changesNothing, newTenants, type Tenant, type Tenants } from '../support/tenants.js';
import { firstOfEach, wayIn } from '../support/whole-tables.js';

const root = shared();

describe('a token of the single sign-on of one organization', () => {
  let tenants: Tenants;
  let [a, b] = [{} as Tenant, {} as Tenant];
  let both: NewUser;
  let scoped: NewUser;
  beforeAll(async () => {
    tenants = await newTenants(root);
    ({ a, b, both } = tenants);
    scoped = await signedInTo(b.organization, both);
  });

  describe('reaches another one of its user', () => {
    // The integration of the samples is public: everybody sees it.
    const placed = firstOfEach(
      operations.filter(
        ({ access }) =>
          access !== 'public' && access.on && access.on !== integrationKind && access.caller.includes('user'),
      ),
      wayIn,
    );
    const samples = new Map<string, Sample>();
    changesNothing(
      () => tenants,
      async () => {
        for (const operation of placed) samples.set(operation.id, await sampleOf(operation, a, both));
      },
    );

    it.each(placed.map((operation) => [operation.id, operation] as const))('never by %s', async (id, { method }) => {
      const { path, body } = samples.get(id) as Sample;
      const answer = await scoped.client.request(method, `/v1${path}`, body);
      expect([answer.status, answer.body.error?.code]).toEqual([404, 404]);
    });
  });

  it('does not see a private integration of another one', async () => {
    const name = await published(a.admin, a.organization, { visibility: 'private' });
    expect((await both.client.get(at(name))).status).toBe(200);
    expect((await scoped.client.get(at(name))).status).toBe(404);
  });

  it('lists and finds its own alone', async () => {
    const own = { count: 1, items: [{ id: b.organization }] };
    expect((await scoped.client.get('/v1/orgs')).body).toMatchObject(own);
    expect((await both.client.get('/v1/orgs')).body.items.map(({ id }: { id: string }) => id)).toContain(
      a.organization,
    );
    const emailDomains = [`${a.word.toLowerCase()}.example`, peopleDomain];
    await a.admin.patch(`/v1/orgs/${a.organization}`, { emailDomains });
    for (const domain of emailDomains) await proveDomain(a.admin, a.organization, domain);
    await proveDomain(b.admin, b.organization, `${b.word.toLowerCase()}.example`);
    const open = async (client: Client, domain: string) =>
      (await client.get(`/v1/email-domains/${domain}/orgs`)).body.organizations.map(({ id }: { id: string }) => id);
    for (const domain of emailDomains) {
      expect(await open(both.client, domain)).toContain(a.organization);
      expect(await open(scoped.client, domain)).not.toContain(a.organization);
    }
    expect(await open(scoped.client, `${b.word.toLowerCase()}.example`)).toEqual([b.organization]);
    expect((await scoped.client.get(`/v1/orgs/${b.organization}/spaces`)).status).toBe(200);
  });

  it('knows the addresses of its own fellow members alone', async () => {
    expect((await scoped.client.get(`/v1/users/${a.member.id}`)).body.email).toBeUndefined();
    expect((await scoped.client.get(`/v1/users/${b.member.id}`)).body.email).toBe(b.member.email);
  });

  it('makes tokens that reach no further, and sees and revokes no others', async () => {
    const full = (await both.client.post('/v1/user/tokens', { label: 'full' })).body;
    const made = (await scoped.client.post('/v1/user/tokens', { label: 'narrow' })).body;
    expect((await root.get(`/v1/orgs/${a.organization}`, { token: made.token })).status).toBe(404);
    expect((await root.get(`/v1/orgs/${b.organization}`, { token: made.token })).status).toBe(200);
    const seen = (await scoped.client.get('/v1/user/tokens')).body.items.map(({ label }: { label: string }) => label);
    expect(seen.sort()).toEqual(['Okta', 'narrow']);
    expect((await scoped.client.delete(`/v1/user/tokens/${full.id}`)).status).toBe(404);
    expect((await root.get('/v1/user', { token: full.token })).status).toBe(200);
  });

  it.each<[string, string, () => string, unknown]>([
    ['the profile that others see', 'PATCH', () => `/users/${both.id}`, { displayName: 'Renamed' }],
    ['a new organization', 'POST', () => '/orgs', { title: 'Sneaky' }],
    ['joining by an invite', 'POST', () => `/orgs/${a.organization}/invites/${a.invite}`, undefined],
    ['joining by an e-mail domain', 'POST', () => `/orgs/${a.organization}/join`, undefined],
  ])('is refused %s', async (_, method, path, body) => {
    const before = (await both.client.get('/v1/orgs')).body;
    const { status } = await scoped.client.request(method, `/v1${path()}`, body);
    expect(status).toBe(403);
    expect((await both.client.get('/v1/orgs')).body).toEqual(before);
    expect((await both.client.get('/v1/user')).body.displayName).not.toBe('Renamed');
  });
});
