import { type NewUser, newOrganization, newSpace, newUser, newUsers, shared, walk } from '../support/fixtures.js';
import { importInto, openRepositories } from '../support/repository.js';
import type { Client } from '../support/server.js';

const admin = shared();
const kinds = ['spaces', 'collections'] as const;
type Kind = (typeof kinds)[number];

let organization: string;
let adminId: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
  adminId = (await admin.get('/v1/user')).body.id;
});

async function newPlace(kind: Kind, client = admin, input: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await client.post(`/v1/orgs/${organization}/${kind}`, { title: 'A place', ...input });
  expect(status).toBe(201);
  return `/v1/${kind}/${body.id}`;
}

async function newTeam(members: string[], where = organization, title = 'Team'): Promise<string> {
  const { status, body } = await admin.put(`/v1/orgs/${where}/teams`, { title, members });
  expect(status).toBe(201);
  return body.id;
}

const statusOf = async (client: Client, path: string) => (await client.get(path)).status;
const rightsOf = async (client: Client, path: string) => {
  const { permissions } = (await client.get(path)).body;
  return Object.keys(permissions).filter((right) => permissions[right]);
};

async function give(place: string, body: Record<string, unknown>, client = admin): Promise<void> {
  const answer = await client.post(`${place}/permissions`, body);
  expect([answer.status, answer.body]).toEqual([204, '']);
}

const levelsIn = async (path: string, client = admin) => {
  const items = await walk(client, path, 100);
  return Object.fromEntries(items.map(({ permission, user, team }) => [(user ?? team).id, permission]));
};

describe.each(kinds)('permissions on %s', (kind) => {
  it('are given, listed, changed and taken away', async () => {
    const place = await newPlace(kind);
    const [a, b] = (await newUsers(admin, 2, { organization })) as [NewUser, NewUser];
    const team = await newTeam([b.id]);
    await give(place, { role: 'edit', users: [a.id, b.id, a.id], teams: [team] });
    const users = await admin.get(`${place}/permissions/users`);
    expect(users.status).toBe(200);
    expect(users.body).toEqual({
      count: 2,
      items: [a, b].map(({ id, email }) => ({
        permission: 'edit',
        user: expect.objectContaining({ object: 'user', id, email }),
      })),
    });
    const teams = await admin.get(`${place}/permissions/teams`);
    expect(teams.body).toMatchObject({
      count: 1,
      items: [{ permission: 'edit', team: { object: 'team', id: team, title: 'Team', members: 1 } }],
    });
    expect((await admin.patch(`${place}/permissions/users/${a.id}`, { role: 'comment' })).status).toBe(204);
    expect((await admin.patch(`${place}/permissions/teams/${team}`, { role: 'review' })).status).toBe(204);
    expect(await levelsIn(`${place}/permissions/users`)).toEqual({ [a.id]: 'comment', [b.id]: 'edit' });
    expect(await levelsIn(`${place}/permissions/teams`)).toEqual({ [team]: 'review' });
    expect((await admin.delete(`${place}/permissions/users/${a.id}`)).status).toBe(205);
    expect((await admin.delete(`${place}/permissions/teams/${team}`)).status).toBe(205);
    expect(await levelsIn(`${place}/permissions/users`)).toEqual({ [b.id]: 'edit' });
    expect((await admin.get(`${place}/permissions/teams`)).body).toEqual({ count: 0, items: [] });
  });

  it('are given anew to who has one already', async () => {
    const place = await newPlace(kind);
    const { id, client } = await newUser(admin, { organization });
    await give(place, { role: 'edit', users: [id] });
    await give(place, { role: 'edit', users: [id] });
    await give(place, { role: 'read', users: [id] });
    expect((await admin.get(`${place}/permissions/users`)).body.count).toBe(1);
    expect(await rightsOf(client, place)).not.toContain('edit');
  });

  it('are left as they are without a role, and hide the place with null', async () => {
    const place = await newPlace(kind);
    const { id, client } = await newUser(admin, { organization, role: 'edit' });
    await give(place, { role: 'comment', users: [id] });
    const path = `${place}/permissions/users/${id}`;
    expect((await admin.patch(path, {})).status).toBe(204);
    expect(await levelsIn(`${place}/permissions/users`)).toEqual({ [id]: 'comment' });
    expect((await admin.patch(path, { role: null })).status).toBe(204);
    expect(await statusOf(client, place)).toBe(404);
    expect((await admin.get(`${place}/permissions/users`)).body).toEqual({ count: 0, items: [] });
    expect((await admin.patch(path, { role: 'read' })).status).toBe(204);
    expect(await statusOf(client, place)).toBe(200);
    await admin.patch(path, { role: null });
    expect((await admin.delete(path)).status).toBe(205);
    expect(await statusOf(client, place)).toBe(200);
  });

  it('are 404 where none were given', async () => {
    const place = await newPlace(kind);
    const { id } = await newUser(admin, { organization });
    const team = await newTeam([]);
    for (const path of [
      `users/${id}`,
      `users/${adminId}`,
      'users/nobody',
      `teams/${team}`,
      'teams/none',
      `teams/${id}`,
    ]) {
      expect((await admin.patch(`${place}/permissions/${path}`, { role: 'read' })).status).toBe(404);
      expect((await admin.patch(`${place}/permissions/${path}`, {})).status).toBe(404);
      expect((await admin.delete(`${place}/permissions/${path}`)).status).toBe(404);
    }
    for (const path of ['', '/users', '/teams', '/aggregate'])
      expect((await admin.get(`/v1/${kind}/nowhere/permissions${path || '/users'}`)).status).toBe(404);
    expect((await admin.post(`/v1/${kind}/nowhere/permissions`, { role: 'read', users: [id] })).status).toBe(404);
  });

  it.each([
    [{}, 'role'],
    [{ users: ['x'] }, 'role'],
    [{ role: 'owner', users: ['x'] }, 'role'],
    [{ role: 'inherit', users: ['x'] }, 'role'],
    [{ role: 'read' }, 'users'],
    [{ role: 'read', users: [] }, 'users'],
    [{ role: 'read', teams: [] }, 'teams'],
    [{ role: 'read', users: 'x' }, 'users'],
    [{ role: 'read', users: [7] }, 'users.0'],
    [{ role: 'read', users: [''] }, 'users.0'],
    [{ role: 'read', users: ['x'.repeat(101)] }, 'users.0'],
    [{ role: 'read', users: Array.from({ length: 501 }, (_, n) => `u${n}`) }, 'users'],
    [{ role: 'read', teams: Array.from({ length: 501 }, (_, n) => `t${n}`) }, 'teams'],
    [{ role: 'read', users: ['x'], teams: [null] }, 'teams.0'],
  ])('are not given by a wrong body (%#)', async (body, field) => {
    const place = await newPlace(kind);
    const answer = await admin.post(`${place}/permissions`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(field);
    expect((await admin.get(`${place}/permissions/users`)).body.count).toBe(0);
  });

  it('are not changed or listed by wrong input', async () => {
    const place = await newPlace(kind);
    const { id } = await newUser(admin, { organization });
    await give(place, { role: 'read', users: [id] });
    for (const role of ['owner', 5, '']) {
      const answer = await admin.patch(`${place}/permissions/users/${id}`, { role });
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('role')]);
    }
    for (const [query, field] of [
      ['limit=1001', 'limit'],
      ['limit=-1', 'limit'],
      ['page=nonsense', 'page'],
    ])
      for (const list of ['users', 'teams', 'aggregate']) {
        const answer = await admin.get(`${place}/permissions/${list}?${query}`);
        expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(field as string)]);
      }
    expect((await admin.get(`${place}/permissions/aggregate?role=guest`)).status).toBe(400);
    expect(await levelsIn(`${place}/permissions/users`)).toEqual({ [id]: 'read' });
  });

  it('are seen and given only by those who administer the place', async () => {
    const place = await newPlace(kind);
    const [a, reviewer, stranger] = await Promise.all([
      newUser(admin, { organization }),
      newUser(admin, { organization, role: 'review' }),
      newUser(admin),
    ]);
    await give(place, { role: 'read', users: [a.id] });
    const calls = (client: Client) => [
      client.post(`${place}/permissions`, { role: 'read', users: [reviewer.id] }),
      client.get(`${place}/permissions/users`),
      client.get(`${place}/permissions/teams`),
      client.get(`${place}/permissions/aggregate`),
      client.patch(`${place}/permissions/users/${a.id}`, { role: 'edit' }),
      client.delete(`${place}/permissions/users/${a.id}`),
      client.patch(`${place}/permissions/teams/none`, { role: 'edit' }),
      client.delete(`${place}/permissions/teams/none`),
    ];
    for (const [client, status] of [
      [a.client, 403],
      [reviewer.client, 403],
      [stranger.client, 404],
    ] as const)
      expect((await Promise.all(calls(client))).map((answer) => answer.status)).toEqual(Array(8).fill(status));
    expect(await levelsIn(`${place}/permissions/users`)).toEqual({ [a.id]: 'read' });
  });

  it('never go above the role of who gives them', async () => {
    const place = await newPlace(kind);
    const [creator, other, third] = (await newUsers(admin, 3, { organization, role: 'create' })) as [
      NewUser,
      NewUser,
      NewUser,
    ];
    const { client } = creator;
    const boss = await newTeam([third.id]);
    await give(place, { role: 'admin', users: [other.id], teams: [boss] });
    for (const answer of [
      await client.post(`${place}/permissions`, { role: 'admin', users: [third.id] }),
      await client.post(`${place}/permissions`, { role: 'admin', users: [creator.id] }),
      await client.post(`${place}/permissions`, { role: 'read', users: [third.id, other.id] }),
      await client.patch(`${place}/permissions/users/${other.id}`, { role: 'read' }),
      await client.patch(`${place}/permissions/teams/${boss}`, { role: null }),
      await client.delete(`${place}/permissions/users/${other.id}`),
      await client.delete(`${place}/permissions/teams/${boss}`),
      await client.patch(place, { defaultLevel: 'admin' }),
    ])
      expect([answer.status, answer.body.error.message]).toEqual([403, expect.stringContaining('above')]);
    expect(await levelsIn(`${place}/permissions/users`)).toEqual({ [other.id]: 'admin' });
    expect(await levelsIn(`${place}/permissions/teams`)).toEqual({ [boss]: 'admin' });
    await give(place, { role: 'create', users: [third.id] }, client);
    expect((await client.patch(place, { defaultLevel: 'create' })).status).toBe(200);
    expect((await client.delete(`${place}/permissions/users/${third.id}`)).status).toBe(205);
  });

  it('do not rise for those who take their own limits away', async () => {
    const { id, client } = await newUser(admin, { organization });
    const outer = await newPlace('collections');
    const place = await newPlace(kind, admin, { parent: outer.split('/').pop() });
    const team = await newTeam([id]);
    await give(place, { role: 'create', users: [id] });
    await give(place, { role: 'admin', teams: [team] });
    expect((await client.delete(`${place}/permissions/users/${id}`)).status).toBe(403);
    await admin.patch(place, { defaultLevel: 'read' });
    await admin.patch(outer, { defaultLevel: 'admin' });
    const answer = await client.patch(place, { defaultLevel: 'inherit' });
    expect([answer.status, answer.body.error.message]).toEqual([403, expect.stringContaining('defaultLevel')]);
  });

  it('never take anything from admins of the organization', async () => {
    const place = await newPlace(kind);
    const second = await newUser(admin, { organization, role: 'admin' });
    await give(place, { role: null, users: [second.id] });
    expect(await rightsOf(second.client, place)).toContain('admin');
    expect((await second.client.delete(`${place}/permissions/users/${second.id}`)).status).toBe(205);
  });

  it('know nobody and nothing of other organizations', async () => {
    const place = await newPlace(kind);
    const elsewhere = await newOrganization(admin);
    const stranger = await newUser(admin, { organization: elsewhere });
    const [own, theirs] = [await newUser(admin, { organization }), await newTeam([stranger.id], elsewhere)];
    for (const [body, field] of [
      [{ users: [own.id, stranger.id] }, 'users'],
      [{ users: ['nobody'] }, 'users'],
      [{ users: [own.id], teams: [theirs] }, 'teams'],
      [{ teams: ['none'] }, 'teams'],
    ] as const) {
      const answer = await admin.post(`${place}/permissions`, { role: 'edit', ...body });
      expect([answer.status, answer.body.error.message]).toEqual([404, expect.stringContaining(field)]);
      expect(answer.body.error.message).not.toContain(elsewhere);
    }
    expect((await admin.get(`${place}/permissions/users`)).body.count).toBe(0);
    const foreign = await admin.post(`/v1/orgs/${elsewhere}/${kind}`, { title: 'Theirs' });
    const path = `/v1/${kind}/${foreign.body.id}`;
    const boss = await newUser(admin, { organization, role: 'admin' });
    expect((await boss.client.post(`${path}/permissions`, { role: 'edit', users: [boss.id] })).status).toBe(404);
    for (const list of ['users', 'teams', 'aggregate'])
      expect((await boss.client.get(`${path}/permissions/${list}`)).status).toBe(404);
  });

  it('are listed page by page, oldest first', async () => {
    const place = await newPlace(kind);
    const users = (await newUsers(admin, 7, { organization })).map(({ id }) => id);
    for (const id of users) await give(place, { role: 'read', users: [id] });
    await admin.patch(`${place}/permissions/users/${users[2]}`, { role: null });
    const shown = users.filter((_, at) => at !== 2);
    const path = `${place}/permissions/users`;
    expect((await walk(admin, path, 2)).map(({ user }) => user.id)).toEqual(shown);
    expect((await admin.get(`${path}?limit=0`)).body).toEqual({ count: 6, items: [] });
  });
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
    const team = await newTeam([raised.id, limited.id], own);
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
    const outer = await newPlace('collections');
    const inner = await newPlace('collections', admin, { parent: outer.split('/').pop() });
    const space = await newPlace('spaces', admin, { parent: inner.split('/').pop() });
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
    const team = await newTeam([]);
    const place = await newPlace('spaces');
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
    const team = await newTeam([a.id], own);
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

describe('the audit trail of content', () => {
  it('tells every change, and nothing of what changed nothing or was refused', async () => {
    const own = await newOrganization(admin);
    const user = await newUser(admin, { organization: own, role: 'create' });
    const collection = (await admin.post(`/v1/orgs/${own}/collections`, { title: 'C' })).body.id;
    const space = await newSpace(admin, own, { parent: collection });
    const place = `/v1/spaces/${space}`;
    await admin.patch(place, { title: 'B', defaultLevel: 'read' });
    await admin.patch(place, { title: 'B', defaultLevel: 'read', emoji: null });
    await admin.patch(place, {});
    await admin.patch(`/v1/collections/${collection}`, { description: 'D' });
    await admin.patch(`/v1/collections/${collection}`, { description: 'D' });
    await give(place, { role: 'edit', users: [user.id] });
    await give(place, { role: 'edit', users: [user.id] });
    await admin.patch(`${place}/permissions/users/${user.id}`, { role: 'edit' });
    await admin.patch(`${place}/permissions/users/${user.id}`, { role: 'review' });
    await user.client.post(`${place}/permissions`, { role: 'admin', users: [user.id] });
    await admin.delete(`${place}/permissions/users/${user.id}`);
    await admin.delete(`${place}/permissions/users/${user.id}`);
    await admin.delete(place);
    await admin.post(`${place}/restore`);
    await admin.delete(`/v1/collections/${collection}`);
    const expected = [
      ['createCollection', 'collection', collection, { title: 'C' }],
      ['createSpace', 'space', space, { title: 'A space', editMode: 'locked', parent: collection }],
      ['updateSpaceById', 'space', space, { title: 'B', defaultLevel: 'read' }],
      ['updateCollectionById', 'collection', collection, { description: 'D' }],
      ['inviteToSpace', 'space', space, { role: 'edit', users: [user.id] }],
      ['updateUserPermissionInSpace', 'space', space, { user: user.id, role: 'review' }],
      ['removeUserFromSpace', 'space', space, { user: user.id }],
      ['deleteSpaceById', 'space', space, undefined],
      ['restoreSpace', 'space', space, undefined],
      ['deleteCollectionById', 'collection', collection, { spaces: 1, collections: 1 }],
    ];
    let events: any[] = [];
    while (!events.some(({ operation }) => operation === 'deleteCollectionById'))
      events = await walk(admin, `/v1/orgs/${own}/audit-events?order=asc`, 100);
    const ours = events.filter(({ resource }) => resource.id === space || resource.id === collection);
    expect(ours.map(({ operation, resource, details }) => [operation, resource.type, resource.id, details])).toEqual(
      expected,
    );
    expect(ours.every(({ actor }) => actor.type === 'user' && actor.id === adminId)).toBe(true);
  });

  it('tells who started an import, without its secrets, and that it took its place', async () => {
    const repositories = await openRepositories();
    try {
      await repositories.commit('docs', { 'README.md': '# Hello' });
      const own = await newOrganization(admin);
      const space = await newSpace(admin, own);
      const url = new URL(`${repositories.url}/docs.git`);
      url.username = 'ada';
      url.password = 'hunter2';
      expect(await importInto(admin, space, { url: url.href })).toMatchObject({ state: 'success' });
      const { revision } = (await admin.get(`/v1/spaces/${space}`)).body;
      const path = `/v1/orgs/${own}/audit-events?operation=importGitRepository&order=asc`;
      let events: any[] = [];
      while (events.length < 2) events = (await admin.get(path)).body.items;
      expect(events).toMatchObject([
        { actor: { type: 'user', id: adminId }, resource: { id: space }, details: { ref: 'refs/heads/main' } },
        { actor: { type: 'system' }, resource: { type: 'space', id: space }, details: { revision } },
      ]);
      expect(JSON.stringify(events)).not.toContain('hunter2');
    } finally {
      await repositories.close();
    }
  });
});
