import type { Caller } from '../../../../../shared/contract/caller.js';
import type { Call, Context } from '../../../../../shared/contract/service.js';
import { newId } from '../../../../../shared/values/ids.js';
import { findUsers } from '../../../../identity/contract.js';
import { importedSpace } from '../../../exchange/imports/testing/imported-space.js';
import type { ChangeRequestDocument } from '../../change-requests/model.js';
import { presentChangeRequests } from '../../change-requests/present.js';
import { countOpenComments } from '../../contract/comments.js';
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

it('a list of spaces asks once for the open comments of all of them', async () => {
  for (const id of ['listed-1', 'listed-2']) {
    const { writes } = newSpace({ organization, creator: 'ada', id, title: id });
    await opened.deps.trees.change(organization, id, async () => ({ writes }));
  }
  const { trees } = opened.deps;
  const accessible = (await trees.nodesAccessibleTo(user, organization, 'space')).filter(
    ({ node }) => node.id !== space,
  );
  const { items } = await listSpaces(opened.deps, { accessible, query: { limit: 50 } }, as(user));
  expect(items.map(({ comments }) => comments)).toEqual([1, 2]);
  expect(asked).toEqual([['listed-1', 'listed-2']]);
});

it('a list of change requests asks once; for visitors nobody is asked, and there are none', async () => {
  const items = ['item-3', 'item-4'].map((_id) => ({ _id, space, createdBy: newId() }) as ChangeRequestDocument);
  const countsFor = async (caller: Caller) =>
    (await presentChangeRequests(opened.deps, items, as(caller))).map(({ comments }) => comments);
  expect(await countsFor(user)).toEqual([3, 4]);
  expect(await countsFor(visitor())).toEqual([0, 0]);
  expect(asked).toEqual([['item-3', 'item-4']]);
});
