import type { Subscribers } from '../../shared/contract/event.js';
import type { Call } from '../../shared/contract/service.js';
import { failureOf } from '../../shared/errors/errors.js';
import type { HasJobs } from '../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../shared/jobs/outbox.js';
import type { HasMail } from '../../shared/outbound/mail.js';
import type { HasStore } from '../../shared/store/port.js';
import { commentOfReview } from '../content/contract.js';
import {
  changeRequestMerged,
  reviewersRequested,
  reviewSubmitted,
  spaceDeleted,
  spaceTransferred,
} from '../content/events.js';
import { memberRemoved } from '../identity/events.js';
import { notices, reviewNotices } from './digests/model.js';
import { tellMerge, tellReviewers, tellVerdict } from './digests/review-notices.js';
import { notifications } from './notifications/model.js';
import { commenters } from './places/model.js';
import { removeSpaceKind } from './removal/removal-jobs.js';
import { postReviewComment } from './threads/review-comments.js';
import { transferLater } from './transfers/transfer-job.js';

/** The events that comments consumes. */
export const commentsConsumes = {
  memberRemoved,
  reviewersRequested,
  reviewSubmitted,
  changeRequestMerged,
  spaceTransferred,
  spaceDeleted,
};

export const commentsSubscribers = (
  deps: HasStore & HasOutbox & HasJobs & HasMail & { baseUrl: string; digestSeconds: number; callAsSystem: () => Call },
): Subscribers<typeof commentsConsumes> => ({
  /** Keeps what they wrote, and drops what they were told; they no longer count as commenters until they come back and write. */
  async memberRemoved(removals) {
    for (const { organization, user, removedAt } of removals) {
      const concerning = { organization, user, createdAt: { $lt: removedAt } };
      await Promise.all([
        deps.store.updateMany(
          commenters,
          { organization, user, lastAt: { $lte: removedAt } },
          { $set: { left: true } },
        ),
        deps.store.deleteMany(notifications, concerning),
        deps.store.deleteMany(notices, concerning),
        deps.store.deleteMany(reviewNotices, concerning),
      ]);
    }
  },

  async reviewersRequested(requests, ids) {
    for (const [at, request] of requests.entries()) await tellReviewers(deps, request, ids[at] as string);
  },

  /** Makes the comments that the calls of content have not made, and tells who started the change requests. */
  async reviewSubmitted(reviews, ids) {
    for (const comment of reviews.flatMap((review) => commentOfReview(review) ?? []))
      await postReviewComment(deps, comment, deps.callAsSystem()).catch(rethrowUnlessInvalid);
    for (const [at, review] of reviews.entries()) await tellVerdict(deps, review, ids[at] as string);
  },

  async changeRequestMerged(merges, ids) {
    for (const [at, merge] of merges.entries()) await tellMerge(deps, merge, ids[at] as string);
  },

  async spaceTransferred(transferred, ids) {
    await deps.store.batch(transferred.flatMap((each, at) => transferLater(deps, each.space, ids[at] as string)));
  },

  async spaceDeleted(deleted) {
    await deps.store.batch(
      deleted.map(({ space }) => deps.jobs.enqueueOnce(`remove ${space}`, removeSpaceKind, { space })),
    );
  },
});

/** A body that is refused once is refused always: it must not hold up the events behind it. */
function rethrowUnlessInvalid(error: unknown): void {
  if (failureOf(error).type !== 'INVALID') throw error;
}
