import type { HasJobs, JobKind } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { type HasStore, type Store, StoreConflict, write } from '../../../../shared/store/port.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { reviewSubmitted } from '../events.js';
import { changeRequests, type ReviewDocument, reviews } from './model.js';
import { refusalOf, toldOf } from './review-comments.js';

/** Earlier versions kept the comments of reviews in the reviews alone: this job hands them over. */
const commentEarlierReviews = 'commentEarlierReviews';

const findEarlier = (store: Store): Promise<ReviewDocument | null> =>
  store.findOne(reviews, { comment: { $ne: null } }, { sort: { createdAt: 1 } });

/** Enqueues the job where there is something to do. Several processes may run it at once. */
export async function handOverComments({ store, jobs }: HasStore & HasJobs): Promise<void> {
  if (!(await findEarlier(store))) return;
  await store.batch([jobs.enqueue(commentEarlierReviews, {})]);
}

export function earlierReviewsJob(deps: HasStore & HasOutbox & HasWork): JobKind<Record<never, never>> {
  const { store, outbox } = deps;
  return {
    kind: commentEarlierReviews,
    attempts: 10,
    async run({ signal }) {
      for (let found = await findEarlier(store); found; found = await findEarlier(store)) {
        signal.throwIfAborted();
        const { comment, ...review } = found;
        const body = { markdown: comment as string };
        const item = await store.get(changeRequests, review.changeRequest);
        const same = { _id: review._id, comment: comment as string };
        const change = write.update(reviews, same, { $set: { body }, $unset: { comment: true } }, { expect: 1 });
        // A body that comments refuse would hold up the events after it, so its review gets no event.
        const isTaken = item && (await refusalOf(deps, body, item.organization)) === undefined;
        const events = isTaken ? [outbox.add(reviewSubmitted, toldOf(item, { ...review, body }))] : [];
        await store.batch([change, ...events]).catch(unlessHandedOver);
      }
    },
  };
}

/** Another process was first. */
function unlessHandedOver(error: unknown): void {
  if (!(error instanceof StoreConflict)) throw error;
}
