import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { endpointScript, visitorAuthScript } from '../support/integration-scripts.js';
import { install, publish } from '../support/integrations.js';
import { newSite, type Site } from '../support/site.js';

const admin = shared();
let organization: string;
let site: Site;
let name: string;
let installation: string;
let published: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
  site = await newSite(organization, { spaces: [await newSpace(admin, organization)] });
  await site.ok('PATCH', '', { visibility: 'visitor-auth' });
  await site.ok('POST', '/publish');
  published = (await site.ok('GET', '')).urls.published;
  name = await publish(admin, organization, visitorAuthScript, { scopes: ['site:visitor:auth'] });
  installation = (await install(admin, name, organization)).id;
});

const auth = '/publishing/auth';
const installOn = async (of: Site) => {
  const path = `/v1/integrations/${name}/installations/${installation}/sites`;
  expect((await admin.post(path, { siteId: of.id })).status).toBe(201);
};
const resolve = async (path: string, asking: object = {}) =>
  (await admin.post('/v1/urls/published', { url: published + path, ...asking }, { token: null })).body;
const follow = (url: string) => fetch(url, { redirect: 'manual' });

describe('a site whose visitors an integration identifies', () => {
  it('needs the integration to be named, and to be installed on the site with the scope', async () => {
    const refused = async (body: object) => {
      const { status, body: answer } = await site.send('PATCH', auth, body);
      expect((await site.ok('GET', auth)).backend).toBe('custom');
      return [status, answer.error.message];
    };
    const unfit = 'integration: must be installed on the site, with the scope site:visitor:auth';
    expect(await refused({ backend: 'integration' })).toEqual([
      400,
      'integration: required for the backend "integration"',
    ]);
    expect(await refused({ backend: 'integration', integration: 'no-such-one' })).toEqual([400, unfit]);
    expect(await refused({ backend: 'integration', integration: name })).toEqual([400, unfit]);
    const without = await publish(admin, organization, endpointScript, { scopes: ['site:script:inject'] });
    await install(admin, without, organization, { site_selection: 'all' });
    expect(await refused({ backend: 'integration', integration: without })).toEqual([400, unfit]);
    await installOn(site);
    const set = await site.ok('PATCH', auth, { backend: 'integration', integration: name });
    expect(set).toMatchObject({ backend: 'integration', integration: name });
    expect((await site.send('PATCH', auth, { integration: null })).status).toBe(400);
    expect(await site.ok('PATCH', auth, { fallbackURL: 'https://a.example/' })).toMatchObject({ integration: name });
  });

  it('sends visitors to it, and lets them in when they come back with the JWT that it signed', async () => {
    const { target, redirect } = await resolve('some/page');
    expect([target, redirect]).toEqual([
      'external',
      `${admin.url}/~integrations/v1/sites/${site.id}/visitor-auth?location=%2Fsome%2Fpage`,
    ]);
    const login = new URL(String((await follow(redirect)).headers.get('location')));
    expect([login.origin, login.searchParams.get('state')]).toEqual(['https://login.example.com', '/some/page']);
    const callback = new URL(String(login.searchParams.get('redirect_uri')));
    expect(callback.href).toBe(
      `${admin.url}/~integrations/v1/integrations/${name}/installations/${installation}/sites/${site.id}/callback`,
    );
    callback.searchParams.set('state', '/some/page');
    const back = new URL(String((await follow(callback.href)).headers.get('location')));
    expect(back.href).toMatch(/^https:\/\/docs\.example\.com\/some\/page\?jwt_token=/);
    const jwtToken = back.searchParams.get('jwt_token');
    expect(await resolve('some/page', { visitor: { jwtToken } })).toMatchObject({
      site: site.id,
      apiToken: expect.any(String),
    });
  });

  it('answers an invalid JWT with a 401, and with the redirect on request', async () => {
    const visitor = { jwtToken: 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA' };
    expect((await resolve('a', { visitor })).error.code).toBe(401);
    expect((await resolve('a', { visitor, redirectOnError: true })).redirect).toContain('/visitor-auth?location=%2Fa');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', `/${'x'.repeat(2048)}`, ''])(
    'is asked for a path alone: %j is a 400',
    async (location) => {
      const url = `${admin.url}/~integrations/v1/sites/${site.id}/visitor-auth?location=${encodeURIComponent(location)}`;
      const answer = await follow(url);
      expect([answer.status, ((await answer.json()) as any).error.message]).toEqual([
        400,
        expect.stringMatching(/^location: must be a path/),
      ]);
    },
  );

  it('has its own key: the integration signs nobody in to a site that does not name it', async () => {
    const other = await newSite(organization, { spaces: [await newSpace(admin, organization)] });
    await other.ok('PATCH', '', { visibility: 'visitor-auth' });
    await other.ok('POST', '/publish');
    await installOn(other);
    expect((await follow(`${admin.url}/~integrations/v1/sites/${other.id}/visitor-auth`)).status).toBe(404);
    const at = `${admin.url}/~integrations/v1/integrations/${name}/installations/${installation}/sites/${other.id}`;
    const back = new URL(String((await follow(`${at}/callback?state=/`)).headers.get('location')));
    const visitor = { jwtToken: back.searchParams.get('jwt_token') };
    const url = (await other.ok('GET', '')).urls.published;
    const answer = await admin.post('/v1/urls/published', { url, visitor }, { token: null });
    expect(answer.status).toBe(401);
  });

  it('has nobody to ask once the integration is gone from it', async () => {
    const url = `${admin.url}/~integrations/v1/sites/${site.id}/visitor-auth`;
    expect((await follow(url)).status).toBe(302);
    await admin.delete(`/v1/integrations/${name}/installations/${installation}/sites/${site.id}`);
    expect((await follow(url)).status).toBe(404);
  });
});
