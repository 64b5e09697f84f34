import { linkEmbed } from '../../services/content/reading/embeds/link-embed.js';
import { json, OtherSite, page, sending } from '../../services/content/reading/embeds/testing/other-site.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { newSite } from '../support/site.js';

const admin = shared();

const discovery = (href: string) => `<link rel="alternate" type="application/json+oembed" href="${href}">`;
const frame = '<iframe width="200" height="113" src="https://videos.example/e/1" onload="x()"></iframe>';
const site = new OtherSite({
  '/article': page(
    '<title>Plain</title><meta property="og:title" content="An article"><meta property="og:site_name" content="News"><link rel="icon" href="/i.png">',
  ),
  '/video': page(`<title>A video</title><link rel="icon" href="/v.png">${discovery('/oembed?of=video')}`),
  '/oembed': json({
    type: 'video',
    title: 'The video',
    provider_name: 'Videos',
    html: `${frame}<script>x()</script>`,
  }),
  '/post': page(`<title>A post</title>${discovery('/post.json')}`),
  '/post.json': json({ type: 'rich', title: 'The post', html: '<blockquote>Hi</blockquote><script>x()</script>' }),
  '/moved': (_, reply) => reply.writeHead(302, { location: '/article' }).end(),
  '/endless': (request, reply) => {
    reply.setHeader('content-type', 'text/html').write('<title>Long</title>');
    const more = () => {
      while (!request.socket.destroyed && reply.write('<p>'.repeat(20_000)));
    };
    reply.on('drain', more);
    more();
  },
  '/nested': page(`<title>Deep</title>`, '<div>'.repeat(30_000)),
  '/inside': page(`<title>Inside</title>${discovery('http://10.0.0.1/oembed')}`),
  '/to-inside': (_, reply) => reply.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  '/to-file': (_, reply) => reply.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/round': (_, reply) => reply.writeHead(302, { location: '/round' }).end(),
  '/failing': (_, reply) => reply.writeHead(500, { 'content-type': 'text/html' }).end('<title>Broken</title>'),
  '/image': sending('image/png', 'none'),
  '/cut-off': (request) => request.socket.destroy(),
});

let organization: string;
let space: string;
beforeAll(async () => {
  await site.open();
  organization = await newOrganization(admin);
  space = await newSpace(admin, organization);
});
afterAll(() => site.close());

const places = () => [`/v1/spaces/${space}/embed`, '/v1/urls/embed'];
const at = (place: string, address: string) => `${place}?url=${encodeURIComponent(address)}`;

describe('an embed', () => {
  const host = '127.0.0.1';
  it.each<[string, () => object]>([
    ['/article', () => ({ type: 'link', title: 'An article', site: 'News', icon: `${site.url}/i.png` })],
    ['/moved', () => ({ type: 'link', title: 'An article', site: 'News', icon: `${site.url}/i.png` })],
    ['/post', () => ({ type: 'link', title: 'The post', site: host })],
    ['/endless', () => ({ type: 'link', title: 'Long', site: host })],
    ['/inside', () => ({ type: 'link', title: 'Inside', site: host })],
  ])('of %s is a link as the site says', async (path, told) => {
    const url = site.url + path;
    for (const place of places()) {
      const { status, body } = await admin.get(at(place, url));
      expect([status, body]).toEqual([200, { ...told(), url }]);
    }
  });

  it('of a site with a player is one sandboxed frame of it', async () => {
    for (const place of places()) {
      const { status, body } = await admin.get(at(place, `${site.url}/video`));
      const { html, ...told } = body;
      expect([status, told]).toEqual([
        200,
        { type: 'rich', title: 'The video', site: 'Videos', icon: `${site.url}/v.png` },
      ]);
      expect(html).toMatch(
        /^<iframe src="https:\/\/videos\.example\/e\/1" title="The video" width="200" height="113" allow="[^"<>]*" sandbox="[^"<>]*" referrerpolicy="[^"<>]*" loading="lazy"><\/iframe>$/,
      );
    }
  });

  it.each([
    ...['/to-inside', '/to-file', '/round', '/failing', '/image', '/cut-off', '/none/at%20all'],
    'http://10.0.0.1/admin',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]:1/',
    'http://127.0.0.1:1/closed',
  ])('of %s, which tells nothing, is a link by its address', async (address) => {
    const url = address.startsWith('/') ? site.url + address : address;
    const { status, body } = await admin.get(at(`/v1/spaces/${space}/embed`, url));
    expect([status, body]).toEqual([200, linkEmbed(url)]);
  });

  it('of a page that takes long to parse is answered all the same', async () => {
    const url = `${site.url}/nested`;
    const { status, body } = await admin.get(at('/v1/urls/embed', url));
    expect([status, body.type, body.url]).toEqual([200, 'link', url]);
  });

  it.each(['javascript:alert(1)', 'ftp://a.b/c', 'x', 'https://', `https://a.b/${'c'.repeat(2048)}`])(
    'of %s is refused',
    async (url) => {
      for (const place of places()) {
        const { status, body } = await admin.get(at(place, url));
        expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^url: /)]);
      }
    },
  );

  it('needs an address, and a caller who reads the space', async () => {
    for (const place of places()) {
      expect((await admin.get(place)).status).toBe(400);
      expect((await admin.get(at(place, site.url), { token: null })).status).toBe(401);
    }
    const stranger = (await newUser(admin)).client;
    expect((await stranger.get(at(`/v1/spaces/${space}/embed`, site.url))).status).toBe(404);
    expect((await admin.get(at('/v1/spaces/none/embed', site.url))).status).toBe(404);
  });

  it('is for visitors of a site too', async () => {
    const shown = await newSite(organization, { spaces: [space] });
    const { body } = await admin.post(`${shown.at()}/publish`);
    const visit = await admin.post('/v1/urls/published', { url: body.urls.published }, { token: null });
    const hidden = await newSpace(admin, organization);
    const token = visit.body.apiToken;
    for (const place of places())
      expect((await admin.get(at(place, `${site.url}/article`), { token })).body.title).toBe('An article');
    expect((await admin.get(at(`/v1/spaces/${hidden}/embed`, site.url), { token })).status).toBe(404);
  });
});
