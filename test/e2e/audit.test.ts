import { auditEvents } from '../support/audit.js';
import {
  type NewUser,
  newOrganization,
  newSpace,
  newUser,
  newUsers,
  shared,
  signedInTo,
  walk,
} from '../support/fixtures.js';

const admin = shared();

interface AuditEvent {
  id: string;
  operation: string;
  actor: { type: string; id?: string; user?: { email?: string } };
  resource: { type: string; id: string };
  details?: Record<string, unknown>;
  createdAt: string;
}

const eventsOf = (organization: string, query: string, count: number): Promise<AuditEvent[]> =>
  auditEvents(admin, organization, query, count);

describe('the audit trail', () => {
  it('says who did what to which resource', async () => {
    const organization = await newOrganization(admin);
    const { id, client, email } = await newUser(admin, { organization, role: 'admin' });
    const team = (await client.put(`/v1/orgs/${organization}/teams`, { title: 'Writers', members: [id] })).body.id;
    const space = await newSpace(client, organization);
    await client.patch(`/v1/spaces/${space}`, { title: 'Renamed' });
    const found = await eventsOf(organization, `actor=${id}&order=asc`, 3);
    expect(found.map(({ operation, resource }) => [operation, resource.type, resource.id])).toEqual([
      ['createOrganizationTeam', 'team', team],
      ['createSpace', 'space', space],
      ['updateSpaceById', 'space', space],
    ]);
    for (const event of found)
      expect(event).toMatchObject({
        object: 'audit-event',
        organization,
        actor: { type: 'user', id, user: { email } },
        requestId: expect.any(String),
      });
  });

  it('has the names and the filters of the public API too, and shows one event in full', async () => {
    const organization = await newOrganization(admin);
    const space = await newSpace(admin, organization);
    await admin.patch(`/v1/spaces/${space}`, { title: 'Renamed' });
    const [event] = await eventsOf(organization, `target=${space}&action=updateSpaceById`, 1);
    const path = `/v1/orgs/${organization}/audit-events`;
    const { body: details } = await admin.get(`${path}/${event?.id}`);
    expect(details).toMatchObject({
      ...event,
      action: 'updateSpaceById',
      occurredAt: event?.createdAt,
      source: 'api',
      target: { type: 'space', id: space },
      actor: { label: expect.any(String) },
      correlationId: expect.any(String),
      schemaVersion: 1,
      payload: { title: 'Renamed' },
      urls: { location: `${admin.url}${path}/${event?.id}` },
    });
    const found = async (query: string) => (await admin.get(`${path}?target=${space}&${query}`)).body.count;
    const at = encodeURIComponent(String(event?.createdAt));
    expect([
      await found(`from=${at}&to=${at}&action=updateSpaceById`),
      await found(`from=${at}&until=${at}`),
      await found('action=updateSpaceById&operation=createSpace'),
      await found('actor=system'),
    ]).toEqual([1, 0, 0, 0]);
    const elsewhere = await newOrganization(admin);
    expect((await admin.get(`/v1/orgs/${elsewhere}/audit-events/${event?.id}`)).status).toBe(404);
    const { body: actions } = await admin.get(`/v1/orgs/${organization}/audit-event-actions`);
    expect(actions.items).toContainEqual({
      object: 'audit-event-action',
      id: 'updateSpaceById',
      label: expect.any(String),
    });
    expect(JSON.stringify(actions)).not.toContain('"getSpaceById"');
  });

  it('is filtered by operation, resource and time, and goes page by page both ways', async () => {
    const organization = await newOrganization(admin);
    const [a, b] = (await newUsers(admin, 2, { organization })) as [NewUser, NewUser];
    for (const role of ['edit', 'comment', 'read'])
      await admin.patch(`/v1/orgs/${organization}/members/${a.id}`, { role });
    await admin.delete(`/v1/orgs/${organization}/members/${b.id}`);
    const latest = await eventsOf(organization, '', 6);
    expect(latest.map(({ operation }) => operation)).toEqual([
      'removeMemberFromOrganizationById',
      'updateMemberInOrganizationById',
      'updateMemberInOrganizationById',
      'updateMemberInOrganizationById',
      'inviteUsersToOrganization',
      'createOrganization',
    ]);
    const path = `/v1/orgs/${organization}/audit-events`;
    expect((await walk(admin, `${path}?order=asc`, 2)).map(({ id }) => id)).toEqual(
      latest.map(({ id }) => id).reverse(),
    );
    const changes = await walk<AuditEvent>(
      admin,
      `${path}?resource=${a.id}&operation=updateMemberInOrganizationById`,
      1,
    );
    expect(changes.map(({ details }) => details)).toEqual([{ role: 'read' }, { role: 'comment' }, { role: 'edit' }]);
    const at = encodeURIComponent(String(latest[1]?.createdAt));
    expect((await admin.get(`${path}?since=${at}&until=${at}`)).body.count).toBe(0);
    const [before, since] = [await admin.get(`${path}?until=${at}`), await admin.get(`${path}?since=${at}`)];
    expect(before.body.count + since.body.count).toBe(6);
    expect((await admin.get(`${path}?since=yesterday`)).status).toBe(400);
    const second = encodeURIComponent(`${String(latest[5]?.createdAt).slice(0, 19)}Z`);
    expect((await admin.get(`${path}?since=${second}`)).body.count).toBe(6);
  });

  it('has nothing of what was refused or changed nothing', async () => {
    const organization = await newOrganization(admin);
    const { id, client } = await newUser(admin, { organization });
    const members = `/v1/orgs/${organization}/members`;
    await admin.patch(`${members}/${id}`, { role: 'read' });
    await admin.patch(`${members}/${id}`, { role: 'boss' });
    await client.patch(`${members}/${id}`, { role: 'admin' });
    await admin.patch(`/v1/orgs/${organization}`, {});
    await admin.put(`/v1/orgs/${organization}/teams`, { title: '' });
    await client.post(`/v1/orgs/${organization}/ping`);
    await admin.delete(`${members}/${(await admin.get('/v1/user')).body.id}`);
    const space = await newSpace(admin, organization);
    await client.patch(`/v1/spaces/${space}`, { title: 'x' });
    const found = await eventsOf(organization, '', 3);
    expect(found.map(({ operation }) => operation)).toEqual([
      'createSpace',
      'inviteUsersToOrganization',
      'createOrganization',
    ]);
  });

  it('has nothing of what its members do to their accounts', async () => {
    const organization = await newOrganization(admin);
    const { client, id } = await newUser(admin, { organization });
    const { body: made } = await client.post('/v1/user/tokens', { label: 'laptop' });
    await client.delete(`/v1/user/tokens/${made.id}`);
    await client.patch(`/v1/users/${id}`, { displayName: 'Renamed' });
    await client.post('/v1/orgs', { title: 'Elsewhere' });
    const { status, body: scoped } = await (
      await signedInTo(organization, await newUser(admin, { organization }))
    ).client.post('/v1/user/tokens', { label: 'of this organization alone' });
    expect(status).toBe(201);
    const found = await eventsOf(organization, '', 4);
    expect(found.map(({ operation, resource }) => [operation, resource.id])).toEqual([
      ['createUserToken', scoped.id],
      ['inviteUsersToOrganization', organization],
      ['inviteUsersToOrganization', organization],
      ['createOrganization', organization],
    ]);
    expect(JSON.stringify(found)).not.toContain(scoped.token);
  });

  it('is read by admins alone', async () => {
    const organization = await newOrganization(admin);
    const { client } = await newUser(admin, { organization, role: 'create' });
    const path = `/v1/orgs/${organization}/audit-events`;
    expect((await client.get(path)).status).toBe(403);
    expect((await (await newUser(admin)).client.get(path)).status).toBe(404);
  });
});
