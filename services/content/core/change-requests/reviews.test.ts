import type { Call, Context } from '../../../../shared/contract/service.js';
import { Outbox, outboxCollection } from '../../../../shared/jobs/outbox.js';
import { createLog } from '../../../../shared/monitoring/log.js';
import { write } from '../../../../shared/store/port.js';
import { newId } from '../../../../shared/values/ids.js';
import { findUsers } from '../../../identity/contract.js';
import { contentEvents, reviewSubmitted } from '../../events.js';
import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import { type PresentComments, postReviewComment, presentComments, type ReviewComment } from '../contract/comments.js';
import { changeRequests, reviews } from './model.js';
import { reviewHandlers } from './review-handlers.js';

const { organization, space, revisionIds, opened, user } = importedSpace();

const outboxEvents = outboxCollection('content');
const deps = () => {
  const { store, work } = opened.deps;
  const consumers = new Map([[reviewSubmitted.name, ['comments']]]);
  const log = createLog('silent');
  const outbox = new Outbox({
    store,
    service: 'content',
    emits: contentEvents,
    consumers,
    log,
    deliver: async () => [],
  });
  const texts: typeof work.texts = async (given) =>
    given.map((text) => {
      if (!('markdown' in text)) return { refused: 'document.nodes.0: not a block' };
      return { markdown: text.markdown, document: { object: 'document', nodes: [] } as never, mentions: [] };
    });
  return { ...opened.deps, outbox, work: { ...work, texts } };
};

let posted: ReviewComment[] = [];
let asked: PresentComments[] = [];
let failing = false;
beforeEach(() => {
  [posted, asked, failing] = [[], [], false];
});
const call = (async (target: unknown, parameters: object) => {
  if (target === findUsers) return (parameters as { ids: string[] }).ids.map((id) => ({ id }));
  if (failing) throw new Error('comments do not answer');
  if (target === postReviewComment) return void posted.push(parameters as ReviewComment);
  expect(target).toBe(presentComments);
  asked.push(parameters as PresentComments);
  return (parameters as PresentComments).ids.map((id) =>
    posted.some(({ review }) => review === id) ? { object: 'comment', id } : null,
  );
}) as unknown as Call;
const context = {
  caller: user,
  access: { organization, role: 'admin' },
  call,
  audit: () => write.check(changeRequests, { _id: 'none' }, 0),
} as unknown as Context;

let number = 1;
async function open() {
  const [revision = ''] = revisionIds;
  const now = '2026-01-01T00:00:00.000Z';
  const of = { organization, space, subject: '', createdBy: 'ada', createdAt: now, updatedAt: now, contributors: [] };
  const item = {
    ...of,
    _id: newId(),
    number: number++,
    status: 'open' as const,
    revision,
    initial: revision,
    base: '',
  };
  await opened.store.insertMany(changeRequests, [item]);
  return { ...item, path: { spaceId: space, changeRequestId: item._id } };
}

type Body = Parameters<ReturnType<typeof reviewHandlers>['submitChangeRequestReview']>[0]['body'];
const submit = (path: Awaited<ReturnType<typeof open>>['path'], body: Body) =>
  reviewHandlers(deps()).submitChangeRequestReview({ path, query: {}, body }, context);
const list = (path: Awaited<ReturnType<typeof open>>['path'], format: 'markdown' | 'document' = 'markdown') =>
  reviewHandlers(deps()).getReviewsByChangeRequestId({ path, query: { limit: 50, format }, body: undefined }, context);

const eventsAbout = async (changeRequest: string) => {
  const { items } = await opened.store.page(outboxEvents, { filter: {}, sort: {}, limit: 1000 });
  return items
    .map(({ payload }) => payload as ReviewComment)
    .filter((payload) => payload.changeRequest === changeRequest);
};

const comment = { markdown: 'The second step is missing.' };

describe('a review with a comment', () => {
  it('makes the comment, whose id is that of the review, and tells it in its event', async () => {
    const { _id: changeRequest, path, revision } = await open();
    const review = await submit(path, { status: 'approved', comment });
    const { id, createdAt } = review;
    expect(review).toMatchObject({ revision, status: 'approved', comment: { object: 'comment', id } });
    expect(posted).toEqual([
      { review: id, organization, space, changeRequest, revision, author: 'ada', body: comment, createdAt },
    ]);
    const event = { review: id, reviewer: 'ada', result: 'approved', revision, comment, createdAt };
    expect(await eventsAbout(changeRequest)).toMatchObject([{ organization, space, changeRequest, ...event }]);
    expect(reviewSubmitted.payload.parse((await eventsAbout(changeRequest))[0])).toMatchObject(event);
  });

  it('is written when comments do not answer: its event brings the comment later', async () => {
    const { _id: changeRequest, path } = await open();
    failing = true;
    const review = await submit(path, { status: 'approved', comment });
    expect(review).not.toHaveProperty('comment');
    expect(await eventsAbout(changeRequest)).toMatchObject([{ review: review.id, comment }]);
    await expect(list(path)).rejects.toThrow('comments do not answer');
  });

  it('is refused, and nothing is written, when comments would not take its body', async () => {
    const { _id: changeRequest, path } = await open();
    await expect(
      submit(path, { status: 'approved', comment: { document: { object: 'document', nodes: [{ object: 'none' }] } } }),
    ).rejects.toMatchObject({ type: 'INVALID', message: 'comment.document.nodes.0: not a block' });
    expect(await opened.store.count(reviews, { changeRequest })).toBe(0);
    expect(posted).toEqual([]);
  });
});

it('reviews are listed with their comments, asked for at once; without those that were deleted', async () => {
  const { _id: changeRequest, path } = await open();
  const made = [];
  for (const body of [{ comment }, {}, { comment }, { comment }])
    made.push((await submit(path, { status: 'approved', ...body })).id);
  const [first, none, second, third] = made;
  posted = posted.filter(({ review }) => review !== second);
  asked = [];
  const { items } = await list(path, 'document');
  expect(new Map(items.map((review) => [review.id, review.comment?.id]))).toEqual(
    new Map([
      [third, third],
      [second, undefined],
      [none, undefined],
      [first, first],
    ]),
  );
  expect(asked).toMatchObject([{ organization, space, changeRequest, format: 'document', role: 'admin' }]);
  expect(asked[0]?.ids.toSorted()).toEqual([first, second, third].toSorted());
});

it('reviews without comments do without the service of comments', async () => {
  const { path } = await open();
  failing = true;
  const { id } = await submit(path, { status: 'changes-requested' });
  expect((await list(path)).items).toMatchObject([{ id }]);
});
