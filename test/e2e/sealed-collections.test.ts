import { eventually } from '../../shared/testing/eventually.js';
import {
  joined,
  type NewUser,
  newOrganization,
  newSpace,
  newUser,
  newUsers,
  shared,
  walk,
} from '../support/fixtures.js';
import { give, newPlace, newTeam, statusOf } from '../support/permissions.js';

const admin = shared();
let organization: string;
let people: Record<'owner' | 'peer' | 'fellow' | 'reader' | 'guest', NewUser>;
beforeAll(async () => {
  organization = await newOrganization(admin);
  const [owner, peer] = await newUsers(admin, 2, { organization, role: 'create' });
  const [fellow, reader] = await newUsers(admin, 2, { organization, role: 'read' });
  const guest = await newUser(admin, { organization, role: null });
  people = { owner, peer, fellow, reader, guest } as typeof people;
});

const idIn = (place: string) => place.split('/').at(-1) as string;
const inside = (collection: string, client = admin) => newSpace(client, organization, { parent: idIn(collection) });
const nested = (parent: string, client = admin) =>
  newPlace(organization, 'collections', client, { parent: idIn(parent) });
const setLevel = async (place: string, defaultLevel: string | null, client = admin) =>
  expect((await client.patch(place, { defaultLevel })).status).toBe(200);

/** What each person may do with a space that is not deleted: its rights, or the status without any. */
const accessTo = async (space: string) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(people).map(async ([name, { client }]) => {
        const { status, body } = await client.get(`/v1/spaces/${space}`);
        return [
          name,
          status === 200 ? Object.keys(body.permissions).filter((right) => body.permissions[right]) : status,
        ];
      }),
    ),
  );
const listedTo = async ({ client }: NewUser) =>
  (await walk(client, `/v1/orgs/${organization}/spaces`, 100)).map(({ id }: { id: string }) => id);

/** Deletes a collection and restores a space of it; the access to the space must be what it was, at every moment. */
async function survives(collection: string, space: string, inCollection = collection) {
  const before = await accessTo(space);
  expect((await admin.delete(collection)).status).toBe(205);
  for (const [name, { client }] of Object.entries(people)) {
    const administers = Array.isArray(before[name]) && before[name].includes('admin');
    expect([name, await statusOf(client, `/v1/spaces/${space}`)]).toEqual([name, administers ? 200 : 404]);
    if (!administers)
      expect((await client.post(`/v1/spaces/${space}/restore`)).status).toBe(before[name] === 404 ? 404 : 403);
  }
  const restored = await admin.post(`/v1/spaces/${space}/restore`);
  expect(restored.body).toMatchObject({ id: space, visibility: 'private' });
  expect(restored.body.parent).toBeUndefined();
  expect(await accessTo(space)).toEqual(before);
  for (const [name, person] of Object.entries(people))
    expect([name, (await listedTo(person)).includes(space)]).toEqual([name, before[name] !== 404]);
  for (const place of [collection, inCollection]) expect(await statusOf(admin, place)).toBe(404);
  return before;
}

describe('a space of a deleted collection, in the trash and restored, has the access that it had', () => {
  it('where the collection is closed', async () => {
    const collection = await newPlace(organization, 'collections');
    await setLevel(collection, null);
    const before = await survives(collection, await inside(collection));
    expect(before).toEqual({ owner: 404, peer: 404, fellow: 404, reader: 404, guest: 404 });
  });

  it('where the collection is closed by its maker, who alone has access', async () => {
    const collection = await newPlace(organization, 'collections', people.owner.client);
    await setLevel(collection, null, people.owner.client);
    const before = await survives(collection, await inside(collection));
    expect(before).toMatchObject({ owner: expect.arrayContaining(['admin']), peer: 404, reader: 404 });
  });

  it('where users and teams are given roles on several levels, and refused', async () => {
    const outer = await newPlace(organization, 'collections');
    const inner = await nested(outer);
    const space = await inside(inner);
    const team = await newTeam(organization, [people.fellow.id, people.reader.id]);
    const others = await newTeam(organization, [people.peer.id]);
    await setLevel(outer, 'comment');
    await give(outer, { role: null, users: [people.owner.id] });
    await give(outer, { role: 'create', teams: [others] });
    await give(outer, { role: 'edit', users: [people.fellow.id] });
    await give(inner, { role: 'read', teams: [team] });
    await give(inner, { role: 'review', users: [people.guest.id] });
    await give(`/v1/spaces/${space}`, { role: 'read', users: [people.guest.id] });
    const before = await survives(outer, space, inner);
    expect(before).toMatchObject({ owner: 404, peer: expect.arrayContaining(['admin']), guest: ['view', 'access'] });
  });

  it('where the space was in the trash already', async () => {
    const collection = await newPlace(organization, 'collections');
    await setLevel(collection, null);
    const space = await inside(collection);
    expect((await admin.delete(`/v1/spaces/${space}`)).status).toBe(205);
    expect((await admin.delete(collection)).status).toBe(205);
    expect(await statusOf(people.peer.client, `/v1/spaces/${space}`)).toBe(404);
    expect((await admin.post(`/v1/spaces/${space}/restore`)).body.parent).toBeUndefined();
    expect(await statusOf(people.peer.client, `/v1/spaces/${space}`)).toBe(404);
  });

  it('also after the collection above is deleted as well', async () => {
    const outer = await newPlace(organization, 'collections');
    await setLevel(outer, null);
    const inner = await nested(outer);
    const space = await inside(inner);
    await survives(inner, space);
    expect((await admin.delete(outer)).status).toBe(205);
    expect((await admin.get(`/v1/spaces/${space}`)).body.deletedAt).toBeUndefined();
    expect(Object.values(await accessTo(space))).toEqual([404, 404, 404, 404, 404]);
  });

  it('until somebody who administers it sets its level', async () => {
    const collection = await newPlace(organization, 'collections');
    await setLevel(collection, null);
    await give(collection, { role: 'create', users: [people.owner.id] });
    const space = await inside(collection);
    await survives(collection, space);
    expect((await people.owner.client.patch(`/v1/spaces/${space}`, { title: 'Kept' })).status).toBe(200);
    expect(await statusOf(people.reader.client, `/v1/spaces/${space}`)).toBe(404);
    await setLevel(`/v1/spaces/${space}`, 'inherit', people.owner.client);
    expect(await accessTo(space)).toMatchObject({
      peer: expect.arrayContaining(['admin']),
      reader: ['view', 'access'],
      guest: 404,
    });
  });
});

describe('a collection', () => {
  it.each(['space', 'collection'] as const)(
    'is not deleted over a %s that the caller does not administer',
    async (kind) => {
      const collection = await newPlace(organization, 'collections', people.owner.client);
      const own = await inside(collection, people.owner.client);
      const middle = await nested(collection, people.owner.client);
      for (const role of [null, 'read', 'edit', 'review']) {
        const held = kind === 'space' ? `/v1/spaces/${await inside(middle)}` : await nested(middle);
        await give(held, { role, users: [people.owner.id] });
        const answer = await people.owner.client.delete(collection);
        expect([answer.status, JSON.stringify(answer.body).includes(idIn(held))]).toEqual([403, false]);
        expect((await people.owner.client.delete(middle)).status).toBe(403);
        expect((await admin.get(held)).body.deletedAt).toBeUndefined();
        expect((await admin.get(`/v1/spaces/${own}`)).body.deletedAt).toBeUndefined();
        expect((await admin.delete(held)).status).toBe(205);
      }
      expect((await people.owner.client.delete(collection)).status).toBe(205);
    },
  );

  it('that is deleted takes nothing in: no space, no collection, no grant, no change, no invite', async () => {
    const collection = await newPlace(organization, 'collections');
    await inside(collection);
    expect((await admin.delete(collection)).status).toBe(205);
    const parent = idIn(collection);
    for (const kind of ['spaces', 'collections'])
      expect((await admin.post(`/v1/orgs/${organization}/${kind}`, { parent })).status).toBe(400);
    expect((await admin.post(`${collection}/permissions`, { role: 'read', users: [people.reader.id] })).status).toBe(
      404,
    );
    expect((await admin.patch(collection, { defaultLevel: 'read' })).status).toBe(404);
    expect((await admin.delete(collection)).status).toBe(404);
    expect((await admin.get(`${collection}/spaces`)).status).toBe(404);
    const invite = { level: 'read', collection: parent };
    expect((await admin.post(`/v1/orgs/${organization}/link-invites`, invite)).status).toBe(400);
    const listed = await walk(admin, `/v1/orgs/${organization}/collections`, 100);
    expect(listed.some(({ id }: { id: string }) => id === parent)).toBe(false);
  });

  it('that is deleted while spaces are made in it leaves none of them open', async () => {
    const collection = await newPlace(organization, 'collections');
    await setLevel(collection, null);
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => admin.post(`/v1/orgs/${organization}/spaces`, { parent: idIn(collection) })),
      admin.delete(collection),
      ...Array.from({ length: 8 }, () => admin.post(`/v1/orgs/${organization}/spaces`, { parent: idIn(collection) })),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(answers.filter(({ status }) => status === 205)).toHaveLength(1);
    for (const space of made) {
      expect((await admin.get(`/v1/spaces/${space}`)).body.deletedAt).toBeDefined();
      expect(await statusOf(people.peer.client, `/v1/spaces/${space}`)).toBe(404);
    }
  });
});

it('a member who is refused on a space stays refused after leaving and joining again', async () => {
  const space = await newSpace(admin, organization);
  const person = await newUser(admin, { organization, role: 'read' });
  const other = await newSpace(admin, organization);
  await setLevel(`/v1/spaces/${other}`, null);
  await give(`/v1/spaces/${space}`, { role: null, users: [person.id] });
  await give(`/v1/spaces/${other}`, { role: 'read', users: [person.id] });
  expect(await statusOf(person.client, `/v1/spaces/${other}`)).toBe(200);
  expect((await person.client.delete(`/v1/orgs/${organization}/members/${person.id}`)).status).toBe(204);
  const given = async () => (await walk(admin, `/v1/spaces/${other}/permissions/users`, 100)).length;
  await eventually('the end of the grants of a former member', given, (count) => count === 0);
  await joined(admin, person, { organization });
  expect(await statusOf(person.client, `/v1/orgs/${organization}`)).toBe(200);
  expect(await statusOf(person.client, `/v1/spaces/${space}`)).toBe(404);
  expect(await statusOf(person.client, `/v1/spaces/${other}`)).toBe(404);
});
