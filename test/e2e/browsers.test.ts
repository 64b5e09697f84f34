import { runInNewContext } from 'node:vm';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { IdentityProvider } from '../support/identity-provider.js';
import { importInto, openRepositories } from '../support/repository.js';
import { Client, type StartedServer, startServer } from '../support/server.js';

/** Behind a proxy, below a path; nobody can reach that address here. */
const baseUrl = 'https://docs.example/bindery';
let server: StartedServer;
/** As a proxy sends requests on: with the path of the address, and without it. */
let forms: [string, Client][];
beforeAll(async () => {
  server = await startServer({
    env: {
      BASE_URL: baseUrl,
      SMTP_URL: 'smtp://127.0.0.1:1',
      LOG_REQUESTS: 'all',
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    },
  });
  forms = [
    ['/bindery', new Client(`${server.url}/bindery`, server.token)],
    ['', server],
  ];
});
afterAll(() => server.stop());

const browser = { token: null, headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const linksOf = (html: string) => [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link]) => String(link));

/** The status of what a link of a page leads to, whichever form the proxy has. */
async function follow(link: string): Promise<number> {
  expect(link).toMatch(/^\/bindery(\/|$)/);
  const path = link.replace(/#.*/, '');
  const [whole, stripped] = [await server.get(path, browser), await server.get(path.slice('/bindery'.length), browser)];
  expect([link, stripped.status]).toEqual([link, whole.status]);
  const next = whole.headers.get('location');
  return next === null ? whole.status : follow(next.split('?', 1)[0] as string);
}

describe('the first page', () => {
  it('says what this is, with links that lead somewhere without a token', async () => {
    for (const [, client] of forms) {
      const { status, headers, body } = await client.get<string>('/', browser);
      expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
        200,
        'text/html; charset=utf-8',
        expect.stringContaining('Accept'),
      ]);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(body).toMatch(/<h1>Bindery<\/h1>[\s\S]*Version \d+\.\d+\.\d+/);
      const links = linksOf(body).filter((link) => !link.startsWith('#'));
      expect(links.map((link) => link.replace('/bindery/', ''))).toEqual(
        expect.arrayContaining(['handbook', 'docs', 'openapi.json', 'readyz', 'app']),
      );
      for (const link of links) expect([link, await follow(link)]).toEqual([link, 200]);
    }
  });

  it('is JSON for programs', async () => {
    for (const accept of ['application/json', '*/*', '']) {
      const { status, body } = await server.get('/', { token: null, headers: accept ? { accept } : {} });
      expect([status, body.name, body.urls.api]).toEqual([200, 'Bindery', `${baseUrl}/v1`]);
      for (const url of Object.values(body.urls as Record<string, string>))
        expect([url, (await server.get(new URL(url).pathname, browser)).status]).toEqual([url, 200]);
    }
  });
});

describe('the handbook', () => {
  it('is there without a token: every page, and every link on it', async () => {
    const { body: first } = await server.get<string>('/handbook', browser);
    expect(first).toContain('<h1 id="bindery">Bindery</h1>');
    const seen = new Set<string>();
    const walk = async (links: string[]): Promise<void> => {
      for (const link of links.map((link) => link.replace(/#.*/, ''))) {
        if (link === '' || /^https?:/.test(link) || seen.has(link)) continue;
        seen.add(link);
        const { status, body } = await server.get<string>(link, browser);
        expect([link, status]).toEqual([link, 200]);
        expect(body.replace(/<code[\s\S]*?<\/code>/g, '')).not.toMatch(/\{%|^---/m);
        await walk(linksOf(body));
      }
    };
    await walk(linksOf(first));
    expect(seen.has('/bindery/handbook/api/compatibility')).toBe(true);
    expect(seen.has('/bindery/handbook/performance/profile.svg')).toBe(true);
    expect(seen.size).toBeGreaterThan(25);
  });

  it('marks its page in the contents, and has anchors', async () => {
    const { body } = await server.get<string>('/handbook/api/access/', browser);
    expect(body).toContain('<a href="/bindery/handbook/api/access" aria-current="page">');
    expect(body).toContain('<h2 id="who-may-do-what">');
  });

  it.each([
    '/handbook/nothing',
    '/handbook/../package.json',
    '/handbook/%2e%2e/package',
    '/handbook/SUMMARY',
    '/handbook//',
  ])('has nothing at %s', async (path) => {
    expect((await server.get(path, browser)).status).toBe(404);
  });
});

describe('the API reference', () => {
  it('comes whole, in both forms', async () => {
    for (const [, client] of forms) {
      const { body } = await client.get<string>('/docs', browser);
      expect(linksOf(body)).toHaveLength(4);
      for (const link of linksOf(body)) expect([link, await follow(link)]).toEqual([link, 200]);
    }
  });

  it('runs its own scripts and no file that somebody uploaded', async () => {
    for (const path of ['/docs', '/docs/']) {
      const { headers, body } = await server.get<string>(path, browser);
      const policy = String(headers.get('content-security-policy'));
      const allowed = /(?:^|; )script-src ([^;]+)/.exec(policy)?.[1];
      expect(allowed).toMatch(/^'nonce-[\w-]{22}'$/);
      const scripts = body.match(/<script[^>]*>/g) ?? [];
      expect(scripts.length).toBeGreaterThan(0);
      for (const script of scripts) expect(`'nonce-${/nonce="([^"]+)"/.exec(script)?.[1]}'`).toBe(allowed);
      expect(policy).toMatch(/^default-src 'none';.*base-uri 'none'/);
    }
  });

  it.each(['http://localhost:4000', 'https://docs.example'])(
    'tries out operations at %s when it was opened there',
    async (origin) => {
      const { body: script } = await server.get<string>('/docs/start.js', browser);
      const shown = new Promise<any>((resolve, reject) => {
        const fetched = async (url: string) => {
          expect(url.slice(0, origin.length)).toBe(origin);
          const answer = await server.get(url.slice(origin.length), browser);
          return { json: async () => answer.body };
        };
        const document = { getElementById: () => reject(new Error('the page shows an error')) };
        runInNewContext(script, { location: { origin }, fetch: fetched, document, SwaggerUIBundle: resolve });
      });
      const { spec } = await shown;
      expect(spec.servers).toEqual([{ url: `${origin}/bindery/v1` }]);
      expect(Object.keys(spec.paths)).toContain('/user');
      expect((await server.get(`${new URL(spec.servers[0].url).pathname}/user`)).status).toBe(200);
    },
  );

  it('names the public address in the document for programs', async () => {
    expect((await server.get('/openapi.json', browser)).body.servers).toEqual([{ url: `${baseUrl}/v1` }]);
  });
});

describe('below the path of the public address', () => {
  /** Without what is random in a page. */
  const steady = (body: unknown) => (typeof body === 'string' ? body.replace(/ nonce="[^"]+"/g, '') : body);

  it('every form of a request is answered the same', async () => {
    const headers = { 'x-request-id': 'same' };
    for (const path of ['/v1/user', '/v1', '/healthz', '/v1/nothing', '/sign-in', '/unsubscribe', '/saml/none/start']) {
      const [whole, stripped] = await Promise.all(forms.map(([, client]) => client.get(path, { headers })));
      expect([path, whole?.status, steady(whole?.body)]).toEqual([path, stripped?.status, steady(stripped?.body)]);
    }
    const [root] = await Promise.all(['/bindery', '/bindery?a=1'].map((path) => server.get(path)));
    expect(root?.body.name).toBe('Bindery');
    expect((await server.get('/binderyx/v1/user')).status).toBe(404);
  });

  it('the app finds what it needs', async () => {
    for (const [path, client] of forms) {
      const { body } = await client.get<string>('/app/sign-in', browser);
      for (const link of linksOf(body)) {
        const { pathname } = new URL(link, `http://host${path}/app/sign-in`);
        expect([link, await follow(pathname.startsWith('/bindery') ? pathname : `/bindery${pathname}`)]).toEqual([
          link,
          200,
        ]);
      }
    }
  });

  it('addresses in answers lead back', async () => {
    const organization = await newOrganization(server);
    const space = await newSpace(server, organization);
    const repositories = await openRepositories();
    await repositories.commit('below', { 'README.md': '# Home\n\n![a](a.png)\n', 'a.png': 'an image' });
    await importInto(server, space, { url: `${repositories.url}/below.git` });
    await repositories.close();
    const { body: files } = await server.get(`/v1/spaces/${space}/content/files`);
    const { body: shown } = await server.get(`/v1/spaces/${space}`);
    const { body: provider } = await server.post(`/v1/orgs/${organization}/saml`, { label: 'Below' });
    const { service } = provider;
    const addresses: string[] = [
      files.items[0].downloadURL,
      shown.urls.location,
      provider.urls.location,
      service.metadataURL,
    ];
    for (const address of addresses) {
      expect(address.slice(0, baseUrl.length + 1)).toBe(`${baseUrl}/`);
      for (const path of [address.slice('https://docs.example'.length), address.slice(baseUrl.length)])
        expect([path, (await server.get(path)).status]).toEqual([path, 200]);
    }
    const site = (await server.post(`/v1/orgs/${organization}/sites`, { title: 'Below', spaces: [space] })).body;
    await server.post(`/v1/orgs/${organization}/sites/${site.id}/publish`);
    const { body: published } = await server.get(`/v1/orgs/${organization}/sites/${site.id}`);
    expect(published.urls.published).toBe(`${baseUrl}/sites/${site.id}/`);
    const found = await server.post('/v1/urls/published', { url: published.urls.published });
    expect([found.status, found.body.space]).toEqual([200, space]);
  });
});

it('a sign-in by SAML gives the browser a cookie for this host, which comes back from the identity provider over https alone', async () => {
  const organization = await newOrganization(server);
  const { entityID, ssoURL, certificate } = new IdentityProvider().settings;
  const { body } = await server.post(`/v1/orgs/${organization}/saml`, { label: 'A', entityID, ssoURL, certificate });
  const { status, headers } = await server.get(`/saml/${body.id}/start`, browser);
  expect(status).toBe(302);
  expect(headers.get('set-cookie')).toMatch(
    /^__Host-saml=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=None$/,
  );
});

describe('LOG_REQUESTS=all', () => {
  const lineOf = async (requestId: string) => JSON.parse(await server.said(new RegExp(`"${requestId}"`)));

  it('tells method, path, status, client and user, and no secret', async () => {
    const { id } = (await server.get('/v1/user')).body;
    const ask = (method: string, path: string, requestId: string, token: string | null = server.token) =>
      server.request(method, path, undefined, { token, headers: { 'x-request-id': requestId } });
    await ask('GET', '/v1/orgs?limit=0', 'log-1');
    expect(await lineOf('log-1')).toMatchObject({
      msg: 'request',
      method: 'GET',
      path: '/v1/orgs',
      operation: 'listOrganizationsForAuthenticatedUser',
      status: 200,
      ms: expect.any(Number),
      address: '127.0.0.1',
      caller: 'user',
      user: id,
    });
    await ask('POST', '/bindery/v1/sign-in/secret-code', 'log-2', null);
    expect(await lineOf('log-2')).toMatchObject({ path: '/v1/sign-in/{code}', caller: 'anonymous' });
    await ask('GET', '/v1/nothing', 'log-3');
    expect(await lineOf('log-3')).toMatchObject({ path: '/v1/nothing', status: 404 });
    expect(server.output()).not.toMatch(/secret-code|limit=0/);
  });
});
