import { once } from 'node:events';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { eventually } from '../../shared/testing/eventually.js';
import { publishSpec } from '../support/computed.js';
import { base64, files } from '../support/content-changes.js';
import { newSpace, shared } from '../support/fixtures.js';
import { addScript } from '../support/integrations.js';
import { changePages, type ShownSite, shownSite, writePages } from '../support/shown-sites.js';
import { newSite } from '../support/site.js';
import { type Shown, textIn, visit } from '../support/visitors.js';

const admin = shared();
let made: ShownSite;
const shown = (path: string, options: Parameters<typeof visit>[2] = {}) => visit(admin, made.start + path, options);

beforeAll(async () => {
  made = await shownSite(admin, {
    Home: 'Welcome.\n',
    Start: `Begin <script>alert(1)</script> ${'and go on '.repeat(500)}\n\n[js](javascript:alert(1))\n`,
  });
});

describe('an answer', () => {
  it('is not sent again to a browser that has it', async () => {
    for (const path of ['start', 'start.md', 'llms.txt', 'llms-full.txt', 'sitemap.xml', 'sitemap-pages.xml', '~all']) {
      const { status, headers } = await shown(path);
      const { etag = '' } = headers;
      expect([path, status, etag]).toEqual([path, 200, expect.stringMatching(/^W\/"[\w-]+"$/)]);
      const again = await shown(path, { headers: { 'if-none-match': `"other", ${etag}` } });
      expect([path, again.status, again.body, again.headers.etag]).toEqual([path, 304, '', etag]);
      expect(again.headers['cache-control']).toBe(headers['cache-control']);
      expect((await shown(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    }
  });

  it('has headers only for HEAD', async () => {
    for (const path of ['start', 'start.md', 'nothing', 'Start', '~search?q=begin']) {
      const [got, head] = [await shown(path), await shown(path, { method: 'HEAD' })];
      expect([path, head.status, head.body]).toEqual([path, got.status, '']);
      for (const name of ['content-type', 'cache-control', 'location', 'etag', 'content-security-policy'])
        expect([path, name, head.headers[name]]).toEqual([path, name, got.headers[name]]);
    }
  });

  it('is compressed as the browser wants it, and the same', async () => {
    const plain = await shown('start');
    expect(plain.headers.vary).toContain('Accept-Encoding');
    for (const [coding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { hostname, port, pathname } = new URL(`${made.start}start`);
      const asked = request({ hostname, port, path: pathname, headers: { 'accept-encoding': coding } }).end();
      const [answer] = await once(asked, 'response');
      const body = await buffer(answer);
      expect([answer.headers['content-encoding'], answer.headers.etag]).toEqual([coding, plain.headers.etag]);
      expect(decode(body).toString()).toBe(plain.body);
      expect(body.length).toBeLessThan(plain.body.length / 2);
    }
  });

  it.each<[method: string, path: string, allow: string]>([
    ['POST', 'start', 'GET, HEAD'],
    ['POST', '', 'GET, HEAD'],
    ['POST', 'llms.txt', 'GET, HEAD'],
    ['POST', '~search', 'GET, HEAD'],
    ['OPTIONS', 'start', 'GET, HEAD'],
    ['PUT', 'start', 'GET, HEAD, POST'],
    ['DELETE', 'start', 'GET, HEAD, POST'],
    ['GET', '~feedback', 'POST'],
    ['GET', '~insights', 'POST'],
    ['GET', '~mcp', 'POST, OPTIONS'],
  ])('to %s of %j is 405 with what is allowed: %s', async (method, path, allow) => {
    const { status, headers } = await shown(path, { method, ...(method === 'POST' ? { body: 'a=b' } : {}) });
    expect([status, headers.allow]).toEqual([405, allow]);
  });

  it('to an address that is too long is 404, and to a query that is 414', async () => {
    expect((await shown('x'.repeat(3000))).status).toBe(404);
    expect((await shown(`start?q=${'x'.repeat(9000)}`)).status).toBe(414);
  });

  it('to a body that is too long is 413', async () => {
    const { status } = await shown('~feedback', { method: 'POST', body: `comment=${'x'.repeat(70_000)}` });
    expect(status).toBe(413);
  });

  it('has the headers of a strict page, also where it says that there is none', async () => {
    for (const path of ['start', 'nothing', '~search?q=begin', '~all', '~print']) {
      const { headers, body } = await shown(path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toMatch(/^default-src 'none'; script-src \S+\/~reader\/ 'sha256-\S+';/);
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy.replace("style-src 'self'", '')).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(body).not.toMatch(/<[^>]* style=|<[^>]* on\w+=|javascript:|<script>alert/);
    }
  });

  it('of files that pages load is kept for ever, and their names change with them', async () => {
    const { body } = await shown('start');
    const assets = [...body.matchAll(/(?:href|src)="([^"]*(?:~reader|~theme)\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(assets.length).toBeGreaterThanOrEqual(4);
    for (const path of assets) {
      const { status, headers } = await visit(admin, admin.url + path);
      const forEver = path.includes('favicon') ? /^public/ : /^public, max-age=31536000, immutable$/;
      expect([path, status, headers['cache-control']]).toEqual([path, 200, expect.stringMatching(forEver)]);
    }
    for (const path of ['/~reader/reader-00000000.css', '/~reader/', '/~reader/fonts/x.woff2'])
      expect([path, (await visit(admin, admin.url + path)).status]).toEqual([path, 404]);
  });
});

describe('many documents for printing at once', () => {
  it('of one site are made in turn, and more are asked to come again; its pages are shown meanwhile', async () => {
    const titles = Array.from({ length: 50 }, (_, at) => `Page ${at}`);
    const many = await shownSite(admin, Object.fromEntries(titles.map((title) => [title, 'Some text.\n'.repeat(50)])));
    const documents = Array.from({ length: 16 }, () => visit(admin, `${many.start}~print`));
    const page = await visit(admin, `${many.start}page-7`);
    const answers = await Promise.all(documents);
    expect(page.status).toBe(200);
    const made = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 503);
    expect(made.length + refused.length).toBe(16);
    for (const { body } of made) expect(titles.filter((title) => !body.includes(`>${title}<`))).toEqual([]);
    // One is being made and three wait before anything is refused.
    expect(made.length).toBeGreaterThanOrEqual(4);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await visit(admin, `${many.start}~print`)).status).toBe(200);
  });
});

it('a page of several specifications has each id once', async () => {
  const responses = { 200: { description: 'Fine' } };
  const of = (title: string) => ({
    openapi: '3.1.0',
    info: { title, version: '1' },
    paths: { '/same': { get: { summary: title, responses } } },
  });
  const { organization } = made;
  for (const slug of ['one', 'two']) await publishSpec(admin, { organization, slug }, of(slug));
  const block = (spec: string) =>
    `{% openapi-operation spec="${spec}" path="/same" method="get" %}\n{% endopenapi-operation %}\n`;
  const space = await newSpace(admin, organization, { title: 'APIs' });
  await writePages(admin, space, { Calls: `${block('one')}\n${block('two')}` });
  const site = await newSite(organization, { title: 'APIs', spaces: [space] }, admin);
  await site.ok('POST', '/publish');
  const { body } = await visit(admin, `${admin.url}/sites/${site.id}/`);
  const all = (pattern: RegExp) => [...body.matchAll(pattern)].map(([, value]) => value);
  expect(all(/<h2 id="[^"]*">([^<]*)</g)).toEqual(expect.arrayContaining(['one', 'two']));
  const ids = all(/ id="([^"]*)"/g);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(new Set(all(/<input type="radio" class="tab-input" name="([^"]*)"/g)).size).toBe(2);
});

describe('what is uploaded', () => {
  it('is no page and no script of the site, though it has its origin', async () => {
    const content = {
      'x.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'x.html': '<script>alert(1)</script>',
      'x.js': 'alert(1)',
    };
    const types = { 'x.svg': 'image/svg+xml', 'x.html': 'text/html', 'x.js': 'text/javascript' };
    const given = Object.entries(content).map(([name, text]) => ({
      name,
      base64: base64(text),
      contentType: types[name as keyof typeof types],
    }));
    await changePages(admin, made.space, files(...given));
    const { body } = await admin.get(`/v1/spaces/${made.space}/content/files`);
    expect(body.items.length).toBe(3);
    const policy = String((await shown('start')).headers['content-security-policy']);
    const [, scripts = ''] = /script-src (\S+)/.exec(policy) ?? [];
    for (const { downloadURL } of body.items) {
      const { pathname, search, origin } = new URL(downloadURL);
      const file = await visit(admin, admin.url + pathname + search);
      expect([file.status, file.headers['x-content-type-options']]).toEqual([200, 'nosniff']);
      expect(file.headers['content-security-policy']).toMatch(/sandbox/);
      expect(`${origin}${pathname}`.startsWith(scripts)).toBe(false);
    }
  });
});

describe('the script of an integration', () => {
  it('is on pages of a host name of the site alone, and only there the policy names its address', async () => {
    const host = `docs.scripts-${process.pid}-${Date.now()}.example`;
    const script = await addScript(admin, made, host);
    const { origin } = new URL(script);
    const isThere = ({ body, headers }: Shown) => [
      body.includes(`src="${script}`),
      String(headers['content-security-policy'])
        .split('; ')
        .some((each) => each.startsWith('script-src') && each.split(' ').includes(origin)),
    ];
    const own = await eventually(
      'the script',
      () => visit(admin, `http://${host}/start`),
      (page) => isThere(page)[0] === true,
    );
    expect([textIn(own, 'h1'), isThere(own)]).toEqual(['Start', [true, true]]);
    expect(isThere(await shown('start'))).toEqual([false, false]);
    expect(isThere(await visit(admin, `http://${host}/nothing`))).toEqual([false, false]);
  });
});

it('a page is one, however many queries it is asked with', async () => {
  // Of a site that nothing changes.
  const { start } = await shownSite(admin, { Home: 'Welcome.\n' });
  const before = await visit(admin, start);
  const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => visit(admin, `${start}?q=${at}`)));
  expect(new Set(answers.map(({ headers }) => headers.etag))).toEqual(new Set([before.headers.etag]));
});
