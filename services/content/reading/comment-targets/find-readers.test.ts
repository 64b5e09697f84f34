import type { Call } from '../../../../shared/contract/service.js';
import { write } from '../../../../shared/store/port.js';
import { grantId, grants } from '../../core/access/model.js';
import { nodeChanger } from '../../core/spaces/node-changes.js';
import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import { filterReaders } from './find-readers.js';

const { organization, space, opened } = importedSpace();

const people = [
  { user: 'admin', role: 'admin', disabled: false },
  { user: 'reader', role: 'read', disabled: false },
  { user: 'disabled', role: 'admin', disabled: true },
  { user: 'guest', role: null, disabled: false },
  { user: 'invited', role: null, disabled: false },
];
const call = (async (_: unknown, { users }: { users: string[] }) => ({
  members: people.filter(({ user }) => users.includes(user)).map((each) => ({ ...each, teams: [], resource: {} })),
})) as unknown as Call;

const users = ['unknown', ...people.map(({ user }) => user)];
const find = (of = space) => filterReaders(opened.deps, { organization, space: of, users }, call);

it('finds those of the users who may view the space now', async () => {
  const given = { node: space, principal: 'user', id: 'invited' } as const;
  const grant = { ...given, _id: grantId(given), organization, kind: 'space', role: 'read', createdAt: '' } as const;
  await opened.deps.trees.change(organization, space, async () => ({ writes: [write.insert(grants, grant)] }));
  expect(await find()).toEqual(['admin', 'reader', 'invited']);
});

it('finds nobody for a space that does not exist, or is in the trash', async () => {
  expect(await find('none')).toEqual([]);
  await opened.deps.trees.change(organization, space, async () => ({
    writes: [],
    apply: nodeChanger(space, { deleted: true }),
  }));
  expect(await find()).toEqual([]);
});
