import { type NewUser, newOrganization, newUser, newUsers, shared, unique, walk } from '../support/fixtures.js';

const admin = shared();

let organization: string;
let teams: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
  teams = `/v1/orgs/${organization}/teams`;
});

async function newTeam(members: string[] = [], title = unique('Team')): Promise<string> {
  const { status, body } = await admin.put(teams, { title, members });
  expect(status).toBe(201);
  return body.id;
}
const membersOf = async (team: string) =>
  Object.fromEntries(
    (await walk(admin, `${teams}/${team}/members`, 100)).map((item) => [item.organization.id, item.team.role]),
  );

describe('a team', () => {
  it('is made with members, shown, renamed and deleted', async () => {
    const [a, b] = (await newUsers(admin, 2, { organization })) as [NewUser, NewUser];
    const title = unique('Writers');
    const made = await admin.put(teams, { title, members: [a.id, b.id, a.id] });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      object: 'team',
      title,
      members: 2,
      spaces: 0,
      permissions: { admin: true, view: true },
    });
    const path = `${teams}/${made.body.id}`;
    expect((await admin.get(path)).body).toEqual(made.body);
    expect((await a.client.get(path)).body.permissions).toEqual({ admin: false, view: true });
    const renamed = await admin.patch(path, { title: `${title}!` });
    expect([renamed.status, renamed.body.title]).toEqual([200, `${title}!`]);
    expect((await a.client.patch(path, { title })).status).toBe(403);
    expect((await a.client.delete(path)).status).toBe(403);
    expect((await admin.get(`/v1/orgs/${organization}/members/${a.id}`)).body.teams).toBe(1);
    expect((await admin.delete(path)).status).toBe(204);
    expect((await admin.get(path)).status).toBe(404);
    expect((await admin.delete(path)).status).toBe(404);
    expect((await admin.get(`/v1/orgs/${organization}/members/${a.id}`)).body.teams).toBe(0);
    expect((await admin.get(`/v1/orgs/${organization}/members/${a.id}/teams`)).body.count).toBe(0);
  });

  it('is managed by its owners, who manage its members alone', async () => {
    const [owner, one, guest] = (await newUsers(admin, 3, { organization })) as [NewUser, NewUser, NewUser];
    await admin.patch(`/v1/orgs/${organization}/members/${guest.id}`, { role: null });
    const path = `${teams}/${await newTeam([owner.id])}`;
    expect((await owner.client.put(`${path}/members/${one.id}`, {})).status).toBe(403);
    expect((await admin.put(`${path}/members/${owner.id}`, { role: 'owner' })).status).toBe(204);
    expect((await owner.client.get(`/v1/orgs/${organization}`)).body.permissions.ownTeam).toBe(true);
    expect((await owner.client.get(path)).body.permissions).toEqual({ admin: true, view: true });
    expect((await owner.client.put(`${path}/members/${one.id}`)).status).toBe(204);
    expect((await owner.client.put(`${path}/members/${guest.id}`, {})).status).toBe(204);
    expect((await guest.client.get(path)).status).toBe(200);
    expect((await guest.client.get(`${teams}/${await newTeam()}`)).status).toBe(404);
    expect((await owner.client.patch(path, { title: 'Renamed by its owner' })).status).toBe(200);
    expect((await owner.client.delete(path)).status).toBe(403);
    expect((await one.client.delete(`${path}/members/${guest.id}`)).status).toBe(403);
    expect((await one.client.delete(`${path}/members/${one.id}`)).status).toBe(204);
    expect((await owner.client.delete(`${path}/members/${guest.id}`)).status).toBe(204);
    expect((await admin.get(path)).body.members).toBe(1);
  });

  it('keeps the role of a member that is put again without one', async () => {
    const { id } = await newUser(admin, { organization });
    const team = await newTeam();
    const path = `${teams}/${team}/members/${id}`;
    expect((await admin.put(path, { role: 'owner' })).status).toBe(204);
    expect((await admin.put(path)).status).toBe(204);
    expect(await membersOf(team)).toEqual({ [id]: 'owner' });
    expect((await admin.put(path, { role: 'member' })).status).toBe(204);
    expect(await membersOf(team)).toEqual({ [id]: 'member' });
    expect((await admin.delete(path)).status).toBe(204);
    expect((await admin.delete(path)).status).toBe(404);
    expect((await admin.get(`${teams}/${team}`)).body.members).toBe(0);
  });

  it('loses who leaves the organization', async () => {
    const { id } = await newUser(admin, { organization });
    const team = await newTeam([id]);
    await admin.delete(`/v1/orgs/${organization}/members/${id}`);
    expect((await admin.get(`${teams}/${team}`)).body.members).toBe(0);
    expect(await membersOf(team)).toEqual({});
  });

  it.each([
    [{}, 'title'],
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(65) }, 'title'],
    [{ title: 7 }, 'title'],
    [{ title: 'x', members: 'all' }, 'members'],
    [{ title: 'x', members: [''] }, 'members.0'],
    [{ title: 'x', members: ['nobody'] }, 'members.0'],
  ])('%j is refused by name', async (body, field) => {
    const { count } = (await admin.get(`${teams}?limit=0`)).body;
    const answer = await admin.put(teams, body);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(field)]);
    expect((await admin.get(`${teams}?limit=0`)).body.count).toBe(count);
  });
});

describe('the members of a team, many at once', () => {
  it('come and go by id and by e-mail address, all or nothing', async () => {
    const [a, b, c] = (await newUsers(admin, 3, { organization })) as [NewUser, NewUser, NewUser];
    const team = await newTeam();
    const path = `${teams}/${team}/members`;
    const put = (body: object) => admin.put(path, body);
    expect((await put({ add: [a.id, b.email.toUpperCase()], memberships: { [b.id]: { role: 'owner' } } })).status).toBe(
      204,
    );
    expect(await membersOf(team)).toEqual({ [a.id]: 'member', [b.id]: 'owner' });
    expect((await put({ add: [c.id, a.id], remove: [c.email, b.id] })).status).toBe(204);
    expect(await membersOf(team)).toEqual({ [a.id]: 'member' });
    expect((await put({ memberships: { [c.email]: { role: 'owner' } } })).status).toBe(204);
    expect(await membersOf(team)).toEqual({ [a.id]: 'member', [c.id]: 'owner' });
    expect((await put({ add: [b.id], remove: ['nobody@people.example'] })).status).toBe(400);
    expect(await membersOf(team)).toEqual({ [a.id]: 'member', [c.id]: 'owner' });
    expect((await put({})).status).toBe(204);
    expect((await admin.get(`${teams}/${team}`)).body.members).toBe(2);
  });

  it.each([
    [{ add: 'x' }, 'add'],
    [{ add: ['nobody'] }, 'add.0'],
    [{ remove: ['nobody'] }, 'remove.0'],
    [{ remove: [''] }, 'remove.0'],
    [{ memberships: { nobody: { role: 'owner' } } }, 'memberships.nobody'],
    [{ memberships: { nobody: { role: 'boss' } } }, 'memberships.nobody.role'],
    [{ memberships: [] }, 'memberships'],
    [{ add: Array(1001).fill('x') }, 'add'],
  ])('%j are refused by name', async (body, field) => {
    const answer = await admin.put(`${teams}/${await newTeam()}/members`, body);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(field)]);
  });

  it('are counted exactly when 64 writers add and remove them', async () => {
    const people = await newUsers(admin, 16, { organization });
    const team = await newTeam();
    const path = `${teams}/${team}/members`;
    const turns = Array.from({ length: 64 }, (_, turn) => {
      const { id } = people[turn % people.length] as NewUser;
      if (turn % 3 === 0) return admin.delete(`${path}/${id}`);
      if (turn % 3 === 1) return admin.put(`${path}/${id}`, { role: turn % 2 === 0 ? 'owner' : 'member' });
      return admin.put(path, { add: [id, (people[(turn * 7) % 16] as NewUser).id] });
    });
    const statuses = (await Promise.all(turns)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 204 && status !== 404)).toEqual([]);
    const held = await membersOf(team);
    expect((await admin.get(`${teams}/${team}`)).body.members).toBe(Object.keys(held).length);
    for (const { id } of people) {
      const listed = (await admin.get(`/v1/orgs/${organization}/members/${id}/teams`)).body.items;
      expect(listed.some(({ team: { id: in_ } }: { team: { id: string } }) => in_ === team)).toBe(id in held);
    }
  });
});

describe('lists of teams', () => {
  let own: string;
  let list: string;
  let owner: NewUser;
  const titles = ['Docs', 'Design', 'Developers 100%', 'Sales_EMEA'];
  beforeAll(async () => {
    own = await newOrganization(admin);
    list = `/v1/orgs/${own}/teams`;
    owner = await newUser(admin, { organization: own });
    for (const title of titles) {
      const { body } = await admin.put(list, { title, members: [owner.id] });
      if (title.startsWith('De')) await admin.put(`${list}/${body.id}/members/${owner.id}`, { role: 'owner' });
    }
  });
  const titlesOf = async (query: string, limit = 100) =>
    (await walk(admin, `${list}${query}`, limit)).map(({ title }) => title);

  it('go in the order of their making, page by page', async () => {
    expect(await titlesOf('', 1)).toEqual(titles);
    expect((await admin.get(`${list}?limit=0`)).body).toEqual({ count: 4, items: [] });
  });

  it('are filtered by a part of the title', async () => {
    expect(await titlesOf('?title=DE', 1)).toEqual(['Design', 'Developers 100%']);
    expect(await titlesOf('?title=0%25')).toEqual(['Developers 100%']);
    expect(await titlesOf('?title=_')).toEqual(['Sales_EMEA']);
    expect(await titlesOf('?title=none')).toEqual([]);
  });

  it('are filtered by who may manage them: owners their own, admins all', async () => {
    expect(await titlesOf(`?owner=${owner.id}`, 1)).toEqual(['Design', 'Developers 100%']);
    expect(await titlesOf(`?owner=${owner.id}&title=velop`)).toEqual(['Developers 100%']);
    expect(await titlesOf(`?owner=${(await admin.get('/v1/user')).body.id}`)).toEqual(titles);
    expect(await titlesOf('?owner=nobody')).toEqual([]);
  });

  it('of a member hold its role in each', async () => {
    const path = `/v1/orgs/${own}/members/${owner.id}/teams`;
    const found = await walk(owner.client, path, 3);
    expect(found.map(({ team, member }) => [team.title, member.role])).toEqual([
      ['Docs', 'member'],
      ['Design', 'owner'],
      ['Developers 100%', 'owner'],
      ['Sales_EMEA', 'member'],
    ]);
    expect((await admin.get(`${path}?title=sales`)).body.count).toBe(1);
    expect((await admin.get(`/v1/orgs/${own}/members/nobody/teams`)).status).toBe(404);
  });
});
