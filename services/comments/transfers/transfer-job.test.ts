import type { Call } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import { write } from '../../../shared/store/port.js';
import { commenters } from '../places/model.js';
import { countAdditionWrites, readStoredBytes, textBytes } from '../places/places.js';
import { comments, replies } from '../texts/model.js';
import { newComment, newReply, openComments } from '../texts/testing/comments-store.js';
import { transferSpaceTextsJob } from './transfer-job.js';

let deps: Awaited<ReturnType<typeof openComments>>;
beforeEach(async () => {
  deps = await openComments();
});
afterEach(() => deps.close());

/** Answers where the space is, and that Ada alone is a member there. */
const answering = (organization: string | null) => () =>
  (async (asked: { id?: string }) => {
    if (asked.id === undefined) return { members: [{ user: 'ada' }], teams: [] };
    if (organization === null) throw notFound('Space');
    return { organization };
  }) as unknown as Call;

const run = (organization: string | null, space = 'space') =>
  transferSpaceTextsJob({ ...deps, callAsSystem: answering(organization) }).run({
    job: { payload: { space } },
    signal: new AbortController().signal,
  } as never);

it('comments and what they take go to the organization that their space belongs to, however often', async () => {
  const { store } = deps;
  const written = [newComment({ space: 'space', author: 'ada' }), newComment({ space: 'space', author: 'bob' })];
  const reply = newReply({ space: 'space', author: 'bob', comment: String(written[0]?._id) });
  const elsewhere = newComment({ space: 'other', author: 'ada' });
  await store.batch([
    ...[...written, elsewhere].flatMap((each) => [write.insert(comments, each), ...countAdditionWrites(deps, each)]),
    write.insert(replies, reply),
    ...countAdditionWrites(deps, reply),
  ]);
  for (const _ of ['once', 'twice']) await run('new');
  expect(await store.count(comments, { organization: 'new' })).toBe(2);
  expect(await store.count(replies, { organization: 'new' })).toBe(1);
  expect(await readStoredBytes(store, 'new')).toBe(3 * (20 + textBytes));
  expect(await readStoredBytes(store, 'acme')).toBe(20 + textBytes);
  const { items } = await store.page(commenters, { filter: { space: 'space' }, sort: { user: 1 }, limit: 10 });
  expect(items.map(({ user, organization, left }) => [user, organization, left])).toEqual([
    ['ada', 'new', undefined],
    ['bob', 'new', true],
  ]);
  const late = newComment({ space: 'space', author: 'ada' });
  await store.batch([write.insert(comments, late), ...countAdditionWrites(deps, late)]);
  await run('new');
  expect(await store.count(comments, { organization: 'new' })).toBe(3);
  expect(await readStoredBytes(store, 'new')).toBe(4 * (20 + textBytes));
  expect(await readStoredBytes(store, 'acme')).toBe(20 + textBytes);
});

it('the comments of a space that is gone stay for its removal', async () => {
  const comment = newComment({ space: 'space', author: 'ada' });
  await deps.store.batch([write.insert(comments, comment), ...countAdditionWrites(deps, comment)]);
  await run(null);
  expect(await deps.store.count(comments, { organization: 'acme' })).toBe(1);
});
