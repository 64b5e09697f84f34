import { auditEvents } from '../support/audit.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { give } from '../support/permissions.js';
import { importInto, openRepositories } from '../support/repository.js';

const admin = shared();
let adminId: string;
beforeAll(async () => {
  adminId = (await admin.get('/v1/user')).body.id;
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
    const events = await auditEvents(admin, own, 'order=asc', (all) =>
      all.some(({ operation }) => operation === 'deleteCollectionById'),
    );
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
      const events = await auditEvents(admin, own, 'operation=importGitRepository&order=asc', 2);
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
