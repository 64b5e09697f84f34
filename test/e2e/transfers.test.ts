import { translationSettings } from '../../services/content/core/translations/model.js';
import { contentImports } from '../../services/content/exchange/imports/content-import/model.js';
import { eventually } from '../../shared/testing/eventually.js';
import { newId, timestamp } from '../../shared/values/ids.js';
import { auditEvents } from '../support/audit.js';
import { posted } from '../support/comments.js';
import { computed, openapi, publishSpec } from '../support/computed.js';
import { joined, type NewUser, newOrganization, newSpace, newUser, shared, withStore } from '../support/fixtures.js';
import { installed } from '../support/installations.js';
import { newTeam } from '../support/permissions.js';
import { done } from '../support/requests/setting.js';
import type { Client } from '../support/server.js';
import { newSite } from '../support/site.js';

const admin = shared();
let [from, to] = ['', ''];
let [former, both, later] = [] as unknown as [NewUser, NewUser, NewUser];
beforeAll(async () => {
  [from, to] = [await newOrganization(admin), await newOrganization(admin)];
  former = await newUser(admin, { organization: from, role: 'create' });
  both = await newUser(admin, { organization: from, role: 'create' });
  await joined(admin, both, { organization: to, role: 'create' });
  later = await newUser(admin, { organization: to, role: 'read' });
});

const live = (input: Record<string, unknown> = {}) => newSpace(admin, from, { editMode: 'live', ...input });
const write = (space: string, markdown: string, client: Client = admin) =>
  done(client.post(`/v1/spaces/${space}/content`, { changes: [{ operation: 'insert_page', document: { markdown } }] }));
const transfer = (space: string, organization = to, client: Client = admin) =>
  client.post(`/v1/spaces/${space}/transfer`, { organization });
const statusFor = async ({ client }: NewUser, space: string) => (await client.get(`/v1/spaces/${space}`)).status;
const stored = async (organization: string) => (await done(admin.get(`/v1/orgs/${organization}/storage`))).used;

it('a space goes with all that belongs to it, and is gone where it was', async () => {
  const collection = (await done(admin.post(`/v1/orgs/${from}/collections`, { title: 'C' }))).id;
  const space = await live({ title: 'Travelling', parent: collection });
  await write(space, '# Zanzibar\n\nA place to find.\n');
  const request = await done(admin.post(`/v1/spaces/${space}/change-requests`, { subject: 'Draft' }));
  const place = { space, at: `/v1/spaces/${space}` };
  await posted(former.client, place, 'From before');
  await posted(both.client, place, 'From both');
  const team = await newTeam(from, [former.id]);
  const grantees = { role: 'edit', users: [former.id, both.id], teams: [team] };
  await done(admin.post(`${place.at}/permissions`, grantees));
  const {
    integration,
    id,
    client: script,
  } = await installed(admin, {
    organization: from,
    scopes: ['space:content:read'],
    spaces: [space],
  });
  const before = { [from]: await stored(from), [to]: await stored(to) };

  const moved = await done(transfer(space));
  expect(moved).toMatchObject({ id: space, organization: to, visibility: 'private', permissions: { admin: true } });
  expect(moved.parent).toBeUndefined();
  expect(await done(admin.get(place.at))).toEqual(moved);
  expect([await statusFor(former, space), await statusFor(both, space), await statusFor(later, space)]).toEqual([
    404, 200, 200,
  ]);
  expect((await admin.get(`/v1/orgs/${from}/spaces`)).body.items.map((each: any) => each.id)).not.toContain(space);
  expect((await admin.get(`/v1/orgs/${to}/spaces`)).body.items.map((each: any) => each.id)).toContain(space);
  const { items: granted } = await done(admin.get(`${place.at}/permissions/users`));
  expect(granted.map(({ user, permission }: any) => [user.id, permission])).toEqual([[both.id, 'edit']]);
  expect((await done(admin.get(`${place.at}/permissions/teams`))).count).toBe(0);
  expect((await script.get(`${place.at}/content`)).status).toBe(404);

  const size = (await stored(to)) - Number(before[to]);
  expect(size).toBeGreaterThan(0);
  expect(await stored(from)).toBe(Number(before[from]) - size);
  await write(space, '# Written after\n', both.client);
  await done(later.client.get(`${place.at}/change-requests/${request.id}`));

  const hits = async (organization: string) =>
    (await done(admin.get(`/v1/orgs/${organization}/search?query=zanzibar`))).items.length;
  await eventually(
    'the space in the search',
    () => hits(to),
    (count) => count === 1,
  );
  expect(await hits(from)).toBe(0);
  const comments = await done(later.client.get(`${place.at}/comments`));
  expect(comments.items.map(({ body }: any) => body.markdown).sort()).toEqual(['From before', 'From both']);
  const commenters = () => admin.get(`${place.at}/commenters`).then(({ body }) => body);
  await eventually('one commenter', commenters, ({ count }) => count === 1);
  const installations = () => admin.get(`/v1/integrations/${integration}/installations/${id}/spaces`);
  await eventually('no installation on it', installations, ({ body }) => body.count === 0);
  for (const [organization, other] of [
    [from, { to }],
    [to, { from }],
  ] as const) {
    const isAbout = ({ resource }: any) => resource.id === space;
    const events = await auditEvents(admin, organization, 'operation=transferSpace', (all) => all.some(isAbout));
    expect(events.find(isAbout)).toMatchObject({ resource: { type: 'space' }, details: other });
  }
  expect((await transfer(space, from)).body.organization).toBe(from);
});

it('a collection goes with everything in it, also what is in the trash', async () => {
  const make = async (input: object) => (await done(admin.post(`/v1/orgs/${from}/collections`, input))).id;
  const outer = await make({ title: 'Outer' });
  const inner = await make({ title: 'Inner', parent: outer });
  const space = await live({ parent: inner });
  const trashed = await live({ parent: outer });
  await done(admin.delete(`/v1/spaces/${trashed}`));
  const refused = await both.client.post(`/v1/collections/${outer}/transfer`, { organization: from });
  expect(refused.status).toBe(409);
  const moved = await done(admin.post(`/v1/collections/${outer}/transfer`, { organization: to }));
  expect(moved).toMatchObject({ id: outer, organization: to, title: 'Outer' });
  expect(await done(admin.get(`/v1/collections/${inner}`))).toMatchObject({ organization: to, parent: outer });
  expect(await done(admin.get(`/v1/spaces/${space}`))).toMatchObject({ organization: to, parent: inner });
  expect(await statusFor(former, space)).toBe(404);
  expect(await done(admin.post(`/v1/spaces/${trashed}/restore`))).toMatchObject({ organization: to, parent: outer });
});

describe('a transfer is refused', () => {
  const refusal = async (space: string, organization = to, client: Client = admin) => {
    const { status, body } = await transfer(space, organization, client);
    expect((await admin.get(`/v1/spaces/${space}`)).body.organization).toBe(from);
    return [status, body.error?.reason, body.error?.message];
  };

  it('to where it is, to what the caller is not in, and to where the caller may not create', async () => {
    const space = await newSpace(both.client, from);
    expect(await refusal(space, from)).toEqual([409, 'wrong_state', expect.stringContaining('organization')]);
    for (const target of ['nowhere', await newOrganization(admin)])
      expect(await refusal(space, target, both.client)).toEqual([404, 'not_found', expect.any(String)]);
    const readOnly = await newOrganization(admin);
    await joined(admin, both, { organization: readOnly, role: 'edit' });
    expect(await refusal(space, readOnly, both.client)).toEqual([
      403,
      'missing_right',
      expect.stringContaining('organization'),
    ]);
    expect((await admin.post(`/v1/spaces/${space}/transfer`, {})).status).toBe(400);
  });

  it('while a site shows the space', async () => {
    const space = await live({ title: 'Shown' });
    const site = await newSite(from);
    await site.siteSpace(space);
    expect(await refusal(space)).toEqual([412, 'in_use', expect.stringContaining('"Shown"')]);
  });

  it('while it is connected with a Git repository', async () => {
    const space = await live();
    const connection = { provider: 'git', target: { type: 'space', spaceId: space } };
    await done(admin.post('/v1/git/installations', connection));
    expect(await refusal(space)).toEqual([412, 'in_use', expect.stringContaining('Git repository')]);
  });

  it('while it is translated', async () => {
    const space = await live();
    const [_id, now] = [newId(), timestamp()];
    const settings = { _id, organization: from, title: 'T', languages: [], createdAt: now, updatedAt: now };
    await withStore([translationSettings], (store) =>
      store.insert(translationSettings, { ...settings, source: { space, language: 'en' } }),
    );
    expect(await refusal(space)).toEqual([412, 'in_use', expect.stringContaining('translated')]);
  });

  it('while an import is under way', async () => {
    const space = await live();
    const [_id, now] = [newId(), timestamp()];
    const item = { _id, organization: from, space, source: 'html', url: 'https://example.com/', state: 'pending' };
    const counts = { importedResources: 0, totalResources: 0, createdBy: former.id, createdAt: now, updatedAt: now };
    await withStore([contentImports], (store) => store.insert(contentImports, { ...item, ...counts } as never));
    expect(await refusal(space)).toEqual([412, 'in_use', expect.stringContaining('import')]);
  });

  it('while pages are made from an OpenAPI specification', async () => {
    const space = await live();
    await publishSpec(admin, { organization: from, slug: 'pets' }, openapi({ '/pets': { tag: 'Pets' } }));
    const page = { operation: 'insert_page', title: 'API', computed: computed('pets') };
    await done(admin.post(`/v1/spaces/${space}/content`, { changes: [page] }));
    expect(await refusal(space)).toEqual([412, 'in_use', expect.stringContaining('pets')]);
  });

  it('while a space outside takes its access from the collection', async () => {
    const outer = (await done(admin.post(`/v1/orgs/${from}/collections`, { title: 'O' }))).id;
    const inner = (await done(admin.post(`/v1/orgs/${from}/collections`, { title: 'I', parent: outer }))).id;
    const space = await live({ parent: inner });
    await done(admin.delete(`/v1/collections/${inner}`));
    await done(admin.post(`/v1/spaces/${space}/restore`));
    const answer = await admin.post(`/v1/collections/${outer}/transfer`, { organization: to });
    expect([answer.status, answer.body.error?.reason]).toEqual([412, 'in_use']);
    await done(admin.patch(`/v1/spaces/${space}`, { defaultLevel: 'read' }));
    expect((await admin.post(`/v1/collections/${outer}/transfer`, { organization: to })).status).toBe(200);
  });
});
