import { type NewUser, newOrganization, newUser, newUsers, shared, walk } from '../support/fixtures.js';
import { give, levelsIn, newPlace, newTeam, places, rightsOf, statusOf } from '../support/permissions.js';
import type { Client } from '../support/server.js';

const admin = shared();

let organization: string;
let adminId: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
  adminId = (await admin.get('/v1/user')).body.id;
});

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

describe.each(places)('permissions on %s', (kind) => {
  it('are given, listed, changed and taken away', async () => {
    const place = await newPlace(organization, kind);
    const [a, b] = (await newUsers(admin, 2, { organization })) as [NewUser, NewUser];
    const team = await newTeam(organization, [b.id]);
    await give(place, { role: 'edit', users: [a.id, b.id, a.id], teams: [team] });
    const users = await admin.get(`${place}/permissions/users`);
    expect(users.status).toBe(200);
    expect(users.body).toEqual({
      count: 2,
      items: [a, b].toSorted(byId).map(({ id, email }) => ({
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
    const place = await newPlace(organization, kind);
    const { id, client } = await newUser(admin, { organization });
    await give(place, { role: 'edit', users: [id] });
    await give(place, { role: 'edit', users: [id] });
    await give(place, { role: 'read', users: [id] });
    expect((await admin.get(`${place}/permissions/users`)).body.count).toBe(1);
    expect(await rightsOf(client, place)).not.toContain('edit');
  });

  it('are left as they are without a role, and hide the place with null', async () => {
    const place = await newPlace(organization, kind);
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
    const place = await newPlace(organization, kind);
    const { id } = await newUser(admin, { organization });
    const team = await newTeam(organization, []);
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
    const place = await newPlace(organization, kind);
    const answer = await admin.post(`${place}/permissions`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(field);
    expect((await admin.get(`${place}/permissions/users`)).body.count).toBe(0);
  });

  it('are not changed or listed by wrong input', async () => {
    const place = await newPlace(organization, kind);
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
    const place = await newPlace(organization, kind);
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
    const place = await newPlace(organization, kind);
    const [creator, other, third] = (await newUsers(admin, 3, { organization, role: 'create' })) as [
      NewUser,
      NewUser,
      NewUser,
    ];
    const { client } = creator;
    const boss = await newTeam(organization, [third.id]);
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
    const outer = await newPlace(organization, 'collections');
    const place = await newPlace(organization, kind, admin, { parent: outer.split('/').pop() });
    const team = await newTeam(organization, [id]);
    await give(place, { role: 'create', users: [id] });
    await give(place, { role: 'admin', teams: [team] });
    expect((await client.delete(`${place}/permissions/users/${id}`)).status).toBe(403);
    await admin.patch(place, { defaultLevel: 'read' });
    await admin.patch(outer, { defaultLevel: 'admin' });
    const answer = await client.patch(place, { defaultLevel: 'inherit' });
    expect([answer.status, answer.body.error.message]).toEqual([403, expect.stringContaining('defaultLevel')]);
  });

  it('never take anything from admins of the organization', async () => {
    const place = await newPlace(organization, kind);
    const second = await newUser(admin, { organization, role: 'admin' });
    await give(place, { role: null, users: [second.id] });
    expect(await rightsOf(second.client, place)).toContain('admin');
    expect((await second.client.delete(`${place}/permissions/users/${second.id}`)).status).toBe(205);
  });

  it('know nobody and nothing of other organizations', async () => {
    const place = await newPlace(organization, kind);
    const elsewhere = await newOrganization(admin);
    const stranger = await newUser(admin, { organization: elsewhere });
    const [own, theirs] = [await newUser(admin, { organization }), await newTeam(elsewhere, [stranger.id])];
    for (const [body, missing] of [
      [{ users: [own.id, stranger.id] }, `users: member ${stranger.id}`],
      [{ users: ['nobody'] }, 'users: member nobody'],
      [{ users: [own.id], teams: [theirs] }, `teams: team ${theirs}`],
      [{ teams: ['none'] }, 'teams: team none'],
    ] as const) {
      const answer = await admin.post(`${place}/permissions`, { role: 'edit', ...body });
      expect([answer.status, answer.body.error.message]).toEqual([404, `${missing} not found`]);
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
    const place = await newPlace(organization, kind);
    const users = (await newUsers(admin, 7, { organization })).map(({ id }) => id);
    for (const id of users) await give(place, { role: 'read', users: [id] });
    await admin.patch(`${place}/permissions/users/${users[2]}`, { role: null });
    const shown = users.filter((_, at) => at !== 2);
    const path = `${place}/permissions/users`;
    expect((await walk(admin, path, 2)).map(({ user }) => user.id)).toEqual(shown);
    expect((await admin.get(`${path}?limit=0`)).body).toEqual({ count: 6, items: [] });
  });
});
