import type { Call } from '../../../shared/contract/service.js';
import { write } from '../../../shared/store/port.js';
import { findChangeRequest, type ReviewComment } from '../../content/contract.js';
import type { SentBody } from '../../content/resources.js';
import { notifications } from '../notifications/model.js';
import { commenters, places } from '../places/model.js';
import { countRemovalWrites } from '../places/places.js';
import { commentsSubscribers } from '../subscriptions.js';
import { type CommentDocument, comments } from '../texts/model.js';
import { openComments } from '../texts/testing/comments-store.js';
import { postReviewComment } from './review-comments.js';

let deps: Awaited<ReturnType<typeof openComments>>;
/** Answers of other services: who started the change request, and nothing else. */
const call = (async ({ action }: { action: string }) => {
  if (action !== findChangeRequest.action) throw new Error('nobody answers');
  return { id: 'change-request', revision: 'revision', number: 1, subject: '', createdBy: 'wanda' };
}) as unknown as Call;
beforeEach(async () => {
  deps = { ...(await openComments()), callAsSystem: () => call };
});
afterEach(() => deps.close());

const written: ReviewComment = {
  review: 'review',
  organization: 'acme',
  space: 'space',
  changeRequest: 'change-request',
  revision: 'revision',
  author: 'ada',
  body: { markdown: 'A word is missing.' },
  createdAt: '2026-01-02T03:04:05.678Z',
};

const post = (comment = written) => postReviewComment(deps, comment, deps.callAsSystem());

/** The event that content emits for the same review. */
function eventOf(body: SentBody = written.body) {
  const { author: reviewer, ...review } = written;
  return { ...review, number: 1, status: 'open' as const, reviewer, result: 'approved', comment: body };
}

const stored = async () => ({
  comments: await deps.store.count(comments, {}),
  open: (await deps.store.get(places, 'change-request'))?.open ?? 0,
  texts: (await deps.store.get(commenters, 'change-request:ada'))?.texts ?? 0,
});
const once = { comments: 1, open: 1, texts: 1 };
const never = { comments: 0, open: 0, texts: 0 };

const find = async () => (await deps.store.get(comments, 'review')) as CommentDocument;
const deleteIt = async () =>
  deps.store.batch([
    write.delete(comments, { _id: 'review' }, { expect: 1 }),
    ...countRemovalWrites(deps, [await find()]),
  ]);

describe('the comment of a review is made once', () => {
  it('whoever asks for it first, and however many do at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => post()));
    await post();
    await commentsSubscribers(deps).reviewSubmitted([eventOf(), eventOf()], ['a', 'b']);
    expect(await stored()).toEqual(once);
    expect(await find()).toMatchObject({
      author: 'ada',
      postedAt: written.createdAt,
      review: 'review',
      status: 'open',
    });
  });

  it('by its event where nobody asked', async () => {
    await commentsSubscribers(deps).reviewSubmitted([eventOf()], ['event']);
    await post();
    expect(await stored()).toEqual(once);
  });

  it('and not again after it was deleted', async () => {
    await post();
    await deleteIt();
    await post();
    await commentsSubscribers(deps).reviewSubmitted([eventOf()], ['event']);
    expect(await stored()).toEqual(never);
  });
});

describe('an event of a review', () => {
  const link = { markdown: '[a](/users/ada)' };

  it('comes again until the body could be read', async () => {
    const { reviewSubmitted } = commentsSubscribers(deps);
    await expect(reviewSubmitted([eventOf(link)], ['event'])).rejects.toThrow('nobody answers');
    expect(await stored()).toEqual(never);
    await reviewSubmitted([eventOf()], ['event']);
    expect(await stored()).toEqual(once);
  });

  it('is passed over where its body is refused, and holds up none behind it', async () => {
    const refusing = (async ({ action }: { action: string }) =>
      action === findChangeRequest.action ? null : [{ refused: 'markdown: shows nothing' }]) as unknown as Call;
    const { reviewSubmitted } = commentsSubscribers({ ...deps, callAsSystem: () => refusing });
    await reviewSubmitted([{ ...eventOf(link), review: 'refused' }, eventOf()], ['refused', 'event']);
    expect(await stored()).toEqual(once);
  });

  it('tells who started the change request, once however often it comes', async () => {
    const { reviewSubmitted } = commentsSubscribers(deps);
    for (let time = 0; time < 2; time++) await reviewSubmitted([eventOf()], ['event']);
    const { items } = await deps.store.page(notifications, { filter: { user: 'wanda' }, sort: {}, limit: 10 });
    expect(items).toMatchObject([{ kind: 'approved', actor: 'ada', changeRequest: 'change-request', read: false }]);
  });

  it('makes nothing where the review has no comment', async () => {
    const { comment: _, ...review } = eventOf();
    await commentsSubscribers(deps).reviewSubmitted([review], ['event']);
    expect(await stored()).toEqual(never);
  });
});
