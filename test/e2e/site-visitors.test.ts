import { SignJWT } from 'jose';
import { type Asking, PublishedSites } from '../support/published-sites.js';

const sites = new PublishedSites();
const { ask, at, idOf, meaning, ok, spaces } = sites;
beforeAll(() => sites.open());
afterAll(() => sites.close());

const acme = 'https://acme.docs.test';
const pro = { visitor: { unsignedClaims: { plan: 'pro' } } };

const jwt = (key: string, claims: Record<string, unknown>, expires: number | string = '1h') =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(expires).sign(Buffer.from(key));

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
      ok(sites.server.patch(at('main', `/${kind}/${idOf(name)}`), { condition }));
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
        sites.server.put(at('main', '/adaptive-schema'), {
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
    const links = await ok(sites.server.post(at('solo', '/share-links'), { name: 'Partners' }));
    await ok(sites.server.patch(at('solo'), { visibility: 'share-link' }));
    const { url, key } = await ok(sites.server.get(at('solo', '/share-links'))).then(({ items }) => {
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
    const published = await sites.server.get(at('solo', '/published'), { token: body.apiToken });
    expect(published.body.site.urls.published).toBe(url);
    expect(published.body.structure.structure[0].urls.published).toBe(url);
    expect((await sites.server.get(at('solo', '/published?shareKey=nonsense'))).status).toBe(404);
    await ok(sites.server.patch(at('solo', `/share-links/${links.id}`), { active: false }));
    expect(await meaning(`${url}start`)).toBe('404');
    await ok(sites.server.patch(at('solo', `/share-links/${links.id}`), { active: true }));
    expect(await meaning(`${url}start`)).toBe(`solo1 start @ /${key}/`);
    expect((await sites.server.delete(at('solo', `/share-links/${links.id}`))).status).toBe(205);
    expect(await meaning(`${url}start`)).toBe('404');
    await ok(sites.server.patch(at('solo'), { visibility: 'public' }));
  });
});

describe('a site behind authentication', () => {
  let key: string;
  const url = 'https://solo.example.com/start';
  beforeAll(async () => {
    await ok(sites.server.patch(at('solo'), { visibility: 'visitor-auth' }));
    key = (await ok(sites.server.get(at('solo', '/publishing/auth')))).privateKey;
  });
  afterAll(() => ok(sites.server.patch(at('solo'), { visibility: 'public' })));

  it('is 401 without a fallback URL, whoever asks', async () => {
    expect(await meaning(url)).toBe('401');
    expect(await meaning(url, { visitor: { jwtToken: 'nonsense' } })).toBe('401');
    expect(await meaning(url, { visitor: { jwtToken: 'nonsense' }, redirectOnError: true })).toBe('401');
  });

  it('sends those without a JWT to the fallback URL, with where they wanted to go', async () => {
    await ok(
      sites.server.patch(at('solo', '/publishing/auth'), {
        backend: 'custom',
        fallbackURL: 'https://login.example/in?a=1',
      }),
    );
    const there = '→ https://login.example/in?a=1&location=%2Fstart';
    expect(await meaning(url)).toBe(there);
    const { body, headers } = await ask(url);
    const { id } = (await ok(sites.server.get(at('solo')))) as { id: string };
    expect(body).toMatchObject({ target: 'external', site: id });
    expect(headers.get('x-gitbook-cache-tag')).toBe(`url:solo.example.com,site:${id}`);
    expect(await meaning(url, { visitor: { jwtToken: 'nonsense' } })).toBe('401');
    expect(await meaning(url, { visitor: { jwtToken: 'nonsense' }, redirectOnError: true })).toBe(there);
  });

  it('opens to a JWT of its private key, with its claims', async () => {
    const jwtToken = await jwt(key, { plan: 'pro', unsigned: { fake: true }, sub: 'ada' });
    const { body } = await ask(url, { visitor: { jwtToken, unsignedClaims: { beta: true } } });
    const { claims } = JSON.parse(Buffer.from(body.apiToken.split('.')[1], 'base64url').toString());
    expect(claims).toEqual({ plan: 'pro', sub: 'ada', unsigned: { beta: true } });
    const got = await sites.server.get(
      `/v1/urls/published?url=${encodeURIComponent(url)}&visitorAuthToken=${jwtToken}`,
    );
    expect(got.body.pathname).toBe('start');
  });

  it.each<[string, () => Promise<string>]>([
    ['expired', () => jwt(key, {}, Math.floor(Date.now() / 1000) - 5)],
    ['of another key', () => jwt('x'.repeat(43), {})],
    ['of another site', async () => jwt((await ok(sites.server.get(at('main', '/publishing/auth')))).privateKey, {})],
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
    const { privateKey } = await ok(sites.server.post(at('solo', '/publishing/auth/regenerate')));
    expect(await meaning(url, { visitor: { jwtToken } })).toBe('401');
    expect(await meaning(url, { visitor: { jwtToken: await jwt(privateKey, {}) } })).toBe('solo1 start @ /');
  });
});

describe('a content token', () => {
  const reading = (token: string, path: string) => sites.server.get(`/v1${path}`, { token });

  it('reads what its visitor sees, and nothing else', async () => {
    const { body } = await ask(`${acme}/start`);
    const token = body.apiToken;
    expect((await reading(token, `/spaces/${spaces.guide}`)).status).toBe(200);
    const { pages } = (await reading(token, `/spaces/${spaces.guide}/content`)).body;
    expect(pages.map(({ path }: { path: string }) => path)).not.toContain('secret');
    const all = (await sites.server.get(`/v1/spaces/${spaces.guide}/content`)).body.pages;
    const secret = all.find(({ path }: { path: string }) => path === 'secret').id;
    expect((await reading(token, `/spaces/${spaces.guide}/content/page/${secret}`)).status).toBe(404);
    const known = (await ask(`${acme}/start`, pro)).body.apiToken;
    expect((await reading(known, `/spaces/${spaces.guide}/content/page/${secret}`)).status).toBe(200);
    expect((await reading(token, `/spaces/${spaces.guide2}`)).status).toBe(200);
    expect((await reading(token, `/spaces/${spaces.vip}`)).status).toBe(404);
    expect((await reading(known, `/spaces/${spaces.vip}`)).status).toBe(200);
    expect((await reading(token, `/spaces/${spaces.solo}`)).status).toBe(404);
    expect((await reading(token, at('solo', '/published').slice(3))).status).toBe(404);
    for (const path of [
      `/orgs/${sites.organization}`,
      at('main').slice(3),
      at('main', '/share-links').slice(3),
      '/user',
    ])
      expect([path, (await reading(token, path)).status]).toEqual([path, 403]);
    expect((await sites.server.patch(at('main'), { title: 'Sneaky' }, { token })).status).toBe(403);
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
    const whole = (await sites.server.get(at('main', '/published'))).body;
    expect(titles(whole)).toEqual(['guide', 'api', 'vip', 'tools']);
    expect(plain.structure.structure[0].urls.published).toBe(`${acme}/`);
  });

  it('searches what its visitor sees', async () => {
    const search = async (token: string, body: object) => {
      const answer = await sites.server.post(at('main', '/search'), body, { token });
      expect(answer.status).toBe(200);
      return answer.body.items.flatMap((each: any) => each.pages.map(({ title }: any) => title));
    };
    const [plain, known] = [(await ask(`${acme}/`)).body.apiToken, (await ask(`${acme}/`, pro)).body.apiToken];
    const all = { scope: { mode: 'all' } };
    expect(await search(plain, { query: 'begin', ...all })).toEqual(['Start']);
    expect(await search(plain, { query: 'hush', ...all })).toEqual([]);
    expect(await search(known, { query: 'hush', ...all })).toEqual(['Secret']);
    expect(await search(sites.server.token, { query: 'hush', ...all })).toEqual(['Secret']);
    expect(await search(plain, { query: 'begin', mode: 'all' })).toEqual(['Start']);
    expect(await search(plain, { query: 'begin', mode: 'current', siteSpaceId: idOf('v2') })).toEqual(['Start']);
    expect(await search(plain, { query: 'begin', siteSpaceIds: [idOf('v2')] })).toEqual([]);
    expect(await search(plain, { query: 'begin', scope: { mode: 'default' } })).toEqual(['Start']);
    expect(await search(plain, { query: 'begin', scope: { mode: 'specific', siteSpaceIds: [idOf('v2')] } })).toEqual(
      [],
    );
    expect(await search(plain, { query: 'begin', scope: { mode: 'specific', siteSpaceIds: ['nope'] } })).toEqual([]);
    const prewarm = async (token: string | null) =>
      (await sites.server.post(at('main', '/search/prewarm'), undefined, { token })).status;
    expect([await prewarm(plain), await prewarm(sites.server.token), await prewarm(null)]).toEqual([204, 204, 401]);
    for (const body of [
      {},
      { query: 'x' },
      { query: 'x'.repeat(513), mode: 'all' },
      { query: 'x', scope: { mode: 'no' } },
    ])
      expect((await sites.server.post(at('main', '/search'), body)).status).toBe(400);
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
    await sites.restart();
    expect((await reading(apiToken, `/spaces/${spaces.guide}`)).status).toBe(200);
    expect(await meaning(`${acme}/start`)).toBe('guide/guide1 start @ /');
  });
});
