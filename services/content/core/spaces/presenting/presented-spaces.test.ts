import type { Caller } from '../../../../../shared/contract/caller.js';
import type { Call } from '../../../../../shared/contract/service.js';
import { newId } from '../../../../../shared/values/ids.js';
import { importedSpace } from '../../../exchange/imports/testing/imported-space.js';
import { countOpenComments } from '../../contract/comments.js';
import { spaces } from '../../nodes/model.js';
import { presentSpaces } from './presented-spaces.js';

const { organization, space, opened, visitor, user } = importedSpace();

const counted: string[][] = [];
const call = (async (asked: unknown, { places }: { places: string[] }) => {
  expect(asked).toBe(countOpenComments);
  counted.push(places);
  return { [space]: 3 };
}) as unknown as Call;
beforeEach(() => counted.splice(0));

it('spaces are presented in order, with the permissions of the caller', async () => {
  const present = (caller: Caller, ids: string[], of = organization) =>
    presentSpaces(opened.deps, { organization: of, ids }, { caller, call });
  await opened.store.update(
    spaces,
    { _id: space },
    { $set: { git: { updatedAt: '2026-01-01T00:00:00.000Z', url: 'u' } } },
  );
  const [missing, own] = await present(user, ['none', space]);
  expect(missing).toBeNull();
  expect(own).toMatchObject({ id: space, permissions: { view: true, admin: true }, gitSync: { url: 'u' } });
  const [open] = await present({ kind: 'anonymous' }, [space]);
  expect(Object.values(open?.permissions ?? {})).not.toContain(true);
  expect(open?.gitSync).toBeUndefined();
  expect((await present(visitor(), [space]))[0]).toMatchObject({ permissions: { view: true, edit: false } });
  expect(await present(user, [space], newId())).toEqual([null]);
});

it('spaces of an earlier release are presented with their open comments, asked for at once, to those who may read them', async () => {
  await opened.store.update(spaces, { _id: space }, { $unset: { openComments: true } });
  const present = (caller: Caller) =>
    presentSpaces(opened.deps, { organization, ids: [space, 'none', space] }, { caller, call });
  const shown = await present(user);
  expect(shown.map((each) => each?.comments)).toEqual([3, undefined, 3]);
  expect(counted).toEqual([[space]]);
  for (const caller of [visitor(), { kind: 'anonymous' } as const])
    expect((await present(caller))[0]?.comments).toBe(0);
  expect(counted).toHaveLength(1);
});
