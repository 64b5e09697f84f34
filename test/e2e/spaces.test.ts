import { newOrganization, newSpace, shared, walk } from '../support/fixtures.js';

const client = shared();
let organization: string;
beforeAll(async () => {
  organization = await newOrganization(client);
});

const unchanged = async (path: string, act: () => Promise<void>) => {
  const before = (await client.get(path)).body;
  await act();
  expect((await client.get(path)).body).toEqual(before);
};

describe('spaces', () => {
  it('start with defaults, an empty revision and the permissions of their creator', async () => {
    const { status, body, headers } = await client.post(`/v1/orgs/${organization}/spaces`);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(body.urls.location);
    expect(body).toMatchObject({
      object: 'space',
      organization,
      editMode: 'locked',
      defaultLevel: 'inherit',
      visibility: 'private',
      comments: 0,
      changeRequests: 0,
    });
    expect(body.permissions).toMatchObject({ view: true, admin: true, edit: true, triggerGitSync: true });
    const revision = await client.get(`/v1/spaces/${body.id}/content`);
    expect(revision.body).toMatchObject({ object: 'revision', id: body.revision, pages: [], files: [], parents: [] });
    expect((await client.get(`/v1/spaces/${body.id}`)).body).toEqual(body);
  });

  it('keep what they are given; absent stays, null clears', async () => {
    const created = await client.post(`/v1/orgs/${organization}/spaces`, {
      title: 'One',
      emoji: '1f600',
      language: 'fr',
      editMode: 'live',
    });
    const path = `/v1/spaces/${created.body.id}`;
    expect(created.body).toMatchObject({ title: 'One', emoji: '1f600', language: 'fr', editMode: 'live' });
    const renamed = await client.patch(path, {
      title: 'Two',
      icon: 'https://example.com/icon.png',
      defaultLevel: 'read',
    });
    expect(renamed.body).toMatchObject({ title: 'Two', emoji: '1f600', language: 'fr', defaultLevel: 'read' });
    expect(renamed.body.urls.icon).toBe('https://example.com/icon.png');
    const cleared = await client.patch(path, { emoji: null, icon: null, defaultLevel: null });
    expect(cleared.body.emoji).toBe('');
    expect(cleared.body.urls.icon).toBeUndefined();
    expect(cleared.body.defaultLevel).toBeNull();
    expect((await client.get(path)).body).toEqual(cleared.body);
  });

  it.each([
    [{ title: 'x'.repeat(51) }, 'title'],
    [{ title: 5 }, 'title'],
    [{ emoji: 'x'.repeat(51) }, 'emoji'],
    [{ parent: 'nowhere' }, 'parent'],
    [{ parent: 7 }, 'parent'],
    [{ language: 'klingon' }, 'language'],
    [{ editMode: 'open' }, 'editMode'],
    [{ template: { id: 'changelog', params: { contentRefs: { a: { kind: 'space' } } } } }, 'template.params'],
    [{ template: {} }, 'template.id'],
    [{ template: { id: 'changelog' }, empty: true }, 'empty'],
    [{ computedSource: {} }, 'computedSource'],
  ])('are not made from %j', (body, field) =>
    unchanged(`/v1/orgs/${organization}/spaces?limit=0`, async () => {
      const answer = await client.post(`/v1/orgs/${organization}/spaces`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toContain(field);
    }),
  );

  it.each([
    [{ title: null }, 'title'],
    [{ defaultLevel: 'owner' }, 'defaultLevel'],
    [{ icon: 'not a url' }, 'icon'],
    [{ icon: 'javascript:alert(1)' }, 'icon'],
    [{ icon: 'data:image/svg+xml,<svg/>' }, 'icon'],
    [{ editMode: null }, 'editMode'],
    [{ language: '' }, 'language'],
  ])('are not changed by %j', async (body, field) => {
    const space = await newSpace(client, organization);
    await unchanged(`/v1/spaces/${space}`, async () => {
      const answer = await client.patch(`/v1/spaces/${space}`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toContain(field);
    });
  });

  it('go to the trash, are gone from lists and content, and come back', async () => {
    const own = await newOrganization(client);
    const space = await newSpace(client, own);
    expect((await client.delete(`/v1/spaces/${space}`)).status).toBe(205);
    const shown = await client.get(`/v1/spaces/${space}`);
    expect(shown.status).toBe(200);
    expect(shown.body.deletedAt).toBeDefined();
    expect((await client.get(`/v1/orgs/${own}/spaces`)).body).toEqual({ count: 0, items: [] });
    for (const path of ['content', 'content/pages', 'content/files', 'git/info', 'search?query=a'])
      expect((await client.get(`/v1/spaces/${space}/${path}`)).status).toBe(404);
    expect((await client.patch(`/v1/spaces/${space}`, { title: 'x' })).status).toBe(404);
    expect((await client.delete(`/v1/spaces/${space}`)).status).toBe(404);
    const restored = await client.post(`/v1/spaces/${space}/restore`);
    expect(restored.status).toBe(200);
    expect(restored.body.deletedAt).toBeUndefined();
    expect((await client.get(`/v1/orgs/${own}/spaces`)).body.count).toBe(1);
    expect((await client.post(`/v1/spaces/${space}/restore`)).status).toBe(409);
  });

  it('are listed page by page; what is made or deleted meanwhile neither repeats nor skips the rest', async () => {
    const own = await newOrganization(client);
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push(await newSpace(client, own));
    const first = await client.get(`/v1/orgs/${own}/spaces?limit=3`);
    expect(first.body.count).toBe(7);
    await client.delete(`/v1/spaces/${ids[1]}`);
    await client.delete(`/v1/spaces/${ids[2]}`);
    await client.delete(`/v1/spaces/${ids[4]}`);
    const added = await newSpace(client, own);
    const rest = await client.get(`/v1/orgs/${own}/spaces?limit=50&page=${first.body.next.page}`);
    const seen = [...first.body.items, ...rest.body.items].map(({ id }: { id: string }) => id);
    expect(seen).toEqual([ids[0], ids[1], ids[2], ids[3], ids[5], ids[6], added]);
    expect(rest.body.next).toBeUndefined();
    expect(rest.body.count).toBe(5);
  });
});

describe('collections', () => {
  it('nest, hold spaces, and take them along when deleted', async () => {
    const own = await newOrganization(client);
    const outer = await client.post(`/v1/orgs/${own}/collections`, { title: 'Outer' });
    expect(outer.status).toBe(201);
    expect(outer.body).toMatchObject({
      object: 'collection',
      title: 'Outer',
      organization: own,
      defaultLevel: 'inherit',
    });
    const inner = await client.post(`/v1/orgs/${own}/collections`, { title: 'Inner', parent: outer.body.id });
    expect(inner.body.parent).toBe(outer.body.id);
    const space = await newSpace(client, own, { parent: inner.body.id });
    const outside = await newSpace(client, own);
    expect((await client.get(`/v1/spaces/${space}`)).body).toMatchObject({
      parent: inner.body.id,
      visibility: 'in-collection',
    });
    const all = await walk(client, `/v1/orgs/${own}/collections`, 1);
    expect(all.map(({ title }: { title: string }) => title)).toEqual(['Outer', 'Inner']);
    const top = await client.get(`/v1/orgs/${own}/collections?nested=false`);
    expect(top.body.items).toHaveLength(1);
    expect((await client.get(`/v1/collections/${inner.body.id}/spaces`)).body.items[0].id).toBe(space);
    expect((await client.get(`/v1/collections/${outer.body.id}/spaces`)).body.count).toBe(0);
    expect((await client.delete(`/v1/collections/${outer.body.id}`)).status).toBe(205);
    expect((await client.get(`/v1/collections/${inner.body.id}`)).status).toBe(404);
    expect((await client.get(`/v1/spaces/${space}`)).body.deletedAt).toBeDefined();
    const restored = await client.post(`/v1/spaces/${space}/restore`);
    expect(restored.body.parent).toBeUndefined();
    expect((await client.get(`/v1/orgs/${own}/spaces`)).body.items.map(({ id }: { id: string }) => id)).toEqual(
      [space, outside].sort(),
    );
  });

  it('are updated; a parent of another organization is refused', async () => {
    const created = await client.post(`/v1/orgs/${organization}/collections`, {});
    const path = `/v1/collections/${created.body.id}`;
    const updated = await client.patch(path, { title: 'Named', description: 'What it holds', defaultLevel: 'comment' });
    expect(updated.body).toMatchObject({ title: 'Named', description: 'What it holds', defaultLevel: 'comment' });
    expect((await client.get(path)).body).toEqual(updated.body);
    const foreign = await newOrganization(client);
    for (const kind of ['spaces', 'collections']) {
      const answer = await client.post(`/v1/orgs/${foreign}/${kind}`, { parent: created.body.id });
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('parent')]);
    }
  });

  it.each([
    [{ title: 'x'.repeat(51) }, 'title'],
    [{ description: 'x'.repeat(101) }, 'description'],
    [{ defaultLevel: 'none' }, 'defaultLevel'],
  ])('are not changed by %j', async (body, field) => {
    const { body: created } = await client.post(`/v1/orgs/${organization}/collections`, {});
    await unchanged(`/v1/collections/${created.id}`, async () => {
      const answer = await client.patch(`/v1/collections/${created.id}`, body);
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(field)]);
    });
  });
});
