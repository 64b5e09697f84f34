import { eventually } from '../../shared/testing/eventually.js';
import { proveDomain } from '../support/domains.js';
import { newOrganization, newSpace, newUser, peopleDomain, shared, unique } from '../support/fixtures.js';
import { install } from '../support/installing.js';
import { published } from '../support/integrations.js';

const admin = shared();
const host = () => `h-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

describe('an organization', () => {
  it('is changed field by field, and null clears', async () => {
    const path = `/v1/orgs/${await newOrganization(admin)}`;
    const before = (await admin.get(path)).body;
    const hostname = host();
    const changes = {
      title: unique('Renamed'),
      hostname,
      emailDomains: ['B.example', 'a.example', 'b.example'],
      defaultRole: null,
      logo: 'https://a.example/logo.svg',
      ai: false,
      inviteLinks: false,
    };
    const { status, body } = await admin.patch(path, changes);
    expect(status).toBe(200);
    const { logo, ...plain } = changes;
    expect(body).toEqual({
      ...before,
      ...plain,
      emailDomains: ['b.example', 'a.example'],
      urls: { ...before.urls, logo },
    });
    expect((await admin.get(path)).body).toEqual(body);
    const cleared = await admin.patch(path, { logo: null, emailDomains: [], defaultContent: null });
    expect(cleared.body.urls.logo).toBeUndefined();
    expect(cleared.body.emailDomains).toEqual([]);
    expect(cleared.body.hostname).toBe(hostname);
    expect((await admin.patch(path, {})).body).toEqual(cleared.body);
  });

  it('shows what it stores, by kind', async () => {
    const organization = await newOrganization(admin);
    const space = await newSpace(admin, organization);
    const shown = async () => {
      const { others } = (await admin.get(`/v1/orgs/${organization}/storage`)).body;
      return Object.fromEntries(others.map(({ kind, used }: { kind: string; used: number }) => [kind, used]));
    };
    expect(await shown()).toEqual({ answers: 0, comments: 0, deliveries: 0, events: 0, tasks: 0 });
    const headers = { 'Idempotency-Key': unique('key').replace(/ /g, '-') };
    await admin.post(`/v1/spaces/${space}/comments`, { body: { markdown: 'Hello' } }, { headers });
    expect(await shown()).toMatchObject({ answers: expect.any(Number), comments: expect.any(Number) });
    const { answers, comments } = await shown();
    expect([answers > 500, comments > 1000]).toEqual([true, true]);

    const elsewhere = await newOrganization(admin);
    const name = await published(admin, elsewhere, { visibility: 'public' });
    const installation = await install(admin, name, { organization });
    const told = async () => (await admin.get(`${installation}/events`)).body.items;
    await eventually('the end of an event of the installation', told, ([event]) => event?.status === 'success');
    expect((await shown()).deliveries).toBeGreaterThan(500);
  });

  it.each([
    [{ title: 'x' }, 'title'],
    [{ title: 'x'.repeat(256) }, 'title'],
    [{ title: null }, 'title'],
    [{ emailDomains: ['no domain'] }, 'emailDomains.0'],
    [{ emailDomains: 'a.example' }, 'emailDomains'],
    [{ hostname: 'ab' }, 'hostname'],
    [{ hostname: 'x'.repeat(33) }, 'hostname'],
    [{ hostname: '-abc' }, 'hostname'],
    [{ hostname: 'ABC' }, 'hostname'],
    [{ hostname: 'a.b' }, 'hostname'],
    [{ hostname: 'preview' }, 'hostname'],
    [{ defaultRole: 'boss' }, 'defaultRole'],
    [{ defaultContent: { type: 'space', site: 'x' } }, 'defaultContent.type'],
    [{ defaultContent: { type: 'site', site: 'site_nowhere' } }, 'defaultContent.site'],
    [{ logo: 'javascript:alert(1)' }, 'logo'],
    [{ logo: `https://a.example/${'x'.repeat(2048)}` }, 'logo'],
    [{ sso: 'yes' }, 'sso'],
    [{ sso: true }, 'sso'],
    [{ ai: 1 }, 'ai'],
    [{ inviteLinks: null }, 'inviteLinks'],
  ])('%j is refused by name and changes nothing', async (body, field) => {
    const path = `/v1/orgs/${await newOrganization(admin)}`;
    const before = (await admin.get(path)).body;
    const answer = await admin.patch(path, { title: 'Changed', ...body });
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(field)]);
    expect((await admin.get(path)).body).toEqual(before);
  });
});

describe('a hostname', () => {
  it('is of one organization, also when two take it at once', async () => {
    const [a, b] = [await newOrganization(admin), await newOrganization(admin)];
    const hostname = host();
    const answers = await Promise.all([a, b].map((id) => admin.patch(`/v1/orgs/${id}`, { hostname })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers[0]?.status === 200 ? a : b;
    expect((await admin.get(`/v1/subdomains/${hostname}`)).body).toEqual({
      object: 'subdomain',
      subdomain: hostname,
      target: { type: 'organization', organization: winner },
      isActive: true,
    });
    const loser = winner === a ? b : a;
    expect((await admin.get(`/v1/orgs/${loser}`)).body.hostname).toBeUndefined();
  });

  it('that is given up points to where it was, until another takes it', async () => {
    const [a, b] = [await newOrganization(admin), await newOrganization(admin)];
    const [old, fresh] = [host(), host()];
    await admin.patch(`/v1/orgs/${a}`, { hostname: old });
    await admin.patch(`/v1/orgs/${a}`, { hostname: fresh });
    expect((await admin.get(`/v1/subdomains/${old}`)).body).toMatchObject({
      isActive: false,
      target: { organization: a },
    });
    expect((await admin.patch(`/v1/orgs/${b}`, { hostname: old })).status).toBe(200);
    expect((await admin.get(`/v1/subdomains/${old}`)).body).toMatchObject({
      isActive: true,
      target: { organization: b },
    });
    expect((await admin.get(`/v1/subdomains/${host()}`)).status).toBe(404);
  });
});

describe('the organizations of an e-mail domain', () => {
  const domain = `${host()}.example`;
  it('are shown to their members, and to those whose address it opens', async () => {
    const organization = await newOrganization(admin);
    await admin.patch(`/v1/orgs/${organization}`, { emailDomains: [domain, peopleDomain] });
    for (const each of [domain, peopleDomain]) await proveDomain(admin, organization, each);
    const ids = async (client: typeof admin, of: string) =>
      (await client.get(`/v1/email-domains/${of}/orgs`)).body.organizations.map(({ id }: { id: string }) => id);
    expect(await ids(admin, domain.toUpperCase())).toEqual([organization]);
    const { client } = await newUser(admin);
    expect(await ids(client, domain)).toEqual([]);
    expect(await ids(client, peopleDomain)).toContain(organization);
    const [shown] = (await client.get(`/v1/email-domains/${peopleDomain}/orgs`)).body.organizations.filter(
      ({ id }: { id: string }) => id === organization,
    );
    expect(Object.values(shown.permissions)).not.toContain(true);
    expect(await ids(admin, 'unknown.example')).toEqual([]);
  });

  it('are asked for by a domain', async () => {
    const { status, body } = await admin.get('/v1/email-domains/not%20a%20domain/orgs');
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('emailDomain')]);
  });
});
