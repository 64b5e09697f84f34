import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Caller, system } from '../../../../../shared/contract/caller.js';
import type { Context } from '../../../../../shared/contract/service.js';
import { Jobs } from '../../../../../shared/jobs/jobs.js';
import { Outbox } from '../../../../../shared/jobs/outbox.js';
import { createLog } from '../../../../../shared/monitoring/log.js';
import { type Store, type Write, write } from '../../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../../shared/store/sqlite/store.js';
import { newId, timestamp } from '../../../../../shared/values/ids.js';
import type { Role } from '../../../../identity/resources.js';
import { contentCollections } from '../../../dependencies.js';
import { collections, spaces } from '../../nodes/model.js';
import { newSpace } from '../../spaces/new-space.js';
import { spaceHandlers } from '../../spaces/space-handlers.js';
import { changeGrants, dropPrincipalGrants, grantAtLeast, type NodeRef } from '../grants.js';
import { grants, trees as treeDocuments } from '../model.js';
import { type GrantChange, type Reader, toTreeNode } from './content-tree.js';
import { ContentTreeCache } from './content-tree-cache.js';

const log = createLog('silent');
let folder: string;
let store: Store;
let deps: ReturnType<typeof depsWith>;
let organization: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-trees-'));
  store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(contentCollections);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  organization = newId();
  deps = depsWith(new ContentTreeCache(store, true));
});

const depsWith = (trees: ContentTreeCache) => ({
  store,
  trees,
  jobs: new Jobs({ store, service: 'content', log, exclusive: true }),
  outbox: new Outbox({ store, service: 'content', emits: [], consumers: new Map(), log, deliver: async () => [] }),
  baseUrl: 'http://localhost',
});

async function makeSpace(creator = 'grace'): Promise<NodeRef> {
  const { space, writes } = newSpace({ organization, creator });
  await deps.trees.change(organization, space._id, async () => ({
    writes,
    apply: (tree) => tree.set(space._id, toTreeNode('space', space)),
  }));
  return { kind: 'space', id: space._id, organization };
}

const nothing: Write = write.check(treeDocuments, { _id: 'nowhere' }, 0);
const give = (place: NodeRef, ...wanted: GrantChange[]) =>
  changeGrants(deps, { node: place, wanted, caller: system, record: () => nothing });
const user = (id: string, role: GrantChange['role']): GrantChange => ({ principal: 'user', id, role });
const team = (id: string, role: GrantChange['role']): GrantChange => ({ principal: 'team', id, role });
const reader = (id: string, role: Role | null = null, teams: string[] = []): Reader => ({ user: id, role, teams });

const callerOf = ({ user: id, role, teams }: Reader): Caller => ({
  kind: 'user',
  user: id,
  token: 't',
  memberships: { [organization]: { role, teams: [...teams], owned: [] } },
});

async function roleOf(place: NodeRef, who: Reader): Promise<string | undefined> {
  const [access] = await deps.trees.resolve({ caller: callerOf(who), ids: [place.id] }, 'space');
  return access?.role ?? undefined;
}

async function expectNoted(): Promise<void> {
  const [noted, read] = await Promise.all([
    deps.trees.treeOf(organization),
    new ContentTreeCache(store, false).treeOf(organization),
  ]);
  expect(new Map(noted)).toEqual(new Map(read));
}

test('a grant holds at once, and a removed grant no longer does', async () => {
  const place = await makeSpace();
  await deps.trees.treeOf(organization);
  expect(await roleOf(place, reader('ada'))).toBeUndefined();
  await give(place, user('ada', 'edit'), team('red', 'comment'));
  expect(await roleOf(place, reader('ada'))).toBe('edit');
  expect(await roleOf(place, reader('bob', null, ['red']))).toBe('comment');
  await give(place, user('ada', null));
  expect(await roleOf(place, reader('ada', 'create', ['red']))).toBeUndefined();
  await give(place, user('ada', 'dropped'), team('red', 'dropped'));
  expect(await roleOf(place, reader('ada', 'create', ['red']))).toBe('create');
  await expectNoted();
});

test('trees are kept by bytes, with what readers see of them', async () => {
  const readers = Array.from({ length: 450 }, () => newId());
  const made = { kind: 'space' as const, principal: 'user' as const, role: 'read' as const, createdAt: timestamp() };
  const organizations = Array.from({ length: 4 }, () => newId());
  const listed = new Map<string, unknown>();
  for (const each of organizations) {
    const copies = Array.from({ length: 2000 }, () => newSpace({ organization: each, creator: 'grace' }).space);
    const node = copies[0]?._id ?? '';
    const granted = readers.map((id) => ({ ...made, _id: `${node}:user:${id}`, organization: each, node, id }));
    await store.batch([write.insertMany(spaces, copies), write.insertMany(grants, granted)]);
    for (const id of readers) {
      const accessible = await deps.trees.accessibleOf(each);
      expect(accessible.list(reader(id, 'read'), 'space')).toHaveLength(2000);
    }
    listed.set(each, await deps.trees.treeOf(each));
  }
  const [first = '', , , last = ''] = organizations;
  expect((await deps.trees.treeOf(last)) === listed.get(last)).toBe(true);
  expect((await deps.trees.treeOf(first)) === listed.get(first)).toBe(false);
});

test('a change made while the tree is being read is in the kept tree', async () => {
  const place = await makeSpace();
  for (let round = 0; round < 20; round++) {
    deps.trees.drop(organization);
    const reading = deps.trees.treeOf(organization);
    await Promise.all([reading, give(place, user('ada', round % 2 === 0 ? 'read' : 'edit')), makeSpace()]);
    await expectNoted();
  }
});

test('after many concurrent changes the kept tree equals the stored one', async () => {
  const places = await Promise.all([makeSpace(), makeSpace(), makeSpace()]);
  await deps.trees.treeOf(organization);
  const roles = ['read', 'edit', null, 'dropped', 'create'] as const;
  await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const place = places[n % 3] as NodeRef;
      await give(place, user('ada', 'comment'), user(`u${n % 7}`, 'read'));
      await give(place, user('ada', roles[n % 4 === 3 ? 0 : n % 5 === 3 ? 1 : n % 5] ?? null));
    }),
  );
  await expectNoted();
});

test('two processes that grant the same at once make one grant, which both see in lists', async () => {
  const place = await makeSpace();
  const other = depsWith(new ContentTreeCache(store, false));
  deps = depsWith(new ContentTreeCache(store, false));
  await Promise.all(
    [deps, other].map((each) =>
      changeGrants(each, { node: place, wanted: [user('ada', 'edit')], caller: system, record: () => nothing }),
    ),
  );
  expect(await store.count(grants, { node: place.id })).toBe(1);
  const caller = callerOf(reader('ada'));
  for (const { trees } of [deps, other])
    expect(await trees.nodesAccessibleTo(caller, organization, 'space')).toMatchObject([{ role: 'edit' }]);
});

test.each<[string, boolean]>([
  ['in one process', true],
  ['in several', false],
])('nobody gives back a role that was taken away before the own change had its turn, %s', async (_, exclusive) => {
  deps = depsWith(new ContentTreeCache(store, exclusive));
  const place = await makeSpace();
  await give(place, user('ada', 'create'));
  const changes = [
    give(place, user('ada', 'dropped')),
    changeGrants(deps, {
      node: place,
      wanted: [user('ada', 'create')],
      caller: callerOf(reader('ada')),
      record: () => nothing,
    }),
  ];
  expect(await Promise.allSettled(changes)).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { type: 'FORBIDDEN' } },
  ]);
  expect(await store.count(grants, { node: place.id })).toBe(0);
});

test('another process sees every change at once, also while it checks for earlier ones', async () => {
  const place = await makeSpace();
  const other = new ContentTreeCache(store, false);
  const seen = async () => (await other.treeOf(organization)).get(place.id)?.grants?.users.get('ada');
  for (const role of ['read', 'edit', 'comment', 'create'] as const) {
    const earlier = Array.from({ length: 3 }, seen);
    await give(place, user('ada', role));
    expect(await Promise.all([seen(), seen()])).toEqual([role, role]);
    await Promise.all(earlier);
  }
});

test('a space that the kept tree lacks is looked for in the store', async () => {
  await deps.trees.treeOf(organization);
  const { space, writes } = newSpace({ organization, creator: 'grace' });
  await store.batch(writes);
  expect(await roleOf({ kind: 'space', id: space._id, organization }, reader('ada', 'admin'))).toBe('admin');
  await expectNoted();
});

test('what changes nothing writes nothing', async () => {
  const place = await makeSpace();
  await give(place, user('ada', 'edit'));
  const before = await store.get(treeDocuments, organization);
  await give(place, user('ada', 'edit'));
  expect(await store.get(treeDocuments, organization)).toEqual(before);
});

test('nothing is granted on a deleted space, and its grants return when it is restored', async () => {
  const place = await makeSpace();
  await give(place, user('ada', 'edit'));
  const access = { organization, role: 'admin', state: 'active' as const };
  const context = { caller: system, access, call: async () => ({}), audit: () => nothing } as unknown as Context;
  const request = { path: { spaceId: place.id }, query: {}, body: undefined };
  const { deleteSpaceById, restoreSpace } = spaceHandlers({
    ...deps,
    restoring: () => [],
    templates: { check() {}, fill: async () => {} },
  });
  await deleteSpaceById(request, context);
  await expect(give(place, user('bob', 'edit'))).rejects.toMatchObject({ type: 'NOT_FOUND' });
  expect(await store.count(grants, { node: place.id })).toBe(1);
  await expectNoted();
  await restoreSpace(request, context);
  expect(await roleOf(place, reader('ada'))).toBe('edit');
  await expectNoted();
});

test.each<[string, GrantChange[], Reader, Role | null, string | undefined]>([
  ['a guest the level', [], reader('ada'), 'read', 'read'],
  ['more than the role in the organization', [], reader('ada', 'read'), 'edit', 'edit'],
  ['nothing below what a team gives already', [team('red', 'create')], reader('ada', null, ['red']), 'read', 'create'],
  ['nothing below the own grant', [user('ada', 'review')], reader('ada'), 'read', 'review'],
  ['more than the own grant', [user('ada', 'read')], reader('ada'), 'review', 'review'],
  ['nothing where the invite has no level', [], reader('ada'), null, undefined],
])('an invite gives %s', async (_, granted, who, level, expected) => {
  const place = await makeSpace();
  if (granted.length > 0) await give(place, ...granted);
  const invite = { node: place, reader: who, role: level, record: nothing };
  await Promise.all([grantAtLeast(deps, invite), grantAtLeast(deps, invite)]);
  expect(await roleOf(place, who)).toBe(expected);
  await expectNoted();
});

test('an invite to a space of another organization finds nothing', async () => {
  const place = await makeSpace();
  const elsewhere = { ...place, organization: newId() };
  await expect(
    grantAtLeast(deps, { node: elsewhere, reader: reader('ada'), role: 'read', record: nothing }),
  ).rejects.toMatchObject({
    type: 'NOT_FOUND',
  });
});

test('a member who left loses the grants made before that, and keeps later ones', async () => {
  const [one, two] = [await makeSpace(), await makeSpace()];
  await give(one, user('ada', 'edit'), user('bob', 'read'), team('ada', 'read'));
  const before = timestamp(new Date(Date.now() + 1));
  await store.update(
    grants,
    { node: one.id, principal: 'user', id: 'ada' },
    { $set: { createdAt: '2020-01-01T00:00:00.000Z' } },
  );
  await give(two, user('ada', 'comment'));
  await store.update(
    grants,
    { node: two.id, principal: 'user', id: 'ada' },
    { $set: { createdAt: '2999-01-01T00:00:00.000Z' } },
  );
  for (let times = 0; times < 2; times++)
    await dropPrincipalGrants(deps, { organization, principal: 'user', id: 'ada', before });
  expect(await roleOf(one, reader('ada'))).toBeUndefined();
  expect(await roleOf(one, reader('bob'))).toBe('read');
  expect(await roleOf(one, reader('eve', null, ['ada']))).toBe('read');
  expect(await roleOf(two, reader('ada'))).toBe('comment');
  await expectNoted();
});

test('a member whose token is refused gets the reason', async () => {
  const place = await makeSpace();
  const memberships = { [organization]: { role: 'admin', teams: [], owned: [], refused: 'sign in again' } };
  const caller: Caller = { kind: 'user', user: 'ada', token: 't', memberships };
  const [access] = await deps.trees.resolve({ caller, ids: [place.id] }, 'space');
  expect(access).toEqual({ organization, role: null, state: 'active', refused: 'sign in again' });
});

test('nothing is put into a collection that is deleted meanwhile', async () => {
  const { space, writes } = newSpace({ organization, creator: 'grace', parent: 'gone' });
  const made = deps.trees.change(organization, space._id, async () => ({
    writes: [...writes, write.check(collections, { _id: 'gone' }, 1)],
  }));
  await expect(made).rejects.toThrow();
  expect(await store.get(spaces, space._id)).toBeNull();
});

test.each([
  [
    'of a place',
    { filter: { node: 'n', principal: 'user' as const, role: { $ne: null } }, sort: { createdAt: 1 as const } },
  ],
  ['of an organization', { filter: { organization: 'o' }, sort: {} }],
  [
    'of a user who left',
    { filter: { organization: 'o', principal: 'user' as const, id: 'u', createdAt: { $lt: 't' } }, sort: {} },
  ],
])('the grants %s are found by an index', async (_, query) => {
  const plan = await store.explain(grants, { ...query, limit: 50 });
  expect(plan).toContain('INDEX');
  expect(plan).not.toMatch(/SCAN (?!.*INDEX)/);
});
