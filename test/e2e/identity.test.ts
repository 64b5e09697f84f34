import { eventually } from '../../shared/testing/eventually.js';
import { untilItsEnd } from '../support/expiry.js';
import { newOrganization, shared, unique, walk } from '../support/fixtures.js';

const client = shared();

describe('the user behind a token', () => {
  it('is shown with its e-mail address', async () => {
    const { status, body } = await client.get('/v1/user');
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'user', email: 'admin@example.com', displayName: 'admin' });
    const again = await client.get(`/v1/users/${body.id}`);
    expect(again.body).toEqual(body);
    expect(body.urls.location).toContain(`/v1/users/${body.id}`);
  });

  it('is 404 for an unknown id', async () => {
    expect((await client.get('/v1/users/nobody')).status).toBe(404);
  });
});

describe('API tokens', () => {
  it('are shown once, work, are listed without secret and stop working when revoked', async () => {
    const label = unique('token').slice(0, 50);
    const created = await client.post('/v1/user/tokens', { label });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(created.body.urls.location);
    const { token, id } = created.body;
    expect(token).toMatch(/^bnd_[\w-]{43}$/);
    expect((await client.get('/v1/user', { token })).status).toBe(200);
    const find = async () => (await walk(client, '/v1/user/tokens', 2)).find((item: { id: string }) => item.id === id);
    const listed = await find();
    expect(listed).toMatchObject({ object: 'api-token', label, preview: `${token.slice(0, 8)}…` });
    expect(JSON.stringify(listed)).not.toContain(token);
    // Noted after the answer.
    const { lastUsedAt, createdAt } = await eventually('the last use of a token', find, (now) => now.lastUsedAt);
    expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
    expect((await client.delete(`/v1/user/tokens/${id}`)).status).toBe(205);
    expect((await client.get('/v1/user', { token })).status).toBe(401);
    expect((await client.delete(`/v1/user/tokens/${id}`)).status).toBe(404);
  });

  it('are refused once they expire', async () => {
    const { status } = await untilItsEnd(
      async (expiresAt) => (await client.post('/v1/user/tokens', { label: 'short', expiresAt })).body.token,
      async (token) => (await client.get('/v1/user', { token })).status,
    );
    expect(status).toBe(401);
  });

  it.each([
    [{}, 'label'],
    [{ label: '' }, 'label'],
    [{ label: 'x'.repeat(51) }, 'label'],
    [{ label: 'x', expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ label: 'x', expiresAt: '2001-01-01T00:00:00.000Z' }, 'expiresAt'],
  ])('%j is refused by name', async (body, field) => {
    const before = (await client.get('/v1/user/tokens?limit=0')).body.count;
    const answer = await client.post('/v1/user/tokens', body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 400, message: expect.stringContaining(field) });
    expect((await client.get('/v1/user/tokens?limit=0')).body.count).toBe(before);
  });
});

describe('organizations', () => {
  it('make their creator admin and are listed page by page', async () => {
    const title = unique('Acme');
    const { status, body, headers } = await client.post('/v1/orgs', {
      title,
      emailDomains: ['Acme.example'],
      useCase: 'productDocs',
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(body.urls.location);
    expect(body).toMatchObject({
      object: 'organization',
      title,
      emailDomains: ['acme.example'],
      useCase: 'productDocs',
      type: 'business',
    });
    expect(body.permissions).toMatchObject({ view: true, admin: true, createContent: true });
    expect((await client.get(`/v1/orgs/${body.id}`)).body).toEqual(body);
    await newOrganization(client);
    const all = await walk(client, '/v1/orgs', 1000);
    const paged = await walk(client, '/v1/orgs', 2);
    expect(paged.map(({ id }: { id: string }) => id).slice(0, all.length)).toEqual(
      all.map(({ id }: { id: string }) => id),
    );
    expect(all.map(({ id }: { id: string }) => id)).toContain(body.id);
  });

  it('are 404 for those who are not in them, as for ids that do not exist', async () => {
    const unknown = await client.get('/v1/orgs/01ARZ3NDEKTSV4RRFFQ69G5FAV');
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({ error: { code: 404, message: 'Organization not found', reason: 'not_found' } });
    expect((await client.get('/v1/orgs/__proto__')).status).toBe(404);
    expect((await client.get('/v1/orgs/constructor/spaces')).status).toBe(404);
  });
});
