import { randomBytes } from 'node:crypto';
import { joined, newOrganization, newSpace, newUser, shared, unique } from '../support/fixtures.js';
import type { RequestOptions } from '../support/server.js';

const client = shared();
let organization: string;
beforeAll(async () => {
  organization = await newOrganization(client);
});

const keyed = (key = randomBytes(9).toString('base64url')): RequestOptions => ({ headers: { 'Idempotency-Key': key } });
const spaces = () => `/v1/orgs/${organization}/spaces`;
const spacesTitled = async (title: string) =>
  (await client.get(`${spaces()}?limit=1000`)).body.items.filter((space: { title: string }) => space.title === title);

describe('a write with an Idempotency-Key', () => {
  it('is done once, however often it is sent, and answered each time as the first time', async () => {
    const [title, key] = [unique('Once'), keyed()];
    const first = await client.post(spaces(), { title }, key);
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
    for (let i = 0; i < 3; i++) {
      const again = await client.post(spaces(), { title }, key);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
    }
    expect(await spacesTitled(title)).toHaveLength(1);
  });

  it('is done once where it is sent many times at once', async () => {
    const [title, key] = [unique('At once'), keyed()];
    const answers = await Promise.all(Array.from({ length: 16 }, () => client.post(spaces(), { title }, key)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await spacesTitled(title)).toHaveLength(1);
  });

  it('may delete what is gone when it is sent again', async () => {
    const path = `/v1/spaces/${await newSpace(client, organization)}`;
    const key = keyed();
    for (let i = 0; i < 2; i++) expect((await client.delete(path, key)).status).toBe(205);
    expect((await client.delete(path)).status).toBe(404);
  });

  it('may change what has changed since, without doing it again', async () => {
    const path = `/v1/spaces/${await newSpace(client, organization)}`;
    const key = keyed();
    const first = await client.patch(path, { title: 'First' }, key);
    await client.patch(path, { title: 'Second' });
    expect((await client.patch(path, { title: 'First' }, key)).body).toEqual(first.body);
    expect((await client.get(path)).body.title).toBe('Second');
  });

  it('is refused where its key was used for another request', async () => {
    const key = keyed();
    const { body } = await client.post(spaces(), { title: 'One' }, key);
    const others = [
      () => client.post(spaces(), { title: 'Two' }, key),
      () => client.patch(`/v1/spaces/${body.id}`, { title: 'Two' }, key),
    ];
    for (const other of others) {
      const refused = await other();
      expect([refused.status, refused.body.error.code]).toEqual([422, 422]);
      expect(refused.body.error.message).toContain('Idempotency-Key');
    }
    expect((await client.get(`/v1/spaces/${body.id}`)).body.title).toBe('One');
  });

  it('may be corrected and sent again after it was refused', async () => {
    const key = keyed();
    expect((await client.post(spaces(), { title: 'x'.repeat(51) }, key)).status).toBe(400);
    expect((await client.post(spaces(), { title: 'Fine' }, key)).status).toBe(201);
  });

  it('shows nobody the answer to another', async () => {
    const other = await newUser(client, { organization, role: 'admin' });
    const [title, key] = [unique('Mine'), keyed()];
    const mine = await client.post(spaces(), { title }, key);
    const theirs = await client.post(spaces(), { title }, { ...key, token: other.token });
    expect([theirs.status, theirs.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it('is not answered again to a caller who has lost the access that it needs', async () => {
    const { id, client: member } = await newUser(client, { organization, role: 'admin' });
    const [title, creating] = [unique('Kept'), keyed()];
    const { body: space } = await member.post(spaces(), { title }, creating);
    await client.patch(`/v1/orgs/${organization}/members/${id}`, { role: 'read' });
    expect((await member.post(spaces(), { title }, creating)).status).toBe(403);
    await client.delete(`/v1/orgs/${organization}/members/${id}`);
    for (const sent of [title, 'Another body']) {
      const { status, headers, body } = await member.post(spaces(), { title: sent }, creating);
      expect([status, headers.get('idempotent-replayed')]).toEqual([404, null]);
      expect(JSON.stringify(body)).not.toContain(space.id);
    }
  });

  it('that made a caller a member is not answered again when it is one no more', async () => {
    const joining = await newUser(client);
    const invite = await client.post(`/v1/orgs/${organization}/link-invites`, { role: 'read' });
    const [path, key] = [`/v1/orgs/${organization}/invites/${invite.body.id}`, keyed()];
    const first = await joining.client.post(path, {}, key);
    const asMember = keyed();
    for (const each of [key, asMember]) expect((await joining.client.post(path, {}, each)).body).toEqual(first.body);
    await client.delete(`/v1/orgs/${organization}/members/${joining.id}`);
    for (const each of [key, asMember]) {
      const { status, headers } = await joining.client.post(path, {}, each);
      expect([status, headers.get('idempotent-replayed')]).toEqual([404, null]);
    }
    await joined(client, joining, { organization });
    expect((await joining.client.post(path, {}, key)).body).toEqual(first.body);
  });

  it('that deleted something is not answered again to somebody who left', async () => {
    const { id, client: member } = await newUser(client, { organization, role: 'admin' });
    const { body: site } = await member.post(`/v1/orgs/${organization}/sites`, { title: 'Gone' });
    const [path, key] = [`/v1/orgs/${organization}/sites/${site.id}`, keyed()];
    for (let i = 0; i < 2; i++) expect((await member.delete(path, key)).status).toBe(205);
    await client.delete(`/v1/orgs/${organization}/members/${id}`);
    expect((await member.delete(path, key)).status).toBe(404);
  });

  it('answers a new token again', async () => {
    const key = keyed();
    const { id: user } = (await client.get('/v1/user')).body;
    const create = (label: string) => client.post('/v1/user/tokens', { label }, key);
    const [first, again] = [await create('Keyed'), await create('Keyed')];
    expect(again.body).toEqual(first.body);
    expect((await client.get('/v1/user', { token: again.body.token })).body.id).toBe(user);
    expect((await create('Another')).status).toBe(422);
  });

  it.each(['', 'x'.repeat(256), 'a b', '\u00e4'])('is refused with the key %j', async (key) => {
    const title = unique('Bad key');
    const { status, body } = await client.post(spaces(), { title }, keyed(key));
    expect(status).toBe(400);
    expect(body.error.message).toContain('Idempotency-Key');
    expect(await spacesTitled(title)).toHaveLength(0);
  });

  it('is no matter for what only reads, also by POST', async () => {
    const key = keyed();
    const { body: site } = await client.post(`/v1/orgs/${organization}/sites`, { title: 'Searched' });
    for (let i = 0; i < 2; i++) {
      const read = await client.get('/v1/user', key);
      const found = await client.post(
        `/v1/orgs/${organization}/sites/${site.id}/search`,
        { query: 'no', mode: 'all' },
        key,
      );
      expect(found.status).toBe(200);
      for (const { headers } of [read, found]) expect(headers.get('idempotent-replayed')).toBeNull();
    }
  });

  it('may come from pages of other origins', async () => {
    const { headers } = await client.request('OPTIONS', spaces(), undefined, {
      token: null,
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect(headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
  });
});
