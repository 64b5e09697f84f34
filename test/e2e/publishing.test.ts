import { newOrganization, newSpace, newUser, shared, walk } from '../support/fixtures.js';
import { newSite, type Site } from '../support/site.js';

const admin = shared();

let organization: string;
let site: Site;
beforeAll(async () => {
  organization = await newOrganization(admin);
  site = await newSite(organization, { spaces: [await newSpace(admin, organization)] });
});

describe('share links', () => {
  it('are made, renamed, switched off and deleted', async () => {
    const made = await site.send('POST', '/share-links', { name: 'Partners' });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      object: 'share-link',
      id: expect.any(String),
      createdAt: expect.any(String),
      name: 'Partners',
      active: true,
      urls: {},
    });
    const { published } = (await site.ok('POST', '/publish')).urls;
    const [listed] = (await site.ok('GET', '/share-links')).items;
    expect(listed.urls.published.startsWith(published)).toBe(true);
    expect(listed.urls.published).not.toContain(made.body.id);
    const path = `/share-links/${made.body.id}`;
    expect(await site.ok('PATCH', path, { active: false, name: '' })).toMatchObject({ active: false, name: '' });
    const key = listed.urls.published.split('/').at(-2);
    expect((await site.send('GET', `/structure?shareKey=${key}`)).status).toBe(404);
    await site.ok('PATCH', path, { active: true });
    const { structure } = await site.ok('GET', `/structure?shareKey=${key}`);
    expect(structure[0].urls.published).toBe(listed.urls.published);
    expect((await site.send('DELETE', path)).status).toBe(205);
    expect((await site.send('PATCH', path, { name: 'x' })).status).toBe(404);
    expect((await site.send('DELETE', path)).status).toBe(404);
  });

  it('are listed page by page, the latest first', async () => {
    for (const name of ['a', 'b', 'c']) await site.ok('POST', '/share-links', { name });
    const names = (await walk(admin, site.at('/share-links'), 1)).map(({ name }) => name);
    expect(names).toEqual(['c', 'b', 'a']);
    expect(await site.ok('GET', '/share-links?limit=0')).toEqual({ count: 3, items: [] });
    const [{ urls, id }] = (await site.ok('GET', '/share-links?search=B')).items;
    const key = urls.published.split('/').filter(Boolean).at(-1);
    for (const [search, found] of [
      ['B', [id]],
      [key, [id]],
      ['none', []],
    ] as const) {
      const { count, items } = await site.ok('GET', `/share-links?search=${search}`);
      expect([count, items.map((each: any) => each.id)]).toEqual([found.length, found]);
    }
  });

  it.each([[{}], [{ name: 'x'.repeat(51) }], [{ name: 7 }], [{ name: null }]])('%j is refused', async (body) => {
    const answer = await site.send('POST', '/share-links', body);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('name')]);
  });

  it('of another site are not there', async () => {
    const { id } = await site.ok('POST', '/share-links', { name: 'mine' });
    const other = await newSite(organization);
    for (const method of ['PATCH', 'DELETE'])
      expect((await other.send(method, `/share-links/${id}`, { name: 'x' })).status).toBe(404);
  });

  it('show their keys to who may change the site alone', async () => {
    const reader = await newUser(admin, { organization, role: 'review' });
    expect((await reader.client.get(site.at('/share-links'))).status).toBe(403);
    expect((await reader.client.get(site.at('/publishing/auth'))).status).toBe(403);
    expect((await reader.client.get(site.at('/publishing/preview'))).status).toBe(403);
  });
});

describe('how visitors are known', () => {
  const path = '/publishing/auth';

  it('begins with a private key that stays until it is made anew', async () => {
    const [first, again] = await Promise.all([site.ok('GET', path), site.ok('GET', path)]);
    expect(first).toEqual({ object: 'publishing-auth', backend: 'custom', privateKey: expect.any(String) });
    expect(again).toEqual(first);
    const { privateKey } = await site.ok('POST', `${path}/regenerate`);
    expect(privateKey).not.toBe(first.privateKey);
    expect((await site.ok('GET', path)).privateKey).toBe(privateKey);
    const { items } = (await admin.get(`/v1/orgs/${organization}/audit-events?limit=1000`)).body;
    expect(JSON.stringify(items)).not.toContain(privateKey);
  });

  it('is changed in what is named alone; null clears', async () => {
    const { privateKey } = await site.ok('GET', path);
    const base = { object: 'publishing-auth', privateKey };
    const changed = await site.ok('PATCH', path, { integration: 'okta', fallbackURL: 'https://a.example/' });
    expect(changed).toEqual({ ...base, backend: 'custom', integration: 'okta', fallbackURL: 'https://a.example/' });
    expect(await site.ok('PATCH', path, { backend: 'custom' })).toEqual(changed);
    const cleared = await site.ok('PATCH', path, { fallbackURL: null, integration: null });
    expect(cleared).toEqual({ ...base, backend: 'custom' });
    expect(await site.ok('PATCH', path, {})).toEqual(cleared);
  });

  it.each([
    [{ backend: 'other' }, 'backend'],
    [{ backend: null }, 'backend'],
    [{ fallbackURL: 'javascript:alert(1)' }, 'fallbackURL'],
    [{ fallbackURL: '/login' }, 'fallbackURL'],
    [{ fallbackURL: `https://a.example/${'x'.repeat(2048)}` }, 'fallbackURL'],
  ])('%j is refused by name', async (body, field) => {
    const answer = await site.send('PATCH', path, body);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(field)]);
  });
});

describe('the schema of what is known of visitors', () => {
  const path = '/adaptive-schema';
  const schema = (properties: unknown) => ({ type: 'object', properties, additionalProperties: false });
  const put = (jsonSchema: unknown) => site.send('PUT', path, { jsonSchema });

  it('declares nothing until it is set', async () => {
    expect(await site.ok('GET', path)).toMatchObject({ object: 'site-adaptive-schema', jsonSchema: schema({}) });
  });

  it('is kept as it was set', async () => {
    const jsonSchema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...schema({
        beta: { type: 'boolean', description: 'Beta' },
        plan: { type: 'string', enum: ['free', 'pro'], description: 'Plan' },
        teams: { type: 'array', description: 'Teams', items: { type: 'string', description: 'Team' } },
        company: { ...schema({ size: { type: 'number', description: 'Size' } }), description: 'Company' },
        unsigned: {
          ...schema({ theme: { type: 'string', description: 'Theme' } }),
          description: 'Unsigned claims of the site visitor.',
        },
      }),
    };
    const answer = await put(jsonSchema);
    expect([answer.status, answer.body.jsonSchema]).toEqual([200, jsonSchema]);
    expect(await site.ok('GET', path)).toEqual(answer.body);
  });

  const deep = (levels: number): unknown =>
    levels === 0 ? { type: 'boolean', description: 'x' } : { ...schema({ a: deep(levels - 1) }), description: 'x' };
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no object', { type: 'array', properties: {}, additionalProperties: false }],
    ['open', { type: 'object', properties: {}, additionalProperties: true }],
    ['without properties', { type: 'object', additionalProperties: false }],
    ['more keywords', { ...schema({}), required: ['a'] }],
    ['a claim without description', schema({ a: { type: 'boolean' } })],
    ['a claim of no type', schema({ a: { type: 'null', description: 'x' } })],
    ['a reference', schema({ a: { $ref: '#' } })],
    [
      'an array of arrays',
      schema({ a: { type: 'array', description: 'x', items: { type: 'array', description: 'x' } } }),
    ],
    ['unsigned claims that are no object', schema({ unsigned: { type: 'boolean', description: 'x' } })],
    ['objects too deep', schema({ a: deep(50) })],
  ])('is refused: %s', async (_, jsonSchema) => {
    const answer = await put(jsonSchema);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('jsonSchema')]);
  });

  it('is refused when it is larger than a schema needs to be', async () => {
    expect((await put(schema({ a: { type: 'boolean', description: 'x'.repeat(70_000) } }))).status).toBe(413);
  });
});

describe('a preview', () => {
  it('shows a site space to whom its claims describe', async () => {
    const { items } = await site.ok('GET', '/site-spaces');
    for (const claims of ['(plan:pro,unsigned:(n:1))', '{"plan":"pro","unsigned":{"n":1}}']) {
      const query = `?siteSpace=${items[0].id}&claims=${encodeURIComponent(claims)}`;
      const { url } = await site.ok('GET', `/publishing/preview${query}`);
      const { body } = await admin.post('/v1/urls/published', { url }, { token: null });
      expect(body).toMatchObject({ siteSpace: items[0].id, contextId: expect.any(String) });
    }
  });

  it.each(['?siteSpace=nope', '?claims=(', '?claims=7', '?claims=%7B', "?claims='x'", `?claims=${'!('.repeat(500)}`])(
    '%s is refused',
    async (query) => {
      expect((await site.send('GET', `/publishing/preview${query}`)).status).toBe(400);
    },
  );
});

it('goes with its site', async () => {
  const gone = await newSite(organization);
  await gone.ok('POST', '/share-links', { name: 'x' });
  expect((await gone.send('DELETE', '')).status).toBe(205);
  for (const rest of ['/share-links', '/publishing/auth', '/adaptive-schema', '/published', '/redirects'])
    expect([rest, (await gone.send('GET', rest)).status]).toEqual([rest, 404]);
});
