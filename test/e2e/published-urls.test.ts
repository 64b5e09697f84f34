import { rm } from 'node:fs/promises';
import { SignJWT } from 'jose';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { importInto, openRepositories } from '../support/repository.js';
import { type Client, type StartedServer, startServer } from '../support/server.js';

const env = { PUBLISH_DOMAIN: 'docs.test', BASE_URL: 'https://bindery.test/app', OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' };

let server: StartedServer;
let organization: string;
/** Names of the parts, by id. */
const names = new Map<string, string>();
const idOf = (name: string) => [...names].find(([, each]) => each === name)?.[0] as string;

async function ok(answer: Promise<{ status: number; body: any }>): Promise<any> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}
const at = (site: string, rest = '') => `/v1/orgs/${organization}/sites/${idOf(site)}${rest}`;
const jwt = (key: string, claims: Record<string, unknown>, expires: number | string = '1h') =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(expires).sign(Buffer.from(key));

interface Asking {
  visitor?: { jwtToken?: string; unsignedClaims?: Record<string, unknown> };
  redirectOnError?: boolean;
}
const ask = (url: string, asking: Asking = {}, client: Client = server) =>
  client.post('/v1/urls/published', { url, ...asking }, { token: null });

/** `section/variant page @ base path`, with `…` where more may follow; a redirect; or the status. */
async function meaning(url: string, asking: Asking = {}): Promise<string> {
  const { status, body } = await ask(url, asking);
  if (status !== 200) return String(status);
  if (body.redirect) return `→ ${body.redirect}`;
  const part = [body.siteSection, body.siteSpace].filter(Boolean).map((id) => names.get(id));
  const other = body.revision ? ` r:${body.revision}` : body.changeRequest ? ` c:${body.changeRequest}` : '';
  return `${part.join('/')} ${body.pathname}${other} @ ${body.basePath}${body.complete ? '' : '…'}`;
}

async function newSite(name: string, changes: Record<string, unknown>, spaces: string[] = []): Promise<void> {
  const { id } = await ok(server.post(`/v1/orgs/${organization}/sites`, { title: name, spaces }));
  names.set(id, name);
  await ok(server.patch(at(name), { basename: name, ...changes }));
  await ok(server.post(at(name, '/publish')));
}
async function addSection(site: string, name: string, spaceId: string, path = name): Promise<void> {
  const section = await ok(server.post(at(site, '/sections'), { spaceId, title: name }));
  names.set(section.id, name);
  names.set(section.siteSpaces[0].id, `${name}1`);
  await ok(server.patch(at(site, `/sections/${section.id}`), { path }));
}
async function addVariant(site: string, name: string, spaceId: string, section?: string): Promise<void> {
  const body = { spaceId, ...(section ? { sectionId: idOf(section) } : {}) };
  const variant = await ok(server.post(at(site, '/site-spaces'), body));
  names.set(variant.id, name);
  await ok(server.patch(at(site, `/site-spaces/${variant.id}`), { path: name }));
}

const spaces: Record<string, string> = {};
const pro = { visitor: { unsignedClaims: { plan: 'pro' } } };

beforeAll(async () => {
  server = await startServer({ env });
  organization = await newOrganization(server);
  for (const title of ['guide', 'guide2', 'api', 'vip', 'tools', 'solo', 'other'])
    spaces[title] = await newSpace(server, organization, { title });
  const repositories = await openRepositories();
  await repositories.commit('guide', {
    'README.md': '# Home\n',
    'start.md': '# Start\n\nBegin.\n',
    'secret.md': "---\nif: visitor.claims.unsigned.plan == 'pro'\n---\n\n# Secret\n\nHush.\n",
    'SUMMARY.md': '# Summary\n\n* [Home](README.md)\n* [Start](start.md)\n* [Secret](secret.md)\n',
  });
  for (const space of ['guide', 'solo'])
    await importInto(server, spaces[space] as string, { url: `${repositories.url}/guide.git` });
  await repositories.close();
  await newSite('main', {});
  await addSection('main', 'guide', spaces.guide as string);
  await addSection('main', 'api', spaces.api as string, 'API-Référence');
  await addSection('main', 'vip', spaces.vip as string);
  await addSection('main', 'tools', spaces.tools as string);
  await ok(server.post(at('main', '/section-groups'), { title: 'More', sections: [idOf('tools')] }));
  await addVariant('main', 'v2', spaces.guide2 as string, 'guide');
  await addVariant('main', 'v3', spaces.other as string, 'tools');
  const condition = "visitor.claims.unsigned.plan == 'pro'";
  await ok(server.patch(at('main', `/sections/${idOf('vip')}`), { condition }));
  await ok(server.patch(at('main', `/site-spaces/${idOf('v3')}`), { condition }));
  await newSite('solo', { hostname: 'solo.example.com' }, [spaces.solo as string]);
  const [only] = (await ok(server.get(at('solo', '/site-spaces')))).items;
  names.set(only.id, 'solo1');
  await ok(server.patch(at('solo', `/site-spaces/${only.id}`), { path: 'only' }));
  await newSite('behind', { proxy: 'www.example.org/docs/v1' }, [spaces.api as string]);
  names.set((await ok(server.get(at('behind', '/site-spaces')))).items[0].id, 'behind1');
  await ok(server.patch(`/v1/orgs/${organization}`, { hostname: 'acme' }));
  await ok(server.patch(`/v1/orgs/${organization}`, { defaultContent: { type: 'site', site: idOf('main') } }));
}, 60_000);
afterAll(async () => {
  await server?.stop();
  await rm(server.dataDir, { recursive: true, force: true });
});

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
    ['/~/revisions/r1', 'guide/guide1  r:r1 @ /~/revisions/r1/…'],
    ['/~/changes/c1/start', 'guide/guide1 start c:c1 @ /~/changes/c1/'],
    ['/tools/~/changes/c1/x', 'tools/tools1 x c:c1 @ /tools/~/changes/c1/'],
    ['/~/changes/c1/tools/x', 'tools/tools1 x c:c1 @ /~/changes/c1/tools/'],
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
    const { status, body } = await ask(url as string);
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
    for (const token of [null, server.token, body.apiToken]) {
      const got = await server.get(`/v1/urls/published?url=${encodeURIComponent(url)}`, { token });
      expect([got.status, got.body]).toMatchObject([200, rest]);
    }
  });

  it('is 404 while the site is unpublished, but for previews', async () => {
    await ok(server.post(at('behind', '/unpublish')));
    expect(await meaning('https://www.example.org/docs/v1/x')).toBe('404');
    const { url } = await ok(server.get(at('behind', '/publishing/preview?claims=(a:!t)')));
    const { status, body } = await ask(`${url}x`);
    expect([status, body.pathname, body.space]).toEqual([200, 'x', spaces.api]);
    expect(JSON.parse(Buffer.from(body.apiToken.split('.')[1], 'base64url').toString()).claims).toEqual({ a: true });
    await ok(server.post(at('behind', '/publish')));
  });
});

describe('a preview', () => {
  const own = 'https://preview.docs.test/';
  const preview = async (site: string, query = ''): Promise<string> =>
    (await ok(server.get(at(site, `/publishing/preview${query}`)))).url;
  /** The answers to all that is shorter than `url`, as a renderer asks for them. */
  const shorter = (url: string) => {
    const { origin, pathname } = new URL(url);
    const segments = pathname.split('/').filter(Boolean);
    return Promise.all(segments.map((_, length) => ask(`${origin}/${segments.slice(0, length).join('/')}`)));
  };

  it.each(['main', 'solo', 'behind'])('of %s is at no address that a shorter one hides', async (site) => {
    for (const state of ['/publish', '/unpublish']) {
      await ok(server.post(at(site, state)));
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
    await ok(server.post(at(site, '/publish')));
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
    expect((await server.get(at('main', '/publishing/preview?siteSpace=nope'))).status).toBe(400);
  });

  it('shows a site whose links stay in the preview, also unpublished and behind a share link or a sign-in', async () => {
    const destination = { kind: 'site-space', siteSpaceId: idOf('v2') };
    const { id: went } = await ok(server.post(at('main', '/redirects'), { source: '/went', destination }));
    await ok(server.post(at('main', '/unpublish')));
    for (const visibility of ['share-link', 'visitor-auth', 'public']) {
      await ok(server.patch(at('main'), { visibility }));
      for (const [url, token] of [
        [await preview('main'), null],
        [`https://preview/${idOf('main')}/`, server.token],
      ] as const) {
        const { body } = await server.post('/v1/urls/published', { url }, { token });
        const published = await server.get(at('main', '/published'), { token: body.apiToken });
        expect([published.status, published.body.site.urls.published]).toEqual([200, url]);
        const urls = JSON.stringify(published.body.structure).match(/"published":"[^"]+"/g) ?? [];
        expect([urls.length > 3, urls.filter((each) => !each.startsWith(`"published":"${url}`))]).toEqual([true, []]);
        expect(body.canonicalUrl).toBe(url);
        const redirect = await server.get(at('main', '/redirect?source=/went'), { token: body.apiToken });
        expect([redirect.status, redirect.body.target]).toEqual([200, `${url}v2/`]);
        expect((await server.get(`/v1/spaces/${spaces.guide}`, { token: body.apiToken })).status).toBe(200);
        expect((await server.get(`/v1/spaces/${spaces.solo}`, { token: body.apiToken })).status).toBe(404);
      }
    }
    await ok(server.post(at('main', '/publish')));
    expect((await server.delete(at('main', `/redirects/${went}`))).status).toBeLessThan(300);
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
      const { status, body } = await server.post('/v1/urls/published', { url: at }, { token });
      return status === 200 ? `${body.pathname} ${body.siteBasePath}` : status;
    };
    expect(await look(`${url}a/b`, server.token)).toBe(`a/b /${idOf('main')}/`);
    expect(await look(url.toLowerCase(), server.token)).toBe(` /${idOf('main').toLowerCase()}/`);
    expect(await look(url, null)).toBe(401);
    expect(await look(url, (await ask(`${acme}/`)).body.apiToken)).toBe(401);
    expect(await look('https://preview/', server.token)).toBe(404);
    expect(await look('https://preview/site_01ARZ3NDEKTSV4RRFFQ69G5FAV/', server.token)).toBe(404);
    const claims = { visitor: { unsignedClaims: { plan: 'pro' } } };
    const { body } = await server.post('/v1/urls/published', { url: `${url}vip`, ...claims });
    expect(names.get(body.siteSpace)).toBe('vip1');
  });
});

describe('conditions', () => {
  it('open what they hide to whom they hold for', async () => {
    expect(await meaning(`${acme}/vip/x`, pro)).toBe('vip/vip1 x @ /vip/');
    expect(await meaning(`${acme}/tools/v3`, pro)).toBe('tools/v3  @ /tools/v3/');
    const [plain, known] = [(await ask(`${acme}/`)).body, (await ask(`${acme}/`, pro)).body];
    expect(plain.contextId).toBeUndefined();
    expect(known.contextId).toMatch(/^[0-9a-f]{24}$/);
    const same = { visitor: { unsignedClaims: { b: 1, plan: 'pro' } } };
    const turned = { visitor: { unsignedClaims: { plan: 'pro', b: 1 } } };
    expect((await ask(`${acme}/`, same)).body.contextId).toBe((await ask(`${acme}/`, turned)).body.contextId);
  });

  it('leave the next section or site space in the place of a hidden default', async () => {
    const hide = (kind: string, name: string, condition: string | null) =>
      ok(server.patch(at('main', `/${kind}/${idOf(name)}`), { condition }));
    await hide('site-spaces', 'guide1', "visitor.claims.unsigned.plan == 'pro'");
    expect(await meaning(`${acme}/x`)).toBe('guide/v2 x @ /');
    expect((await ask(`${acme}/x`)).body.canonicalUrl).toBe(`${acme}/v2/x`);
    await hide('site-spaces', 'guide1', null);
    await hide('sections', 'guide', "visitor.claims.unsigned.plan == 'pro'");
    expect(await meaning(`${acme}/x`)).toBe('api/api1 x @ /');
    expect(await meaning(`${acme}/guide/x`)).toBe('404');
    expect(await meaning(`${acme}/x`, pro)).toBe('guide/guide1 x @ /');
    await hide('sections', 'guide', null);
    expect(await meaning(`${acme}/x`)).toBe('guide/guide1 x @ /');
  });

  it('read no claim that the schema of the site does not declare', async () => {
    const unsigned = {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: { plan: { type: 'string', enum: ['free'], description: 'Plan' } },
      additionalProperties: false,
    };
    const set = (properties: object) =>
      ok(
        server.put(at('main', '/adaptive-schema'), {
          jsonSchema: { type: 'object', properties, additionalProperties: false },
        }),
      );
    await set({ unsigned });
    expect(await meaning(`${acme}/vip`, pro)).toBe('404');
    unsigned.properties.plan.enum.push('pro');
    await set({ unsigned });
    expect(await meaning(`${acme}/vip`, pro)).toBe('vip/vip1  @ /vip/');
    await set({});
  });

  it.each([[{ a: 'x'.repeat(5000) }], [JSON.parse(`{"a":${'['.repeat(500)}${']'.repeat(500)}}`)]])(
    'are not asked about claims that fit into no token',
    async (unsignedClaims) => {
      expect((await ask(`${acme}/`, { visitor: { unsignedClaims } })).status).toBe(400);
    },
  );
});

describe('a share link', () => {
  it('alone opens a site of that visibility', async () => {
    const links = await ok(server.post(at('solo', '/share-links'), { name: 'Partners' }));
    await ok(server.patch(at('solo'), { visibility: 'share-link' }));
    const { url, key } = await ok(server.get(at('solo', '/share-links'))).then(({ items }) => {
      const url = items[0].urls.published;
      return { url, key: url.split('/').at(-2) };
    });
    expect(url).toBe(`https://solo.example.com/${key}/`);
    expect(await meaning('https://solo.example.com/')).toBe('404');
    expect(await meaning(`https://solo.example.com/${links.id}`)).toBe('404');
    expect(await meaning(`${url}start`)).toBe(`solo1 start @ /${key}/`);
    const { body } = await ask(`${url}start`);
    expect(body).toMatchObject({ shareKey: key, siteBasePath: `/${key}/`, canonicalUrl: `${url}start` });
    expect(await meaning(`${acme}/solo/${key}/start`)).toBe(`solo1 start @ /solo/${key}/`);
    const published = await server.get(at('solo', '/published'), { token: body.apiToken });
    expect(published.body.site.urls.published).toBe(url);
    expect(published.body.structure.structure[0].urls.published).toBe(url);
    expect((await server.get(at('solo', '/published?shareKey=nonsense'))).status).toBe(404);
    await ok(server.patch(at('solo', `/share-links/${links.id}`), { active: false }));
    expect(await meaning(`${url}start`)).toBe('404');
    await ok(server.patch(at('solo', `/share-links/${links.id}`), { active: true }));
    expect(await meaning(`${url}start`)).toBe(`solo1 start @ /${key}/`);
    expect((await server.delete(at('solo', `/share-links/${links.id}`))).status).toBe(205);
    expect(await meaning(`${url}start`)).toBe('404');
    await ok(server.patch(at('solo'), { visibility: 'public' }));
  });
});

describe('a site behind authentication', () => {
  let key: string;
  const url = 'https://solo.example.com/start';
  beforeAll(async () => {
    await ok(server.patch(at('solo'), { visibility: 'visitor-auth' }));
    key = (await ok(server.get(at('solo', '/publishing/auth')))).privateKey;
  });
  afterAll(() => ok(server.patch(at('solo'), { visibility: 'public' })));

  it('is 401 without a fallback URL, whoever asks', async () => {
    expect(await meaning(url)).toBe('401');
    expect(await meaning(url, { visitor: { jwtToken: 'nonsense' } })).toBe('401');
    expect(await meaning(url, { visitor: { jwtToken: 'nonsense' }, redirectOnError: true })).toBe('401');
  });

  it('sends those without a JWT to the fallback URL, with where they wanted to go', async () => {
    await ok(
      server.patch(at('solo', '/publishing/auth'), { backend: 'custom', fallbackURL: 'https://login.example/in?a=1' }),
    );
    const there = '→ https://login.example/in?a=1&location=%2Fstart';
    expect(await meaning(url)).toBe(there);
    expect((await ask(url)).body.target).toBe('external');
    expect(await meaning(url, { visitor: { jwtToken: 'nonsense' } })).toBe('401');
    expect(await meaning(url, { visitor: { jwtToken: 'nonsense' }, redirectOnError: true })).toBe(there);
  });

  it('opens to a JWT of its private key, with its claims', async () => {
    const jwtToken = await jwt(key, { plan: 'pro', unsigned: { fake: true }, sub: 'ada' });
    const { body } = await ask(url, { visitor: { jwtToken, unsignedClaims: { beta: true } } });
    const { claims } = JSON.parse(Buffer.from(body.apiToken.split('.')[1], 'base64url').toString());
    expect(claims).toEqual({ plan: 'pro', sub: 'ada', unsigned: { beta: true } });
    const got = await server.get(`/v1/urls/published?url=${encodeURIComponent(url)}&visitorAuthToken=${jwtToken}`);
    expect(got.body.pathname).toBe('start');
  });

  it.each<[string, () => Promise<string>]>([
    ['expired', () => jwt(key, {}, Math.floor(Date.now() / 1000) - 5)],
    ['of another key', () => jwt('x'.repeat(43), {})],
    ['of another site', async () => jwt((await ok(server.get(at('main', '/publishing/auth')))).privateKey, {})],
    ['of no algorithm', async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`],
    [
      'of another algorithm',
      () => new SignJWT({}).setProtectedHeader({ alg: 'HS512' }).sign(Buffer.from(key.repeat(2))),
    ],
    ['cut off', async () => (await jwt(key, {})).slice(0, -3)],
    ['a content token', async () => (await ask(`${acme}/`)).body.apiToken],
  ])('stays closed to a JWT that is %s', async (_, token) => {
    expect(await meaning(url, { visitor: { jwtToken: await token() } })).toBe('401');
  });

  it('stays closed to the key that was replaced', async () => {
    const jwtToken = await jwt(key, {});
    expect(await meaning(url, { visitor: { jwtToken } })).toBe('solo1 start @ /');
    const { privateKey } = await ok(server.post(at('solo', '/publishing/auth/regenerate')));
    expect(await meaning(url, { visitor: { jwtToken } })).toBe('401');
    expect(await meaning(url, { visitor: { jwtToken: await jwt(privateKey, {}) } })).toBe('solo1 start @ /');
  });
});

describe('a content token', () => {
  const reading = (token: string, path: string) => server.get(`/v1${path}`, { token });

  it('reads what its visitor sees, and nothing else', async () => {
    const { body } = await ask(`${acme}/start`);
    const token = body.apiToken;
    expect((await reading(token, `/spaces/${spaces.guide}`)).status).toBe(200);
    const { pages } = (await reading(token, `/spaces/${spaces.guide}/content`)).body;
    expect(pages.map(({ path }: { path: string }) => path)).not.toContain('secret');
    const all = (await server.get(`/v1/spaces/${spaces.guide}/content`)).body.pages;
    const secret = all.find(({ path }: { path: string }) => path === 'secret').id;
    expect((await reading(token, `/spaces/${spaces.guide}/content/page/${secret}`)).status).toBe(404);
    const known = (await ask(`${acme}/start`, pro)).body.apiToken;
    expect((await reading(known, `/spaces/${spaces.guide}/content/page/${secret}`)).status).toBe(200);
    expect((await reading(token, `/spaces/${spaces.guide2}`)).status).toBe(200);
    expect((await reading(token, `/spaces/${spaces.vip}`)).status).toBe(404);
    expect((await reading(known, `/spaces/${spaces.vip}`)).status).toBe(200);
    expect((await reading(token, `/spaces/${spaces.solo}`)).status).toBe(404);
    expect((await reading(token, at('solo', '/published').slice(3))).status).toBe(404);
    for (const path of [`/orgs/${organization}`, at('main').slice(3), at('main', '/share-links').slice(3), '/user'])
      expect([path, (await reading(token, path)).status]).toEqual([path, 403]);
    expect((await server.patch(at('main'), { title: 'Sneaky' }, { token })).status).toBe(403);
  });

  it('gets the site as its visitor sees it', async () => {
    const get = async (asking: Asking = {}) =>
      (await reading((await ask(`${acme}/`, asking)).body.apiToken, at('main', '/published').slice(3))).body;
    const plain = await get();
    const titles = (site: any) =>
      site.structure.structure.flatMap((each: any) => each.sections ?? each).map((each: any) => each.title);
    expect(plain).toMatchObject({ object: 'published-content-site', site: { id: idOf('main') }, scripts: [] });
    expect(titles(plain)).toEqual(['guide', 'api', 'tools']);
    expect(JSON.stringify(plain)).not.toContain('unsigned');
    expect(titles(await get(pro))).toEqual(['guide', 'api', 'vip', 'tools']);
    const whole = (await server.get(at('main', '/published'))).body;
    expect(titles(whole)).toEqual(['guide', 'api', 'vip', 'tools']);
    expect(plain.structure.structure[0].urls.published).toBe(`${acme}/`);
  });

  it('searches what its visitor sees', async () => {
    const search = async (token: string, body: object) => {
      const answer = await server.post(at('main', '/search'), body, { token });
      expect(answer.status).toBe(200);
      return answer.body.items.flatMap((each: any) => each.pages.map(({ title }: any) => title));
    };
    const [plain, known] = [(await ask(`${acme}/`)).body.apiToken, (await ask(`${acme}/`, pro)).body.apiToken];
    const all = { scope: { mode: 'all' } };
    expect(await search(plain, { query: 'begin', ...all })).toEqual(['Start']);
    expect(await search(plain, { query: 'hush', ...all })).toEqual([]);
    expect(await search(known, { query: 'hush', ...all })).toEqual(['Secret']);
    expect(await search(server.token, { query: 'hush', ...all })).toEqual(['Secret']);
    expect(await search(plain, { query: 'begin', mode: 'all' })).toEqual(['Start']);
    expect(await search(plain, { query: 'begin', mode: 'current', siteSpaceId: idOf('v2') })).toEqual(['Start']);
    expect(await search(plain, { query: 'begin', siteSpaceIds: [idOf('v2')] })).toEqual([]);
    expect(await search(plain, { query: 'begin', scope: { mode: 'default' } })).toEqual(['Start']);
    expect(await search(plain, { query: 'begin', scope: { mode: 'specific', siteSpaceIds: [idOf('v2')] } })).toEqual(
      [],
    );
    expect(await search(plain, { query: 'begin', scope: { mode: 'specific', siteSpaceIds: ['nope'] } })).toEqual([]);
    for (const body of [
      {},
      { query: 'x' },
      { query: 'x'.repeat(513), mode: 'all' },
      { query: 'x', scope: { mode: 'no' } },
    ])
      expect((await server.post(at('main', '/search'), body)).status).toBe(400);
  });

  it('that was made up, changed or is of another installation is 401', async () => {
    const { apiToken } = (await ask(`${acme}/`)).body;
    const [head, payload, signature] = apiToken.split('.');
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), spaces: [spaces.vip] }),
    ).toString('base64url');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const own = await new SignJWT({ kind: 'site' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(Buffer.from('x'.repeat(32)));
    for (const token of [`${head}.${forged}.${signature}`, `${none}.${payload}.`, own, `${head}.${payload}.`])
      expect((await reading(token, `/spaces/${spaces.guide}`)).status).toBe(401);
  });

  it('outlives a restart', async () => {
    const { apiToken } = (await ask(`${acme}/`)).body;
    server.process.kill('SIGTERM');
    await new Promise((resolve) => server.process.once('exit', resolve));
    server = await startServer({ env, dataDir: server.dataDir });
    expect((await reading(apiToken, `/spaces/${spaces.guide}`)).status).toBe(200);
    expect(await meaning(`${acme}/start`)).toBe('guide/guide1 start @ /');
  });
});

it('is of one organization: others neither see nor change how its sites are shown', async () => {
  const other = await newOrganization(server);
  const foreign = (rest: string) => `/v1/orgs/${other}/sites/${idOf('main')}${rest}`;
  for (const path of [
    '/share-links',
    '/publishing/auth',
    '/publishing/preview',
    '/redirects',
    '/adaptive-schema',
    '/published',
  ])
    expect([path, (await server.get(foreign(path))).status]).toEqual([path, 404]);
  expect((await server.post(foreign('/search'), { query: 'x', mode: 'all' })).status).toBe(404);
});
