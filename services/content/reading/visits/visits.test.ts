import type { Caller } from '../../../../shared/contract/caller.js';
import { write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { spaces } from '../../core/nodes/model.js';
import { newSpace } from '../../core/spaces/new-space.js';
import { purgeSpaceJob } from '../../core/spaces/trash.js';
import { listTrash } from '../../core/spaces/trash-list.js';
import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import { visitId, visits } from './model.js';
import { dropVisits, isFavouriteOf, listVisitsOf, noteVisitOf, setFavouriteOf } from './visits.js';

const { organization, opened, user: ada } = importedSpace();

const person = (user: string, role: string | null = 'read'): Caller => ({
  kind: 'user',
  user,
  token: 't',
  memberships: { [organization]: { role, teams: [], owned: [] } },
});

async function addSpace(fields: object = {}): Promise<string> {
  const { space, writes } = newSpace({ organization, creator: 'ada' });
  await opened.store.batch(writes);
  await opened.store.update(spaces, { _id: space._id }, { $set: { revision: 'one', ...fields } });
  opened.deps.trees.drop(organization);
  return space._id;
}

const change = (space: string) => opened.store.update(spaces, { _id: space }, { $set: { revision: newId() } });
const list = (caller: Caller) => listVisitsOf(opened.deps, { organization }, caller);
const note = (space: string, caller: Caller, at?: number) =>
  noteVisitOf(opened.deps, { space, revision: 'one' }, caller, at);
const favour = (space: string, caller: Caller, favourite = true) =>
  setFavouriteOf(opened.deps, { space, favourite }, caller);

beforeEach(() => opened.store.batch([write.delete(visits, {})]));

it('a space has changed since a person read it, for that person alone', async () => {
  const [space, other] = [await addSpace(), await addSpace()];
  for (const each of [space, other]) await note(each, ada);
  expect(await list(ada)).toEqual([]);
  await change(space);
  const seen = { space, favourite: false, seen: 'one', seenAt: expect.any(String), changed: true };
  expect(await list(ada)).toEqual([seen]);
  expect(await list(person('bob'))).toEqual([]);
});

it('reading on is noted once a minute, new content at once', async () => {
  const space = await addSpace();
  const start = Date.parse('2026-01-01T00:00:00.000Z');
  const seenAt = async () => (await opened.store.get(visits, visitId({ user: 'bob', space })))?.seenAt;
  await note(space, person('bob'), start);
  await note(space, person('bob'), start + 59_000);
  expect(await seenAt()).toBe(timestamp(new Date(start)));
  await note(space, person('bob'), start + 61_000);
  expect(await seenAt()).toBe(timestamp(new Date(start + 61_000)));
  await noteVisitOf(opened.deps, { space, revision: 'two' }, person('bob'), start + 62_000);
  expect(await seenAt()).toBe(timestamp(new Date(start + 62_000)));
});

it('favourites stay until they are removed, and do not disturb what was read', async () => {
  const space = await addSpace();
  await favour(space, ada);
  await favour(space, ada);
  expect(await list(ada)).toEqual([{ space, favourite: true, changed: false }]);
  expect(await isFavouriteOf(opened.deps, { space }, ada)).toBe(true);
  expect(await isFavouriteOf(opened.deps, { space }, person('bob'))).toBe(false);
  await note(space, ada);
  await favour(space, ada, false);
  expect(await list(ada)).toEqual([]);
  await change(space);
  expect(await list(ada)).toMatchObject([{ space, favourite: false, seen: 'one', changed: true }]);
});

it('nobody notes or is told anything of a space that they may not view', async () => {
  const space = await addSpace();
  const bob = person('bob');
  await favour(space, bob);
  await opened.store.update(spaces, { _id: space }, { $set: { defaultLevel: null } });
  opened.deps.trees.drop(organization);
  expect(await list(bob)).toEqual([]);
  for (const attempt of [favour(space, bob), note(space, bob), favour(newId(), bob)])
    await expect(attempt).rejects.toMatchObject({ type: 'NOT_FOUND' });
  for (const caller of [{ kind: 'anonymous' }, { kind: 'system' }] as const)
    await expect(note(space, caller)).rejects.toMatchObject({ type: 'FORBIDDEN' });
});

it('a deleted space is in the trash of those who may restore it, and purging removes what was noted of it', async () => {
  const deletedAt = timestamp(new Date('2026-01-01T00:00:00.000Z'));
  const space = await addSpace();
  await favour(space, ada);
  await opened.store.update(spaces, { _id: space }, { $set: { deletedAt, title: 'Gone' } });
  opened.deps.trees.drop(organization);
  expect(await list(ada)).toEqual([]);
  const trash = (caller: Caller) => listTrash(opened.deps, { organization }, caller);
  const entry = { id: space, title: 'Gone', deletedAt, purgedAt: '2026-01-08T00:00:00.000Z' };
  expect(await trash(person('eve', 'create'))).toEqual([entry]);
  for (const role of ['edit', 'read', null]) expect(await trash(person('bob', role))).toEqual([]);
  const { deps } = opened;
  const purge = purgeSpaceJob({ ...deps, ofSpaces: [visits] } as never);
  await purge.run({ job: { payload: { space, deletedAt } }, signal: new AbortController().signal } as never);
  expect(await opened.store.count(visits, { space })).toBe(0);
  expect(await trash(person('eve', 'create'))).toEqual([]);
});

it('what is noted of a member ends with the membership, but for what came after', async () => {
  const space = await addSpace();
  for (const caller of [ada, person('bob')]) await favour(space, caller);
  await dropVisits(opened.deps, { organization, user: 'bob', before: '2020-01-01T00:00:00.000Z' });
  expect(await isFavouriteOf(opened.deps, { space }, person('bob'))).toBe(true);
  await dropVisits(opened.deps, { organization, user: 'bob', before: '9999-01-01T00:00:00.000Z' });
  expect(await isFavouriteOf(opened.deps, { space }, person('bob'))).toBe(false);
  expect(await isFavouriteOf(opened.deps, { space }, ada)).toBe(true);
});
