import { auditEvents } from '../support/audit.js';
import { type NewUser, newOrganization, newUser, newUsers, shared, walk } from '../support/fixtures.js';

const admin = shared();

let organization: string;
let translations: string;
let creator: NewUser;
let reader: NewUser;
let guest: NewUser;
beforeAll(async () => {
  organization = await newOrganization(admin);
  translations = `/v1/orgs/${organization}/translations`;
  creator = await newUser(admin, { organization, role: 'create' });
  reader = await newUser(admin, { organization, role: 'review' });
  guest = await newUser(admin, { organization, role: null });
});

describe('translation settings', () => {
  it('are made, shown, changed and deleted', async () => {
    const made = await creator.client.post(translations, { title: 'Manuals' });
    const { id, createdAt } = made.body;
    const path = `${translations}/${id}`;
    const location = expect.stringMatching(new RegExp(`^http.*${path}$`));
    const shown = {
      object: 'translation-settings',
      id: expect.any(String),
      title: 'Manuals',
      languages: [],
      createdAt: expect.any(String),
      updatedAt: createdAt,
      permissions: { view: true, edit: true },
      urls: { location },
    };
    expect([made.status, made.body]).toEqual([201, shown]);
    expect((await admin.get(path)).body).toEqual(made.body);
    const put = await creator.client.put(path, { title: 'Guides', languages: ['fr', 'pt-br', 'de'] });
    expect(put).toMatchObject({ status: 200, body: { title: 'Guides', languages: ['fr', 'pt-br', 'de'], createdAt } });
    expect(put.body.updatedAt > createdAt).toBe(true);
    expect((await admin.get(path)).body).toEqual(put.body);
    const renamed = await creator.client.put(path, { title: 'All guides' });
    expect(renamed.body.languages).toEqual(['fr', 'pt-br', 'de']);
    expect((await creator.client.put(path, { title: 'All guides', languages: [] })).body.languages).toEqual([]);
    expect((await creator.client.delete(path)).status).toBe(205);
    for (const method of ['GET', 'DELETE']) expect((await creator.client.request(method, path)).status).toBe(404);
    expect((await creator.client.put(path, { title: 'Gone' })).status).toBe(404);
  });

  it('that are put as they are do not change, and leave no audit event', async () => {
    const { body } = await admin.post(translations, { title: 'Same', languages: ['nl'] });
    const path = `${translations}/${body.id}`;
    expect((await admin.put(path, { title: 'Same', languages: ['nl'] })).body).toEqual(body);
    await admin.put(path, { title: 'Same', languages: ['nl', 'ja'] });
    await admin.delete(path);
    const events = await auditEvents(admin, organization, `resource=${body.id}&order=asc`, 3);
    expect(events.map(({ operation, resource, details }) => [operation, resource.type, details])).toEqual([
      ['createTranslation', 'translation-settings', { title: 'Same', languages: ['nl'] }],
      ['updateTranslation', 'translation-settings', { languages: ['nl', 'ja'] }],
      ['deleteTranslation', 'translation-settings', undefined],
    ]);
  });

  it('are seen by every member, and changed by those who create content', async () => {
    const { body } = await creator.client.post(translations, { title: 'Seen' });
    const path = `${translations}/${body.id}`;
    for (const { client } of [reader, guest]) {
      expect((await client.get(path)).body).toEqual({ ...body, permissions: { view: true, edit: false } });
      expect((await client.get(translations)).body.items).toContainEqual((await client.get(path)).body);
      expect((await client.post(translations, { title: 'No' })).status).toBe(403);
      expect((await client.put(path, { title: 'No' })).status).toBe(403);
      expect((await client.delete(path)).status).toBe(403);
    }
    expect((await admin.get(path)).body).toEqual(body);
  });

  it('are of their organization alone', async () => {
    const { body } = await admin.post(translations, { title: 'Ours' });
    const [stranger] = (await newUsers(admin, 1)) as [NewUser];
    const elsewhere = `/v1/orgs/${await newOrganization(admin)}/translations/${body.id}`;
    for (const [client, path] of [
      [stranger.client, `${translations}/${body.id}`],
      [admin, elsewhere],
    ] as const)
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await client.request(method, path, method === 'PUT' ? { title: 'Theirs' } : undefined);
        expect([method, answer.status, JSON.stringify(answer.body).includes('Ours')]).toEqual([method, 404, false]);
      }
    expect((await stranger.client.get(translations)).status).toBe(404);
    expect((await admin.get(`${translations}/${body.id}`)).body).toEqual(body);
  });

  it('are listed in order of creation, page by page', async () => {
    const list = `/v1/orgs/${await newOrganization(admin)}/translations`;
    const titles = ['b', 'a', 'd', 'c', 'e'];
    for (const title of titles) await admin.post(list, { title });
    expect((await walk(admin, list, 2)).map(({ title }) => title)).toEqual(titles);
    const { body } = await admin.get(`${list}?limit=2`);
    expect([body.count, body.items.length, typeof body.next.page]).toEqual([5, 2, 'string']);
    expect((await admin.get(`${list}?limit=0`)).body).toEqual({ count: 5, items: [] });
    expect((await admin.get(`${list}?limit=1001`)).status).toBe(400);
    expect((await admin.get(`${list}?page=none`)).status).toBe(400);
  });

  it.each<[string, unknown]>([
    ['title', {}],
    ['title', { title: '' }],
    ['title', { title: 'x'.repeat(101) }],
    ['title', { title: null }],
    ['title', { title: 7 }],
    ['languages', { title: 'A', languages: 'fr' }],
    ['languages', { title: 'A', languages: null }],
    ['languages.1', { title: 'A', languages: ['fr', 'xx'] }],
    ['languages.0', { title: 'A', languages: ['FR'] }],
    ['languages', { title: 'A', languages: ['fr', 'de', 'fr'] }],
  ])('with a bad %s are refused by name: %j', async (field, body) => {
    const { body: kept } = await admin.post(translations, { title: 'Kept', languages: ['sv'] });
    const path = `${translations}/${kept.id}`;
    const { count } = (await admin.get(`${translations}?limit=0`)).body;
    for (const answer of [await admin.post(translations, body), await admin.put(path, body)]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 400]);
      expect(answer.body.error.message).toMatch(new RegExp(`^${field}: `));
    }
    expect((await admin.get(path)).body).toEqual(kept);
    expect((await admin.get(`${translations}?limit=0`)).body.count).toBe(count);
  });
});
