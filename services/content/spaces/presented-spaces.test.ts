import type { Caller } from '../../../shared/contract/caller.js';
import { newId } from '../../../shared/ids.js';
import { importedSpace } from '../imports/testing/imported-space.js';
import { spaces } from '../tree/model.js';
import { presentSpaces } from './presented-spaces.js';

const { organization, space, opened, visitor, user } = importedSpace();

it('spaces are presented in order, with the permissions of the caller', async () => {
  const present = (caller: Caller, ids: string[], of = organization) =>
    presentSpaces(opened.deps, { organization: of, ids }, caller);
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
