import { newOrganization, newSpace, newUser, shared, walk } from '../support/fixtures.js';
import { importInto, openRepositories } from '../support/repository.js';
import { newSite, type Site } from '../support/site.js';

const admin = shared();

let organization: string;
let site: Site;
/** The site's own address. */
let start: string;
let guide: any;
let api: any;
let pages: Record<string, string>;
let token: string;

const resolve = async (path: string) =>
  (await admin.post('/v1/urls/published', { url: start + path }, { token: null })).body;
const found = async (source: string, as: string | null = admin.token) => {
  const answer = await admin.get(site.at(`/redirect?source=${encodeURIComponent(source)}`), { token: as });
  return answer.status === 200 ? answer.body.target.replace(start, '/') : answer.status;
};
const make = (source: string, destination: object) => site.send('POST', '/redirects', { source, destination });
const toSection = (id: string) => ({ kind: 'site-section', siteSectionId: id });
const toSpace = (id: string) => ({ kind: 'site-space', siteSpaceId: id });
const toPage = (siteSpaceId: string, pageId: string) => ({ kind: 'site-page', siteSpaceId, pageId });

beforeAll(async () => {
  organization = await newOrganization(admin);
  const [one, two] = [
    await newSpace(admin, organization, { title: 'One' }),
    await newSpace(admin, organization, { title: 'Two' }),
  ];
  const repositories = await openRepositories();
  await repositories.commit('pages', {
    'README.md': '# Home\n',
    'start.md': '# Start\n',
    'hidden.md': '---\nif: visitor.claims.unsigned.plan == 1\n---\n\n# Hidden\n',
    'SUMMARY.md': '# Summary\n\n* [Home](README.md)\n* [Start](start.md)\n* [Hidden](hidden.md)\n',
  });
  await importInto(admin, one, { url: `${repositories.url}/pages.git` });
  await repositories.close();
  const content = (await admin.get(`/v1/spaces/${one}/content`)).body;
  pages = Object.fromEntries(content.pages.map(({ path, id }: { path: string; id: string }) => [path, id]));
  site = await newSite(organization);
  guide = await site.section(one, 'Guide');
  api = await site.section(two, 'API');
  start = (await site.ok('POST', '/publish')).urls.published;
  token = (await resolve('')).apiToken;
});

const asMade = { createdAt: expect.any(String), draft: false, permanent: false, captureWildcard: false };

describe('a redirect of the content', () => {
  let own: Site;
  let siteSpace: string;
  let address: string;
  let ids: Record<string, string>;
  let visitor: string;
  const ask = (source: string, as: string | null = visitor) =>
    admin.get(own.at(`/redirect?source=${encodeURIComponent(source)}`), { token: as });
  const lead = async (source: string, as?: string | null) => {
    const { status, body } = await ask(source, as);
    return status === 200 ? body.target.replace(address, '/') : status;
  };

  beforeAll(async () => {
    const [one, two] = [await newSpace(admin, organization), await newSpace(admin, organization)];
    const repositories = await openRepositories();
    await repositories.commit('moved', {
      '.gitbook.yaml':
        'redirects:\n  Before/start: new/start.md#the-end\n  before/hidden: hidden.md\n  new/start: README.md\n  made: README.md\n',
      'SUMMARY.md': '* [Home](README.md)\n* [New](new/README.md)\n  * [Start](new/start.md)\n* [Hidden](hidden.md)\n',
      'README.md': '# Home\n',
      'new/README.md': '# New\n',
      'new/start.md': '# Start\n\n## 1. The end\n\n## The end\n',
      'hidden.md': '---\nif: visitor.claims.unsigned.plan == 1\n---\n\n# Hidden\n',
    });
    for (const space of [one, two]) await importInto(admin, space, { url: `${repositories.url}/moved.git` });
    await repositories.close();
    own = await newSite(organization);
    await own.section(one, 'Main');
    const more = await own.section(one, 'More');
    siteSpace = (await own.siteSpace(two, more.id)).path;
    address = (await own.ok('POST', '/publish')).urls.published;
    visitor = (await admin.post('/v1/urls/published', { url: address }, { token: null })).body.apiToken;
    const { pages: all } = (await admin.get(`/v1/spaces/${one}/content`)).body;
    ids = Object.fromEntries(all.map(({ path, id }: any) => [path, id]));
    ids.start = all.find(({ path }: any) => path === 'new').pages[0].id;
  });

  it('leads to the page and its anchor, in every part of the site', async () => {
    expect(await lead('/before/start')).toBe('/new/start#the-end');
    expect(await lead('/BEFORE/st%61rt.md')).toBe('/new/start#the-end');
    expect(await lead('/more/before/start')).toBe('/more/new/start#the-end');
    expect(await lead(`/more/${siteSpace}/before/start`)).toBe(`/more/${siteSpace}/new/start#the-end`);
    const { body } = await ask('/before/start');
    expect(body.redirect).toEqual({
      object: 'site-redirect',
      id: expect.any(String),
      source: '/before/start',
      destination: { kind: 'site-page', siteSpaceId: expect.any(String), pageId: ids.start },
      ...asMade,
    });
  });

  it('gives way to pages and to redirects of the site, and shows no page that is hidden', async () => {
    expect(await lead('/new/start')).toBe(404);
    expect(await lead('/made')).toBe('/readme');
    const { structure } = await own.structure();
    await own.ok('POST', '/redirects', { source: '/made', destination: toSection(structure[1].id) });
    expect(await lead('/made')).toBe('/more/');
    expect([await lead('/before/hidden'), await lead('/before/hidden', admin.token)]).toEqual([404, '/hidden']);
  });
});

describe('a redirect', () => {
  it('is made, found in any case, changed, listed and deleted', async () => {
    const made = await make('/Old/page', toSection(api.id));
    expect([made.status, made.body]).toEqual([
      201,
      {
        object: 'site-redirect',
        id: expect.any(String),
        source: '/Old/page',
        destination: toSection(api.id),
        ...asMade,
      },
    ]);
    for (const source of ['/Old/page', '/old/PAGE', '/old/p%61ge/']) expect(await found(source)).toBe('/api/');
    expect(await found('/Old/page', token)).toBe('/api/');
    const path = `/redirects/${made.body.id}`;
    const changed = await site.send('PATCH', path, {
      destination: toPage(guide.siteSpaces[0].id, pages.start as string),
    });
    expect([changed.status, changed.body.source]).toEqual([200, '/Old/page']);
    expect(await found('/old/page')).toBe('/start');
    expect((await site.send('PATCH', path, { source: '/older' })).body.source).toBe('/older');
    expect([await found('/old/page'), await found('/older')]).toEqual([404, '/start']);
    expect((await site.send('PATCH', path, {})).status).toBe(200);
    expect((await site.send('DELETE', path)).status).toBe(205);
    expect((await site.send('DELETE', path)).status).toBe(404);
    expect(await found('/older')).toBe(404);
  });

  it('is one a source, whatever the case', async () => {
    expect((await make('/one', toSection(api.id))).status).toBe(201);
    const again = await make('/ONE', toSection(guide.id));
    expect([again.status, again.body.error.message]).toEqual([409, expect.stringContaining('source')]);
    const { id } = (await make('/two', toSection(api.id))).body;
    expect((await site.send('PATCH', `/redirects/${id}`, { source: '/One' })).status).toBe(409);
  });

  it('is a draft until it is made live, and shown among drafts only', async () => {
    const body = { source: '/drafted', destination: toSection(api.id) };
    const draft = await site.ok('POST', '/redirects', { ...body, draft: true, permanent: true });
    expect(draft).toMatchObject({ draft: true, permanent: true, captureWildcard: false });
    expect(draft).not.toHaveProperty('updatedAt');
    const listed = async (query = '') =>
      (await walk(admin, site.at(`/redirects${query}`), 50)).filter(({ source }) => source === '/drafted');
    expect([await found('/drafted'), await listed(), await listed('?draft=true')]).toEqual([404, [], [draft]]);
    expect((await site.send('POST', '/redirects', { ...body, source: '/Drafted', draft: true })).status).toBe(409);

    const path = `/redirects/${draft.id}`;
    const live = await site.ok('POST', '/redirects', body);
    expect([await found('/drafted'), await found('/drafted', token)]).toEqual(['/api/', '/api/']);
    expect((await site.send('PATCH', path, { draft: false })).status).toBe(409);
    await site.ok('DELETE', `/redirects/${live.id}`);
    const changed = await site.ok('PATCH', path, { draft: false, permanent: false });
    expect(changed).toEqual({ ...draft, draft: false, permanent: false, updatedAt: expect.any(String) });
    expect(await site.ok('PATCH', path, { draft: false })).toEqual(changed);
    expect([await found('/drafted'), await listed(), await listed('?draft=true')]).toEqual(['/api/', [changed], []]);
    await site.ok('PATCH', path, { draft: true });
    expect(await found('/drafted')).toBe(404);
  });

  it('with a wildcard stands for longer paths, and carries on what it stands for when it is to', async () => {
    const wide = await site.ok('POST', '/redirects', { source: '/wide/*', destination: toSection(api.id) });
    expect([await found('/wide'), await found('/wide/a'), await found('/WIDE/a/b', token)]).toEqual([
      404,
      '/api/',
      '/api/',
    ]);
    const path = `/redirects/${wide.id}`;
    expect(await site.ok('PATCH', path, { captureWildcard: true })).toMatchObject({ captureWildcard: true });
    expect([await found('/wide/a b/c', token), await found('/wide/../x')]).toEqual(['/api/a%20b/c', '/api/x']);
    await site.ok('POST', '/redirects', {
      source: '/wide/start*',
      destination: toPage(guide.siteSpaces[0].id, pages.start as string),
      captureWildcard: true,
    });
    expect([await found('/wide/started/now', token), await found('/wide/star')]).toEqual([
      '/start/ed/now',
      '/api/star',
    ]);
    await make('/wide/starter', toSection(api.id));
    expect(await found('/wide/starter')).toBe('/api/');
    const { body } = await admin.get(site.at('/redirect?source=/wide/a'));
    expect(body.redirect).toMatchObject({ source: '/wide/*', captureWildcard: true });
  });

  it('captures the wildcard of its source only', async () => {
    const refused = async (method: string, rest: string, body: object) => {
      const answer = await site.send(method, rest, body);
      return [answer.status, answer.body.error?.message];
    };
    const refusal = [400, 'captureWildcard: the source does not end with *'];
    const body = { source: '/plain', destination: toSection(api.id), captureWildcard: true };
    expect(await refused('POST', '/redirects', body)).toEqual(refusal);
    const { id } = await site.ok('POST', '/redirects', { ...body, source: '/plain/*' });
    expect(await refused('PATCH', `/redirects/${id}`, { source: '/plain' })).toEqual(refusal);
    const plain = await site.ok('PATCH', `/redirects/${id}`, { source: '/plain', captureWildcard: false });
    expect(plain).toMatchObject({ source: '/plain', captureWildcard: false });
    expect(await refused('PATCH', `/redirects/${id}`, { captureWildcard: true })).toEqual(refusal);
    const shown = (await site.ok('GET', '/redirects?limit=1000')).items.find((each: any) => each.id === id);
    expect(shown).toEqual(plain);
  });

  it('gives way to a page that exists, and shows no page that is hidden', async () => {
    await make('/start', toSection(api.id));
    expect(await found('/start')).toBe(404);
    await make('/to-hidden', toPage(guide.siteSpaces[0].id, pages.hidden as string));
    expect(await found('/to-hidden')).toBe('/hidden');
    expect(await found('/to-hidden', token)).toBe(404);
    expect(await found('/hidden')).toBe(404);
  });

  it.each<[unknown, string]>([
    [{}, 'source'],
    [{ source: 'x', destination: toSection('a') }, 'source'],
    [{ source: '/', destination: toSection('a') }, 'source'],
    [{ source: '/a/', destination: toSection('a') }, 'source'],
    [{ source: '/a b', destination: toSection('a') }, 'source'],
    [{ source: '/%zz', destination: toSection('a') }, 'source'],
    [{ source: '/*', destination: toSection('a') }, 'source'],
    [{ source: '/a/*/b', destination: toSection('a') }, 'source'],
    [{ source: '/a', destination: toSection('a'), draft: 'yes' }, 'draft'],
    [{ source: '/a', destination: toSection('a'), permanent: 1 }, 'permanent'],
    [{ source: `/${'a'.repeat(512)}`, destination: toSection('a') }, 'source'],
    [{ source: '/a' }, 'destination'],
    [{ source: '/a', destination: { kind: 'url', url: 'https://evil.example' } }, 'destination'],
    [{ source: '/a', destination: toSection('nope') }, 'destination.siteSectionId'],
    [{ source: '/a', destination: toSpace('nope') }, 'destination.siteSpaceId'],
    [{ source: '/a', destination: toPage('nope', 'nope') }, 'destination.siteSpaceId'],
  ])('%j is refused by name', async (body, field) => {
    const answer = await site.send('POST', '/redirects', body);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(field)]);
  });

  it('to a page needs one that its maker reads', async () => {
    const answer = await make('/a', toPage(guide.siteSpaces[0].id, 'nope'));
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('destination.pageId')]);
  });

  it('is listed page by page, the latest first', async () => {
    const all = (await site.ok('GET', '/redirects?limit=1000')).items;
    expect(await walk(admin, site.at('/redirects'), 2)).toEqual(all);
    expect((await site.ok('GET', '/redirects?limit=0')).count).toBe(all.length);
  });

  it('is found by its source, and listed by it or by its last change', async () => {
    const own = await newSite(organization);
    const section = await own.section(await newSpace(admin, organization), 'Main');
    const ids: string[] = [];
    for (const source of ['/b/Old', '/c', '/a/old'])
      ids.push((await own.ok('POST', '/redirects', { source, destination: toSection(section.id) })).id);
    await own.ok('PATCH', `/redirects/${ids[0]}`, { source: '/b/older' });
    const sources = async (query: string) =>
      (await walk(admin, own.at(`/redirects?${query}`), 1)).map(({ source }) => source);
    expect(await sources('orderBy=source')).toEqual(['/a/old', '/b/older', '/c']);
    expect(await sources('orderBy=updatedAt')).toEqual(['/b/older', '/a/old', '/c']);
    expect(await sources('search=OLD')).toEqual(['/a/old', '/b/older']);
    expect(await sources('search=old&orderBy=updatedAt')).toEqual(['/b/older', '/a/old']);
    expect(await sources('search=old&draft=true')).toEqual([]);
    for (const query of ['orderBy=id', `search=${'x'.repeat(513)}`])
      expect((await own.send('GET', `/redirects?${query}`)).status).toBe(400);
  });

  it('is of its site alone', async () => {
    const other = await newSite(organization);
    const { id } = (await make('/mine', toSection(api.id))).body;
    for (const method of ['PATCH', 'DELETE'])
      expect((await other.send(method, `/redirects/${id}`, {})).status).toBe(404);
    expect((await other.send('POST', '/redirects', { source: '/a', destination: toSection(api.id) })).status).toBe(400);
    const reader = await newUser(admin, { organization });
    expect((await reader.client.delete(site.at(`/redirects/${id}`))).status).toBe(403);
    expect((await reader.client.get(site.at('/redirects'))).status).toBe(200);
  });

  it.each(['/%00', '//', '/../..', `/${'x'.repeat(2000)}`, 'x', '/__proto__', '/%ff'])(
    '%s leads nowhere',
    async (source) => {
      expect([400, 404]).toContain(await found(source));
    },
  );
});

describe('a part of a site that is elsewhere now', () => {
  it('is found at its former path, until something else is there', async () => {
    await site.ok('PATCH', `/sections/${api.id}`, { path: 'reference' });
    expect((await resolve('api/x')).redirect).toBe(`${start}reference/x`);
    expect((await resolve('API')).redirect).toBe(`${start}reference/`);
    expect(await found('/api/x', token)).toBe('/reference/x');
    await site.ok('PATCH', `/sections/${api.id}`, { path: 'ref' });
    for (const path of ['api', 'reference']) expect((await resolve(`${path}/x`)).redirect).toBe(`${start}ref/x`);
    expect((await resolve('ref/x')).pathname).toBe('x');
    const other = await site.section(api.siteSpaces[0].space.id, 'Api');
    expect((await resolve('api/x')).siteSection).toBe(other.id);
    await site.ok('DELETE', `/sections/${other.id}`);
    expect((await resolve('api/x')).redirect).toBe(`${start}ref/x`);
    await site.ok('PATCH', `/sections/${api.id}`, { path: 'api' });
    expect((await resolve('ref')).redirect).toBe(`${start}api/`);
  });

  it('is found where a site space was renamed, or moved to another section', async () => {
    const added = await site.siteSpace(api.siteSpaces[0].space.id, api.id);
    await site.ok('PATCH', `/site-spaces/${added.id}`, { path: 'v1' });
    await site.ok('PATCH', `/site-spaces/${added.id}`, { path: 'v2' });
    expect((await resolve('api/v1/x')).redirect).toBe(`${start}api/v2/x`);
    const anchor = { type: 'site-space', siteSpace: guide.siteSpaces[0].id };
    await site.ok('POST', `/site-spaces/${added.id}/move`, { position: { after: anchor } });
    for (const path of ['api/v1/x', 'api/v2/x']) expect((await resolve(path)).redirect).toBe(`${start}v2/x`);
    await site.ok('DELETE', `/site-spaces/${added.id}`);
    expect((await resolve('api/v1/x')).pathname).toBe('v1/x');
  });

  it('is found below a default that changed, where the page is not in the new one', async () => {
    await site.ok('PATCH', '', { defaultSiteSection: api.id });
    expect((await resolve('start')).siteSection).toBe(api.id);
    expect(await found('/start', token)).toBe('/');
    await site.ok(
      'DELETE',
      `/redirects/${(await site.ok('GET', '/redirects?limit=1000')).items.find(({ source }: any) => source === '/start').id}`,
    );
    expect(await found('/start', token)).toBe('/guide/start');
    expect(await found('/hidden', token)).toBe(404);
    await site.ok('PATCH', '', { defaultSiteSection: guide.id });
    expect((await resolve('guide/start')).redirect).toBe(`${start}start`);
    expect(await found('/guide/start', token)).toBe('/start');
  });

  it('gives way to a page that exists', async () => {
    await site.ok('PATCH', `/sections/${api.id}`, { path: 'start' });
    expect((await resolve('start')).siteSection).toBe(api.id);
    await site.ok('PATCH', `/sections/${api.id}`, { path: 'api' });
    expect((await resolve('start')).pathname).toBe('start');
    expect((await resolve('start/more')).redirect).toBe(`${start}api/more`);
  });
});
