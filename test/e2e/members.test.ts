import { decodeJwt, decodeProtectedHeader } from 'jose';
import { eventually } from '../../shared/testing/eventually.js';
import {
  joined,
  type NewUser,
  newOrganization,
  newSpace,
  newUser,
  newUsers,
  peopleDomain,
  shared,
  unique,
  walk,
} from '../support/fixtures.js';
import type { Client } from '../support/server.js';

const admin = shared();
const me = async (client: Client): Promise<string> => (await client.get('/v1/user')).body.id;

let organization: string;
let at: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
  at = `/v1/orgs/${organization}/members`;
});

describe('a member', () => {
  it('is shown with the user, the role and what it reaches', async () => {
    const before = Date.now();
    const home = await newOrganization(admin);
    await newSpace(admin, home);
    const user = await newUser(admin, { organization: home, role: 'comment' });
    const { status, body } = await user.client.get(`/v1/orgs/${home}/members/${user.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'member',
      id: user.id,
      role: 'comment',
      disabled: false,
      sso: false,
      spaces: 1,
      teams: 0,
      user: { object: 'user', id: user.id, email: user.email },
    });
    expect(Date.parse(body.joinedAt)).toBeGreaterThanOrEqual(before);
    expect(body.lastSeenAt).toBeUndefined();
  });

  it('gets another role at once', async () => {
    const { id, client } = await newUser(admin, { organization });
    expect((await client.post(`/v1/orgs/${organization}/spaces`, {})).status).toBe(403);
    const changed = await admin.patch(`${at}/${id}`, { role: 'create' });
    expect([changed.status, changed.body.role]).toEqual([200, 'create']);
    expect((await client.post(`/v1/orgs/${organization}/spaces`, {})).status).toBe(201);
    expect((await admin.patch(`${at}/${id}`, { role: null })).body.role).toBeNull();
    expect((await client.get(`/v1/orgs/${organization}`)).body.permissions).toMatchObject({
      view: true,
      listMembers: false,
      createContent: false,
    });
    expect((await client.get(at)).status).toBe(403);
    expect((await client.get(`${at}/${id}`)).status).toBe(200);
    expect((await admin.patch(`${at}/${id}`, {})).body.role).toBeNull();
  });

  it('that is switched off reaches nothing, and everything again when it is switched on', async () => {
    const { id, client } = await newUser(admin, { organization });
    expect((await admin.patch(`${at}/${id}`, { disabled: true })).body).toMatchObject({ disabled: true, spaces: 0 });
    expect((await client.get(`/v1/orgs/${organization}`)).status).toBe(404);
    expect((await admin.patch(`${at}/${id}`, { disabled: false })).status).toBe(200);
    expect((await client.get(`/v1/orgs/${organization}`)).status).toBe(200);
  });

  it('is removed, or leaves, and comes back by a new invite alone', async () => {
    const [removed, leaving] = (await newUsers(admin, 2, { organization })) as [NewUser, NewUser];
    expect((await leaving.client.delete(`${at}/${removed.id}`)).status).toBe(403);
    expect((await admin.delete(`${at}/${removed.id}`)).status).toBe(204);
    expect((await leaving.client.delete(`${at}/${leaving.id}`)).status).toBe(204);
    for (const user of [removed, leaving]) {
      expect((await user.client.get(`/v1/orgs/${organization}`)).status).toBe(404);
      expect((await admin.get(`${at}/${user.id}`)).status).toBe(404);
      expect((await admin.delete(`${at}/${user.id}`)).status).toBe(404);
    }
  });

  it('loses what was granted to it when it leaves', async () => {
    const user = await newUser(admin, { organization, role: null });
    const space = await newSpace(admin, organization);
    expect((await admin.post(`/v1/spaces/${space}/permissions`, { users: [user.id], role: 'edit' })).status).toBe(204);
    expect((await user.client.get(`/v1/spaces/${space}`)).status).toBe(200);
    await admin.delete(`${at}/${user.id}`);
    await joined(admin, user, { organization, role: null });
    expect((await user.client.get(`/v1/orgs/${organization}`)).status).toBe(200);
    const { status } = await eventually(
      'the end of the grants',
      () => user.client.get(`/v1/spaces/${space}`),
      (answer) => answer.status !== 200,
    );
    expect(status).toBe(404);
    expect((await admin.get(`/v1/spaces/${space}/permissions/users`)).body.count).toBe(0);
  });

  it('pings, which says when it was last seen and gives it visitor claims', async () => {
    const { id, client, email } = await newUser(admin, { organization });
    const { status, body } = await client.post(`/v1/orgs/${organization}/ping`);
    expect(status).toBe(200);
    expect(decodeJwt(body.serviceVisitorClaims)).toMatchObject({ sub: id, email, organization, role: 'read' });
    expect(decodeProtectedHeader(body.serviceVisitorClaims)).toMatchObject({ alg: 'HS256', kid: expect.any(String) });
    const first = (await client.get(`${at}/${id}`)).body.lastSeenAt;
    await client.post(`/v1/orgs/${organization}/ping`);
    expect((await client.get(`${at}/${id}`)).body.lastSeenAt >= first).toBe(true);
  });

  it('is marked as one of single sign-on', async () => {
    const { id } = await newUser(admin, { organization });
    const { status, body } = await admin.post(`${at}/${id}/sso`);
    expect([status, body.sso]).toEqual([200, true]);
    expect((await admin.post(`${at}/${id}/sso`)).body.sso).toBe(true);
    expect((await admin.post(`${at}/nobody/sso`)).status).toBe(404);
  });

  it.each([
    [{ role: 'owner' }, 'role'],
    [{ role: 1 }, 'role'],
    [{ role: '' }, 'role'],
    [{ disabled: 'yes' }, 'disabled'],
    [[], 'the body'],
    [undefined, 'the body'],
  ])('%j is refused by name', async (body, field) => {
    const { id } = await newUser(admin, { organization });
    const answer = await admin.patch(`${at}/${id}`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 400, message: expect.stringContaining(field) });
    expect((await admin.get(`${at}/${id}`)).body.role).toBe('read');
  });
});

describe('the last admin', () => {
  it('can be neither demoted, disabled nor removed', async () => {
    const own = await newOrganization(admin);
    const path = `/v1/orgs/${own}/members/${await me(admin)}`;
    for (const answer of [
      await admin.patch(path, { role: 'create' }),
      await admin.patch(path, { disabled: true }),
      await admin.delete(path),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toContain('last admin');
    }
    expect((await admin.get(path)).body).toMatchObject({ role: 'admin', disabled: false });
  });

  it('stays, also when all admins demote each other at once', async () => {
    const own = await newOrganization(admin);
    const admins = await newUsers(admin, 5, { organization: own, role: 'admin' });
    await admin.delete(`/v1/orgs/${own}/members/${await me(admin)}`);
    const answers = await Promise.all(
      admins.map(({ client }, i) => {
        const path = `/v1/orgs/${own}/members/${admins[(i + 1) % admins.length]?.id}`;
        return i % 2 === 0 ? client.patch(path, { role: 'read' }) : client.delete(path);
      }),
    );
    expect(answers.map(({ status }) => status).filter((status) => ![200, 204, 400, 403, 404].includes(status))).toEqual(
      [],
    );
    const left = await Promise.all(admins.map(({ client }) => client.get(`/v1/orgs/${own}`)));
    const ruling = left.filter(({ status, body }) => status === 200 && body.permissions.admin);
    expect(ruling.length).toBeGreaterThanOrEqual(1);
  });
});

describe('the list of members', () => {
  let own: string;
  let list: string;
  let people: NewUser[];
  beforeAll(async () => {
    own = await newOrganization(admin);
    list = `/v1/orgs/${own}/members`;
    people = [
      ...(await newUsers(admin, 3, { organization: own, role: 'edit' })),
      ...(await newUsers(admin, 2, { organization: own, role: null })),
    ];
    await people[0]?.client.patch(`/v1/users/${people[0].id}`, { displayName: 'Zoë Ångström 100%' });
  });

  it('goes from the latest to the first, or the other way round, page by page', async () => {
    const latest = await walk(admin, list, 2);
    expect(latest.map(({ id }) => id)).toHaveLength(6);
    const first = await walk(admin, `${list}?order=asc`, 4);
    expect(first.map(({ id }) => id)).toEqual(latest.map(({ id }) => id).reverse());
    expect((await admin.get(`${list}?limit=0`)).body).toEqual({ count: 6, items: [] });
  });

  it('is filtered by role, guests included', async () => {
    expect((await admin.get(`${list}?role=edit`)).body.count).toBe(3);
    const guests = (await admin.get(`${list}?role=guest&limit=1`)).body;
    expect([guests.count, guests.items[0].role]).toEqual([2, null]);
    expect((await admin.get(`${list}?role=review`)).body).toEqual({ count: 0, items: [] });
  });

  it.each([
    ['zoë', 1],
    ['ÅNG', 1],
    ['100%', 1],
    ['_', 0],
    [`@${peopleDomain}`, 5],
    ['z', 1],
    ['nobody at all', 0],
  ])('finds %j in names and addresses', async (text, count) => {
    const { body } = await admin.get(`${list}?search=${encodeURIComponent(text)}`);
    expect([body.count, body.items.length]).toEqual([count, count]);
  });

  it('searches within a role, page by page', async () => {
    const found = await walk(admin, `${list}?search=${peopleDomain}&role=edit&order=asc`, 1);
    const ids = people.slice(0, 3).map(({ id }) => id);
    expect(found.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('by last seen holds those alone who were seen', async () => {
    for (const one of [2, 0]) await people[one]?.client.post(`/v1/orgs/${own}/ping`);
    const seen = await walk(admin, `${list}?sort=lastSeenAt`, 1);
    expect(seen.map(({ id }) => id)).toEqual([people[0]?.id, people[2]?.id]);
    expect((await admin.get(`${list}?sort=lastSeenAt&role=guest`)).body.count).toBe(0);
    expect((await admin.get(`${list}?sort=lastSeenAt&order=asc`)).body.items[0].id).toBe(people[2]?.id);
  });

  it.each(['role=owner', 'sort=name', 'order=up', 'limit=1001', 'limit=-1', 'page=x', `search=${'x'.repeat(257)}`])(
    'refuses %s by name',
    async (query) => {
      const { status, body } = await admin.get(`${list}?${query}`);
      expect([status, body.error.message]).toEqual([400, expect.stringContaining(query.split('=')[0] as string)]);
    },
  );
});

describe('a profile', () => {
  it('is changed by its user, everywhere it is shown', async () => {
    const user = await newUser(admin, { organization });
    const displayName = unique('Grace');
    const changed = await user.client.patch(`/v1/users/${user.id}`, {
      displayName,
      photoURL: 'https://a.example/g.png',
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ displayName, photoURL: 'https://a.example/g.png', email: user.email });
    expect((await admin.get(`${at}?search=${encodeURIComponent(displayName)}`)).body.items[0].user.displayName).toBe(
      displayName,
    );
    expect((await admin.patch(`/v1/users/${user.id}`, { displayName: 'x' })).status).toBe(403);
    const stranger = await newUser(admin);
    const answers = [stranger.id, 'nobody'].map((id) => user.client.patch(`/v1/users/${id}`, { displayName: 'x' }));
    for (const { status, body } of await Promise.all(answers))
      expect([status, body.error.message]).toEqual([404, 'User not found']);
  });

  it.each([
    [{ displayName: '' }, 'displayName'],
    [{ displayName: '   ' }, 'displayName'],
    [{ displayName: 'x'.repeat(65) }, 'displayName'],
    [{ commentMails: 'no' }, 'commentMails'],
    [{ commentMails: null }, 'commentMails'],
    [{ photoURL: 'javascript:alert(1)' }, 'photoURL'],
    [{ photoURL: 'not a url' }, 'photoURL'],
    [{ photoURL: `https://a.example/${'x'.repeat(2048)}` }, 'photoURL'],
  ])('%j is refused by name', async (body, field) => {
    const user = await newUser(admin);
    const { status, body: answer } = await user.client.patch(`/v1/users/${user.id}`, body);
    expect([status, answer.error.message]).toEqual([400, expect.stringContaining(field)]);
  });

  it('has a switch for mails about comments, which its user alone sees', async () => {
    const user = await newUser(admin, { organization });
    const own = `/v1/users/${user.id}`;
    const shown = async () => {
      const answers = await Promise.all(['/v1/user', own].map((path) => user.client.get(path)));
      return answers.map(({ body }) => body.commentMails);
    };
    expect(await shown()).toEqual([true, true]);
    for (const commentMails of [false, false, true, false]) {
      const { status, body } = await user.client.patch(own, { commentMails });
      expect([status, body.commentMails, body.email]).toEqual([200, commentMails, user.email]);
      expect(await shown()).toEqual([commentMails, commentMails]);
    }
    const seen = await Promise.all([own, `${at}/${user.id}`, `${at}?limit=1000`].map((path) => admin.get(path)));
    for (const { status, body } of seen) {
      expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining(user.id)]);
      expect(JSON.stringify(body)).not.toContain('commentMails');
    }
  });

  it('shows the e-mail address to fellow members alone', async () => {
    const [one, other] = (await newUsers(admin, 2, { organization })) as [NewUser, NewUser];
    const stranger = await newUser(admin);
    expect((await one.client.get(`/v1/users/${other.id}`)).body.email).toBe(other.email);
    expect((await stranger.client.get(`/v1/users/${other.id}`)).body.email).toBeUndefined();
  });
});
