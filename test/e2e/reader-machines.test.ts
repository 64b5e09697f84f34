import { eventually } from '../../shared/testing/eventually.js';
import { newSpace, shared } from '../support/fixtures.js';
import { TrackedSite } from '../support/insights/tracked-site.js';
import { type ShownSite, shownSite, writePages } from '../support/shown-sites.js';
import { linksIn, outcomeOf, visit } from '../support/visitors.js';

const admin = shared();
let made: ShownSite;
let base: string;

const updates = `{% updates %}
{% update date="2026-02-01" %}
## Faster

Much [faster](/start).
{% endupdate %}
{% update date="2026-01-01" %}
## Better

Text.
{% endupdate %}
{% endupdates %}
`;

beforeAll(async () => {
  made = await shownSite(admin, {
    Home: 'Welcome.\n',
    Start: {
      document: { markdown: 'Begin the *journey*.\n\n## Nächster Schritt\n\nUnder way.\n' },
      description: 'How to begin',
    },
    News: updates,
    Unlisted: { document: { markdown: 'Not for robots.\n' }, noRobotsIndex: true },
  });
  const second = await newSpace(admin, made.organization, { title: 'Reference' });
  await writePages(admin, second, { Reference: 'Calls of the journey.\n', 東京: '東京都の天気予報です。\n' });
  const { id } = await made.site.section(second, 'Reference');
  await made.site.ok('PATCH', `/sections/${id}`, { path: 'reference' });
  base = new URL(made.start).pathname;
  await eventually(
    'the sections',
    () => visit(admin, `${made.start}start`),
    (page) => linksIn(page).includes(`${base}reference/`),
  );
});

const shown = (path: string, options: Parameters<typeof visit>[2] = {}) => visit(admin, made.start + path, options);
const text = async (path: string) => {
  const { status, headers, body } = await shown(path);
  return { status, type: headers['content-type'], body };
};
const post = (path: string, type: string, body: string, headers: Record<string, string> = {}) =>
  shown(path, { method: 'POST', headers: { 'content-type': type, ...headers }, body });

describe('for programs', () => {
  it('a page is Markdown, beside its address', async () => {
    const page = await shown('start.md');
    expect(page.headers).toMatchObject({ 'content-type': 'text/markdown; charset=utf-8' });
    expect(page.body).toMatch(/^# Start\n/);
    expect(page.body).toContain('Begin the *journey*.');
    expect(page.headers.link).toContain(`<${made.start}start>; rel="canonical"`);
    for (const [path, words] of [
      ['index.md', 'Welcome.'],
      ['reference/index.md', 'Calls of'],
      ['reference/dong-jing.md', '天気'],
    ] as const)
      expect([path, (await text(path)).body]).toEqual([path, expect.stringContaining(words)]);
    expect((await text('nothing.md')).status).toBe(404);
  });

  it('llms.txt lists the pages of the site, and llms-full.txt has them', async () => {
    const list = await text('llms.txt');
    expect([list.status, list.type]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(list.body).toMatch(/^# Docs\n/);
    expect(list.body).toContain(`[Start](${made.start}start.md): How to begin`);
    expect(list.body).toContain(`](${made.start}reference/index.md)`);
    const full = await text('llms-full.txt');
    for (const words of ['Welcome.', 'Begin the *journey*.', 'Calls of the journey.', '天気予報'])
      expect(full.body).toContain(words);
    const part = await text('llms-full.txt/4');
    expect([part.body.includes('Welcome.'), part.body.includes('Calls of the journey.')]).toEqual([false, true]);
    expect((await text('llms-full.txt/99')).status).toBe(404);
    expect((await text('reference/llms.txt')).body).not.toContain('start.md');
  });

  it('sitemaps name the pages of each part that robots may read', async () => {
    const index = await text('sitemap.xml');
    expect(index.type).toBe('application/xml; charset=utf-8');
    const parts = [...index.body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, at = '']) => at);
    expect(parts).toEqual([`${made.start}sitemap-pages.xml`, `${made.start}reference/sitemap-pages.xml`]);
    const pages = await Promise.all(parts.map(async (at) => (await visit(admin, at)).body));
    expect(pages[0]).toContain(`<loc>${made.start}start</loc>`);
    expect(pages[0]).not.toContain('unlisted');
    expect(pages[1]).toContain(`<loc>${made.start}reference/dong-jing</loc>`);
    for (const page of pages)
      for (const [, at = ''] of page.matchAll(/<loc>([^<]+)<\/loc>/g))
        expect([at, (await visit(admin, at)).status]).toEqual([at, 200]);
  });

  it('robots.txt lets robots in by the visibility of the site', async () => {
    expect((await text('robots.txt')).body).toMatch(/Allow: \/\n[\s\S]*Sitemap: /);
    expect((await shown('unlisted')).body).toContain('content="noindex, nofollow"');
    expect((await shown('start')).body).not.toContain('noindex');
    const become = (path: string, words: string) =>
      eventually(
        `${words} in ${path}`,
        () => text(path),
        ({ body }) => body.includes(words),
      );
    await made.site.ok('PATCH', '', { visibility: 'unlisted' });
    await become('robots.txt', 'Disallow: /\n');
    await become('start', 'content="noindex, nofollow"');
    await made.site.ok('PATCH', '', { visibility: 'public' });
    await become('robots.txt', 'Sitemap: ');
  });

  it('updates of a page are a feed, with addresses that lead somewhere', async () => {
    const feed = await text('news/rss.xml');
    expect([feed.status, feed.type]).toEqual([200, 'application/rss+xml; charset=utf-8']);
    expect([...feed.body.matchAll(/<item>/g)].length).toBe(2);
    expect(feed.body).toContain(`${made.start}start`);
    expect((await shown('news')).body).toContain(`href="${base}news/rss.xml"`);
    for (const [, link = ''] of feed.body.matchAll(/<link>([^<]+)<\/link>/g))
      expect([link, (await visit(admin, link)).status]).toEqual([link, 200]);
  });
});

describe('the MCP server', () => {
  const call = async (path: string, method: string, params: object = {}) => {
    const { status, body } = await post(
      path,
      'application/json',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    );
    return { status, ...JSON.parse(body) };
  };

  it.each(['~mcp', '~gitbook/mcp'])('at %s says what it has, searches and reads', async (path) => {
    const about = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    expect(await call(path, 'initialize', about)).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
    const { result } = await call(path, 'tools/list');
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(['searchDocumentation', 'getPage']);
    const ask = async (name: string, args: object) =>
      JSON.stringify((await call(path, 'tools/call', { name, arguments: args })).result);
    const found = await ask('searchDocumentation', { query: 'journey' });
    expect([found.includes(`${made.start}start`), found.includes(`${made.start}reference/`)]).toEqual([true, true]);
    for (const args of [{ path: 'start' }, { url: `${made.start}start` }, { path: '/start' }])
      expect([args, await ask('getPage', args)]).toEqual([args, expect.stringContaining('Begin the *journey*.')]);
    expect(await ask('getPage', { path: 'reference/dong-jing' })).toContain('天気予報');
    expect(await ask('getPage', { url: 'https://evil.example/start' })).not.toContain('Begin');
    const listed = (await call(path, 'resources/list')).result.resources;
    expect(listed.map(({ uri }: { uri: string }) => uri)).toContain(`${made.start}start`);
  });

  it('answers pages of other origins, which ask first', async () => {
    const origin = 'https://app.example';
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
    const preflight = await shown('~mcp', { method: 'OPTIONS', headers: asked });
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(preflight.headers['access-control-allow-methods']).toContain('POST');
    expect(preflight.headers['access-control-allow-headers']).toMatch(/content-type/i);
    expect((await post('~mcp', 'application/json', '{', { origin })).status).toBe(400);
    expect((await post('~mcp', 'text/plain', '{}')).status).toBe(415);
  });
});

describe('a search', () => {
  const search = async (query: string) => {
    const { headers, body } = await shown(`~search?${query}`, { headers: { accept: 'application/json' } });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    return JSON.parse(body).results.map(({ href }: { href: string }) => decodeURI(href));
  };

  it('finds pages of all sections at their own addresses, or of this section only', async () => {
    expect((await search('q=journey')).toSorted()).toEqual([`${base}reference/reference`, `${base}start`]);
    expect(await search('q=journey&scope=section')).toEqual([`${base}start`]);
    expect(await search(`q=${encodeURIComponent('天気予報')}`)).toEqual([`${base}reference/dong-jing`]);
    expect(await search('q=')).toEqual([]);
    expect(await search(`q=${'x'.repeat(3000)}`)).toEqual([]);
  });

  it('is a page without scripts, which says what it was about and runs nothing', async () => {
    const page = await shown('~search?q=journey');
    expect(linksIn(page)).toEqual(expect.arrayContaining([`${base}start`, `${base}reference/reference`]));
    const hostile = await shown(`~search?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect([hostile.status, hostile.body.includes('<script>alert')]).toEqual([200, false]);
    expect((await shown('~search')).status).toBe(200);
  });
});

describe('what readers do', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
  const report = (path: string, body: object, headers: Record<string, string> = {}) =>
    post(path, 'application/json', JSON.stringify(body), { 'user-agent': chrome, ...headers });
  const rows = async (type: string) => {
    const site = new TrackedSite(admin, made.organization, made.site.id);
    return site.count({ where: [{ column: 'eventType', values: [type] }] });
  };

  it('is counted, unless their browser asks for no tracking or another host sends it', async () => {
    const view = { type: 'page_view', page: made.pages[1], path: `${base}start` };
    const before = await rows('page_view');
    expect((await report('~insights', view)).status).toBe(204);
    const refused: Record<string, string>[] = [{ dnt: '1' }, { 'sec-gpc': '1' }];
    for (const headers of refused) expect((await report('~insights', view, headers)).status).toBe(204);
    const foreign: Record<string, string>[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }];
    for (const headers of foreign) expect((await report('~insights', view, headers)).status).toBe(404);
    await eventually(
      'one view more',
      () => rows('page_view'),
      (count) => count === before + 1,
    );
    for (const body of ['{', '{}', '{"type":"x"}', `{"type":"page_view","page":"${'x'.repeat(200)}"}`])
      expect([body, (await post('~insights', 'application/json', body)).status]).toEqual([body, 400]);
    expect((await shown('start')).headers).not.toHaveProperty('set-cookie');
  });

  it('may be a rating, whose form leads back to its page', async () => {
    const form = 'application/x-www-form-urlencoded';
    const rate = (body: string, headers: Record<string, string> = {}) => post('~feedback', form, body, headers);
    const referer = `${made.start}start?a=b`;
    expect(outcomeOf(await rate(`page=${made.pages[1]}&rating=good`, { referer }))).toBe(`303 → ${base}start?a=b`);
    expect(outcomeOf(await rate('rating=bad', { referer: 'https://evil.example/x' }))).toBe(`303 → ${base}`);
    const json = { referer, accept: 'application/json' };
    expect((await rate(`rating=ok&comment=${encodeURIComponent('Very good.')}`, json)).status).toBe(204);
    expect((await rate('rating=best')).status).toBe(400);
    expect((await rate('rating=good', { 'sec-fetch-site': 'cross-site' })).status).toBe(404);
  });
});
