import { type AppPerson, personWith } from '../support/app-person.js';
import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';

const root = shared();
let organization: string;
let boss: NewUser;
let member: NewUser;
let admin: AppPerson;
let reading: AppPerson;
beforeAll(async () => {
  organization = await newOrganization(root);
  [boss, member] = await Promise.all([
    newUser(root, { organization, role: 'admin' }),
    newUser(root, { organization, role: 'read' }),
  ]);
  [admin, reading] = await Promise.all([personWith(root, boss.token), personWith(root, member.token)]);
});

const at = () => `/v1/orgs/${organization}/teams`;

describe('teams', () => {
  it('are made, renamed, filled, emptied and deleted', async () => {
    await admin.open(`/app/o/${organization}/teams`);
    expect(admin.text).toContain('No teams yet.');
    await admin.submit({ action: 'create' }, { title: 'Writers' });
    expect([admin.status, admin.notices]).toEqual([200, ['Created.']]);
    const team = (await root.get(at())).body.items[0].id;
    await admin.submit({ action: 'rename' }, { title: 'Technical writers' });
    expect((await root.get(`${at()}/${team}`)).body.title).toBe('Technical writers');
    await admin.submit({ action: 'add' }, { address: member.email, role: 'owner' });
    expect(admin.text).toContain(member.email);
    await admin.submit({ action: 'role', where: { member: member.id } }, { role: 'member' });
    expect((await root.get(`${at()}/${team}/members`)).body.items[0].team.role).toBe('member');
    await admin.submit({ action: 'remove', where: { member: member.id } });
    expect([admin.notices, admin.text.includes('Nobody is in this team yet.')]).toEqual([['Removed.'], true]);
    await admin.submit({ action: 'delete' });
    expect([admin.path, (await root.get(at())).body.count]).toEqual([`/app/o/${organization}/teams?done=deleted`, 0]);
  });

  it('refuse names and people who are none', async () => {
    await admin.open(`/app/o/${organization}/teams`);
    await admin.submit({ action: 'create' }, { title: '' });
    expect([admin.status, admin.notices]).toEqual([400, [expect.stringContaining('title')]]);
    expect(admin.openMenus).toEqual([expect.stringContaining('Name')]);
    const team = (await root.put(at(), { title: 'Narrow' })).body.id;
    await admin.open(`/app/o/${organization}/teams/${team}`);
    await admin.submit({ action: 'rename' }, { title: 'x'.repeat(65) });
    expect([admin.status, admin.openMenus]).toEqual([400, [expect.stringContaining('Name')]]);
    await admin.submit({ action: 'add' }, { address: 'nobody@people.example' });
    expect([admin.status >= 400 && admin.status < 500, admin.notices.length]).toEqual([true, 1]);
    await admin.submit({ action: 'add' }, { address: member.email, role: 'king' });
    expect([admin.status, admin.notices]).toEqual([400, ['role: required']]);
  });

  it('are managed by their owners, and seen by the other members', async () => {
    const team = (await root.put(at(), { title: 'Owned', members: [member.id, boss.id] })).body.id;
    const way = `/app/o/${organization}/teams/${team}`;
    await reading.open(way);
    expect([reading.status, reading.offers()]).toEqual([200, new Set(['sign-out', 'remove'])]);
    await root.put(`${at()}/${team}/members/${member.id}`, { role: 'owner' });
    await reading.open(way);
    expect(reading.offers()).toEqual(new Set(['sign-out', 'rename', 'role', 'remove', 'add']));
    await root.put(`${at()}/${team}/members/${member.id}`, { role: 'member' });
    await reading.submit({ action: 'rename' }, { title: 'Taken over' });
    expect([reading.status, reading.notices]).toEqual([403, [expect.stringContaining('admin')]]);
    const guest = await personWith(root, (await newUser(root, { organization, role: null })).token);
    for (const path of [way, `/app/o/${organization}/teams`]) {
      await guest.open(path);
      expect(guest.status).toBeGreaterThanOrEqual(403);
    }
  });

  it('are found by their names, part by part', async () => {
    const own = await newOrganization(root);
    for (let each = 0; each < 51; each++) await root.put(`/v1/orgs/${own}/teams`, { title: `Team ${each}.` });
    const browser = await personWith(root, root.token);
    await browser.open(`/app/o/${own}/teams`);
    expect(browser.links().filter((href) => href.includes('page='))).toHaveLength(1);
    await browser.open(`/app/o/${own}/teams?q=${encodeURIComponent('Team 50.')}`);
    expect([browser.text.includes('Team 50.'), browser.text.includes('Team 1.')]).toEqual([true, false]);
  });
});

describe('access to a space', () => {
  let space: string;
  let way: string;
  beforeAll(async () => {
    space = await newSpace(root, organization, { title: 'Guarded' });
    way = `/app/s/${space}/~/access`;
    await admin.open(`/app/s/${space}`);
    expect(admin.links()).toContain(way);
    await admin.open(way);
  });
  const permissions = async (list: string) => (await root.get(`/v1/spaces/${space}/permissions/${list}`)).body.items;

  it('is given to members by name or address, changed, and taken away', async () => {
    const name = `Grace ${member.id}`;
    await member.client.patch(`/v1/users/${member.id}`, { displayName: name });
    for (const who of [member.email.toUpperCase(), name]) {
      await admin.open(way);
      await admin.submit({ action: 'give-member' }, { who, role: 'edit' });
      expect([admin.status, admin.notices]).toEqual([200, ['Access is given.']]);
      expect(await permissions('users')).toMatchObject([{ permission: 'edit', user: { id: member.id } }]);
      await admin.submit({ action: 'member-role', where: { member: member.id } }, { role: 'comment' });
      expect(await permissions('users')).toMatchObject([{ permission: 'comment' }]);
      await admin.submit({ action: 'remove-member', where: { member: member.id } });
      expect([admin.notices, await permissions('users')]).toEqual([['Removed.'], []]);
    }
  });

  it('is given to nobody in doubt', async () => {
    await admin.open(way);
    await admin.submit({ action: 'give-member' }, { who: 'Nobody Anywhere' });
    expect([admin.status, admin.notices]).toEqual([
      400,
      ['No member of the organization is called “Nobody Anywhere”.'],
    ]);
    const twins = await Promise.all([1, 2].map(() => newUser(root, { organization })));
    for (const { id, client } of twins) await client.patch(`/v1/users/${id}`, { displayName: 'Twin' });
    await admin.submit({ action: 'give-member' }, { who: 'twin' });
    expect([admin.status, admin.notices]).toEqual([
      400,
      [expect.stringContaining('Several members are called “twin”')],
    ]);
    expect(await permissions('users')).toEqual([]);
  });

  it('is given to teams, and by default', async () => {
    const team = (await root.put(at(), { title: 'Guards', members: [member.id] })).body.id;
    await admin.open(way);
    await admin.submit({ action: 'give-team' }, { team, role: 'review' });
    expect(await permissions('teams')).toMatchObject([{ permission: 'review', team: { id: team } }]);
    await admin.submit({ action: 'team-role', where: { team } }, { role: 'edit' });
    await admin.submit({ action: 'level' }, { level: 'none' });
    expect((await root.get(`/v1/spaces/${space}`)).body.defaultLevel).toBeNull();
    expect(await permissions('aggregate')).toContainEqual(
      expect.objectContaining({ permission: 'edit', user: expect.objectContaining({ id: member.id }) }),
    );
    expect(admin.text).toContain('Everybody with access');
    await admin.submit({ action: 'remove-team', where: { team } });
    expect(await permissions('teams')).toEqual([]);
    await admin.submit({ action: 'level' }, { level: 'inherit' });
    expect((await root.get(`/v1/spaces/${space}`)).body.defaultLevel).toBe('inherit');
    await admin.submit({ action: 'level' }, { level: 'all' });
    expect([admin.status, admin.notices]).toEqual([400, ['level: required']]);
  });

  it('is shown to a guest who administers the space, and changed, besides what guests may not know', async () => {
    const own = await newSpace(root, organization, { title: 'Run by a guest' });
    const guest = await newUser(root, { organization, role: null });
    const body = { role: 'admin', users: [guest.id] };
    expect((await root.post(`/v1/spaces/${own}/permissions`, body)).status).toBeLessThan(300);
    const browser = await personWith(root, guest.token);
    await browser.open(`/app/s/${own}/~/access`);
    expect([browser.status, browser.text]).toEqual([200, expect.stringContaining('Everybody with access')]);
    await browser.submit({ action: 'level' }, { level: 'comment' });
    expect([browser.status, browser.notices]).toEqual([200, ['Saved.']]);
    expect((await root.get(`/v1/spaces/${own}`)).body.defaultLevel).toBe('comment');
    expect(browser.offers()).not.toContain('give-member');
  });

  it('is not shown to those who may not give it, and taken from an admin who is looking', async () => {
    await reading.open(`/app/s/${space}`);
    expect(reading.links()).not.toContain(way);
    await reading.open(way);
    expect(reading.status).toBe(403);
    const former = await newUser(root, { organization, role: 'create' });
    const losing = await personWith(root, former.token);
    await losing.open(way);
    await root.patch(`/v1/orgs/${organization}/members/${former.id}`, { role: 'read' });
    await losing.submit({ action: 'give-member' }, { who: former.email, role: 'admin' });
    expect(losing.status).toBe(403);
    expect(await permissions('users')).toEqual([]);
  });
});
