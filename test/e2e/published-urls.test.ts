import { newOrganization } from '../support/fixtures.js';
import { PublishedSites } from '../support/published-sites.js';
import { RefusalClient } from '../support/refusals.js';

const sites = new PublishedSites();
const { ask, at, idOf, meaning, ok, spaces } = sites;
let asking: RefusalClient | undefined;
beforeAll(() => sites.open());
afterAll(() => sites.close());

const acme = 'https://acme.docs.test';

describe('a URL of a published site', () => {
  it.each<[string, string]>([
    ['/', 'guide/guide1  @ /…'],
    ['', 'guide/guide1  @ /…'],
    ['//', 'guide/guide1  @ /…'],
    ['/?q=1#top', 'guide/guide1  @ /…'],
    ['/start', 'guide/guide1 start @ /'],
    ['/start/', 'guide/guide1 start @ /'],
    ['//start//', 'guide/guide1 start @ /'],
    ['/a/b/c', 'guide/guide1 a/b/c @ /'],
    ['/Start', 'guide/guide1 Start @ /'],
    ['/a/../start', 'guide/guide1 start @ /'],
    ['/%2e%2e/start', 'guide/guide1 start @ /'],
    ['/a%20b', 'guide/guide1 a b @ /'],
    ['/caf%C3%A9', 'guide/guide1 café @ /'],
    ['/café', 'guide/guide1 café @ /'],
    ['/a%2Fb', 'guide/guide1 a%2Fb @ /'],
    ['/a%00b', 'guide/guide1 a%00b @ /'],
    ['/%zz', 'guide/guide1 %zz @ /'],
    ['/v2', 'guide/v2  @ /v2/'],
    ['/V2/page', 'guide/v2 page @ /V2/'],
    ['/tools', 'tools/tools1  @ /tools/'],
    ['/TOOLS//x/', 'tools/tools1 x @ /TOOLS/'],
    ['/api-r%C3%A9f%C3%A9rence/x', 'api/api1 x @ /api-r%C3%A9f%C3%A9rence/'],
    ['/api-référence', 'api/api1  @ /api-r%C3%A9f%C3%A9rence/'],
    ['/api-re%CC%81fe%CC%81rence', 'api/api1  @ /api-re%CC%81fe%CC%81rence/'],
    ['/guide', `→ ${acme}/`],
    ['/guide/start', `→ ${acme}/start`],
    ['/guide/v2/x', `→ ${acme}/v2/x`],
    ['/main', `→ ${acme}/`],
    ['/main/tools/x', `→ ${acme}/tools/x`],
    ['/vip', '404'],
    ['/vip/x', '404'],
    ['/tools/v3', '404'],
    ['/~/revisions/r1', '404'],
    ['/~/changes/1/start', '404'],
    ['/tools/~/changes/1/x', '404'],
    ['/~/changes/1/tools/x', '404'],
    ['/~/changes', 'guide/guide1 ~/changes @ /'],
    ['/~gitbook/image', 'guide/guide1 ~gitbook/image @ /'],
    ['/solo', 'solo1  @ /solo/'],
    ['/SOLO/start', 'solo1 start @ /SOLO/'],
    ['/solo/only', `→ https://solo.example.com/`],
    ['/behind/x', 'behind1 x @ /behind/'],
  ])('below the host of an organization: %s is %s', async (path, expected) => {
    expect(await meaning(acme + path)).toBe(expected);
  });

  it.each<[string, string]>([
    ['https://solo.example.com/', 'solo1  @ /'],
    ['http://solo.example.com/start', 'solo1 start @ /'],
    ['https://SOLO.Example.com:8443/start', 'solo1 start @ /'],
    ['https://solo.example.com./start', 'solo1 start @ /'],
    ['https://user:secret@solo.example.com/start', 'solo1 start @ /'],
    ['https://www.example.org/docs/v1/x/y', 'behind1 x/y @ /docs/v1/'],
    ['https://www.example.org/docs/v1', 'behind1  @ /docs/v1/'],
    ['https://www.example.org/docs', '404'],
    ['https://www.example.org/', '404'],
    ['https://acme.docs.test.evil.example/', '404'],
    ['https://a.acme.docs.test/', '404'],
    ['https://docs.test/', '404'],
    ['https://nobody.docs.test/', '404'],
    ['https://evil.example/@acme.docs.test', '404'],
    ['https://acme.docs.test@evil.example/', '404'],
    ['https://bücher.example/', '404'],
    ['https://bindery.test/', '404'],
    ['https://bindery.test/app/sites/', '404'],
    ['https://bindery.test/app/sites/site_01ARZ3NDEKTSV4RRFFQ69G5FAV/', '404'],
    ['https://[::1]/', '404'],
  ])('elsewhere: %s is %s', async (url, expected) => {
    expect(await meaning(url)).toBe(expected);
  });

  it('below the base URL names the site by its id', async () => {
    for (const id of [idOf('main'), idOf('main').toLowerCase()]) {
      expect(await meaning(`https://bindery.test/app/sites/${id}/tools/x`)).toBe(
        `tools/tools1 x @ /app/sites/${id}/tools/`,
      );
      expect(await meaning(`https://bindery.test/app/sites/${id}`)).toBe(`guide/guide1  @ /app/sites/${id}/…`);
    }
  });

  it.each(
    [
      'ftp://acme.docs.test/',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'acme.docs.test',
      '//acme.docs.test',
      'https://',
      'https://a b/',
      'https://[/',
      '',
      `https://acme.docs.test/${'x'.repeat(2048)}`,
      7,
      null,
    ].map((url) => [String(url).slice(0, 40), url]),
  )('is refused as no web address: %s', async (_, url) => {
    asking ??= new RefusalClient(sites.server);
    const { status, body } = await asking.post('/v1/urls/published', { url });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('url')]);
  });

  it.each(
    [
      `${acme}/${'%E2%82%AC'.repeat(220)}`,
      `${acme}/${'a/'.repeat(1000)}`,
      `${acme}/${'é'.repeat(2000)}`,
      `${acme}/${'%'.repeat(2000)}`,
      `${acme}/\\..\\x`,
      `${acme}/%ff%fe`,
      `${acme}/%ED%A0%80`,
      `${acme}/__proto__/constructor`,
      `${acme}/%0d%0aSet-Cookie:x`,
      `${acme}/\u202e\u0000x`,
      `${acme}/eyJhbGciOiJub25lIn0.e30.`,
      `${acme}/~/revisions/${'x'.repeat(1000)}`,
      `${acme}/~/revisions/%00`,
      `https://${'a.'.repeat(100)}docs.test/`,
      `https://${'a'.repeat(300)}.docs.test/`,
      'https://$where.docs.test/',
      'https://xn--a.docs.test/',
      'https://0x7f.1/',
      'https://www.example.org/docs/v1/../../../x',
      'https://bindery.test/app/sites/__proto__/x',
      'https://bindery.test/app/sites/%00/x',
    ].map((url) => [url.slice(0, 60), url]),
  )('however hostile never fails on our side: %s', async (_, url) => {
    expect((await ask(url)).status).toBeLessThan(500);
  });

  it('has a canonical form that means the same', async () => {
    for (const path of ['/', '/start', '/v2/x', '/tools/x%20y', '/api-référence/x', '/solo/start', '/behind/x']) {
      const { body } = await ask(acme + path);
      const again = (await ask(body.canonicalUrl)).body;
      expect([again.siteSpace, again.pathname, again.canonicalUrl]).toEqual([
        body.siteSpace,
        body.pathname,
        body.canonicalUrl,
      ]);
    }
  });

  it('is answered to a GET and with any token alike', async () => {
    const url = `${acme}/tools/x`;
    const { body } = await ask(url);
    const { apiToken: _, ...rest } = body;
    for (const token of [null, sites.server.token, body.apiToken]) {
      const got = await sites.server.get(`/v1/urls/published?url=${encodeURIComponent(url)}`, { token });
      expect([got.status, got.body]).toMatchObject([200, rest]);
    }
  });

  it('is 404 while the site is unpublished, but for previews', async () => {
    await ok(sites.server.post(at('behind', '/unpublish')));
    expect(await meaning('https://www.example.org/docs/v1/x')).toBe('404');
    const { url } = await ok(sites.server.get(at('behind', '/publishing/preview?claims=(a:!t)')));
    const { status, body } = await ask(`${url}x`);
    expect([status, body.pathname, body.space]).toEqual([200, 'x', spaces.api]);
    expect(JSON.parse(Buffer.from(body.apiToken.split('.')[1], 'base64url').toString()).claims).toEqual({ a: true });
    await ok(sites.server.post(at('behind', '/publish')));
  });
});

it('is of one organization: others neither see nor change how its sites are shown', async () => {
  const other = await newOrganization(sites.server);
  const foreign = (rest: string) => `/v1/orgs/${other}/sites/${idOf('main')}${rest}`;
  for (const path of [
    '/share-links',
    '/publishing/auth',
    '/publishing/preview',
    '/redirects',
    '/adaptive-schema',
    '/published',
  ])
    expect([path, (await sites.server.get(foreign(path))).status]).toEqual([path, 404]);
  expect((await sites.server.post(foreign('/search'), { query: 'x', mode: 'all' })).status).toBe(404);
});
