import { decodeJwt } from 'jose';
import { newOrganization, newSpace, newUser, shared, unique } from '../support/fixtures.js';
import { importInto, openRepositories } from '../support/repository.js';

/** The calls that a site renderer written by others makes for a page, and the fields it cannot do without. */
const admin = shared();

let organization: string;
let site: string;
let url: string;

beforeAll(async () => {
  organization = await newOrganization(admin);
  const repositories = await openRepositories();
  await repositories.commit('rendered', {
    'README.md': '# Home\n\nText with **bold** and [a link](guide/README.md).\n\n![a](.gitbook/assets/a.png)\n',
    'SUMMARY.md':
      '# Table of contents\n\n* [Home](README.md)\n\n## Guides\n\n* [Guide](guide/README.md)\n  * [Deep](guide/deep.md)\n* [Elsewhere](https://a.example)\n',
    'guide/README.md':
      '---\ndescription: All of it\n---\n\n# Guide\n\n{% hint style="info" %}\nMind this.\n{% endhint %}\n',
    'guide/deep.md':
      '---\nmetaLinks:\n  canonical: https://a.example/deep\n  alternates:\n    - ./\n    - ../README.md#text\n    - >-\n      https://a.example/ja/deep\n    - gone.md\n    - ../.gitbook/assets/a.png\n    - javascript:alert(1)\n    - 7\n---\n\n# Deep\n\n```js\nlet a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n* one\n* [x] two\n',
    '.gitbook/assets/a.png': 'none',
  });
  const spaces = [await newSpace(admin, organization, { title: 'Docs' }), await newSpace(admin, organization)];
  await importInto(admin, spaces[0] as string, { url: `${repositories.url}/rendered.git` });
  await repositories.close();
  const made = await admin.post(`/v1/orgs/${organization}/sites`, { title: 'Rendered', spaces });
  site = made.body.id;
  url = (await admin.post(`/v1/orgs/${organization}/sites/${site}/publish`)).body.urls.published;
});

const resolve = async (page: string) =>
  admin.post(
    '/v1/urls/published',
    { url: url + page, visitor: { unsignedClaims: {} }, redirectOnError: false },
    { token: null },
  );

/** What a visitor's token reads. */
async function visit() {
  const { body } = await resolve('');
  const get = async (path: string) => admin.get(`/v1${path}`, { token: body.apiToken });
  const space = (await get(`/spaces/${body.space}`)).body;
  return {
    ...body,
    get,
    space,
    revision: (await get(`/spaces/${body.space}/revisions/${space.revision}?metadata=true`)).body,
  };
}

const documents = (pages: any[]): any[] =>
  pages.flatMap((page) => [...(page.type === 'document' ? [page] : []), ...documents(page.pages ?? [])]);

describe('a site renderer', () => {
  it('finds the content behind a URL, and a token it can decode', async () => {
    const { status, body } = await resolve('guides/guide/deep');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      site,
      organization,
      siteSpace: expect.any(String),
      space: expect.any(String),
      pathname: 'guides/guide/deep',
      basePath: expect.stringMatching(/^\//),
      siteBasePath: expect.stringMatching(/^\//),
      canonicalUrl: expect.stringContaining('guides/guide/deep'),
      complete: expect.any(Boolean),
    });
    expect(decodeJwt(body.apiToken).exp).toBeGreaterThan(Date.now() / 1000 + 120);
  });

  it('reads the published site with every customization it needs', async () => {
    const { siteSpace, get } = await visit();
    const { status, body } = await get(`/orgs/${organization}/sites/${site}/published`);
    expect(status).toBe(200);
    expect(body.object).toBe('published-content-site');
    expect(body.site).toMatchObject({ id: site, urls: { published: url } });
    expect(body.structure.type).toBe('siteSpaces');
    expect(body.structure.structure[0]).toMatchObject({ id: siteSpace, urls: { published: url } });
    const color = { light: expect.stringMatching(/^#/), dark: expect.stringMatching(/^#/) };
    const { styling, ...customization } = body.customizations.site;
    for (const name of ['primary', 'info', 'success', 'warning', 'danger'])
      expect(styling[`${name}Color`]).toEqual(color);
    expect(styling.font).toBeDefined();
    for (const name of [
      'internationalization favicon header footer themes pdf feedback git pageActions externalLinks pagination',
      'trademark privacyPolicy socialPreview',
    ].flatMap((names) => names.split(' ')))
      expect([name, customization[name]]).toEqual([name, expect.anything()]);
    expect(customization.header.links).toEqual(expect.any(Array));
    expect(customization.footer.groups).toEqual(expect.any(Array));
    expect(body.scripts).toEqual([]);
  });

  it('is told where visitors sign in, as soon as that is known', async () => {
    const loginOf = async () => {
      const { body } = await (await visit()).get(`/orgs/${organization}/sites/${site}/published`);
      return body.site.urls.login;
    };
    expect(await loginOf()).toBeUndefined();
    const at = `/v1/orgs/${organization}/sites/${site}/publishing/auth`;
    const login = 'https://login.example.com/docs';
    expect((await admin.patch(at, { fallbackURL: login })).status).toBe(200);
    expect(await loginOf()).toBe(login);
    expect((await admin.patch(at, { fallbackURL: null })).status).toBe(200);
    expect(await loginOf()).toBeUndefined();
  });

  it('reads the revision: all pages with what the navigation shows', async () => {
    const { revision } = await visit();
    const check = (pages: any[]): void => {
      for (const page of pages) {
        expect(page).toMatchObject({ id: expect.any(String), type: expect.any(String), title: expect.any(String) });
        if (page.type === 'link') expect(page.target).toMatchObject({ kind: 'url', url: 'https://a.example' });
        else expect(page).toMatchObject({ path: expect.any(String), pages: expect.any(Array) });
        if (page.type === 'document')
          expect(page.layout).toMatchObject({ title: true, description: true, tableOfContents: true, outline: true });
        check(page.pages ?? []);
      }
    };
    check(revision.pages);
    expect(documents(revision.pages).map(({ path }) => path)).toEqual(expect.arrayContaining(['guides/guide/deep']));
    expect(revision.files[0]).toMatchObject({ id: expect.any(String), downloadURL: expect.stringMatching(/^http/) });
    expect(revision.reusableContents).toEqual(expect.any(Array));
    expect(revision.git).toBeUndefined();
  });

  it('reads every document with what a node needs to be drawn', async () => {
    const { get, revision, space } = await visit();
    const check = (node: any): void => {
      if (node.object === 'text') {
        expect(node.leaves).toEqual(expect.any(Array));
        for (const leaf of node.leaves)
          expect(leaf).toMatchObject({ text: expect.any(String), marks: expect.any(Array) });
        return;
      }
      expect(node.type ?? node.object).toEqual(expect.any(String));
      if (node.isVoid || node.fragments) return;
      expect([node.type, node.nodes]).toEqual([node.type, expect.any(Array)]);
      node.nodes.forEach(check);
    };
    for (const page of documents(revision.pages)) {
      const path = `/spaces/${space.id}/revisions/${revision.id}/page/${page.id}`;
      const { status, body } = await get(`${path}/document?evaluated=true`);
      expect([page.path, status, body.object]).toEqual([page.path, 200, 'document']);
      body.nodes.forEach(check);
      expect((await get(`${path}?format=markdown`)).body.markdown).toEqual(expect.any(String));
    }
  });

  it('reads what search engines are told of each page', async () => {
    const { get, revision, space } = await visit();
    const linksOf = async (page: string) => {
      const { status, body, headers } = await get(
        `/spaces/${space.id}/revisions/${revision.id}/page/${page}/meta-links`,
      );
      expect([status, headers.get('x-gitbook-cache-tag')]).toEqual([200, `space:${space.id}`]);
      return body;
    };
    const pages = documents(revision.pages);
    const [home, guide, deep] = ['readme', 'guides/guide', 'guides/guide/deep'].map((path) =>
      pages.find((page) => page.path === path),
    );
    const links = {
      canonical: { kind: 'url', url: 'https://a.example/deep' },
      alternates: [
        { kind: 'page', page: guide.id },
        { kind: 'page', page: home.id },
        { kind: 'url', url: 'https://a.example/ja/deep' },
      ],
    };
    expect(await linksOf(deep.id)).toEqual(links);
    expect(deep.metaLinks).toEqual(links);
    expect(await linksOf(guide.id)).toEqual({ alternates: [] });
    const missing = await get(`/spaces/${space.id}/revisions/${revision.id}/page/nope/meta-links`);
    expect([missing.status, missing.body.error.message]).toEqual([404, 'Page not found']);
  });

  it('searches the site, and gets a plain 404 for what is not there', async () => {
    const { get, apiToken, siteSpace, space, revision } = await visit();
    const search = (body: object) =>
      admin.post(`/v1/orgs/${organization}/sites/${site}/search`, body, { token: apiToken });
    for (const scope of [
      { mode: 'all' },
      { mode: 'current', siteSpaceId: siteSpace },
      { mode: 'specific', siteSpaceIds: [siteSpace] },
      { scope: { mode: 'default' } },
    ]) {
      const { status, body } = await search({ query: 'deep', ...scope });
      expect([scope, status]).toEqual([scope, 200]);
      expect(body.items[0]).toMatchObject({ id: space.id, pages: [{ title: 'Deep', path: 'guides/guide/deep' }] });
    }
    for (const path of [
      `/orgs/${organization}/sites/${site}/redirect?source=/nowhere`,
      `/spaces/${space.id}/revisions/${revision.id}/path/nowhere`,
      `/users/nobody`,
    ]) {
      const { status, body } = await get(path);
      expect([path, status >= 400 && status < 500, body.error.code]).toEqual([path, true, status]);
    }
  });

  it('is told by every answer what it is tagged with', async () => {
    const { headers } = await resolve('guides/guide');
    const { space, siteSpace, apiToken, revision } = await visit();
    const { hostname } = new URL(url);
    expect(headers.get('x-gitbook-cache-tag')).toBe(`url:${hostname},site:${site},space:${space.id}`);
    const tagsOf = async (path: string, token = apiToken) =>
      (await admin.get(`/v1${path}`, { token })).headers.get('x-gitbook-cache-tag');
    const lookup = `/urls/published?url=${encodeURIComponent(url)}`;
    expect(await tagsOf(lookup)).toBe(`url:${hostname},site:${site},space:${space.id}`);
    for (const path of ['/published', '/structure', `/site-spaces/${siteSpace}/customization`])
      expect(await tagsOf(`/orgs/${organization}/sites/${site}${path}`, admin.token)).toBe(`site:${site}`);
    const page = `/spaces/${space.id}/revisions/${revision.id}/page/${revision.pages[0].id}`;
    for (const path of [
      `/spaces/${space.id}`,
      `/spaces/${space.id}/revisions/${revision.id}`,
      page,
      `${page}/document`,
    ])
      expect(await tagsOf(path)).toBe(`space:${space.id}`);
    const search = await admin.post(
      `/v1/orgs/${organization}/sites/${site}/search`,
      { query: 'deep', mode: 'all' },
      { token: apiToken },
    );
    expect(search.headers.get('x-gitbook-cache-tag')).toBe(`site:${site}`);
    for (const path of ['/user', `/spaces/${space.id}/content/page/nope`, `/orgs/${organization}`])
      expect(await tagsOf(path, admin.token)).toBeNull();
  });

  it('gets the same token for the same visitor, so that its caches hold', async () => {
    const tokenAt = async (page: string) => (await resolve(page)).body.apiToken;
    const window = () => Math.floor(Date.now() / 1_800_000);
    let [before, tokens] = [-1, ['', '-']];
    while (window() !== before) {
      before = window();
      tokens = [await tokenAt(''), await tokenAt('guides/guide')];
    }
    expect(tokens[0]).toBe(tokens[1]);
  });

  it('finds the look of every site space', async () => {
    const { get } = await visit();
    const { customizations, structure } = (await get(`/orgs/${organization}/sites/${site}/published`)).body;
    const ids = structure.structure.map(({ id }: { id: string }) => id);
    expect([ids.length, Object.keys(customizations.siteSpaces).sort()]).toEqual([2, ids.toSorted()]);
    for (const id of ids) expect(customizations.siteSpaces[id]).toEqual(customizations.site);
  });

  it('finds the users whom pages mention, by their names alone', async () => {
    const { get } = await visit();
    const { id, displayName } = (await admin.get('/v1/user')).body;
    const urls = { location: expect.stringMatching(/^http/) };
    expect((await get(`/users/${id}`)).body).toEqual({ object: 'user', id, displayName, urls });
    const member = await newUser(admin, { organization });
    expect((await get(`/users/${member.id}`)).body).toMatchObject({ object: 'user', id: member.id });
    const { body } = await admin.post(`/v1/orgs/${organization}/invites`, {
      emails: [`${unique('invited').replace(/ /g, '-')}@people.example`],
    });
    const stranger = await newUser(admin);
    for (const other of [body.users[0], stranger.id, 'nobody'])
      expect([other, (await get(`/users/${other}`)).status]).toEqual([other, 404]);
    await admin.patch(`/v1/orgs/${organization}/members/${member.id}`, { disabled: true });
    expect((await get(`/users/${member.id}`)).status).toBe(404);
  });

  it('reads nothing else with its token', async () => {
    const { get, apiToken, space } = await visit();
    const other = await newSpace(admin, organization, { title: 'Private' });
    for (const path of [
      `/spaces/${other}`,
      `/orgs/${organization}`,
      `/orgs/${organization}/members`,
      `/orgs/${organization}/sites/${site}`,
      '/user',
    ])
      expect([path, [401, 403, 404].includes((await get(path)).status)]).toEqual([path, true]);
    expect((await admin.patch(`/v1/spaces/${space.id}`, { title: 'x' }, { token: apiToken })).status).toBe(403);
  });
});
