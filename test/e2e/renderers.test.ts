import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCustomization } from '../../services/sites/customization/resources.js';
import { proveDomain } from '../support/domains.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { install, publish as publishIntegration } from '../support/installing.js';
import { fullManifest, at as integrationAt, manifestOf, published } from '../support/integrations.js';
import { petstore, publish, textOf } from '../support/openapi.js';
import { RendererStandIn, toldTo } from '../support/renderer.js';
import { importInto, openRepositories } from '../support/repository.js';
import { done } from '../support/requests/setting.js';
import { type StartedServer, startServer } from '../support/server.js';
import { newSite, Site } from '../support/site.js';

const secret = 'the secret of the renderers';
const first = new RendererStandIn(secret);
const second = new RendererStandIn(secret);

let dataDir: string;
let server: StartedServer;
let organization: string;
let shown: string;
let site: Site;
let siteTag: string;
const start = async () => {
  const env = { BASE_URL: 'https://bindery.test', OUTBOUND_ALLOW_CIDRS: '' };
  server = await startServer({ dataDir, env: { ...env, ...toldTo([first, second], secret) } });
};
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-renderers-'));
  await Promise.all([first.open(), second.open()]);
  await start();
  organization = await newOrganization(server);
  shown = await newSpace(server, organization, { title: 'Shown' });
  site = await newSite(organization, { spaces: [shown] }, server);
  siteTag = `site:${site.id}`;
});
afterAll(async () => {
  await server?.stop();
  await Promise.all([first.close(), second.close()]);
  await rm(dataDir, { recursive: true, force: true });
});
afterEach(() => {
  expect([...first.problems, ...second.problems]).toEqual([]);
  for (const renderer of [first, second]) renderer.forget();
});

const renamed = (title: string) => site.ok('PATCH', '', { title });

describe('renderers are told', () => {
  const host = 'url:bindery.test';
  const idOf = async (list: string) => (await site.ok('GET', list)).items.at(-1).id;
  const structure: [string, () => Promise<unknown>][] = [
    ['a section is added', () => site.section(shown, 'One')],
    ['another', () => site.section(shown, 'Two')],
    ['a section is changed', async () => site.ok('PATCH', `/sections/${await idOf('/sections')}`, { title: 'Three' })],
    [
      'a condition is set',
      async () => site.ok('PATCH', `/sections/${await idOf('/sections')}`, { condition: 'visitor.claims.a' }),
    ],
    ['a group is added', async () => site.group('Group', [await idOf('/sections')])],
    [
      'a group is changed',
      async () => site.ok('PATCH', `/section-groups/${await idOf('/section-groups')}`, { title: 'GG' }),
    ],
    [
      'a section is moved',
      async () => {
        const [{ id }, , { id: last }] = (await site.ok('GET', '/sections')).items;
        return site.ok('POST', `/sections/${id}/move`, {
          position: { after: { type: 'site-section', siteSection: last } },
        });
      },
    ],
    ['a group is removed', async () => site.send('DELETE', `/section-groups/${await idOf('/section-groups')}`)],
    ['a section is removed', async () => site.send('DELETE', `/sections/${await idOf('/sections')}`)],
    ['a site space is added', () => site.siteSpace(shown)],
    [
      'a site space is moved',
      async () => {
        const { items } = (await site.send('GET', '/site-spaces')).body;
        const { id, section } = items.at(-1);
        const next = items.find((each: any) => each.section === section && each.id !== id);
        const before = { type: 'site-space', siteSpace: next.id };
        return site.ok('POST', `/site-spaces/${id}/move`, { position: { before } });
      },
    ],
    [
      'a site space is changed',
      async () => site.ok('PATCH', `/site-spaces/${await idOf('/site-spaces')}`, { path: 'p' }),
    ],
    [
      'a site space looks otherwise',
      async () => site.ok('PATCH', `/site-spaces/${await idOf('/site-spaces')}/customization`, { title: 'Own' }),
    ],
    [
      'a site space looks like its site again',
      async () => site.send('DELETE', `/site-spaces/${await idOf('/site-spaces')}/customization`),
    ],
    ['a site space is removed', async () => site.send('DELETE', `/site-spaces/${await idOf('/site-spaces')}`)],
  ];
  const settings: [string, () => Promise<unknown>][] = [
    ['the site looks otherwise', () => site.ok('PUT', '/customization', { ...defaultCustomization, title: 'New' })],
    ['a share link is made', () => site.ok('POST', '/share-links', { name: 'Link' })],
    [
      'a share link is switched off',
      async () => site.ok('PATCH', `/share-links/${await idOf('/share-links')}`, { active: false }),
    ],
    ['a share link is deleted', async () => site.send('DELETE', `/share-links/${await idOf('/share-links')}`)],
    [
      'the sign-in of visitors changes',
      () => site.ok('PATCH', '/publishing/auth', { fallbackURL: 'https://a.example/' }),
    ],
    ['the private key is made anew', () => site.ok('POST', '/publishing/auth/regenerate')],
    [
      'the schema of claims is set',
      () =>
        site.ok('PUT', '/adaptive-schema', {
          jsonSchema: {
            type: 'object',
            properties: { a: { type: 'boolean', description: 'A' } },
            additionalProperties: false,
          },
        }),
    ],
    [
      'a redirect is made',
      async () =>
        site.ok('POST', '/redirects', {
          source: '/old',
          destination: { kind: 'site-space', siteSpaceId: await idOf('/site-spaces') },
        }),
    ],
    [
      'a redirect is changed',
      async () => site.ok('PATCH', `/redirects/${await idOf('/redirects')}`, { source: '/older' }),
    ],
    ['a redirect is deleted', async () => site.send('DELETE', `/redirects/${await idOf('/redirects')}`)],
  ];
  it.each([...structure, ...settings])('that the site is out of date when %s', async (_, change) => {
    await change();
    for (const renderer of [first, second]) expect(await renderer.toldOf([siteTag])).toEqual([siteTag]);
  });

  it('that a specification is out of date when it has a new version, and when it is deleted', async () => {
    const path = `/v1/orgs/${organization}/openapi/pets`;
    const tag = `organization:${organization}:openapi:pets`;
    await publish(server, path, textOf(petstore()));
    for (const renderer of [first, second]) expect(await renderer.toldOf([tag])).toEqual([tag]);
    // What content tells comes in its order: what was told of the new specification and of its version is told by then.
    await server.patch(`/v1/spaces/${shown}`, { title: 'Still shown' });
    for (const renderer of [first, second]) await renderer.toldOf([`space:${shown}`, siteTag]);
    for (const renderer of [first, second]) renderer.forget();
    await server.delete(path);
    for (const renderer of [first, second]) expect(await renderer.toldOf([tag])).toEqual([tag]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is published', () => site.ok('POST', '/publish')],
    ['is changed', () => renamed('Another title')],
    ['is unpublished', () => site.ok('POST', '/unpublish')],
  ])('of the site and its host when it %s', async (_, change) => {
    await change();
    expect(await first.toldOf([siteTag, host])).toEqual([siteTag, host]);
  });

  it('of both hosts of a site that goes to another', async () => {
    await proveDomain(server, site.organization, 'docs.acme.example');
    await site.ok('PATCH', '', { hostname: 'docs.acme.example' });
    const tags = [siteTag, host, 'url:docs.acme.example'];
    expect(await first.toldOf(tags)).toEqual(tags);
    first.forget();
    await site.ok('PATCH', '', { hostname: null });
    expect(await first.toldOf(tags)).toEqual(tags);
  });

  it.each([
    ['hostname', (domain: string) => domain],
    ['proxy', (domain: string) => `${domain}/docs`],
  ])('of the domain of a %s once it is proven, and when it is lost, but not before', async (field, valueFor) => {
    const domain = `${field}.renderers.example`;
    const tags = [siteTag, `url:${domain}`];
    await site.ok('PATCH', '', { [field]: valueFor(domain) });
    expect(await first.toldOf([siteTag, host])).toEqual([siteTag, host]);
    first.forget();
    await proveDomain(server, organization, domain);
    expect(await first.toldOf(tags)).toEqual(tags);
    first.forget();
    await server.delete(`/v1/orgs/${organization}/domains/${domain}`);
    expect(await first.toldOf(tags)).toEqual(tags);
    first.forget();
    await site.ok('PATCH', '', { [field]: null });
    await first.toldOf([siteTag, host]);
  });

  it.each<[string, (space: string) => Promise<unknown>]>([
    ['is renamed', (space) => server.patch(`/v1/spaces/${space}`, { title: 'Renamed' })],
    ['goes to the trash', (space) => server.delete(`/v1/spaces/${space}`)],
    ['comes back', (space) => server.post(`/v1/spaces/${space}/restore`)],
  ])('of a space and the sites that show it when it %s', async (_, change) => {
    await change(shown);
    const tags = [siteTag, `space:${shown}`];
    expect(await first.toldOf(tags)).toEqual(tags);
  });

  it('of a changed change request, where a site shows its space', async () => {
    const change = async (space: string, subject: string) => {
      const { body } = await server.post(`/v1/spaces/${space}/change-requests`);
      await server.patch(`/v1/spaces/${space}/change-requests/${body.id}`, { subject });
      return `space:${space}:change-request:${body.id}`;
    };
    const unseen = await change(await newSpace(server, organization), 'Unseen');
    const tags = [await change(shown, 'Seen')];
    expect(await first.toldOf(tags)).toEqual(tags);
    expect(first.messages.flat()).not.toContain(unseen);
  });

  it('of its scripts, when an integration that adds them comes, has a new version, changes where it works, and goes', async () => {
    const scopes = ['site:script:inject'];
    const name = await publishIntegration(server, { organization, scopes });
    const integrationTag = `integration:${name}`;
    const path = await install(server, name, { organization, site_selection: 'all' });
    expect(await first.toldOf([siteTag])).toContain(siteTag);
    const steps: [() => Promise<unknown>, string[]][] = [
      [() => publishIntegration(server, { organization, name, scopes }), [integrationTag, siteTag]],
      [() => done(server.patch(path, { site_selection: 'selected' })), [siteTag]],
      [() => done(server.post(`${path}/sites`, { siteId: site.id })), [siteTag]],
      [() => done(server.delete(`${path}/sites/${site.id}`)), [siteTag]],
      [() => done(server.delete(path)), [siteTag]],
      [() => install(server, name, { organization, site_selection: 'all' }), [siteTag]],
      [() => done(server.delete(`/v1/integrations/${name}`)), [integrationTag, siteTag]],
    ];
    for (const [change, tags] of steps) {
      first.forget();
      await change();
      expect(await first.toldOf(tags)).toEqual(expect.arrayContaining(tags));
    }
  });

  it('when a collection goes with its spaces', async () => {
    const { id } = (await server.post(`/v1/orgs/${organization}/collections`, { title: 'With' })).body;
    const space = await newSpace(server, organization, { parent: id });
    await server.delete(`/v1/collections/${id}`);
    expect(await first.toldOf([`space:${space}`])).toEqual([`space:${space}`]);
  });

  it('when a site is deleted', async () => {
    const other = await newSite(organization, {}, server);
    await other.send('DELETE', '');
    expect(await first.toldOf([`site:${other.id}`, host])).toEqual([`site:${other.id}`, host]);
  });

  it('of nothing that was only read, refused or left as it was', async () => {
    const { urls } = await site.ok('POST', '/publish');
    await first.toldOf([siteTag]);
    first.forget();
    await server.post('/v1/urls/published', { url: urls.published }, { token: null });
    await site.ok('GET', '/published');
    await site.ok('POST', '/publish');
    await renamed((await site.ok('GET', '')).title);
    expect((await site.send('PATCH', '', { title: 'x' })).status).toBe(400);
    const other = await newSite(organization, {}, server);
    await other.ok('POST', '/publish');
    expect(await first.toldOf([`site:${other.id}`])).toEqual([`site:${other.id}`, host]);
  });
});

describe('a renderer that does not answer', () => {
  it('is told once it does, each tag once, and others are not kept waiting', async () => {
    first.status = 503;
    second.status = null;
    const before = first.asked;
    await renamed('Not now');
    await first.until(() => first.asked > before);
    for (const title of ['Still', 'Still not', 'Nor now']) await renamed(title);
    expect(first.messages).toEqual([]);
    first.status = 200;
    await first.until(() => first.messages.length > 0);
    expect(first.messages).toEqual([[siteTag, 'url:bindery.test']]);
    first.forget();
    await renamed('Heard at once');
    expect(await first.toldOf([siteTag])).toEqual([siteTag, 'url:bindery.test']);
    expect(second.messages).toEqual([]);
    second.status = 200;
    await second.close();
    await second.open();
    expect(await second.toldOf([siteTag])).toContain('url:bindery.test');
  });

  it('is told after a restart of Bindery, also after kill -9; integrations are as they were', async () => {
    const name = await published(server, organization, fullManifest);
    const before = (await server.get(integrationAt(name))).body;
    await first.close();
    await renamed('While it was down');
    await server.kill();
    await first.open();
    await start();
    site = new Site(server, organization, site.id);
    expect(await first.toldOf([siteTag])).toEqual([siteTag, 'url:bindery.test']);
    expect((await server.get(integrationAt(name))).body).toEqual(before);
    expect((await server.get(before.urls.icon.replace('https://bindery.test', ''), { token: null })).status).toBe(200);
    expect((await server.post(integrationAt(name), manifestOf(organization))).body.version).toBe(2);
    await first.toldOf([`integration:${name}`]);
  });

  it.each([401, 302])('but refuses (%s) is logged once, and not asked again for the same', async (status) => {
    const refusals = () => server.output().split('refuses notifications').length - 1;
    const before = refusals();
    first.status = status;
    const asked = first.asked;
    for (const [at, title] of ['A refused title', 'Another refused title'].entries()) {
      await renamed(`${title} ${status}`);
      await first.until(() => first.asked > asked + at);
    }
    first.status = 200;
    await site.ok('PUT', '/customization', { ...defaultCustomization, title: `Taken ${status}` });
    expect(await first.toldOf([siteTag])).toEqual([siteTag]);
    expect([refusals() - before, first.asked]).toEqual([1, asked + 3]);
  });
});

it('an import tells renderers of the space and the sites that show it, and a standalone one of nothing', async () => {
  await server.stop();
  server = await startServer({
    dataDir,
    env: { RENDERER_URLS: first.url, RENDERER_SECRET: secret, OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' },
  });
  const repositories = await openRepositories();
  try {
    await repositories.commit('told', { 'README.md': '# Home\n' });
    const url = `${repositories.url}/told.git`;
    const own = await newSite(organization, { spaces: [shown] }, server);
    await own.ok('POST', '/publish');
    await first.toldOf([`site:${own.id}`]);
    first.forget();
    await importInto(server, shown, { url });
    const tags = [siteTag, `site:${own.id}`, `space:${shown}`].sort();
    expect(await first.toldOf(tags)).toEqual(tags);
    first.forget();
    await repositories.commit('told', { 'README.md': '# Another\n' });
    expect(await importInto(server, shown, { url, standalone: true })).toMatchObject({ state: 'success' });
    await own.ok('POST', '/unpublish');
    await first.toldOf([`site:${own.id}`]);
    expect(first.messages.flat()).not.toContain(`space:${shown}`);
  } finally {
    await repositories.close();
  }
});
