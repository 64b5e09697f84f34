import { PublishedSites } from '../support/published-sites.js';

const sites = new PublishedSites();
const { ask, at, idOf, meaning, names, ok, spaces } = sites;
beforeAll(() => sites.open());
afterAll(() => sites.close());

const acme = 'https://acme.docs.test';

describe('a preview', () => {
  const own = 'https://preview.docs.test/';
  const preview = async (site: string, query = ''): Promise<string> =>
    (await ok(sites.server.get(at(site, `/publishing/preview${query}`)))).url;
  /** The answers to all that is shorter than `url`, as a renderer asks for them. */
  const shorter = (url: string) => {
    const { origin, pathname } = new URL(url);
    const segments = pathname.split('/').filter(Boolean);
    return Promise.all(segments.map((_, length) => ask(`${origin}/${segments.slice(0, length).join('/')}`)));
  };

  it.each(['main', 'solo', 'behind'])('of %s is at no address that a shorter one hides', async (site) => {
    for (const state of ['/publish', '/unpublish']) {
      await ok(sites.server.post(at(site, state)));
      const url = await preview(site);
      expect([url.startsWith(own), url.split('/').length]).toEqual([true, 5]);
      for (const { status } of await shorter(url)) expect(status).toBe(404);
      const { status, body } = await ask(`${url}some/page`);
      const { pathname } = new URL(url);
      expect([status, body]).toMatchObject([
        200,
        { site: idOf(site), pathname: 'some/page', siteBasePath: pathname, basePath: pathname, complete: true },
      ]);
    }
    await ok(sites.server.post(at(site, '/publish')));
  });

  it('leads to every part of a site, shorter addresses being incomplete', async () => {
    const url = await preview('main', `?siteSpace=${idOf('v2')}`);
    expect(url).toMatch(/^https:\/\/preview\.docs\.test\/[^/]+\/v2\/$/);
    const start = new URL(url).pathname.slice(0, -'v2/'.length);
    for (const { status, body } of await shorter(url))
      expect([status, body.complete]).toEqual(status === 200 ? [200, false] : [404, undefined]);
    const { body } = await ask(`${url}x`);
    expect(body).toMatchObject({ siteBasePath: start, basePath: `${start}v2/`, pathname: 'x', complete: true });
    expect(body.canonicalUrl).toBe(`${url}x`);
    expect(await meaning(`${await preview('main')}tools/x`)).toContain('tools/tools1 x @');
    expect(await meaning(`${await preview('main', '?claims=(unsigned:(plan:pro))')}vip`)).toContain('vip/vip1');
    expect(await meaning(`${await preview('main')}vip`)).toBe('404');
    expect((await sites.server.get(at('main', '/publishing/preview?siteSpace=nope'))).status).toBe(400);
  });

  it('shows a site whose links stay in the preview, also unpublished and behind a share link or a sign-in', async () => {
    const destination = { kind: 'site-space', siteSpaceId: idOf('v2') };
    const { id: went } = await ok(sites.server.post(at('main', '/redirects'), { source: '/went', destination }));
    await ok(sites.server.post(at('main', '/unpublish')));
    for (const visibility of ['share-link', 'visitor-auth', 'public']) {
      await ok(sites.server.patch(at('main'), { visibility }));
      for (const [url, token] of [
        [await preview('main'), null],
        [`https://preview/${idOf('main')}/`, sites.server.token],
      ] as const) {
        const { body } = await sites.server.post('/v1/urls/published', { url }, { token });
        const published = await sites.server.get(at('main', '/published'), { token: body.apiToken });
        expect([published.status, published.body.site.urls.published]).toEqual([200, url]);
        const urls = JSON.stringify(published.body.structure).match(/"published":"[^"]+"/g) ?? [];
        expect([urls.length > 3, urls.filter((each) => !each.startsWith(`"published":"${url}`))]).toEqual([true, []]);
        expect(body.canonicalUrl).toBe(url);
        const redirect = await sites.server.get(at('main', '/redirect?source=/went'), { token: body.apiToken });
        expect([redirect.status, redirect.body.target]).toEqual([200, `${url}v2/`]);
        expect((await sites.server.get(`/v1/spaces/${spaces.guide}`, { token: body.apiToken })).status).toBe(200);
        expect((await sites.server.get(`/v1/spaces/${spaces.solo}`, { token: body.apiToken })).status).toBe(404);
      }
    }
    await ok(sites.server.post(at('main', '/publish')));
    expect((await sites.server.delete(at('main', `/redirects/${went}`))).status).toBeLessThan(300);
  });

  it.each(['', 'x', 'x/y', 'eyJ.e30.x', 'eyJhbGciOiJIUzI1NiJ9.e30.x/y'])(
    'is not at the host of previews with %j',
    async (path) => {
      expect(await meaning(own + path)).toBe('404');
    },
  );

  it('by the API token of who may change the site needs no URL', async () => {
    const url = `https://preview/${idOf('main')}/`;
    const look = async (at: string, token: string | null) => {
      const { status, body } = await sites.server.post('/v1/urls/published', { url: at }, { token });
      return status === 200 ? `${body.pathname} ${body.siteBasePath}` : status;
    };
    expect(await look(`${url}a/b`, sites.server.token)).toBe(`a/b /${idOf('main')}/`);
    expect(await look(url.toLowerCase(), sites.server.token)).toBe(` /${idOf('main').toLowerCase()}/`);
    expect(await look(url, null)).toBe(401);
    expect(await look(url, (await ask(`${acme}/`)).body.apiToken)).toBe(401);
    expect(await look('https://preview/', sites.server.token)).toBe(404);
    expect(await look('https://preview/site_01ARZ3NDEKTSV4RRFFQ69G5FAV/', sites.server.token)).toBe(404);
    const claims = { visitor: { unsignedClaims: { plan: 'pro' } } };
    const { body } = await sites.server.post('/v1/urls/published', { url: `${url}vip`, ...claims });
    expect(names.get(body.siteSpace)).toBe('vip1');
  });
});
