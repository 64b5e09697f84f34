import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../shared/testing/eventually.js';
import { checkedDomain, proveDomain } from '../support/domains.js';
import { newOrganization, unique } from '../support/fixtures.js';
import { askOperator } from '../support/operator.js';
import { Client, type StartedServer, startServer } from '../support/server.js';
import { newSite, type Site } from '../support/site.js';

let dataDir: string;
let server: StartedServer;
/** The organization of the first start. */
let first: string;
let second: string;
let third: string;

async function restart(env: Record<string, string>): Promise<void> {
  await server.stop();
  server = await startServer({ dataDir, env: { PUBLISH_DOMAIN: 'docs.test', ...env } });
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-trusted-'));
  server = await startServer({ dataDir, env: { PUBLISH_DOMAIN: 'docs.test' } });
  first = (await server.get('/v1/orgs')).body.items[0].id;
  [second, third] = [await newOrganization(server), await newOrganization(server)];
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const newDomain = () => `docs.${unique('t').replace(/\W/g, '-')}.example`;
const statusOf = async (organization: string, domain: string) =>
  (await server.get(`/v1/orgs/${organization}/domains/${domain}`)).body.status;

async function siteAskingFor(organization: string, changes: Record<string, unknown>): Promise<Site> {
  const site = await newSite(organization, { spaces: 'empty' }, server);
  await site.ok('POST', '/publish');
  await site.ok('PATCH', '', changes);
  return site;
}

const publishedURL = async ({ organization, id }: Site): Promise<string> =>
  (await server.get(`/v1/orgs/${organization}/sites/${id}`)).body.urls.published;

async function siteAt(url: string): Promise<string> {
  const { status, body } = await server.post('/v1/urls/published', { url }, { token: null });
  return status === 200 ? body.site : String(status);
}

const becomes = (read: () => Promise<unknown>, wanted: unknown) =>
  eventually(`what becomes ${wanted}`, read, (now) => now === wanted);

describe('the first organization', () => {
  it('needs no proof, and goes before those that have none, whoever asked first', async () => {
    const domain = newDomain();
    const squatter = await siteAskingFor(second, { hostname: domain });
    const site = await siteAskingFor(first, { hostname: domain });
    expect(await publishedURL(site)).toBe(`https://${domain}/`);
    expect(await siteAt(`https://${domain}/`)).toBe(site.id);
    expect(await publishedURL(squatter)).not.toContain(domain);
    expect([await statusOf(first, domain), await statusOf(second, domain)]).toEqual(['trusted', 'pending']);
    expect((await server.get(`/v1/orgs/${first}/domains`)).body.count).toBe(0);
  });

  it('gives way to the organization that proves a domain', async () => {
    const domain = newDomain();
    const site = await siteAskingFor(first, { proxy: `${domain}/docs` });
    const owner = await siteAskingFor(second, { proxy: `${domain}/docs` });
    expect(await siteAt(`https://${domain}/docs`)).toBe(site.id);
    await proveDomain(server, second, domain);
    await becomes(() => siteAt(`https://${domain}/docs`), owner.id);
    await becomes(() => publishedURL(site).then((url) => url.includes(domain)), false);
    expect(await statusOf(first, domain)).toBe('pending');
    expect((await checkedDomain(server, first, domain)).problem).toBe('The TXT records there have other values');
  });
});

const create = async (client: Client): Promise<number> =>
  (await client.post('/v1/orgs', { title: 'One more', emailDomains: ['x.example'] })).status;

/** A client of a new member. */
async function newMember(organization: string, role: string): Promise<Client> {
  const email = `${unique(role).replace(/ /g, '-')}@people.example`;
  await server.post(`/v1/orgs/${organization}/invites`, { emails: [email], role });
  return new Client(server.url, await askOperator({ issue: { email, label: 'test' } }, { DATA_DIR: dataDir }));
}

it('organizations are created by everybody', async () => {
  expect(await create(await newMember(first, 'create'))).toBe(201);
});

it('organizations that the settings name need no proof; what is proven stays so over a restart', async () => {
  const [domain, proven] = [newDomain(), newDomain()];
  const site = await siteAskingFor(second, { hostname: domain });
  const owner = await siteAskingFor(third, { hostname: proven });
  await proveDomain(server, third, proven);
  expect(await siteAt(`https://${domain}/`)).toBe('404');
  await restart({ TRUSTED_ORGANIZATIONS: `${second}, unknown` });
  expect(await siteAt(`https://${domain}/`)).toBe(site.id);
  expect(await siteAt(`https://${proven}/`)).toBe(owner.id);
  expect([await statusOf(second, domain), await statusOf(third, domain)]).toEqual(['trusted', 'pending']);
  const rival = await siteAskingFor(first, { hostname: domain });
  await becomes(() => siteAt(`https://${domain}/`), rival.id);
  await restart({ ORGANIZATION_CREATION: 'admins' });
  expect(await statusOf(second, domain)).toBe('pending');
});

it('organizations are created by admins of the first organization alone, where the settings say so', async () => {
  const people = [
    [await newMember(first, 'admin'), 201],
    [await newMember(first, 'create'), 403],
    [await newMember(second, 'admin'), 403],
  ] as const;
  for (const [client, status] of people) expect(await create(client)).toBe(status);
  const invite = (await server.post(`/v1/orgs/${second}/link-invites`, { role: 'read' })).body.id;
  const [, [client]] = people;
  expect((await client.post(`/v1/orgs/${second}/invites/${invite}`)).status).toBe(200);
});

it.each(['own.docs.test', 'docs.test', 'a.b.docs.test'])(
  'no site takes %s, below the domain that organizations share',
  async (host) => {
    const site = await newSite(first, {}, server);
    for (const body of [{ hostname: host.includes('.docs') ? host : `x.${host}` }, { proxy: `${host}/docs` }]) {
      const { status, body: answer } = await server.patch(`/v1/orgs/${first}/sites/${site.id}`, body);
      expect([status, answer.error?.message]).toEqual([400, expect.stringContaining(Object.keys(body)[0] as string)]);
    }
  },
);
