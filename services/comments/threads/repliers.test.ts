import { type CommentDocument, replies } from '../texts/model.js';
import { newReply, openComments } from '../texts/testing/comments-store.js';
import { readRepliers } from './present.js';

let opened: Awaited<ReturnType<typeof openComments>>;
beforeAll(async () => {
  opened = await openComments();
});
afterAll(() => opened.close());

const comment = (_id: string, count: number) => ({ _id, replies: count }) as CommentDocument;
const reply = (of: string, author: string, day: number) =>
  newReply({ space: 's', comment: of, author, postedAt: `2026-01-0${day}T00:00:00.000Z` });

describe('those who replied', () => {
  it('are each there once, the latest first, with the number of their replies', async () => {
    const made = [reply('a', 'ada', 3), reply('a', 'bob', 2), reply('a', 'ada', 1), reply('b', 'eve', 4)];
    await opened.store.insertMany(replies, made);
    const of = await readRepliers(opened.store, [comment('a', 3), comment('b', 1), comment('c', 0)]);
    expect(of('a')).toEqual([
      { user: 'ada', count: 2, updatedAt: '2026-01-03T00:00:00.000Z' },
      { user: 'bob', count: 1, updatedAt: '2026-01-02T00:00:00.000Z' },
    ]);
    expect([of('b').map(({ user }) => user), of('c')]).toEqual([['eve'], []]);
  });

  it('are found by an index', async () => {
    const filter = { comment: { $in: ['a', 'b'] } };
    const plan = await opened.store.explain(replies, { filter, sort: {}, limit: 1000 });
    expect(plan).toContain('SEARCH');
    expect(plan).not.toContain('SCAN d');
  });
});
