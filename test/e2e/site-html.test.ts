import { posix } from 'node:path';
import { unzip } from '../support/archive.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { PublishedSites } from '../support/published-sites.js';
import { importInto, openRepositories } from '../support/repository.js';
import { writePages } from '../support/shown-sites.js';
import { newSite, type Site } from '../support/site.js';

const admin = shared();
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** More than a table of contents beside a page shows. */
const many = Array.from({ length: 310 }, (_, at) => `page-${at}`);

const guide = (start: string) => ({
  'README.md': `# Home\n\n[Install](install.md#second) [Hidden](hidden.md) [There](${start}api/page-7) [Gone](${start}nowhere)\n`,
  'install.md':
    '# Install & "run"\n\n![A dot](.gitbook/assets/a%20dot.png) [A file](.gitbook/assets/data.bin) [Home](README.md) [Elsewhere](https://example.com/x?a=1&b=2#c)\n\n## Second\n\n```html\n<a href="/sites/x">\n```\n',
  'deep/part.md': '# Part\n\n[Home](../README.md) [Here](part.md)\n',
  'hidden.md': '---\nhidden: true\n---\n\n# Hidden\n\n[Part](deep/part.md)\n',
  'secret.md': "---\nif: visitor.claims.unsigned.plan == 'pro'\n---\n\n# Secret\n\nHush.\n",
  '.gitbook/assets/a dot.png': png,
  '.gitbook/assets/data.bin': 'data',
  'SUMMARY.md':
    '# Summary\n\n* [Home](README.md)\n* [Install](install.md)\n\n## Group\n\n* [Part](deep/part.md)\n* [Hidden](hidden.md)\n* [Secret](secret.md)\n',
});

const api = {
  'README.md': '# API\n',
  ...Object.fromEntries(many.map((name) => [`${name}.md`, `# ${name}\n\nAbout it.\n`])),
  'SUMMARY.md': ['# Summary', '', '* [API](README.md)', ...many.map((name) => `* [${name}](${name}.md)`)].join('\n'),
};

const archiveOf = (site: Site, { query = '', token = admin.token, method = 'GET' } = {}) =>
  fetch(`${admin.url}${site.at('/html')}${query}`, { method, headers: { authorization: `Bearer ${token}` } });

async function bytesOf(answer: Response): Promise<Buffer> {
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}

const htmlIn = (files: ReadonlyMap<string, Buffer>) =>
  [...files].flatMap(([path, bytes]): [string, string][] => (path.endsWith('.html') ? [[path, String(bytes)]] : []));

const isOutside = (address: string) => /^(?:https?:|data:|mailto:|#)/.test(address);

/** The addresses of a file that lead to nothing in the archive. */
function brokenIn(files: ReadonlyMap<string, Buffer>, path: string, text: string): string[] {
  const found = [...text.matchAll(/ (?:href|src|srcset)="([^"]*)"|url\("?([^")]+)"?\)/g)].map(
    ([, a, b]) => a ?? b ?? '',
  );
  const inside = found.filter((address) => !isOutside(address)).map((address) => address.split('#', 1)[0] as string);
  return inside.filter(
    (address) => !files.has(posix.join(posix.dirname(path), decodeURIComponent(address.replaceAll('&amp;', '&')))),
  );
}

describe('a site as static HTML', () => {
  let organization: string;
  let site: Site;
  let bytes: Buffer;
  let files: Map<string, Buffer>;
  const pageAt = (path: string) => String(files.get(path));

  beforeAll(async () => {
    organization = await newOrganization(admin);
    site = await newSite(organization, { title: 'Docs' });
    const start = `${admin.url}/sites/${site.id}/`;
    const repositories = await openRepositories();
    const spaces: Record<string, string> = {};
    for (const [name, content] of Object.entries({ guide: guide(start), next: guide(start), api, vip: guide(start) })) {
      const space = await newSpace(admin, organization, { title: name });
      spaces[name] = space;
      await repositories.commit(name, content);
      await importInto(admin, space, { url: `${repositories.url}/${name}.git` });
    }
    await repositories.close();
    const first = await site.section(spaces.guide as string, 'Guide');
    const other = await site.section(spaces.api as string, 'API');
    const vip = await site.section(spaces.vip as string, 'VIP');
    await site.group('More', [other.id]);
    await site.ok('PATCH', `/sections/${other.id}`, { path: 'api' });
    await site.ok('PATCH', `/sections/${vip.id}`, { path: 'vip', condition: "visitor.claims.unsigned.plan == 'pro'" });
    const next = await site.siteSpace(spaces.next as string, first.id);
    await site.ok('PATCH', `/site-spaces/${next.id}`, { path: 'next' });
    await site.ok('POST', '/publish');
    const { items } = (await admin.get<any>(`/v1/spaces/${spaces.guide}/content/files`)).body;
    const { downloadURL } = items.find(({ name }: any) => name === 'a dot.png');
    const look = await site.ok('GET', '/customization');
    const header = { ...look.header, logo: { light: downloadURL, dark: downloadURL } };
    await site.ok('PUT', '/customization', { ...look, header, favicon: { emoji: '🎉' } });
    const answer = await archiveOf(site);
    const headers = ['content-type', 'content-disposition', 'cache-control'].map((name) => answer.headers.get(name));
    expect(headers).toEqual(['application/zip', 'attachment; filename="site.zip"', 'no-store']);
    bytes = await bytesOf(answer);
    files = await unzip(bytes);
  }, 120_000);

  it('has every page that visitors without claims see, also hidden ones, and no other', () => {
    const own = (path: string) =>
      ['', 'install/', 'group/part/', 'group/hidden/'].map((page) => `${path}${page}index.html`);
    const prefix = htmlIn(files).find(([path]) => path.endsWith('next/install/index.html'))?.[0];
    const expected = [
      ...own(''),
      ...own(String(prefix).replace('install/index.html', '')),
      'api/index.html',
      'api/~all/index.html',
      ...many.map((name) => `api/${name}/index.html`),
    ];
    expect(
      htmlIn(files)
        .map(([path]) => path)
        .sort(),
    ).toEqual(expected.sort());
    for (const [path, html] of htmlIn(files)) expect([path, html.includes('Hush')]).toEqual([path, false]);
  });

  it('has everything that its pages lead to and show, by relative addresses', () => {
    for (const [path, content] of files)
      if (/\.(?:html|css)$/.test(path)) expect([path, brokenIn(files, path, String(content))]).toEqual([path, []]);
    expect(pageAt('index.html')).toContain('href="install/index.html#second"');
    expect(pageAt('index.html')).toContain('href="group/hidden/index.html"');
    expect(pageAt('index.html')).toContain('href="api/page-7/index.html"');
    expect(pageAt('group/part/index.html')).toContain('href="../../index.html"');
    expect(pageAt('install/index.html')).toContain('href="https://example.com/x?a=1&amp;b=2#c"');
    expect(pageAt('api/page-3/index.html')).toContain('href="../~all/index.html"');
    const [, image = ''] = / src="([^"]*a%20dot\.png)"/.exec(pageAt('install/index.html')) ?? [];
    expect(files.get(posix.join('install', decodeURIComponent(image)))).toEqual(png);
    expect([...files].find(([path]) => path.endsWith('/data.bin'))?.[1].toString()).toBe('data');
  });

  it('has the logo and the icon of the site', () => {
    const [, logo = ''] = /<img class="logo" src="([^"]*)"/.exec(pageAt('api/index.html')) ?? [];
    expect(files.get(posix.join('api', decodeURIComponent(logo)))).toEqual(png);
    const [, icon = ''] = /<link rel="icon" href="([^"]*)"/.exec(pageAt('api/index.html')) ?? [];
    expect(String(files.get(posix.join('api', decodeURI(icon))))).toContain('🎉');
  });

  it('names the server only where an address is to be canonical, and for what is not in it', () => {
    for (const [path, html] of htmlIn(files)) {
      const rest = html.replace(/<link rel="(?:canonical|alternate)"[^>]*>|<meta property="og:[^>]*>/g, '');
      const named = rest.match(new RegExp(`${admin.url}[^"]*`, 'g')) ?? [];
      const isHome = path === 'index.html' || path.endsWith('next/index.html');
      expect([path, named]).toEqual([path, isHome ? [`${admin.url}/sites/${site.id}/nowhere`] : []]);
      expect([path, /<script|<form|~search|~feedback/.test(html)]).toEqual([path, false]);
    }
  });

  it('is the same bytes for the same content', async () => {
    expect((await bytesOf(await archiveOf(site))).equals(bytes)).toBe(true);
  });

  it('goes on after the pages that arrived', async () => {
    const rest = await unzip(await bytesOf(await archiveOf(site, { query: '?after=312' })));
    expect(htmlIn(rest).length).toBeGreaterThan(0);
    for (const [path, html] of htmlIn(rest)) expect([path, html]).toEqual([path, pageAt(path)]);
    expect(htmlIn(rest).length).toBeLessThan(htmlIn(files).length);
    expect((await archiveOf(site, { query: '?after=-1' })).status).toBe(400);
  });

  it('is for admins of the site alone', async () => {
    const reader = await newUser(admin, { organization, role: 'read' });
    const stranger = await newUser(admin);
    expect((await archiveOf(site, { token: reader.token })).status).toBe(403);
    expect((await archiveOf(site, { token: stranger.token })).status).toBe(404);
    const foreign = await newOrganization(admin);
    expect((await admin.get(`/v1/orgs/${foreign}/sites/${site.id}/html`)).status).toBe(404);
    expect((await archiveOf(site, { token: 'bnd_none' })).status).toBe(401);
  });

  it('has headers only for HEAD', async () => {
    const { status, headers } = await archiveOf(site, { method: 'HEAD' });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip']);
  });

  it('is refused where there are no pages for everybody', async () => {
    const space = await newSpace(admin, organization);
    const hidden = await newSite(organization, { spaces: [space] });
    const message = async () => (await admin.get<any>(hidden.at('/html'))).body.error;
    expect(await message()).toMatchObject({ code: 409, message: 'The site is not published' });
    await hidden.ok('POST', '/publish');
    await hidden.ok('PATCH', '', { visibility: 'share-link' });
    expect(await message()).toMatchObject({
      code: 409,
      message: 'Not everybody may visit the site: its visibility is share-link',
    });
    const nothing = { code: 409, message: 'The site shows nothing to visitors without claims' };
    await hidden.ok('PATCH', '', { visibility: 'unlisted' });
    expect(await message()).toMatchObject(nothing);
    const empty = await newSite(organization);
    await empty.ok('POST', '/publish');
    expect((await admin.get<any>(empty.at('/html'))).body.error).toMatchObject(nothing);
  });
});

describe('a site at a host name of its own', () => {
  const sites = new PublishedSites();
  beforeAll(async () => {
    await sites.open();
    for (const title of ['api', 'tools', 'guide2'])
      await writePages(sites.server, sites.spaces[title] as string, { Home: 'Welcome.', Start: 'Begin.' });
  }, 60_000);
  afterAll(() => sites.close());

  it.each(['main', 'solo', 'behind'])('is copied as any other: %s', async (name) => {
    const { url, token } = sites.server;
    const answer = await fetch(`${url}${sites.at(name, '/html')}`, { headers: { authorization: `Bearer ${token}` } });
    const copied = await unzip(await bytesOf(answer));
    expect(htmlIn(copied).map(([path]) => path)).toContain('index.html');
    for (const [path, content] of copied)
      if (/\.(?:html|css)$/.test(path)) expect([path, brokenIn(copied, path, String(content))]).toEqual([path, []]);
    for (const [path, html] of htmlIn(copied)) {
      const rest = html.replace(/<link rel="(?:canonical|alternate)"[^>]*>|<meta property="og:[^>]*>/g, '');
      expect([path, /docs\.test|bindery\.test|example\.(?:com|org)/.test(rest)]).toEqual([path, false]);
      expect([path, html.includes('Hush')]).toEqual([path, false]);
    }
  });
});
