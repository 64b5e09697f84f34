import { type DomainDocument, domainId, domains } from '../../services/identity/domains/model.js';
import { type Store, write } from '../../shared/store/port.js';
import { eventually } from '../../shared/testing/eventually.js';
import { checkedDomain, proveDomain, releaseAnswer, setRecords, timesAsked } from '../support/domains.js';
import { newOrganization, newUser, openSharedStore, shared, unique } from '../support/fixtures.js';
import type { Answer } from '../support/server.js';
import { newSite, newSpaces, type Site } from '../support/site.js';

const admin = shared();
const newDomain = () => `docs.${unique('d').replace(/\W/g, '-')}.example`;
const at = (organization: string, domain: string) => `/v1/orgs/${organization}/domains/${domain}`;
const shown = async (organization: string, domain: string) => (await admin.get(at(organization, domain))).body;

/** A published site of an organization of its own that asks for a host name. */
async function siteAskingFor(changes: Record<string, unknown>, organization?: string): Promise<Site> {
  const own = organization ?? (await newOrganization(admin));
  const site = await newSite(own, { spaces: await newSpaces(own, 'guide') });
  await site.ok('POST', '/publish');
  await site.ok('PATCH', '', changes);
  return site;
}

const publishedURL = async (site: Site): Promise<string> => (await site.ok('GET', '')).urls.published;
const siteAt = async (url: string): Promise<string> => {
  const { status, body } = await admin.post('/v1/urls/published', { url }, { token: null });
  return status === 200 ? body.site : String(status);
};

/** What is read anew for a second. */
const becomes = <T>(read: () => Promise<T>, wanted: T) => eventually(`what becomes ${wanted}`, read, (now) => now === wanted);

async function audited(organization: string, domain: string): Promise<unknown[]> {
  const { body } = await admin.get(`/v1/orgs/${organization}/audit-events?resource=${domain}&order=asc`);
  return body.items.map(({ details }: any) => details.status);
}

let store: Store;
beforeAll(async () => {
  store = await openSharedStore();
  await store.prepare([domains] as never[]);
});
afterAll(() => store.close());

/** Changes a claim as time would. */
async function changeClaim(organization: string, domain: string, changes: Partial<DomainDocument>): Promise<void> {
  await store.batch([write.update(domains, { _id: domainId(organization, domain) }, { $set: changes }, { expect: 1 })]);
}

describe.each([
  ['host name', (domain: string) => ({ hostname: domain }), (domain: string) => `https://${domain}/`],
  ['proxy origin', (domain: string) => ({ proxy: `${domain}/docs` }), (domain: string) => `https://${domain}/docs/`],
])('the %s of a site', (_, changes, urlOf) => {
  it.concurrent('has no effect before its proof', async () => {
    const domain = newDomain();
    const site = await siteAskingFor(changes(domain));
    expect(await publishedURL(site)).toBe(`${admin.url}/sites/${site.id}/`);
    expect(await siteAt(urlOf(domain))).toBe('404');
    const { body } = await admin.post('/v1/urls/published', { url: `${admin.url}/sites/${site.id}/` });
    expect(body.canonicalUrl).toBe(`${admin.url}/sites/${site.id}/`);
    const { body: seen } = await admin.get(site.at('/published'), { token: body.apiToken });
    expect(JSON.stringify(seen)).not.toContain(domain);
  });

  it.concurrent('goes to the organization that proves it, not to those that asked first', async () => {
    const domain = newDomain();
    const squatters = [await siteAskingFor(changes(domain)), await siteAskingFor(changes(domain))];
    const own = await siteAskingFor(changes(domain));
    await proveDomain(admin, own.organization, domain);
    await becomes(() => siteAt(urlOf(domain)), own.id);
    await becomes(() => publishedURL(own), urlOf(domain));
    for (const squatter of squatters) {
      expect(await publishedURL(squatter)).toBe(`${admin.url}/sites/${squatter.id}/`);
      expect((await checkedDomain(admin, squatter.organization, domain)).status).toBe('pending');
    }
  });

  it.concurrent('is found by itself once the record is there', async () => {
    const domain = newDomain();
    const site = await siteAskingFor(changes(domain));
    const { record } = await shown(site.organization, domain);
    await setRecords(record.name, ['v=spf1 -all', record.value]);
    await becomes(() => siteAt(urlOf(domain)), site.id);
  });

  it.concurrent('is unique within its organization alone', async () => {
    const domain = newDomain();
    const { organization } = await siteAskingFor(changes(domain));
    const other = await newSite(organization);
    expect((await other.send('PATCH', '', changes(domain))).status).toBe(409);
  });
});

describe('a domain', () => {
  it.concurrent('goes to the organization that proves it last; both audit it', async () => {
    const domain = newDomain();
    const [old, next] = [await siteAskingFor({ hostname: domain }), await siteAskingFor({ hostname: domain })];
    await proveDomain(admin, old.organization, domain);
    await becomes(() => siteAt(`https://${domain}/`), old.id);
    await proveDomain(admin, next.organization, domain);
    await becomes(() => siteAt(`https://${domain}/`), next.id);
    expect((await shown(old.organization, domain)).status).toBe('pending');
    expect(await audited(old.organization, domain)).toEqual(['proven', 'pending']);
    expect(await audited(next.organization, domain)).toEqual(['proven']);
  });

  it.concurrent('is proven alone: not with its parent, nor with its subdomains', async () => {
    const organization = await newOrganization(admin);
    const domain = newDomain();
    const parent = domain.slice('docs.'.length);
    await proveDomain(admin, organization, domain);
    expect((await shown(organization, parent)).status).toBe('pending');
    expect((await shown(organization, `www.${domain}`)).status).toBe('pending');
    expect((await shown(organization, domain.toUpperCase())).status).toBe('proven');
  });

  it.concurrent.each(['localhost', 'a b.example', '-.example', `${'a.'.repeat(130)}example`, 'exämple.example'])(
    'of the name %j is refused',
    async (name) => {
      const organization = await newOrganization(admin);
      for (const method of ['GET', 'DELETE'])
        expect((await admin.request(method, at(organization, encodeURIComponent(name)))).status).toBe(400);
      expect((await admin.post(`${at(organization, encodeURIComponent(name))}/check`)).status).toBe(400);
    },
  );

  it.concurrent('whose name server fails stays as it is', async () => {
    const organization = await newOrganization(admin);
    const domain = newDomain();
    await proveDomain(admin, organization, domain);
    const { record } = await shown(organization, domain);
    await setRecords(record.name, 'servfail');
    const checked = await checkedDomain(admin, organization, domain);
    expect(checked).toMatchObject({ status: 'proven', problem: expect.stringContaining('ESERVFAIL') });
    expect(checked.missingSince).toBeUndefined();
  });

  it.concurrent('stays as the later of two lookups found it, also where the earlier one ends last', async () => {
    const organization = await newOrganization(admin);
    const domain = newDomain();
    const { record } = await shown(organization, domain);
    await setRecords(record.name, { held: [] });
    const earlier = admin.post(`${at(organization, domain)}/check`);
    await becomes(async () => (await timesAsked(record.name)) > 0, true);
    await setRecords(record.name, [record.value]);
    expect(await checkedDomain(admin, organization, domain)).toMatchObject({ status: 'proven' });
    await releaseAnswer(record.name);
    expect((await earlier).status).toBe(200);
    const now = await shown(organization, domain);
    expect(now).toMatchObject({ status: 'proven' });
    expect(now.missingSince ?? now.problem).toBeUndefined();
  });

  it.concurrent('whose record is gone counts for a week more', async () => {
    const site = await siteAskingFor({ hostname: newDomain() });
    const { organization } = site;
    const { hostname: domain } = await site.ok('GET', '');
    await proveDomain(admin, organization, domain);
    await setRecords(`_bindery.${domain}`, ['bindery-verification=other']);
    const missing = await checkedDomain(admin, organization, domain);
    expect(missing).toMatchObject({ status: 'proven', problem: 'The TXT records there have other values' });
    const weekAgo = new Date(Date.now() - 7 * 24 * 3_600_000);
    expect(Date.parse(missing.missingSince)).toBeGreaterThan(weekAgo.getTime());
    expect(await siteAt(`https://${domain}/`)).toBe(site.id);
    const dueAt = new Date().toISOString();
    await changeClaim(organization, domain, { missingSince: weekAgo.toISOString(), dueAt });
    await becomes(() => siteAt(`https://${domain}/`), '404');
    expect(await audited(organization, domain)).toEqual(['proven', 'pending']);
    await setRecords(`_bindery.${domain}`, []);
  });

  it.concurrent('that is not proven within a week is not looked up any more, until it is checked again', async () => {
    const organization = await newOrganization(admin);
    const domain = newDomain();
    await checkedDomain(admin, organization, domain);
    const dueAt = new Date().toISOString();
    await changeClaim(organization, domain, { claimedAt: new Date(0).toISOString(), dueAt });
    const listed = async () => (await admin.get(`/v1/orgs/${organization}/domains`)).body.count;
    await becomes(listed, 0);
    expect((await shown(organization, domain)).nextCheckAt).toBeUndefined();
    expect((await checkedDomain(admin, organization, domain)).nextCheckAt).toBeDefined();
    expect(await listed()).toBe(1);
  });

  it.concurrent('that is given up does not count any more', async () => {
    const domain = newDomain();
    const site = await siteAskingFor({ hostname: domain });
    await proveDomain(admin, site.organization, domain);
    await becomes(() => siteAt(`https://${domain}/`), site.id);
    expect((await admin.delete(at(site.organization, domain))).status).toBe(204);
    await becomes(() => siteAt(`https://${domain}/`), '404');
    expect((await admin.delete(at(site.organization, domain))).status).toBe(404);
  });

  it.concurrent('is looked up for at most 500 claims of an organization', async () => {
    const organization = await newOrganization(admin);
    const named = (from: number) => Array.from({ length: 100 }, (_, i) => `n${from + i}.${newDomain()}`);
    for (let from = 0; from < 500; from += 100)
      expect((await admin.patch(`/v1/orgs/${organization}`, { emailDomains: named(from) })).status).toBe(200);
    const refused = await admin.patch(`/v1/orgs/${organization}`, { emailDomains: named(500) });
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('500 domains')]);
    const other = newDomain();
    await proveDomain(admin, await newOrganization(admin), other);
  });
});

describe('name servers that never answer', () => {
  it('hold up neither other organizations nor other requests', async () => {
    const [slow, other] = [await newOrganization(admin), await newOrganization(admin)];
    // Without turns, their checks would take a minute.
    const silent = Array.from({ length: 480 }, newDomain);
    for (const domain of silent) await setRecords(`_bindery.${domain}`, 'silence');
    for (let from = 0; from < silent.length; from += 100)
      await admin.patch(`/v1/orgs/${slow}`, { emailDomains: silent.slice(from, from + 100) });
    const found = newDomain();
    const { record } = await shown(other, found);
    await setRecords(record.name, [record.value]);
    await admin.patch(`/v1/orgs/${other}`, { emailDomains: [found] });
    await becomes(async () => (await shown(other, found)).status, 'proven');
    const answered: Answer<any>[] = [];
    const checks = silent.slice(0, 60).map(async (domain) => {
      answered.push(await admin.post(`${at(slow, domain)}/check`));
    });
    expect((await admin.get('/v1/user')).status).toBe(200);
    await proveDomain(admin, other, newDomain());
    await eventually('the refusal of most checks', () => answered.length >= 40);
    // Those that were taken still wait.
    const told = new Set(answered.map(({ status, headers }) => `${status} ${headers.get('retry-after')}`));
    expect(told).toEqual(new Set(['429 1']));
    void Promise.allSettled(checks);
  });
});

describe('an e-mail domain', () => {
  const people = (organization: string) => newUser(admin, { organization, role: null });

  it('lets nobody in before its proof, and hides no other organization', async () => {
    const { client, email } = await people(await newOrganization(admin));
    const domain = email.slice(email.indexOf('@') + 1);
    const squatter = (await client.post('/v1/orgs', { title: 'Squatter', emailDomains: [domain] })).body.id;
    const own = await newOrganization(admin);
    await admin.patch(`/v1/orgs/${own}`, { emailDomains: [domain] });
    const other = await people(await newOrganization(admin));
    const found = async () =>
      (await other.client.get(`/v1/email-domains/${domain}/orgs`)).body.organizations.map(({ id }: any) => id);
    expect(await found()).not.toContain(squatter);
    expect((await other.client.post(`/v1/orgs/${squatter}/join`)).status).toBe(404);
    await proveDomain(admin, own, domain);
    expect(await found()).toEqual([own]);
    expect((await other.client.post(`/v1/orgs/${squatter}/join`)).status).toBe(404);
    expect((await other.client.post(`/v1/orgs/${own}/join`)).status).toBe(204);
  });
});
