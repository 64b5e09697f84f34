import { type NewUser, newOrganization, newSpace, newUser, newUsers, shared, walk } from '../support/fixtures.js';
import { give, levelsIn, newPlace, newTeam, rightsOf, statusOf } from '../support/permissions.js';

const admin = shared();

let organization: string;
let adminId: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
  adminId = (await admin.get('/v1/user')).body.id;
});

describe('the aggregate of permissions', () => {
  it('is the role that counts of every member that reaches the place, page by page', async () => {
    const own = await newOrganization(admin);
    const place = `/v1/spaces/${await newSpace(admin, own)}`;
    const [reader, hidden, raised, limited] = (await newUsers(admin, 4, { organization: own })) as NewUser[] as [
      NewUser,
      NewUser,
      NewUser,
      NewUser,
    ];
    const [guest, invited] = (await newUsers(admin, 2, { organization: own, role: null })) as [NewUser, NewUser];
    const team = await newTeam(own, [raised.id, limited.id]);
    await give(place, { role: null, users: [hidden.id] });
    await give(place, { role: 'review', teams: [team] });
    await give(place, { role: 'comment', users: [limited.id, invited.id] });
    const path = `${place}/permissions/aggregate`;
    const expected = {
      [adminId]: 'admin',
      [reader.id]: 'read',
      [raised.id]: 'review',
      [limited.id]: 'comment',
      [invited.id]: 'comment',
    };
    expect(await levelsIn(path)).toEqual(expected);
    expect(expected[guest.id]).toBeUndefined();
    const { body } = await admin.get(`${path}?limit=2`);
    expect(body).toMatchObject({ count: 5, next: { page: expect.any(String) } });
    expect((await walk(admin, path, 2)).map(({ user }) => user.id)).toEqual(Object.keys(expected).sort());
    const comments = await admin.get(`${path}?role=comment&limit=1`);
    expect(comments.body).toMatchObject({ count: 2, items: [{ permission: 'comment' }] });
    expect((await admin.get(`${path}?limit=0`)).body).toEqual({ count: 5, items: [] });
    await admin.patch(`/v1/orgs/${own}/members/${reader.id}`, { disabled: true });
    expect((await admin.get(path)).body.count).toBe(4);
  });
});

describe('what is granted', () => {
  it('opens one space to a guest, and closes it, at once', async () => {
    const guest = await newUser(admin, { organization, role: null });
    const id = await newSpace(admin, organization, { title: 'Open' });
    await newSpace(admin, organization, { title: 'Closed' });
    const place = `/v1/spaces/${id}`;
    const list = `/v1/orgs/${organization}/spaces`;
    const search = `${place}/search?query=anything`;
    const seen = async () => [
      await statusOf(guest.client, place),
      await statusOf(guest.client, `${place}/content/pages`),
      await statusOf(guest.client, search),
      (await guest.client.get(list)).body.items.map((space: { id: string }) => space.id),
    ];
    expect(await seen()).toEqual([404, 404, 404, []]);
    await give(place, { role: 'read', users: [guest.id] });
    expect(await seen()).toEqual([200, 200, 200, [id]]);
    await admin.delete(`${place}/permissions/users/${guest.id}`);
    expect(await seen()).toEqual([404, 404, 404, []]);
  });

  it('on a collection reaches down, as far as nothing nearer says otherwise', async () => {
    const { id, client } = await newUser(admin, { organization, role: null });
    const outer = await newPlace(organization, 'collections');
    const inner = await newPlace(organization, 'collections', admin, { parent: outer.split('/').pop() });
    const space = await newPlace(organization, 'spaces', admin, { parent: inner.split('/').pop() });
    await give(outer, { role: 'comment', users: [id] });
    for (const place of [outer, inner, space]) expect(await statusOf(client, place)).toBe(200);
    expect(await rightsOf(client, space)).toContain('comment');
    await give(inner, { role: null, users: [id] });
    expect([await statusOf(client, inner), await statusOf(client, space)]).toEqual([404, 404]);
    expect((await client.get(`${outer}/spaces`)).status).toBe(200);
    await give(space, { role: 'edit', users: [id] });
    expect(await rightsOf(client, space)).toContain('edit');
    await admin.delete(inner);
    expect(await statusOf(client, space)).toBe(404);
  });

  it('to a team holds for who joins it, and ends for who leaves it', async () => {
    const { id, client } = await newUser(admin, { organization, role: null });
    const team = await newTeam(organization, []);
    const place = await newPlace(organization, 'spaces');
    await give(place, { role: 'review', teams: [team] });
    expect(await statusOf(client, place)).toBe(404);
    await admin.put(`/v1/orgs/${organization}/teams/${team}/members/${id}`, {});
    expect(await rightsOf(client, place)).toContain('review');
    await admin.delete(`/v1/orgs/${organization}/teams/${team}/members/${id}`);
    expect(await statusOf(client, place)).toBe(404);
  });

  it('counts in the spaces of members and teams', async () => {
    const own = await newOrganization(admin);
    const [a, guest] = [
      await newUser(admin, { organization: own }),
      await newUser(admin, { organization: own, role: null }),
    ];
    const team = await newTeam(own, [a.id]);
    const [one, two, three] = [await newSpace(admin, own), await newSpace(admin, own), await newSpace(admin, own)];
    await admin.patch(`/v1/spaces/${one}`, { defaultLevel: null });
    await give(`/v1/spaces/${one}`, { role: 'read', teams: [team] });
    await give(`/v1/spaces/${two}`, { role: null, teams: [team] });
    await give(`/v1/spaces/${three}`, { role: 'edit', users: [guest.id] });
    const spacesOf = async (path: string) => (await admin.get(`/v1/orgs/${own}/${path}`)).body.spaces;
    expect(await spacesOf(`members/${adminId}`)).toBe(3);
    expect(await spacesOf(`members/${a.id}`)).toBe(2);
    expect(await spacesOf(`members/${guest.id}`)).toBe(1);
    expect(await spacesOf(`teams/${team}`)).toBe(1);
  });
});

describe('the spaces of a member', () => {
  let own: string;
  let spaces: string[];
  let member: NewUser;
  let fellow: NewUser;
  const path = (id: string) => `/v1/orgs/${own}/members/${id}/spaces`;
  const idsOf = (items: { space: { id: string } }[]) => items.map(({ space }) => space.id);
  beforeAll(async () => {
    own = await newOrganization(admin);
    [member, fellow] = (await newUsers(admin, 2, { organization: own })) as [NewUser, NewUser];
    spaces = [];
    for (let n = 0; n < 4; n++) spaces.push(await newSpace(admin, own, { title: `Space ${n}` }));
    await give(`/v1/spaces/${spaces[1]}`, { role: null, users: [member.id] });
    await give(`/v1/spaces/${spaces[2]}`, { role: 'edit', users: [member.id] });
    await give(`/v1/spaces/${spaces[3]}`, { role: null, users: [fellow.id] });
  });

  it('come newest first with the role of the member, and the permissions of the caller', async () => {
    const { status, body } = await admin.get(path(member.id));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      count: 3,
      items: [
        { permission: 'read', space: { object: 'space', id: spaces[3], permissions: { admin: true } } },
        { permission: 'edit', space: { id: spaces[2] } },
        { permission: 'read', space: { id: spaces[0] } },
      ],
    });
    expect(idsOf(await walk(admin, path(member.id), 1))).toEqual([spaces[3], spaces[2], spaces[0]]);
    expect(idsOf(await walk(admin, `${path(member.id)}?order=asc`, 2))).toEqual([spaces[0], spaces[2], spaces[3]]);
    expect((await admin.get(`${path(member.id)}?order=up`)).status).toBe(400);
    expect((await admin.get(`${path(member.id)}?limit=0`)).body).toEqual({ count: 3, items: [] });
  });

  it('are all shown to the member, and to others as far as they read them', async () => {
    const mine = (await member.client.get(path(member.id))).body;
    expect([mine.count, idsOf(mine.items)]).toEqual([3, [spaces[3], spaces[2], spaces[0]]]);
    expect(mine.items[1].space.permissions).toMatchObject({ edit: true, admin: false });
    const theirs = (await fellow.client.get(path(member.id))).body;
    expect([theirs.count, idsOf(theirs.items)]).toEqual([2, [spaces[2], spaces[0]]]);
    expect(theirs.items[0]).toMatchObject({ permission: 'edit', space: { permissions: { edit: false } } });
    const guest = await newUser(admin, { organization: own, role: null });
    expect((await guest.client.get(path(guest.id))).body).toEqual({ count: 0, items: [] });
    expect((await guest.client.get(path(member.id))).status).toBe(403);
  });

  it('are 404 for who is no member, here or anywhere', async () => {
    const stranger = await newUser(admin, { organization });
    for (const id of [stranger.id, 'nobody']) expect((await admin.get(path(id))).status).toBe(404);
    expect((await stranger.client.get(path(member.id))).status).toBe(404);
    expect((await stranger.client.get(path(stranger.id))).status).toBe(404);
  });
});
