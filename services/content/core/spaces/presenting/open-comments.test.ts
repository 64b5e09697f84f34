import type { Caller } from '../../../../../shared/contract/caller.js';
import type { Call, Context } from '../../../../../shared/contract/service.js';
import { newId } from '../../../../../shared/values/ids.js';
import { findUsers } from '../../../../identity/contract.js';
import { importedSpace } from '../../../exchange/imports/testing/imported-space.js';
import { noteOpenComments, recountCommentsJob } from '../../change-requests/comment-counts.js';
import { type ChangeRequestDocument, changeRequests } from '../../change-requests/model.js';
import { presentChangeRequests } from '../../change-requests/present.js';
import { countOpenComments } from '../../contract/comments.js';
import { spaces } from '../../nodes/model.js';
import { newSpace } from '../new-space.js';
import { listSpaces } from './listed-spaces.js';

const { organization, space, opened, visitor, user } = importedSpace();

const asked: string[][] = [];
beforeEach(() => asked.splice(0));

/** Every place has as many open comments as its id ends in. */
const call = (async (target: unknown, { places = [], ids = [] }: { places?: string[]; ids?: string[] }) => {
  if (target === findUsers) return ids.map((id) => ({ id }));
  expect(target).toBe(countOpenComments);
  asked.push(places);
  return Object.fromEntries(places.map((place) => [place, Number(place.split('-')[1])]));
}) as unknown as Call;
const as = (caller: Caller) => ({ caller, call, access: { organization } }) as Context;

async function listNew(...ids: string[]) {
  for (const id of ids) {
    const { writes } = newSpace({ organization, creator: 'ada', id, title: id });
    await opened.deps.trees.change(organization, id, async () => ({ writes }));
  }
  const { trees } = opened.deps;
  const accessible = await trees.nodesAccessibleTo(user, organization, 'space');
  return accessible.filter(({ node }) => ids.includes(node.id));
}

const forget = (...ids: string[]) =>
  opened.store.updateMany(spaces, { _id: { $in: ids } }, { $unset: { openComments: true } });

it('a list of spaces knows the numbers; of those that an earlier release made it asks once', async () => {
  const accessible = await listNew('listed-1', 'listed-2', 'listed-3');
  const list = async () =>
    (await listSpaces(opened.deps, { accessible, query: { limit: 50 } }, as(user)))
      .decode()
      .items.map(({ comments }) => comments);
  expect(await list()).toEqual([0, 0, 0]);
  await opened.store.update(spaces, { _id: 'listed-3' }, { $set: { openComments: 7 } });
  expect(await list()).toEqual([0, 0, 7]);
  expect(asked).toEqual([]);
  await forget('listed-1', 'listed-2');
  expect(await list()).toEqual([1, 2, 7]);
  expect(asked).toEqual([['listed-1', 'listed-2']]);
});

it('so does a list of change requests; for visitors nobody is asked, and there are none', async () => {
  const items = ['item-3', 'item-4', 'item-5'].map(
    (_id) => ({ _id, space, createdBy: newId() }) as ChangeRequestDocument,
  );
  (items[2] as ChangeRequestDocument).openComments = 9;
  const countsFor = async (caller: Caller) =>
    (await presentChangeRequests(opened.deps, items, as(caller))).map(({ comments }) => comments);
  expect(await countsFor(user)).toEqual([3, 4, 9]);
  expect(await countsFor(visitor())).toEqual([0, 0, 0]);
  expect(asked).toEqual([['item-3', 'item-4']]);
});

const callAsSystem = () => call;

it('the places that changed are asked about together, before and after their numbers are noted; one that is gone is left alone', async () => {
  const accessible = await listNew('noted-4', 'noted-5');
  await opened.store.insert(changeRequests, { _id: 'request-6', space, number: 1 } as ChangeRequestDocument);
  const places = [
    { space: 'noted-4' },
    { space, changeRequest: 'request-6' },
    { space: 'noted-4' },
    { space: 'gone-8' },
  ];
  const before = await opened.store.get(spaces, 'noted-4');
  await noteOpenComments({ ...opened.deps, callAsSystem }, places);
  const told = ['noted-4', 'request-6', 'gone-8'];
  expect(asked).toEqual([told, told]);
  expect(await opened.store.get(spaces, 'noted-4')).toEqual({ ...before, openComments: 4 });
  expect((await opened.store.get(changeRequests, 'request-6'))?.openComments).toBe(6);
  expect(await opened.store.get(spaces, 'gone-8')).toBeNull();
  const { items } = (await listSpaces(opened.deps, { accessible, query: { limit: 50 } }, as(user))).decode();
  expect(items.map(({ comments }) => comments)).toEqual([4, 0]);
});

it('an answer that is noted late does not undo the number that another process asked for since', async () => {
  await listNew('raced');
  const note = (call: Call) => noteOpenComments({ ...opened.deps, callAsSystem: () => call }, [{ space: 'raced' }]);
  let open = 1;
  const answer = async () => ({ raced: open });
  let isFirst = true;
  const late = async () => {
    const answered = await answer();
    if (isFirst) {
      isFirst = false;
      open = 2;
      await note(answer as unknown as Call);
    }
    return answered;
  };
  await note(late as unknown as Call);
  expect((await opened.store.get(spaces, 'raced'))?.openComments).toBe(2);
});

it('all are counted anew once: those without a number, and those whose number is wrong; what is told meanwhile stays', async () => {
  await listNew('counted-4', 'counted-5', 'counted-6');
  await forget('counted-4');
  const told = async (target: never, parameters: never) => {
    await opened.store.update(spaces, { _id: 'counted-6' }, { $set: { openComments: 60 } });
    return call(target, parameters);
  };
  const { signal } = new AbortController();
  const job = recountCommentsJob({ ...opened.deps, callAsSystem: () => told as unknown as Call });
  await job.run({ job: {} as never, signal } as never);
  const numbers = await opened.store.getMany(spaces, ['counted-4', 'counted-5', 'counted-6'], {
    fields: ['openComments'],
  });
  expect(numbers.map(({ openComments }) => openComments)).toEqual([4, 5, 60]);
});
