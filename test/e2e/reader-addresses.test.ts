import { eventually } from '../../shared/testing/eventually.js';
import { ContentWriter, document, updated } from '../support/content-changes.js';
import { PublishedSites } from '../support/published-sites.js';
import { importInto, openRepositories } from '../support/repository.js';
import { mergeInto, writePages } from '../support/shown-sites.js';
import { canonicalIn, linksIn, outcomeOf, textIn, visit } from '../support/visitors.js';

const sites = new PublishedSites();
const { at, idOf, ok, spaces } = sites;
const acme = 'https://acme.docs.test';

beforeAll(async () => {
  await sites.open();
  for (const space of ['guide2', 'vip', 'tools', 'other'])
    await writePages(sites.server, spaces[space] as string, { [`Front of ${space}`]: 'In.\n', X: 'Inside.\n' });
  const repositories = await openRepositories();
  const summary = '# Summary\n\n* [Front of api](README.md)\n\n## Calls\n\n* [X](calls/x.md)\n';
  await repositories.commit('api', { 'README.md': '# Front of api\n', 'calls/x.md': '# X\n', 'SUMMARY.md': summary });
  await importInto(sites.server, spaces.api as string, { url: `${repositories.url}/api.git` });
  await repositories.close();
});
afterAll(() => sites.close());

const shown = (address: string, headers: Record<string, string> = {}) => visit(sites.server, address, { headers });
const outcome = async (address: string) => outcomeOf(await shown(address));

/** Within a second, which is how long pages may be out of date. */
const becomes = (address: string, expected: string) =>
  eventually(
    `${address}: ${expected}`,
    () => outcome(address),
    (found) => found === expected,
  );

describe('an address of a site', () => {
  it.each<[string, string]>([
    ['/', `Home @ ${acme}/`],
    ['', `Home @ ${acme}/`],
    ['/?q=1#top', `Home @ ${acme}/`],
    ['/start', `Start @ ${acme}/start`],
    ['/a/../start', `Start @ ${acme}/start`],
    ['/%2e%2e/start', `Start @ ${acme}/start`],
    ['//', '308 → /'],
    ['/start/', '308 → /start'],
    ['//start//', '308 → /start'],
    ['/Start', '308 → /start'],
    ['/Start?q=1', '308 → /start?q=1'],
    ['/Start?q=2', '308 → /start?q=2'],
    ['//evil.example/', '308 → /evil.example'],
    ['/a/b/c', '404'],
    ['/a%20b', '404'],
    ['/caf%C3%A9', '404'],
    ['/a%2Fb', '404'],
    ['/a%00b', '404'],
    ['/%zz', '404'],
    ['/v2', '308 → /v2/'],
    ['/v2/', `Front of guide2 @ ${acme}/v2/`],
    ['/V2/x', `X @ ${acme}/v2/x`],
    ['/tools', '308 → /tools/'],
    ['/tools/', `Front of tools @ ${acme}/tools/`],
    ['/TOOLS//x/', '308 → /TOOLS/x'],
    ['/api-r%C3%A9f%C3%A9rence/calls/x', `X @ ${acme}/API-R%C3%A9f%C3%A9rence/calls/x`],
    ['/guide', `308 → ${acme}/`],
    ['/guide/start?q=1', `308 → ${acme}/start?q=1`],
    ['/guide/v2/x', `308 → ${acme}/v2/x`],
    ['/main/tools/x', `308 → ${acme}/tools/x`],
    ['/vip/', '404'],
    ['/vip/?visitor.plan=pro', `Front of vip @ ${acme}/vip/`],
    ['/secret', '404'],
    ['/secret?visitor.plan=pro', `Secret @ ${acme}/secret`],
    ['/tools/v3', '404'],
    ['/~/revisions/r1', '404'],
    ['/~/changes/1/start', '404'],
    ['/~gitbook/image', '404'],
    ['/~nothing', '404'],
    ['/SOLO/start', 'Start @ https://solo.example.com/start'],
    ['/solo/only', '308 → https://solo.example.com/'],
    ['/behind/calls/x', 'X @ https://www.example.org/docs/v1/calls/x'],
    ['/v1/user', '404'],
  ])('below the host of an organization: %s is %s', async (path, expected) => {
    expect(await outcome(acme + path)).toBe(expected);
  });

  it.each<[string, string]>([
    ['https://solo.example.com/', 'Home @ https://solo.example.com/'],
    ['https://SOLO.Example.com:8443/start', 'Start @ https://solo.example.com/start'],
    ['https://solo.example.com./start', 'Start @ https://solo.example.com/start'],
    ['https://www.example.org/docs/v1/calls/x', 'X @ https://www.example.org/docs/v1/calls/x'],
    ['https://www.example.org/docs/v1', '308 → /docs/v1/'],
    ['https://www.example.org/docs', '404'],
    ['https://acme.docs.test.evil.example/', '404'],
    ['https://a.acme.docs.test/', '404'],
    ['https://docs.test/', '404'],
    ['https://nobody.docs.test/', '404'],
    ['https://bindery.test/app/sites/', '404'],
    ['https://bindery.test/app/sites/site_01ARZ3NDEKTSV4RRFFQ69G5FAV/', '404'],
    ['https://bindery.test/app/sites/:main/start', `Start @ ${acme}/start`],
    ['https://bindery.test/app/sites/:main', '308 → /app/sites/:main/'],
    ['https://bindery.test/app/sites/:main/tools/X', '308 → /app/sites/:main/tools/x'],
    ['http://127.0.0.1/app/sites/:main/start', `Start @ ${acme}/start`],
    ['http://gateway/app/sites/:main/start', `Start @ ${acme}/start`],
  ])('elsewhere: %s is %s', async (url, expected) => {
    const named = (text: string) => text.replace(':main', idOf('main'));
    expect(await outcome(named(url))).toBe(named(expected));
  });

  it('has links that stay at the host and below the path that were asked for', async () => {
    const base = `/app/sites/${idOf('main')}/`;
    for (const [address, start, within] of [
      [`${acme}/tools/x`, '/', '/tools/'],
      [`${acme}/behind/`, '/behind/', '/behind/calls/'],
      ['https://www.example.org/docs/v1/', '/docs/v1/', '/docs/v1/calls/'],
      [`https://bindery.test${base}tools/x`, base, `${base}tools/`],
      [`http://127.0.0.1:3000${base}tools/x`, base, `${base}tools/`],
    ] as const) {
      const links = linksIn(await shown(address));
      expect(links).toEqual(
        expect.arrayContaining([
          `${within}x`,
          `${start}~search`.replace('/~', within.includes('tools') ? '/tools/~' : '/~'),
        ]),
      );
      // Sections of a site with a host of its own are there.
      const elsewhere = links.filter((href) => !href.startsWith(start) && !href.startsWith('#'));
      expect(elsewhere.filter((href) => start !== base || !href.startsWith(`${acme}/`))).toEqual([]);
    }
  });

  it.each(
    [
      `${'%E2%82%AC'.repeat(220)}`,
      'a/'.repeat(1000),
      'x'.repeat(2030),
      'x'.repeat(8000),
      '%'.repeat(2000),
      '%ff%fe',
      '%ED%A0%80',
      '__proto__/constructor',
      '%0d%0aSet-Cookie:x',
      '..%2f..%2fetc/passwd',
      'eyJhbGciOiJub25lIn0.e30.',
      `~/revisions/${'x'.repeat(1000)}`,
      '~theme/x.css/../y',
      '~reader/../../package.json',
      '~reader/fonts/..%2f..%2f..%2fpackage.json',
      `?visitor.a=${'x'.repeat(6000)}&visitor.b=${'x'.repeat(3000)}`,
      `?${'visitor.__proto__.x=1&visitor.a.b.c=1&'.repeat(50)}`,
      `start?jwt_token=${'x'.repeat(7000)}`,
    ].map((path) => [path.slice(0, 50), path]),
  )('however hostile is a page, a redirect or a refusal: %s', async (_, path) => {
    const { status, headers, body } = await shown(`${acme}/${path}`);
    expect([200, 308, 400, 401, 404, 414]).toContain(status);
    expect(body).not.toContain('"dependencies"');
    if (status === 404) expect(headers['cache-control']).toBe('no-store');
  });

  it.each([
    'a b',
    '[',
    'x/../y',
    'acme.docs.test/../x',
    'acme.docs.test#',
    'u@acme.docs.test',
    '$w.docs.test',
    'xn--a.docs.test',
    'acme.docs.test:99999',
    `${'a'.repeat(300)}.docs.test`,
  ])('is at no host with the name %j', async (host) => {
    expect([400, 404]).toContain((await shown(`${acme}/start`, { host })).status);
  });
});

it.each([
  ['acme.docs.test', 200],
  ['ACME.docs.test', 200],
  ['preview.docs.test', 200],
  ['nobody.docs.test', 404],
  ['a.acme.docs.test', 404],
  ['unknown.example', 404],
  ['', 400],
  ['a b', 400],
])('a proxy that asks whether %j may have a certificate is told %d', async (domain, status) => {
  const answer = await visit(sites.server, `${sites.server.url}/~tls?domain=${encodeURIComponent(domain)}`);
  expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'no-store']);
});

describe('a page that is not there', () => {
  it('says so with pages that may be meant, and nobody keeps that', async () => {
    const answer = await shown(`${acme}/old/begin`);
    expect([answer.status, answer.headers['cache-control']]).toEqual([404, 'no-store']);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(linksIn(answer)).toEqual(expect.arrayContaining(['/start', '/tools/']));
    expect(linksIn(await shown(`${acme}/start-begin`))).toContain('/start');
    expect(answer.body).not.toContain('secret');
  });

  it('is at hosts without a site as a page, beside the API and health', async () => {
    const page = await shown('https://unknown.example/x');
    expect([page.status, page.headers['cache-control'], textIn(page, 'h1')]).toEqual([
      404,
      'no-store',
      'Page not found',
    ]);
    const user = await shown('https://unknown.example/v1/user', { authorization: `Bearer ${sites.server.token}` });
    expect([user.status, JSON.parse(user.body).object]).toEqual([200, 'user']);
    const sent = { authorization: `Bearer ${sites.server.token}`, 'content-type': 'application/json' };
    const write = (method: string, path: string, title: string) =>
      visit(sites.server, `https://unknown.example${path}`, { method, headers: sent, body: JSON.stringify({ title }) });
    const made = await write('POST', `/v1/orgs/${sites.organization}/spaces`, 'x'.repeat(50));
    expect([made.status, JSON.parse(made.body).title]).toEqual([201, 'x'.repeat(50)]);
    expect((await write('PATCH', `/v1/spaces/${JSON.parse(made.body).id}`, 'Renamed')).status).toBe(200);
    for (const path of ['/healthz', '/readyz', '/openapi.json'])
      expect([path, (await shown(`https://unknown.example${path}`)).status]).toEqual([path, 200]);
    expect((await shown(`${acme}/healthz`)).status).toBe(200);
    const own = await shown(`${acme}/v1/user`, { authorization: `Bearer ${sites.server.token}` });
    expect(own.status).toBe(404);
  });
});

describe('a page that is elsewhere now', () => {
  const redirect = (source: string, destination: object, more: object = {}) =>
    ok(sites.server.post(at('main', '/redirects'), { source, destination, ...more }));

  it('is found by the redirects of the site, for a while or for ever', async () => {
    const toTools = { kind: 'site-section', siteSectionId: idOf('tools') };
    await redirect('/old', toTools);
    await redirect('/gone/for-ever', toTools, { permanent: true });
    await redirect('/moved/*', toTools, { captureWildcard: true });
    await redirect('/caf%C3%A9', toTools);
    const base = `https://bindery.test/app/sites/${idOf('main')}`;
    for (const [address, expected] of [
      [`${acme}/old`, '307 → /tools/'],
      [`${acme}/Old`, '307 → /tools/'],
      [`${acme}/old?q=1`, '307 → /tools/?q=1'],
      [`${acme}/gone/for-ever`, '308 → /tools/'],
      [`${acme}/moved/x`, '307 → /tools/x'],
      [`${acme}/caf%C3%A9`, '307 → /tools/'],
      [`${base}/old`, `307 → ${acme}/tools/`],
      [`${acme}/older`, '404'],
    ] as const)
      expect([address, await outcome(address)]).toEqual([address, expected]);
  });

  it('is found at its former path, and so is a section and a site', async () => {
    const space = spaces.tools as string;
    const writer = await ContentWriter.on(sites.server, space);
    await writer.apply(updated(await writer.named('X'), { slug: 'y' }));
    await mergeInto(sites.server, writer);
    await becomes(`${acme}/tools/x`, '308 → /tools/y');
    await ok(sites.server.patch(at('main', `/sections/${idOf('tools')}`), { path: 'utensils' }));
    await becomes(`${acme}/tools/y`, `308 → ${acme}/utensils/y`);
    expect(await outcome(`${acme}/utensils/y`)).toBe(`X @ ${acme}/utensils/y`);
    await ok(sites.server.patch(at('main', `/sections/${idOf('tools')}`), { path: 'tools' }));
    await ok(sites.server.patch(at('behind'), { basename: 'beyond' }));
    expect(await outcome(`${acme}/beyond/calls/x`)).toBe('X @ https://www.example.org/docs/v1/calls/x');
    await ok(sites.server.patch(at('behind'), { basename: 'behind' }));
  });

  it('leads from a group to its first page', async () => {
    expect(await outcome(`${acme}/api-r%C3%A9f%C3%A9rence/calls`)).toBe('308 → /api-r%C3%A9f%C3%A9rence/calls/x');
  });
});

describe('a preview', () => {
  const preview = async (query = ''): Promise<string> =>
    (await ok(sites.server.get(at('main', `/publishing/preview${query}`)))).url;

  it('shows a site that is not published, to nobody else and to no search engine', async () => {
    await ok(sites.server.post(at('main', '/unpublish')));
    expect(await outcome(`${acme}/start`)).toBe('404');
    const start = await preview();
    const page = await shown(`${start}start`);
    expect(outcomeOf(page)).toBe(`Start @ ${start}start`);
    expect(page.headers['cache-control']).toBe('private, no-cache');
    expect(page.headers).not.toHaveProperty('access-control-allow-origin');
    expect(page.body).toContain('content="noindex, nofollow"');
    const { pathname } = new URL(start);
    expect(linksIn(page).filter((href) => !href.startsWith(pathname) && !href.startsWith('#'))).toEqual([]);
    expect(await outcome(`${start}Start`)).toBe(`308 → ${pathname}start`);
    expect(await outcome(`${start}vip/`)).toBe('404');
    const pro = await preview('?claims=(unsigned:(plan:pro))');
    expect(await outcome(`${pro}vip/`)).toBe(`Front of vip @ ${pro}vip/`);
    expect((await shown(`${start.slice(0, -3)}x/start`)).status).toBe(404);
    await ok(sites.server.post(at('main', '/publish')));
    await becomes(`${acme}/start`, `Start @ ${acme}/start`);
  });

  it('shows a change request and a revision as they are, and says that it is none that is published', async () => {
    const writer = await ContentWriter.on(sites.server, spaces.guide as string);
    const before = await writer.revision();
    await writer.apply(updated(await writer.named('Start'), document('Go on.\n')));
    const start = await preview();
    const { number } = await writer.state();
    const draft = await shown(`${start}~/changes/${number}/start`);
    expect([draft.status, draft.body.includes('Go on.'), draft.body.includes('Begin.')]).toEqual([200, true, false]);
    expect(linksIn(draft)).toContain(`${new URL(start).pathname}~/changes/${number}/`);
    const earlier = await shown(`${start}~/revisions/${before}/start`);
    expect([earlier.status, earlier.body.includes('Begin.')]).toEqual([200, true]);
    expect((await shown(`${start}start`)).body).toContain('Begin.');
    expect(await outcome(`${start}~/changes/99/start`)).toBe('404');
    await writer.apply(updated(await writer.named('Start'), document('Go on and on.\n')));
    expect((await shown(`${start}~/changes/${number}/start?again`)).body).toContain('Go on');
  });
});

describe('a share link', () => {
  afterAll(() => ok(sites.server.patch(at('solo'), { visibility: 'public' })));

  it('opens a site by its key, which stays in the address of every link', async () => {
    const link = await ok(sites.server.post(at('solo', '/share-links'), { name: 'Partners' }));
    await ok(sites.server.patch(at('solo'), { visibility: 'share-link' }));
    const { items } = await ok(sites.server.get(at('solo', '/share-links')));
    const url: string = items[0].urls.published;
    const { pathname } = new URL(url);
    expect(await outcome('https://solo.example.com/start')).toBe('404');
    for (const path of ['', 'start', '~all', '~search?q=begin', 'nothing', 'start-again']) {
      const page = await shown(url + path);
      expect(linksIn(page)).toContain(pathname + (path === 'nothing' ? '' : 'start'));
      expect(linksIn(page).filter((href) => !href.startsWith(pathname) && !href.startsWith('#'))).toEqual([]);
    }
    const page = await shown(`${url}start`);
    expect([page.headers['cache-control'], canonicalIn(page)]).toEqual(['private, no-cache', `${url}start`]);
    expect(page.body).toContain('content="noindex, nofollow"');
    expect(await outcome(`${url}Start`)).toBe(`308 → ${pathname}start`);
    await ok(sites.server.patch(at('solo', `/share-links/${link.id}`), { active: false }));
    await becomes(`${url}start`, '404');
  });
});
