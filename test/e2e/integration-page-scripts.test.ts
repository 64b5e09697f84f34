import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { endpointScript } from '../support/integration-scripts.js';
import { install, publish } from '../support/integrations.js';
import { newSite } from '../support/site.js';

const admin = shared();
let organization: string;
let space: string;
let site: string;
let endpoint: string;
const publishOne = (scopes: string[]) =>
  publish(admin, organization, endpointScript, {
    contentSecurityPolicy: { 'default-src': "'self'" },
    scopes,
    visibility: 'private',
  });
beforeAll(async () => {
  organization = await newOrganization(admin);
  space = await newSpace(admin, organization);
  site = (await newSite(organization)).id;
  const name = await publishOne(['space:script:inject', 'site:script:inject']);
  const made = await install(admin, name, organization);
  endpoint = made.urls.publicEndpoint;
  const at = `/v1/integrations/${name}/installations/${made.id}`;
  expect((await admin.post(`${at}/spaces`, { space })).status).toBe(201);
  expect((await admin.post(`${at}/sites`, { siteId: site })).status).toBe(201);
});

const ask = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init });

describe('the script of a page', () => {
  const scriptAt = (place: string, at = endpoint) => `${at}/${place}/script.js`;

  it('is JavaScript that every page may load', async () => {
    for (const [place, told] of [
      [`spaces/${space}`, [space, null]],
      [`sites/${site}`, [null, site]],
    ] as const) {
      const { status, headers } = await ask(`${scriptAt(place)}?version=1`, {
        headers: { origin: 'https://docs.example.com' },
      });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/javascript; charset=utf-8');
      expect(headers.get('cache-control')).toBe('public, max-age=60');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(headers.get('set-cookie')).toBeNull();
      const text = await (await ask(scriptAt(place))).text();
      expect(text).toBe(`console.log(${JSON.stringify(['fetch_published_script', ...told])})`);
    }
    expect((await ask(scriptAt(`sites/${site}`), { method: 'POST', body: 'x' })).status).toBe(405);
  });

  it('is one that does nothing where the integration has none, and a 422 where it fails', async () => {
    const scoped = () => publishOne(['site:script:inject']);
    const all = { site_selection: 'all' };
    const none = await install(admin, await scoped(), organization, { ...all, configuration: { script: 'none' } });
    const answer = await ask(scriptAt(`sites/${site}`, none.urls.publicEndpoint));
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/^\/\*.*\*\/\n$/)]);
    const failing = await install(admin, await scoped(), organization, {
      ...all,
      configuration: { script: 'failing' },
    });
    expect((await ask(scriptAt(`sites/${site}`, failing.urls.publicEndpoint))).status).toBe(422);
  });

  it('of an integration of others needs the scope as it was granted, not as it is declared later', async () => {
    const foreign = await newOrganization(admin);
    const declared = { scopes: [] as string[], visibility: 'public' };
    const own = await publish(admin, foreign, endpointScript, declared);
    const { urls } = await install(admin, own, organization, { site_selection: 'all' });
    const body = {
      runtime: 'v2',
      title: 'Test',
      description: 'Of a test.',
      organization: foreign,
      script: endpointScript,
    };
    const wider = { ...body, visibility: 'public', scopes: ['site:script:inject'] };
    expect((await admin.post(`/v1/integrations/${own}`, wider)).status).toBe(200);
    expect((await ask(scriptAt(`sites/${site}`, urls.publicEndpoint))).status).toBe(404);
  });

  it('is a 404 without the scope, and where the integration does not work', async () => {
    const { urls } = await install(admin, await publishOne(['site:script:inject']), organization, {
      space_selection: 'all',
      site_selection: 'all',
    });
    expect((await ask(scriptAt(`sites/${site}`, urls.publicEndpoint))).status).toBe(200);
    expect((await ask(scriptAt(`spaces/${space}`, urls.publicEndpoint))).status).toBe(404);
    expect((await ask(scriptAt(`sites/${(await newSite(organization)).id}`))).status).toBe(404);
  });
});

describe('the embed of a URL', () => {
  it('is the block of an integration of the space that unfurls it', async () => {
    const blocks = [
      { id: 'other', title: 'Other', urlUnfurl: ['https://other.example/**'] },
      { id: 'issue', title: 'Issue', urlUnfurl: ['https://*.tracker.example/*/issues/**'] },
    ];
    const own = await publish(admin, organization, endpointScript, { blocks, title: 'Tracker' });
    await install(admin, own, organization, { space_selection: 'all' });
    const embedOf = async (of: string, url: string) =>
      (await admin.get(`/v1/spaces/${of}/embed?url=${encodeURIComponent(url)}`)).body;
    const url = 'https://acme.tracker.example/team/issues/1/comments?x=1';
    expect(await embedOf(space, url)).toEqual({
      type: 'integration',
      title: 'Tracker: Issue',
      site: 'acme.tracker.example',
      url,
      integration: own,
      block: blocks[1],
    });
    const elsewhere = await newSpace(admin, await newOrganization(admin));
    expect((await embedOf(elsewhere, url)).type).toBe('link');
    expect((await embedOf(space, 'https://a.b.tracker.example/team/issues/1')).type).toBe('link');
  });
});
