import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { newSite, type Site } from '../support/site.js';

const admin = shared();
let organization: string;
let writer: NewUser;
/** Spaces by the access of the writer, who has the role `create` in the organization. */
let spaces: { own: string; read: string; hidden: string };
beforeAll(async () => {
  organization = await newOrganization(admin);
  writer = await newUser(admin, { organization, role: 'create' });
  const made = async (role: string | null) => {
    const space = await newSpace(admin, organization, { title: `Granted ${role}` });
    const given = await admin.post(`/v1/spaces/${space}/permissions`, { role, users: [writer.id] });
    expect(given.status).toBe(204);
    return space;
  };
  spaces = { own: await newSpace(writer.client, organization), read: await made('read'), hidden: await made(null) };
});

const statusOf = async (user: NewUser, site: Site, method: string, rest: string, body?: unknown) =>
  (await user.client.request(method, site.at(rest), body)).status;

describe('a space is put on a site', () => {
  it.each([
    ['own', 201],
    ['read', 403],
    ['hidden', 400],
  ] as const)('by those who administer it: %s is %d', async (name, expected) => {
    const space = spaces[name];
    const site = await newSite(organization, { spaces: [spaces.own] });
    const before = await site.structure();
    expect((await writer.client.post(`/v1/orgs/${organization}/sites`, { spaces: [space] })).status).toBe(expected);
    expect(await statusOf(writer, site, 'POST', '/site-spaces', { spaceId: space })).toBe(expected);
    const shown = before.structure[0].id;
    const repointed = await statusOf(writer, site, 'PATCH', `/site-spaces/${shown}`, { spaceId: space });
    expect(repointed).toBe(expected === 201 ? 200 : expected);
    if (expected !== 201) expect(await site.structure()).toEqual(before);
    expect(await statusOf(writer, site, 'POST', '/sections', { spaceId: space })).toBe(expected);
  });

  it.each(['review', 'edit', 'comment', 'read'] as const)('not with the role %s on it', async (role) => {
    const space = await newSpace(admin, organization);
    const given = await admin.post(`/v1/spaces/${space}/permissions`, { role, users: [writer.id] });
    expect(given.status).toBe(204);
    const answer = await writer.client.post(`/v1/orgs/${organization}/sites`, { spaces: [space] });
    expect([answer.status, answer.body.error.message]).toEqual([403, expect.stringContaining('spaces.0')]);
  });
});

describe('a site that shows a space which the caller does not administer', () => {
  let site: Site;
  let section: string;
  let siteSpace: string;
  let openSection: any;
  beforeAll(async () => {
    site = await newSite(organization, { visibility: 'visitor-auth' });
    const held = await site.section(spaces.hidden, 'Held');
    section = held.id;
    siteSpace = held.siteSpaces[0].id;
    openSection = await site.section(spaces.own, 'Open');
    await site.ok('PATCH', `/sections/${section}`, { condition: 'visitor.claims.staff == true' });
    await site.ok('POST', '/share-links', { name: 'Known' });
  });
  const link = async () => (await site.ok('GET', '/share-links')).items[0].id;

  it.each<[string, string, () => unknown]>([
    ['POST', '/publish', () => undefined],
    ['GET', '/publishing/preview', () => undefined],
    ['GET', '/publishing/auth', () => undefined],
    ['PATCH', '/publishing/auth', () => ({ fallbackURL: null })],
    ['POST', '/publishing/auth/regenerate', () => undefined],
    ['GET', '/share-links', () => undefined],
    ['POST', '/share-links', () => ({ name: 'Mine' })],
    ['PATCH', '/share-links/LINK', () => ({ active: true })],
    [
      'PUT',
      '/adaptive-schema',
      () => ({ jsonSchema: { type: 'object', properties: {}, additionalProperties: false } }),
    ],
    ['PATCH', '/sections/SECTION', () => ({ condition: null })],
    ['PATCH', '/site-spaces/SPACE', () => ({ condition: 'true' })],
    [
      'POST',
      '/site-spaces/SPACE/move',
      () => ({ position: { after: { type: 'site-space', siteSpace: openSection.siteSpaces[0].id } } }),
    ],
    [
      'PATCH',
      '/structure/sort',
      () => ({
        item: { type: 'site-space', id: siteSpace },
        position: { before: { type: 'site-space', id: openSection.siteSpaces[0].id } },
      }),
    ],
  ])('is not opened by %s %s', async (method, rest, body) => {
    const path = rest
      .replace('SECTION', section)
      .replace('SPACE', siteSpace)
      .replace('LINK', await link());
    const before = await site.structure();
    expect(await statusOf(writer, site, method, path, body())).toBe(403);
    expect(await site.structure()).toEqual(before);
  });

  it('is not shown to more visitors while it is published; to fewer it is', async () => {
    await site.ok('POST', '/publish');
    for (const body of [
      { visibility: 'public' },
      { visibility: 'share-link' },
      { adaptiveContent: { enabled: false } },
    ])
      expect(await statusOf(writer, site, 'PATCH', '', body)).toBe(403);
    await site.ok('PATCH', '', { visibility: 'public' });
    expect(await statusOf(writer, site, 'PATCH', '', { title: 'Renamed', visibility: 'visitor-auth' })).toBe(200);
    expect(await statusOf(writer, site, 'POST', '/unpublish')).toBe(200);
    expect(await statusOf(writer, site, 'POST', '/publish')).toBe(403);
  });

  it('is not previewed with the API token of such a caller', async () => {
    const preview = (client = admin) => client.post('/v1/urls/published', { url: `https://preview/${site.id}/` });
    expect((await preview(writer.client)).status).toBe(404);
    expect((await preview()).status).toBe(200);
  });

  it('is opened as soon as the caller administers the space', async () => {
    const other = await newUser(admin, { organization, role: 'create' });
    expect(await statusOf(other, site, 'GET', '/publishing/preview')).toBe(200);
    expect(await statusOf(other, site, 'PATCH', `/sections/${section}`, { condition: null })).toBe(200);
    expect(await statusOf(other, site, 'POST', '/publish')).toBe(200);
  });
});

describe('a guest', () => {
  it('sees of an organization the sites that anyone may visit, and nothing of others', async () => {
    const own = await newOrganization(admin);
    const [guest, reader] = [
      await newUser(admin, { organization: own, role: null }),
      await newUser(admin, { organization: own }),
    ];
    const space = await newSpace(admin, own);
    const site = await newSite(own, { spaces: [space] });
    const listed = async ({ client }: NewUser, query = '') => (await client.get(`/v1/orgs/${own}/sites${query}`)).body;
    const parts = [
      '',
      '/structure',
      '/sections',
      '/section-groups',
      '/site-spaces',
      '/customization',
      '/redirects',
      '/published',
      '/adaptive-schema',
      '/redirect?source=/x',
      '/share-links',
      '/publishing/auth',
    ];
    const expectHidden = async () => {
      for (const part of parts) expect([part, await statusOf(guest, site, 'GET', part)]).toEqual([part, 404]);
      expect(await statusOf(guest, site, 'POST', '/search', { query: 'a', mode: 'all' })).toBe(404);
      expect(await statusOf(guest, site, 'PATCH', '', { title: 'Mine' })).toBe(404);
      for (const query of ['', `?space=${space}`, '?published=false', '?title=Docs'])
        expect(await listed(guest, query)).toEqual({ count: 0, items: [] });
      expect((await listed(reader)).count).toBe(1);
      expect(await statusOf(reader, site, 'GET', '/structure')).toBe(200);
    };
    await expectHidden();
    await site.ok('POST', '/publish');
    for (const visibility of ['share-link', 'visitor-auth']) {
      await site.ok('PATCH', '', { visibility });
      await expectHidden();
    }
    for (const visibility of ['public', 'unlisted']) {
      await site.ok('PATCH', '', { visibility });
      expect(await statusOf(guest, site, 'GET', '/structure')).toBe(200);
      expect((await listed(guest)).count).toBe(1);
      expect((await listed(guest, '?published=false')).count).toBe(0);
      expect(await statusOf(guest, site, 'GET', '/share-links')).toBe(403);
    }
  });
});
