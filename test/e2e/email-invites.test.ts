import { eventually } from '../../shared/testing/eventually.js';
import { type NewUser, newOrganization, newSpace, newUser, peopleDomain, shared, unique } from '../support/fixtures.js';

/** Whoever knows an address can invite it: that makes nobody a member who has an account, and tells nothing about accounts. */
const admin = shared();

const newAddress = (name = 'new') => `${unique(name).replace(/ /g, '-')}@${peopleDomain}`;
const invite = (organization: string, emails: unknown[], client = admin) =>
  client.post(`/v1/orgs/${organization}/invites`, { emails, role: 'edit' });
const accept = ({ client }: NewUser, organization: string) => client.post(`/v1/user/invites/${organization}`);
const decline = ({ client }: NewUser, organization: string) => client.delete(`/v1/user/invites/${organization}`);
const memberOf = async (organization: string, user: string) =>
  (await admin.get(`/v1/orgs/${organization}/members/${user}`)).body;

let organization: string;
let at: string;
let person: NewUser;
beforeEach(async () => {
  organization = await newOrganization(admin);
  at = `/v1/orgs/${organization}`;
  person = await newUser(admin);
});

describe('somebody with an account who is invited', () => {
  const organizationsOf = async ({ client }: NewUser) =>
    (await client.get('/v1/orgs')).body.items.map(({ id }: { id: string }) => id);

  it('is no member before accepting, and then is', async () => {
    const space = await newSpace(admin, organization);
    const before = await organizationsOf(person);
    expect((await invite(organization, [person.email])).body).toEqual({ users: [person.id], invited: 1 });
    await admin.post(`/v1/spaces/${space}/permissions`, { users: [person.id], role: 'edit' });
    expect(await organizationsOf(person)).toEqual(before);
    for (const path of [at, `${at}/members`, `${at}/members/${person.id}`, `/v1/spaces/${space}`])
      expect([path, (await person.client.get(path)).status]).toEqual([path, 404]);
    const { count, items } = (await person.client.get('/v1/user/invites')).body;
    const { title } = (await admin.get(at)).body;
    expect([count, items]).toMatchObject([
      1,
      [{ object: 'user-invite', organization: { id: organization, title }, role: 'edit', invitedBy: 'admin' }],
    ]);
    expect((await accept(person, organization)).status).toBe(204);
    expect(await organizationsOf(person)).toEqual([...before, organization]);
    expect((await person.client.get(`/v1/spaces/${space}`)).body.permissions).toMatchObject({ edit: true });
    expect(await memberOf(organization, person.id)).not.toHaveProperty('pending');
    expect((await person.client.get('/v1/user/invites')).body).toEqual({ count: 0, items: [] });
    expect((await accept(person, organization)).status).toBe(404);
  });

  it('looks to those who invite like somebody without one', async () => {
    await person.client.patch(`/v1/users/${person.id}`, {
      displayName: 'Ada Lovelace',
      photoURL: 'https://example.com/ada.png',
    });
    const fresh = newAddress();
    const before = Date.now();
    const { client } = await newUser(admin);
    const own = (await client.post('/v1/orgs', { title: unique('Own') })).body.id;
    const members = `/v1/orgs/${own}/members`;
    const { body } = await invite(own, [person.email, fresh], client);
    expect(body).toEqual({ users: [person.id, expect.any(String)], invited: 2 });
    const views = await Promise.all(
      [person.email, fresh].map(async (email, index) => {
        const id = body.users[index];
        const { joinedAt, ...member } = (await client.get(`${members}/${id}`)).body;
        expect(Date.parse(joinedAt)).toBeGreaterThanOrEqual(before);
        const { body: user } = await client.get(`/v1/users/${id}`);
        const disabled = (await client.patch(`${members}/${id}`, { disabled: true })).body.disabled;
        const enabled = (await client.patch(`${members}/${id}`, { disabled: false })).body.disabled;
        return JSON.parse(
          JSON.stringify({ member, user, disabled, enabled })
            .replaceAll(id, 'ID')
            .replaceAll(String(email.split('@')[0]), 'NAME'),
        );
      }),
    );
    expect(views[0]).toEqual(views[1]);
    expect(views[0]).toMatchObject({ member: { pending: true, disabled: false, user: { displayName: 'NAME' } } });
    const stranger = await newUser(admin);
    for (const id of body.users) expect((await stranger.client.get(`/v1/users/${id}`)).status).toBe(404);
    expect((await invite(own, [person.email, fresh], client)).body).toEqual({ users: body.users, invited: 0 });
  });

  it('may decline, and then has no grants there any more', async () => {
    const space = await newSpace(admin, organization);
    await invite(organization, [person.email]);
    await admin.post(`/v1/spaces/${space}/permissions`, { users: [person.id], role: 'edit' });
    expect((await decline(person, organization)).status).toBe(204);
    expect((await accept(person, organization)).status).toBe(404);
    expect((await admin.get(`${at}/members/${person.id}`)).status).toBe(404);
    await eventually(
      'the end of the grants',
      async () => (await admin.get(`/v1/spaces/${space}/permissions/users`)).body.count,
      (count) => count === 0,
    );
  });

  it('can no longer accept when who invited is no longer an admin', async () => {
    const inviter = await newUser(admin, { organization, role: 'admin' });
    await invite(organization, [person.email], inviter.client);
    await admin.patch(`${at}/members/${inviter.id}`, { role: 'create' });
    expect((await accept(person, organization)).status).toBe(404);
    await admin.patch(`${at}/members/${inviter.id}`, { role: 'admin' });
    expect((await accept(person, organization)).status).toBe(204);
  });

  it('gets what the invite says now, and nothing while it is switched off', async () => {
    await invite(organization, [person.email]);
    await admin.patch(`${at}/members/${person.id}`, { role: 'comment', disabled: true });
    const link = (await admin.post(`${at}/link-invites`, { role: 'read' })).body.id;
    expect((await person.client.post(`${at}/invites/${link}`)).status).toBe(403);
    expect((await accept(person, organization)).status).toBe(204);
    expect((await person.client.get(at)).status).toBe(404);
    expect(await memberOf(organization, person.id)).toMatchObject({ role: 'comment', disabled: true });
  });

  it('accepts by joining through a link, with the higher role', async () => {
    await invite(organization, [person.email]);
    const link = (await admin.post(`${at}/link-invites`, { role: 'read' })).body.id;
    expect((await person.client.post(`${at}/invites/${link}`)).status).toBe(200);
    expect((await person.client.get(at)).status).toBe(200);
    expect(await memberOf(organization, person.id)).toMatchObject({ role: 'edit' });
  });

  it('is no admin who could be left behind', async () => {
    const owner = await newUser(admin);
    const own = (await owner.client.post('/v1/orgs', { title: unique('Own') })).body.id;
    await owner.client.post(`/v1/orgs/${own}/invites`, { emails: [{ email: person.email, role: 'admin' }] });
    const leaving = () => owner.client.delete(`/v1/orgs/${own}/members/${owner.id}`);
    expect((await leaving()).status).toBe(400);
    await accept(person, own);
    expect((await leaving()).status).toBe(204);
  });
});

it('nobody accepts or sees the invite of another', async () => {
  await invite(organization, [person.email]);
  const other = await newUser(admin);
  expect([(await accept(other, organization)).status, (await decline(other, organization)).status]).toEqual([404, 404]);
  expect((await other.client.get('/v1/user/invites')).body.count).toBe(0);
});

it('a link for joining ends with the rights of who made it, until another admin takes it over', async () => {
  const former = await newUser(admin, { organization, role: 'admin' });
  const { id } = (await former.client.post(`${at}/link-invites`, { role: 'admin' })).body;
  await admin.patch(`${at}/members/${former.id}`, { disabled: true });
  expect((await person.client.post(`${at}/invites/${id}`)).status).toBe(404);
  await admin.patch(`${at}/link-invites/${id}`, { role: 'read' });
  expect((await person.client.post(`${at}/invites/${id}`)).status).toBe(200);
  expect(await memberOf(organization, person.id)).toMatchObject({ role: 'read' });
});
