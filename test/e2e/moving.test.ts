import { auditEvents } from '../support/audit.js';
import { type NewUser, newOrganization, newSpace, newUser, shared, walk } from '../support/fixtures.js';

const admin = shared();
let organization: string;
let maker: NewUser;
beforeAll(async () => {
  organization = await newOrganization(admin);
  maker = await newUser(admin, { organization, role: 'create' });
});

const newCollection = async (input: Record<string, unknown> = {}, inside = organization): Promise<string> =>
  (await admin.post(`/v1/orgs/${inside}/collections`, { title: 'A collection', ...input })).body.id;
const idsIn = async (path: string, limit = 100) => (await walk(admin, path, limit)).map(({ id }) => id);
const ahead = (space: string) => ({ position: { before: { type: 'space', space } } });
const behind = (space: string) => ({ position: { after: { type: 'space', space } } });

it('spaces move among their siblings, and every list shows the order, page by page', async () => {
  const collection = await newCollection();
  const list = `/v1/collections/${collection}/spaces`;
  const spaces: string[] = [];
  for (let made = 0; made < 4; made++) spaces.push(await newSpace(admin, organization, { parent: collection }));
  const [a, b, c, d] = spaces as [string, string, string, string];
  const move = (space: string, body: object) => admin.post(`/v1/spaces/${space}/move`, body);

  expect((await move(d, ahead(a))).body).toMatchObject({ id: d, parent: collection, visibility: 'in-collection' });
  expect(await idsIn(list)).toEqual([d, a, b, c]);
  await move(b, ahead(d));
  await move(a, behind(d));
  await move(c, behind(b));
  expect(await idsIn(list, 1)).toEqual([b, c, d, a]);
  const added = await newSpace(admin, organization, { parent: collection });
  expect(await idsIn(list)).toEqual([b, c, d, a, added]);
  await move(b, { parent: collection });
  expect(await idsIn(list)).toEqual([b, c, d, a, added]);
  const all = await idsIn(`/v1/orgs/${organization}/spaces`, 2);
  expect(all.filter((id) => [...spaces, added].includes(id))).toEqual([b, c, d, a, added]);
});

it('moves at the same time leave one order with every space in it', async () => {
  const collection = await newCollection();
  const spaces: string[] = [];
  for (let made = 0; made < 4; made++) spaces.push(await newSpace(admin, organization, { parent: collection }));
  const first = spaces[0] as string;
  const answers = await Promise.all(spaces.slice(1).map((each) => admin.post(`/v1/spaces/${each}/move`, ahead(first))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const order = await idsIn(`/v1/collections/${collection}/spaces`, 1);
  expect([...order].sort()).toEqual([...spaces].sort());
  expect(order.at(-1)).toBe(first);
});

it('collections move with what they hold, not into themselves, and not too deep', async () => {
  const own = await newOrganization(admin);
  const outer = await newCollection({}, own);
  const inner = await newCollection({ parent: outer }, own);
  const other = await newCollection({}, own);
  const space = await newSpace(admin, own, { parent: inner });
  for (const parent of [outer, inner]) {
    const { status, body } = await admin.post(`/v1/collections/${outer}/move`, { parent });
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining('into itself')]);
  }
  const position = { before: { type: 'collection', collection: outer } };
  expect((await admin.post(`/v1/collections/${inner}/move`, { parent: null, position })).body.parent).toBeUndefined();
  expect(await idsIn(`/v1/orgs/${own}/collections?nested=false`)).toEqual([inner, outer, other]);
  expect((await admin.post(`/v1/collections/${inner}/move`, { parent: other })).body.parent).toBe(other);
  expect(await idsIn(`/v1/collections/${inner}/spaces`)).toEqual([space]);

  let deepest = await newCollection({}, own);
  for (let depth = 1; depth < 98; depth++) deepest = await newCollection({ parent: deepest }, own);
  const tooDeep = await admin.post(`/v1/collections/${other}/move`, { parent: deepest });
  expect([tooDeep.status, tooDeep.body.error?.message]).toEqual([400, expect.stringContaining('100 deep')]);
  expect((await admin.post(`/v1/collections/${inner}/move`, { parent: deepest })).status).toBe(200);
});

it('a space takes the access of its new parent, and the audit trail has the move', async () => {
  const reader = await newUser(admin, { organization, role: 'read' });
  const sealed = await newCollection();
  await admin.patch(`/v1/collections/${sealed}`, { defaultLevel: null });
  const space = await newSpace(admin, organization);
  const seen = async () => (await reader.client.get(`/v1/spaces/${space}`)).status;
  expect(await seen()).toBe(200);
  await admin.post(`/v1/spaces/${space}/move`, { parent: sealed });
  expect([await seen(), await idsIn(`/v1/collections/${sealed}/spaces`)]).toEqual([404, [space]]);
  const [record] = await auditEvents(admin, organization, 'operation=moveSpace&order=desc', (all) =>
    all.some(({ resource }) => resource.id === space),
  );
  expect(record).toMatchObject({ operation: 'moveSpace', resource: { id: space }, details: { parent: sealed } });
  const back = await admin.post(`/v1/spaces/${space}/move`, { parent: null });
  expect([await seen(), back.body.visibility, back.body.parent]).toEqual([200, 'private', undefined]);
});

it('takes the right to create in the new parent, and gives nobody more than the own role', async () => {
  const closed = await newCollection({ defaultLevel: 'inherit' });
  await admin.patch(`/v1/collections/${closed}`, { defaultLevel: 'read' });
  const open = await newCollection();
  const [space, collection] = [await newSpace(maker.client, organization), await newCollection()];
  for (const path of [`/v1/spaces/${space}/move`, `/v1/collections/${collection}/move`]) {
    expect((await maker.client.post(path, { parent: closed })).status).toBe(403);
    expect((await maker.client.post(path, { parent: open })).status).toBe(200);
  }
  await admin.patch(`/v1/collections/${open}`, { defaultLevel: 'admin' });
  const raised = await maker.client.post(`/v1/spaces/${await newSpace(maker.client, organization)}/move`, {
    parent: open,
  });
  expect([raised.status, raised.body.error?.reason]).toEqual([403, 'role_above_own']);
  const [guest] = [await newUser(admin, { organization, role: null })];
  const place = await newSpace(admin, organization);
  await admin.post(`/v1/spaces/${place}/permissions`, { role: 'admin', users: [guest.id] });
  expect((await guest.client.post(`/v1/spaces/${place}/move`, { parent: null })).status).toBe(403);
});

describe('a move is refused', () => {
  let space: string;
  let sibling: string;
  let elsewhere: string;
  beforeAll(async () => {
    space = await newSpace(admin, organization);
    sibling = await newSpace(admin, organization);
    elsewhere = await newSpace(admin, organization, { parent: await newCollection() });
  });

  it.each<[string, () => object | Promise<object>, string]>([
    [
      'both before and after',
      () => ({ position: { ...ahead(sibling).position, ...behind(sibling).position } }),
      'position',
    ],
    ['beside a space of another parent', () => ahead(elsewhere), 'position.before'],
    ['beside itself', () => behind(space), 'position.after'],
    ['beside nothing', () => behind('nowhere'), 'position.after'],
    [
      'beside a collection that is a space',
      () => ({ position: { after: { type: 'collection', collection: sibling } } }),
      'position.after',
    ],
    ['beside something else', () => ({ position: { after: { type: 'page', page: 'x' } } }), 'position.after'],
    ['into a space', () => ({ parent: sibling }), 'parent'],
    ['into nothing', () => ({ parent: 'nowhere' }), 'parent'],
    [
      'into another organization',
      async () => ({ parent: await newCollection({}, await newOrganization(admin)) }),
      'parent',
    ],
    ['into a number', () => ({ parent: 7 }), 'parent'],
  ])('%s', async (_, body, field) => {
    const path = `/v1/orgs/${organization}/spaces?limit=1000`;
    const lists = (await admin.get(path)).body;
    const { status, body: answer } = await admin.post(`/v1/spaces/${space}/move`, await body());
    expect([status, answer.error?.message]).toEqual([400, expect.stringContaining(field)]);
    expect((await admin.get(path)).body).toEqual(lists);
  });

  it('of what is in the trash', async () => {
    const gone = await newSpace(admin, organization);
    await admin.delete(`/v1/spaces/${gone}`);
    expect((await admin.post(`/v1/spaces/${gone}/move`, { parent: null })).status).toBe(404);
    expect((await admin.post(`/v1/spaces/${space}/move`, behind(gone))).status).toBe(400);
  });
});

it('a space restored from a deleted collection keeps its access where it stands, and loses it where it moves', async () => {
  const sealed = await newCollection();
  await admin.patch(`/v1/collections/${sealed}`, { defaultLevel: null });
  const space = await newSpace(admin, organization, { parent: sealed });
  await admin.delete(`/v1/collections/${sealed}`);
  await admin.post(`/v1/spaces/${space}/restore`);
  const reader = await newUser(admin, { organization, role: 'read' });
  const seen = async () => (await reader.client.get(`/v1/spaces/${space}`)).status;
  const first = (await idsIn(`/v1/orgs/${organization}/spaces`))[0] as string;
  await admin.post(`/v1/spaces/${space}/move`, { parent: null, ...ahead(first) });
  expect(await seen()).toBe(404);
  await admin.post(`/v1/spaces/${space}/move`, { parent: await newCollection() });
  expect(await seen()).toBe(200);
});
