import { newOrganization, newSpace, newUser, shared, walk } from '../support/fixtures.js';
import { linksAt, listed, shownLink } from '../support/links.js';
import { importInto, named, openRepositories, pagesOf, type Repositories } from '../support/repository.js';

const client = shared();
let organization: string;
let repositories: Repositories;
let space: string;
let other: string;
let collection: string;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
  collection = (await client.post(`/v1/orgs/${organization}/collections`, { title: 'Shelf' })).body.id;
  other = await newSpace(client, organization, { title: 'Other' });
  await repositories.commit('other', { 'README.md': '# Start\n', 'far.md': '# Far\n\n## Away\n' });
  await importInto(client, other, { url: `${repositories.url}/other.git` });
  space = await newSpace(client, organization, { title: 'Docs' });
  await repositories.commit('docs', {
    'SUMMARY.md':
      '* [Home](README.md)\n* [Guide](guide.md)\n* [Far](https://example.com/far)\n* [Part](guide.md#one)\n* [Lost](guide.md#lost)\n',
    'README.md': [
      '---\ncover: .gitbook/assets/cover.png\n---\n\n# Home\n',
      '[guide](guide.md) ![a](a.png) [site](https://example.com/a) <me@example.com>\n',
      '## Below\n',
      '[guide](./guide.md) [one](guide.md#one) [two](guide.md#gone) [lost](lost/page.md#x) ![b](b.png) [self](#below) [no](#no)\n',
      '{% include ".gitbook/includes/note.md" %}\n\n{% include "gone.md" %}\n',
      '{% openapi-operation spec="pets" path="/" method="get" %}\n[x](https://example.com/x)\n{% endopenapi-operation %}\n',
      '## In the app\n',
      `[space](${client.url}/app/s/${other}) [page](${client.url}/app/s/${other}/far#away) [lost](${client.url}/app/s/${other}/lost)`,
      ` [own](${client.url}/app/s/SPACE/guide) [shelf](${client.url}/app/c/${collection}) [none](${client.url}/app/s/nowhere)`,
      ` [home](${client.url}/app) [api](${client.url}/application)\n`,
    ]
      .join('\n')
      .replace('SPACE', space),
    'guide.md':
      '# Guide\n\n[from the include](README.md#noted) [up](README.md)\n\n## One\n\n[guide](guide.md) [a](a.png)\n',
    '.gitbook/includes/note.md':
      '---\ntitle: Note\n---\n\nSee [guide](../../guide.md).\n\n## Noted\n\n[here](#noted) [not](#not)\n',
    'a.png': 'a',
    '.gitbook/assets/cover.png': 'c',
  });
  await importInto(client, space, { url: `${repositories.url}/docs.git` });
});
afterAll(() => repositories.close());

const home = async () => `/v1/spaces/${space}/content/page/${(await named(client, space, 'Home')).id}/links`;

describe('the links of a page', () => {
  it('are its targets with what they are, where they are used and whether they exist', async () => {
    const links = await linksAt(client, await home());
    const of = (url: string) => {
      const { status, target, places } = links[url] ?? {};
      return [status, target, ...(places ?? [])];
    };
    const below = 'page Home#below';
    const inApp = 'page Home#in-the-app';
    const app = `${client.url}/app`;
    const expected: Record<string, unknown[]> = {
      '.gitbook/assets/cover.png': ['ok', 'file cover.png', 'page Home'],
      'guide.md': ['ok', 'page Guide', 'page Home', below],
      'a.png': ['ok', 'file a.png', 'page Home'],
      'https://example.com/a': ['ok', 'url https://example.com/a', 'page Home'],
      'mailto:me@example.com': ['ok', 'url mailto:me@example.com', 'page Home'],
      'guide.md#one': ['ok', 'page Guide#one', below],
      'guide.md#gone': ['broken', '', below],
      'lost/page.md#x': ['broken', '', below],
      'b.png': ['broken', '', below],
      '#below': ['ok', 'page Home#below', below],
      '#no': ['broken', '', below],
      '.gitbook/includes/note.md': ['ok', 'reusable-content Note', below],
      'gone.md': ['broken', '', below],
      pets: ['broken', '', below],
      [`${app}/s/${other}`]: ['in-app', 'space Other', inApp],
      [`${app}/s/${other}/far#away`]: ['in-app', 'page Far#away', inApp],
      [`${app}/s/${other}/lost`]: ['in-app', '', inApp],
      [`${app}/s/${space}/guide`]: ['in-app', 'page Guide', inApp],
      [`${app}/c/${collection}`]: ['in-app', 'collection Shelf', inApp],
      [`${app}/s/nowhere`]: ['in-app', '', inApp],
      [app]: ['in-app', '', inApp],
      [`${app}lication`]: ['ok', `url ${app}lication`, inApp],
    };
    for (const [url, expectation] of Object.entries(expected)) expect([url, ...of(url)]).toEqual([url, ...expectation]);
    expect(Object.keys(links)).toEqual(Object.keys(expected));
    const embedded = Object.values(links).filter(({ relation }) => relation === 'dependsOn');
    expect(embedded.map(({ url }) => url)).toEqual(['.gitbook/includes/note.md', 'gone.md', 'pets']);
  });

  it('name their places in full, without bodies and pages below', async () => {
    const { items } = await listed(client, await home());
    const { targetReference, locationReferences } = items.find(({ url }: any) => url === 'guide.md#one');
    const [location] = locationReferences;
    const revision = (await client.get(`/v1/spaces/${space}`)).body.revision;
    expect(location).toMatchObject({
      kind: 'page',
      organization: { object: 'organization', id: organization },
      space: { object: 'space', id: space, permissions: { admin: true } },
      versionContext: { type: 'revision', revision: { id: revision, pages: [], files: [], reusableContents: [] } },
      page: { title: 'Home', type: 'document', path: 'readme', pages: [] },
      internalLocation: { type: 'anchor', anchor: 'below' },
    });
    expect(location.page.markdown ?? location.page.document).toBeUndefined();
    expect(targetReference.internalLocation).toEqual({ type: 'anchor', anchor: 'one' });
    const page = items.find(({ url }: any) => url === 'guide.md').targetReference;
    expect([page.kind, page.internalLocation]).toEqual(['page', undefined]);
  });

  it('are filtered by status and paged, and their stats count all', async () => {
    const path = await home();
    const { items: all, stats, count } = await listed(client, path);
    expect(stats).toEqual({ total: 22, broken: { total: 6 } });
    expect(count).toBe(22);
    for (const status of ['ok', 'broken', 'in-app']) {
      const expected = all.filter((item: any) => item.status === status);
      const { body } = await client.get(`${path}?status=${status}`);
      expect([status, body.items, body.count, body.stats]).toEqual([status, expected, expected.length, stats]);
    }
    expect(await walk(client, path, 5)).toEqual(all);
    expect(await listed(client, `${path}?limit=0`)).toEqual({ count: 22, stats, items: [] });
  });

  it.each(['status=gone', 'status=', 'limit=1001', 'limit=x', 'page=x', 'page=WyJ4IiwwXQ'])(
    'refuse %s',
    async (query) => {
      const { status, body } = await client.get(`${await home()}?${query}`);
      expect([status < 500 && status >= 400, body.error?.message]).toEqual([true, expect.any(String)]);
    },
  );

  it('are those of link pages and of pages without any, too', async () => {
    const pages = await pagesOf(client, space);
    const of = async (title: string) => {
      const id = pages.find((page) => page.title === title)?.id;
      const { items } = await listed(client, `/v1/spaces/${space}/content/page/${id}/links`);
      return items.map(shownLink).map(({ status, target, places }: any) => [status, target, ...places]);
    };
    expect(await of('Far')).toEqual([['ok', 'url https://example.com/far', 'page Far']]);
    expect(await of('Part')).toEqual([['ok', 'page Guide#one', 'page Part']]);
    expect(await of('Lost')).toEqual([['broken', '', 'page Lost']]);
    expect(await of('Guide')).toEqual([
      ['ok', 'page Home#noted', 'page Guide'],
      ['ok', 'page Home', 'page Guide'],
      ['ok', 'page Guide', 'page Guide#one'],
      ['ok', 'file a.png', 'page Guide#one'],
    ]);
    const start = (await pagesOf(client, other))[0]?.id;
    expect(await listed(client, `/v1/spaces/${other}/content/page/${start}/links`)).toEqual({
      count: 0,
      stats: { total: 0, broken: { total: 0 } },
      items: [],
    });
  });

  it('of a page that does not exist are 404', async () => {
    const foreign = (await pagesOf(client, other))[0]?.id;
    for (const id of ['unknown', foreign]) {
      const { status, body } = await client.get(`/v1/spaces/${space}/content/page/${id}/links`);
      expect([status, body.error.message]).toEqual([404, expect.stringMatching(/^Page not found/)]);
    }
  });
});

describe('the links of a space', () => {
  it('are the targets of all pages and reusable content, with every place in reading order', async () => {
    const path = `/v1/spaces/${space}/links`;
    const { stats, items } = await listed(client, path);
    const links = items.map(shownLink);
    const places = (target: string) =>
      links.find((link: any) => link.target === target && link.status === 'ok')?.places;
    expect(places('page Guide')).toEqual(['page Home', 'page Home#below', 'page Guide#one', 'reusable-content Note']);
    expect(places('page Guide#one')).toEqual(['page Home#below', 'page Part']);
    expect(places('file a.png')).toEqual(['page Home', 'page Guide#one']);
    expect(places('reusable-content Note')).toEqual(['page Home#below']);
    const lost = `/pages/${(await named(client, space, 'Guide')).id}#lost`;
    const broken = links
      .filter(({ status }: any) => status === 'broken')
      .map(({ url, places }: any) => [url, ...places]);
    expect(broken).toEqual([
      ['guide.md#gone', 'page Home#below'],
      ['lost/page.md#x', 'page Home#below'],
      ['b.png', 'page Home#below'],
      ['#no', 'page Home#below'],
      ['gone.md', 'page Home#below'],
      ['pets', 'page Home#below'],
      [lost, 'page Lost'],
      ['#not', 'reusable-content Note'],
    ]);
    expect(stats).toEqual({ total: items.length, broken: { total: 8 } });
    expect(await walk(client, path, 7)).toEqual(items);
    expect((await listed(client, `${path}?status=broken&limit=2`)).count).toBe(8);
  });

  it('show at most 100 places of a target, and say how many there are', async () => {
    const many = await newSpace(client, organization);
    const sections = Array.from(
      { length: 120 },
      (_, at) => `## S${at}\n\n[a](https://example.com) [b](https://b.example)\n`,
    );
    const pages = { 'README.md': `# Home\n\n${sections.join('\n')}`, 'b.md': '# B\n\n[a](https://example.com)\n' };
    await repositories.commit('many', pages);
    await importInto(client, many, { url: `${repositories.url}/many.git` });
    const { items } = await listed(client, `/v1/spaces/${many}/links`);
    expect(
      items.map(({ url, locations, locationReferences }: any) => [url, locations, locationReferences.length]),
    ).toEqual([
      ['https://example.com', 101, 100],
      ['https://b.example', 100, 100],
    ]);
  });

  it('stay those of the revision that the list began with', async () => {
    const changing = await newSpace(client, organization, { editMode: 'live' });
    const insert = (markdown: string) =>
      client.post(`/v1/spaces/${changing}/content`, {
        changes: [{ operation: 'insert_page', document: { markdown } }],
      });
    await insert('# A\n\n[a](https://a.example) [b](https://b.example) [c](https://c.example)\n');
    const path = `/v1/spaces/${changing}/links`;
    const { next } = await listed(client, `${path}?limit=1`);
    await insert('# B\n\n[d](https://d.example)\n');
    const rest = await listed(client, `${path}?limit=5&page=${next.page}`);
    expect(rest.items.map(({ url }: any) => url)).toEqual(['https://b.example', 'https://c.example']);
    expect((await listed(client, path)).count).toBe(4);
  });
});

describe('what the caller may not see', () => {
  it('is as if it did not exist', async () => {
    const hidden = await newSpace(client, organization, { title: 'Secret' });
    await client.patch(`/v1/spaces/${hidden}`, { defaultLevel: null });
    const deleted = await newSpace(client, organization, { title: 'Deleted' });
    await client.delete(`/v1/spaces/${deleted}`);
    const foreign = await newSpace(client, await newOrganization(client), { title: 'Foreign' });
    const own = await newSpace(client, organization);
    const app = `${client.url}/app`;
    const linked = [hidden, deleted, foreign].map((id) => `[x](${app}/s/${id}) [y](${app}/s/${id}/page)`);
    await repositories.commit('secret', { 'README.md': `# Home\n\n${linked.join(' ')}\n` });
    await importInto(client, own, { url: `${repositories.url}/secret.git` });
    const reader = await newUser(client, { organization, role: 'read' });
    const { body } = await reader.client.get(`/v1/spaces/${own}/links`);
    expect(body.items.map(({ status, targetReference }: any) => [status, targetReference])).toEqual(
      Array.from({ length: 6 }, () => ['in-app', undefined]),
    );
    expect(JSON.stringify(body)).not.toMatch(/Secret|Deleted|Foreign/);
    const seen = await linksAt(client, `/v1/spaces/${own}/links`);
    expect(seen[`${app}/s/${hidden}`]?.target).toBe('space Secret');
    expect(seen[`${app}/s/${foreign}`]?.target).toBe('');
  });

  it('is all of it to visitors of sites', async () => {
    const { id } = (await client.post(`/v1/orgs/${organization}/sites`, { title: 'Docs', spaces: [space] })).body;
    const { urls } = (await client.post(`/v1/orgs/${organization}/sites/${id}/publish`)).body;
    const { apiToken: token } = (await client.post('/v1/urls/published', { url: urls.published }, { token: null }))
      .body;
    const { pages, files } = (await client.get(`/v1/spaces/${space}/content`, { token })).body;
    const paths = [`page/${pages[0].id}/links`, `page/${pages[0].id}/backlinks`, `files/${files[0].id}/backlinks`];
    for (const path of [...paths.map((each) => `content/${each}`), 'links', 'change-requests/1/links']) {
      const { status, body } = await client.get(`/v1/spaces/${space}/${path}`, { token });
      expect([path, status, body.error.message]).toEqual([path, 403, expect.stringContaining('not open to a token')]);
    }
  });
});
