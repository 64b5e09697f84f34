import { eventually } from '../../shared/testing/eventually.js';
import { type NewUser, newOrganization, newSpace, newUser, newUsers, shared, walk } from '../support/fixtures.js';
import { give, levelsIn, newTeam, rightsOf, statusOf } from '../support/permissions.js';
import { newSite, type Site } from '../support/site.js';

const admin = shared();
let organization: string;
let site: Site;
beforeAll(async () => {
  organization = await newOrganization(admin);
});
beforeEach(async () => {
  site = await newSite(organization);
});

const sitesOf = async ({ client }: NewUser, query = '') =>
  (await walk(client, `/v1/orgs/${organization}/sites${query}`, 3)).map(({ id }) => id);
const memberOf = async ({ id }: NewUser) => (await admin.get(`/v1/orgs/${organization}/members/${id}`)).body;

it('grants on a site are given, listed, changed and taken away', async () => {
  const [a, b] = (await newUsers(admin, 2, { organization })) as [NewUser, NewUser];
  const team = await newTeam(organization, [b.id]);
  await give(site.at(), { role: 'edit', users: [a.id, b.id, a.id], teams: [team] });
  const [users, teams] = [site.at('/permissions/users'), site.at('/permissions/teams')];
  expect(await levelsIn(users)).toEqual({ [a.id]: 'edit', [b.id]: 'edit' });
  expect((await admin.get(teams)).body).toMatchObject({
    count: 1,
    items: [{ permission: 'edit', team: { id: team } }],
  });
  expect((await admin.patch(`${users}/${a.id}`, { role: 'comment' })).status).toBe(204);
  expect((await admin.patch(`${teams}/${team}`, { role: 'review' })).status).toBe(204);
  expect((await admin.patch(`${users}/${b.id}`, {})).status).toBe(204);
  expect([await levelsIn(users), await levelsIn(teams)]).toEqual([
    { [a.id]: 'comment', [b.id]: 'edit' },
    { [team]: 'review' },
  ]);
  expect((await admin.delete(`${users}/${a.id}`)).status).toBe(205);
  expect((await admin.delete(`${teams}/${team}`)).status).toBe(205);
  expect([await levelsIn(users), await levelsIn(teams)]).toEqual([{ [b.id]: 'edit' }, {}]);
  for (const path of [`${users}/${a.id}`, `${teams}/${team}`])
    expect([(await admin.patch(path, {})).status, (await admin.delete(path)).status]).toEqual([404, 404]);
  const stranger = await newUser(admin);
  const refused = await site.send('POST', '/permissions', { role: 'read', users: [a.id, stranger.id] });
  expect([refused.status, refused.body.error.message]).toEqual([404, `users: member ${stranger.id} not found`]);
  expect(await levelsIn(users)).toEqual({ [b.id]: 'edit' });
});

it('a role on a site decides what a member may do with it, not with its spaces', async () => {
  const space = await newSpace(admin, organization);
  await site.siteSpace(space);
  const editor = await newUser(admin, { organization, role: 'edit' });
  const patch = async (title: string) => (await editor.client.patch(site.at(), { title })).status;
  expect(await patch('Before')).toBe(403);
  await give(site.at(), { role: 'create', users: [editor.id] });
  expect([await patch('Mine'), await rightsOf(editor.client, site.at())]).toEqual([
    200,
    expect.arrayContaining(['admin', 'installIntegration']),
  ]);
  expect((await editor.client.patch(`/v1/spaces/${space}`, { title: 'Mine' })).status).toBe(403);
  // Nobody opens a space to visitors that they do not administer, not even as admin of the site.
  await give(site.at(), { role: 'admin', users: [editor.id] });
  expect((await editor.client.post(site.at('/publish'))).status).toBe(403);
  await give(`/v1/spaces/${space}`, { role: 'create', users: [editor.id] });
  expect((await editor.client.post(site.at('/publish'))).status).toBe(200);

  const creator = await newUser(admin, { organization, role: 'create' });
  await give(site.at(), { role: 'read', users: [creator.id] });
  expect((await creator.client.patch(site.at(), { title: 'Theirs' })).status).toBe(403);
});

it('a site is hidden from who is refused, and shown to guests who have a role, in lists and counts too', async () => {
  const [member, guest] = [
    await newUser(admin, { organization, role: 'read' }),
    await newUser(admin, { organization, role: null }),
  ];
  const team = await newTeam(organization, [guest.id]);
  const before = [await sitesOf(member), await sitesOf(guest)];
  const counts = [(await memberOf(member)).sites, (await memberOf(guest)).sites];
  expect([before[0]?.includes(site.id), before[1]?.includes(site.id)]).toEqual([true, false]);
  await give(site.at(), { role: null, users: [member.id] });
  await give(site.at(), { role: 'comment', teams: [team] });
  expect([await statusOf(member.client, site.at()), await statusOf(guest.client, site.at())]).toEqual([404, 200]);
  expect(await sitesOf(member)).toEqual(before[0]?.filter((id) => id !== site.id));
  expect([await sitesOf(guest), await sitesOf(guest, '?published=false')]).toEqual([
    [...(before[1] ?? []), site.id],
    [site.id],
  ]);
  expect([(await memberOf(member)).sites, (await memberOf(guest)).sites]).toEqual([counts[0] - 1, counts[1] + 1]);

  await site.ok('POST', '/publish');
  expect([
    await statusOf(member.client, site.at()),
    await statusOf(member.client, site.at('/insights/visitor-segments')),
  ]).toEqual([200, 403]);
  expect(await rightsOf(member.client, site.at())).toEqual(['view', 'viewAdaptiveSchema']);
});

it('nobody gives, changes or removes a role above the own one', async () => {
  const [creator, other] = [
    await newUser(admin, { organization, role: 'create' }),
    await newUser(admin, { organization, role: 'read' }),
  ];
  const invite = async (body: object) => (await creator.client.post(site.at('/permissions'), body)).status;
  expect(await invite({ role: 'admin', users: [other.id] })).toBe(403);
  expect(await invite({ role: 'create', users: [other.id] })).toBe(204);
  await give(site.at(), { role: 'admin', users: [other.id] });
  expect(await invite({ role: 'read', users: [other.id] })).toBe(403);
  expect((await creator.client.delete(site.at(`/permissions/users/${other.id}`))).status).toBe(403);
  const team = await newTeam(organization, [creator.id]);
  await give(site.at(), { role: 'admin', teams: [team] });
  await give(site.at(), { role: 'create', users: [creator.id] });
  expect((await creator.client.delete(site.at(`/permissions/users/${creator.id}`))).body.error.reason).toBe(
    'role_above_own',
  );
});

it('the aggregate lists who has access, with the role and where it comes from, filtered and sorted', async () => {
  organization = await newOrganization(admin);
  const own = await newSite(organization);
  const [reader, hidden] = (await newUsers(admin, 2, { organization })) as [NewUser, NewUser];
  const [guest, invited] = (await newUsers(admin, 2, { organization, role: null })) as [NewUser, NewUser];
  const team = await newTeam(organization, [invited.id]);
  await give(own.at(), { role: null, users: [hidden.id] });
  await give(own.at(), { role: 'review', teams: [team] });
  const path = own.at('/permissions/aggregate');
  const adminId = (await admin.get('/v1/user')).body.id;
  expect(await levelsIn(path)).toEqual({ [adminId]: 'admin', [reader.id]: 'read', [invited.id]: 'review' });
  const ids = async (query: string) => (await walk(admin, `${path}?${query}`, 1)).map(({ user }) => user.id);
  expect((await admin.get(`${path}?team=${team}`)).body.items).toMatchObject([
    { origin: { type: 'site', site: own.id, reason: 'team', team }, disabled: false },
  ]);
  expect((await admin.get(`${path}?search=${reader.email.toUpperCase()}`)).body).toMatchObject({
    count: 1,
    items: [{ user: { id: reader.id }, origin: { type: 'organization', organization } }],
  });
  const all = await ids('sort=joinedAt&order=asc');
  expect([all[0], all.length]).toEqual([adminId, 3]);
  expect(await ids('sort=joinedAt&order=desc')).toEqual(all.toReversed());
  await reader.client.post(`/v1/orgs/${organization}/ping`);
  expect((await ids('sort=lastSeenAt'))[0]).toBe(reader.id);
  expect((await ids('sort=name&order=asc')).toSorted()).toEqual(all.toSorted());
  expect(await ids('role=guest')).toEqual([]);
  await own.ok('POST', '/publish');
  expect((await ids('role=guest')).toSorted()).toEqual([hidden.id, guest.id].toSorted());
  await admin.patch(`/v1/orgs/${organization}/members/${reader.id}`, { disabled: true });
  expect(await ids('role=read')).toEqual([]);
  expect((await admin.get(`${path}?page=nonsense`)).status).toBe(400);
});

it('grants end with a membership and with a team, and with the site', async () => {
  const [leaving, staying] = (await newUsers(admin, 2, { organization, role: null })) as [NewUser, NewUser];
  const team = await newTeam(organization, [staying.id]);
  await give(site.at(), { role: 'edit', users: [leaving.id], teams: [team] });
  await admin.delete(`/v1/orgs/${organization}/members/${leaving.id}`);
  await admin.delete(`/v1/orgs/${organization}/teams/${team}`);
  const gone = (path: string) =>
    eventually(
      `the end of ${path}`,
      () => admin.patch(path, {}),
      ({ status }) => status === 404,
    );
  await gone(site.at(`/permissions/users/${leaving.id}`));
  await gone(site.at(`/permissions/teams/${team}`));
});
