import { auditEvents } from '../support/audit.js';
import { proveDomain } from '../support/domains.js';
import { untilItsEnd } from '../support/expiry.js';
import { newOrganization, newSpace, newUser, peopleDomain, shared, unique, walk } from '../support/fixtures.js';

const admin = shared();
let organization: string;
let links: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
  links = `/v1/orgs/${organization}/link-invites`;
});
const join = (invite: string) => `/v1/orgs/${organization}/invites/${invite}`;
const roleOf = async (user: string) => (await admin.get(`/v1/orgs/${organization}/members/${user}`)).body.role;

describe('invites by e-mail', () => {
  it('make accounts and members, once', async () => {
    const emails = ['One', 'Two'].map((name) => `${unique(name).replace(/ /g, '.')}@People.example`);
    const body = { emails: [emails[0], { email: emails[1], role: 'edit' }, emails[0]?.toLowerCase()], role: 'comment' };
    const first = await admin.post(`/v1/orgs/${organization}/invites`, body);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ users: [expect.any(String), expect.any(String)], invited: 2 });
    expect(await Promise.all(first.body.users.map(roleOf))).toEqual(['comment', 'edit']);
    const again = await admin.post(`/v1/orgs/${organization}/invites`, { emails, role: 'admin' });
    expect(again.body).toEqual({ users: first.body.users, invited: 0 });
    expect(await roleOf(first.body.users[0])).toBe('comment');
    const elsewhere = await newOrganization(admin);
    const known = await admin.post(`/v1/orgs/${elsewhere}/invites`, { emails });
    expect(known.body).toEqual({ users: first.body.users, invited: 2 });
  });

  it('made at once make one account', async () => {
    const emails = [`${unique('twin').replace(/ /g, '-')}@people.example`];
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => admin.post(`/v1/orgs/${organization}/invites`, { emails })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.users[0])).size).toBe(1);
    expect(answers.reduce((sum, { body }) => sum + body.invited, 0)).toBe(1);
  });

  it('name those who are members already, but not by single sign-on', async () => {
    const { email } = await newUser(admin, { organization });
    const fresh = `${unique('sso').replace(/ /g, '-')}@people.example`;
    const { body } = await admin.post(`/v1/orgs/${organization}/invites`, { emails: [email, fresh], sso: true });
    expect(body).toMatchObject({ invited: 1, failedSSOEmails: [email] });
    expect((await admin.get(`/v1/orgs/${organization}/members/${body.users[1]}`)).body.sso).toBe(true);
  });

  it('give the default role of the organization when they name none', async () => {
    const own = await newOrganization(admin);
    await admin.patch(`/v1/orgs/${own}`, { defaultRole: 'review' });
    const emails = [`${unique('default').replace(/ /g, '-')}@people.example`];
    const { body } = await admin.post(`/v1/orgs/${own}/invites`, { emails });
    expect((await admin.get(`/v1/orgs/${own}/members/${body.users[0]}`)).body.role).toBe('review');
  });

  it.each([
    [{}, 'emails'],
    [{ emails: [] }, 'emails'],
    [{ emails: 'a@b.example' }, 'emails'],
    [{ emails: ['not an address'] }, 'emails.0'],
    [{ emails: ['a@b.example\r\nBcc: x@y.example'] }, 'emails.0'],
    [{ emails: [{ email: 'a@b.example', role: 'boss' }] }, 'emails.0'],
    [{ emails: [{ email: 'a@b.example' }] }, 'emails.0'],
    [{ emails: ['a@b.example'], role: 'boss' }, 'role'],
    [{ emails: ['a@b.example'], sso: 'yes' }, 'sso'],
    [{ emails: Array(501).fill('a@b.example') }, 'emails'],
  ])('%j are refused by name', async (body, field) => {
    const { count } = (await admin.get(`/v1/orgs/${organization}/members?limit=0`)).body;
    const answer = await admin.post(`/v1/orgs/${organization}/invites`, body);
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(field)]);
    expect((await admin.get(`/v1/orgs/${organization}/members?limit=0`)).body.count).toBe(count);
  });
});

describe('an invite link', () => {
  it('is made, listed, changed, used and deleted', async () => {
    const made = await admin.post(links, { role: 'comment' });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({ object: 'invite', id: expect.any(String), role: 'comment', redundant: true });
    const { id } = made.body;
    expect((await admin.get(`${links}/${id}`)).body).toEqual(made.body);
    expect((await walk(admin, links, 1)).map((invite) => invite.id)).toContain(id);
    expect((await admin.patch(`${links}/${id}`, { role: 'edit' })).body.role).toBe('edit');

    const joiner = await newUser(admin);
    expect((await joiner.client.get(`/v1/orgs/${organization}`)).status).toBe(404);
    const joined = await joiner.client.post(join(id));
    expect([joined.status, joined.body]).toEqual([200, {}]);
    expect((await joiner.client.get(`/v1/orgs/${organization}`)).status).toBe(200);
    expect(await roleOf(joiner.id)).toBe('edit');
    expect((await joiner.client.post(join(id))).status).toBe(200);

    expect((await admin.delete(`${links}/${id}`)).status).toBe(205);
    expect((await admin.delete(`${links}/${id}`)).status).toBe(404);
    expect((await admin.get(`${links}/${id}`)).status).toBe(404);
    expect((await (await newUser(admin)).client.post(join(id))).status).toBe(404);
  });

  it('raises a role and never lowers one', async () => {
    const { client, id } = await newUser(admin, { organization, role: 'comment' });
    for (const [role, then] of [
      ['read', 'comment'],
      ['create', 'create'],
      [null, 'create'],
    ]) {
      const invite = (await admin.post(links, { role })).body.id;
      expect((await client.post(join(invite))).status).toBe(200);
      expect(await roleOf(id)).toBe(then);
    }
  });

  it('to a space or a collection lets a stranger in as a guest', async () => {
    const space = await newSpace(admin, organization);
    const collection = (await admin.post(`/v1/orgs/${organization}/collections`, { title: 'Shared' })).body.id;
    const inside = await newSpace(admin, organization, { parent: collection });
    const toSpace = await admin.post(links, { level: 'edit', space });
    expect(toSpace.status).toBe(201);
    expect(toSpace.body).toMatchObject({ level: 'edit', redundant: true, space: { object: 'space', id: space } });
    const toCollection = await admin.post(links, { level: 'read', collection });
    expect(toCollection.body).toMatchObject({ level: 'read', collection: { object: 'collection', id: collection } });
    expect((await walk(admin, links, 50)).map(({ id }) => id)).not.toContain(toSpace.body.id);
    expect((await admin.patch(`${links}/${toSpace.body.id}`, { level: 'comment' })).body.level).toBe('comment');

    const { client, id } = await newUser(admin);
    expect((await client.post(join(toSpace.body.id))).status).toBe(200);
    expect(await roleOf(id)).toBeNull();
    expect((await client.get(`/v1/spaces/${space}`)).body.permissions).toMatchObject({ comment: true, edit: false });
    expect((await client.get(`/v1/spaces/${inside}`)).status).toBe(404);
    expect((await client.post(join(toCollection.body.id))).status).toBe(200);
    expect((await client.get(`/v1/spaces/${inside}`)).body.permissions).toMatchObject({ view: true, comment: false });
    const [granted] = await auditEvents(admin, organization, `actor=${id}&resource=${collection}`, 1);
    expect(granted).toMatchObject({
      operation: 'joinOrganizationWithInvite',
      resource: { type: 'collection', id: collection },
      details: { user: id, role: 'read' },
    });
  });

  it('to a space that is gone makes nobody a guest', async () => {
    const space = await newSpace(admin, organization);
    const invite = (await admin.post(links, { level: 'edit', space })).body.id;
    await admin.delete(`/v1/spaces/${space}`);
    const { client } = await newUser(admin);
    expect((await client.post(join(invite))).status).toBe(404);
    expect((await client.get(`/v1/orgs/${organization}`)).status).toBe(404);
  });

  it('ends when it expires, and when links are switched off', async () => {
    const own = await newOrganization(admin);
    const lasting = (await admin.post(`/v1/orgs/${own}/link-invites`, { role: 'read' })).body.id;
    const { client } = await newUser(admin);
    await admin.patch(`/v1/orgs/${own}`, { inviteLinks: false });
    expect((await client.post(`/v1/orgs/${own}/invites/${lasting}`)).status).toBe(403);
    await admin.patch(`/v1/orgs/${own}`, { inviteLinks: true });
    expect((await client.post(`/v1/orgs/${own}/invites/${lasting}`)).status).toBe(200);
    const { made: short, status } = await untilItsEnd(
      async (end) => {
        const expiresAt = end.toISOString();
        const { body } = await admin.post(`/v1/orgs/${own}/link-invites`, { role: 'read', expiresAt });
        expect(body.expiresAt).toBe(expiresAt);
        return body.id;
      },
      async (id) => (await admin.get(`/v1/orgs/${own}/link-invites/${id}`)).status,
    );
    expect(status).toBe(404);
    expect((await client.post(`/v1/orgs/${own}/invites/${short}`)).status).toBe(404);
  });

  it('does not lead back a member that is switched off', async () => {
    const { client, id } = await newUser(admin, { organization });
    await admin.patch(`/v1/orgs/${organization}/members/${id}`, { disabled: true });
    const invite = (await admin.post(links, { role: 'admin' })).body.id;
    expect((await client.post(join(invite))).status).toBe(403);
    expect((await client.get(`/v1/orgs/${organization}`)).status).toBe(404);
  });

  it('is one of its own organization alone', async () => {
    const other = await newOrganization(admin);
    const space = await newSpace(admin, other);
    const invite = (await admin.post(`/v1/orgs/${other}/link-invites`, { role: 'read' })).body.id;
    expect((await admin.get(`${links}/${invite}`)).status).toBe(404);
    expect((await admin.patch(`${links}/${invite}`, { role: 'admin' })).status).toBe(404);
    expect((await admin.delete(`${links}/${invite}`)).status).toBe(404);
    expect((await (await newUser(admin)).client.post(join(invite))).status).toBe(404);
    const foreign = await admin.post(links, { level: 'read', space });
    expect([foreign.status, foreign.body.error.message]).toEqual([400, expect.stringContaining('space')]);
  });

  it.each([
    {},
    { role: 'boss' },
    { role: 'read', level: 'read' },
    { level: 'read' },
    { level: 'read', space: 'nowhere' },
    { level: 'read', collection: 'nowhere' },
    { role: 'read', expiresAt: '2001-01-01T00:00:00.000Z' },
    { role: 'read', expiresAt: 'soon' },
  ])('%j is refused', async (body) => {
    const { count } = (await admin.get(`${links}?limit=0`)).body;
    expect((await admin.post(links, body)).status).toBe(400);
    expect((await admin.get(`${links}?limit=0`)).body.count).toBe(count);
  });

  it('is changed by what it gives: a role or a level', async () => {
    const { id } = (await admin.post(links, { role: 'read' })).body;
    const answer = await admin.patch(`${links}/${id}`, { level: 'edit' });
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('role')]);
  });
});

describe('joining by the domain of an e-mail address', () => {
  it('needs an organization that the domain opens', async () => {
    const own = await newOrganization(admin);
    const { client, id } = await newUser(admin);
    expect((await client.post(`/v1/orgs/${own}/join`)).status).toBe(404);
    await admin.patch(`/v1/orgs/${own}`, { emailDomains: [peopleDomain.toUpperCase()], defaultRole: 'comment' });
    expect((await client.post(`/v1/orgs/${own}/join`)).status).toBe(404);
    await proveDomain(admin, own, peopleDomain);
    expect((await client.post(`/v1/orgs/${own}/join`)).status).toBe(204);
    expect((await client.post(`/v1/orgs/${own}/join`)).status).toBe(204);
    expect((await admin.get(`/v1/orgs/${own}/members/${id}`)).body.role).toBe('comment');
    await admin.patch(`/v1/orgs/${own}/members/${id}`, { role: null });
    expect((await client.post(`/v1/orgs/${own}/join`)).status).toBe(204);
    expect((await admin.get(`/v1/orgs/${own}/members/${id}`)).body.role).toBeNull();
    expect((await client.post('/v1/orgs/nowhere/join')).status).toBe(404);
  });
});
