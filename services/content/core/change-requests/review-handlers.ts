import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { invalid } from '../../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { listPage } from '../../../../shared/lists/paging.js';
import { again } from '../../../../shared/store/again.js';
import { type HasStore, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { usersNamed } from '../../../identity/contract.js';
import type { CommentFormat } from '../../format/texts/resources.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { changeRequestOperations } from '../contract/change-requests.js';
import { reviewSubmitted } from '../events.js';
import { creatorOf } from '../spaces/new-space.js';
import { changeWrites, checkChangeable } from './changes.js';
import { findChangeRequest } from './find.js';
import { type ReviewDocument, requestedReviewerId, requestedReviewers, reviews } from './model.js';
import { changeRequestUrl } from './present.js';
import type { Review } from './resources.js';
import { commentOf, commentsOf, isCommented, isPosted, refusalOf, toldOf } from './review-comments.js';

type Operations = Pick<typeof changeRequestOperations, 'getReviewsByChangeRequestId' | 'submitChangeRequestReview'>;
type Dependencies = HasStore & HasOutbox & HasWork & { baseUrl: string };

export function reviewHandlers(deps: Dependencies): HandlersOf<Operations> {
  const { store, outbox } = deps;
  return {
    async getReviewsByChangeRequestId({ path, query }, context) {
      const { _id: changeRequest } = await findChangeRequest(store, path, { fields: [] });
      const list = { filter: { changeRequest }, sort: { createdAt: -1 } as const, request: query };
      return listPage(store, reviews, list, (items) =>
        presentReviews(deps, { items, changeRequest, format: query.format }, context),
      );
    },

    /** The review is of the content that the change request has when it is written. */
    async submitChangeRequestReview({ path, body: { status, comment: body } }, context) {
      const { call, access, audit, caller } = context;
      const { organization } = access;
      const refusal = body && (await refusalOf(deps, body, organization));
      if (refusal !== undefined) throw invalid(`comment.${refusal}`);
      const reviewer = creatorOf(caller);
      const review = await again(async () => {
        const before = await findChangeRequest(store, path);
        checkChangeable(before);
        const { item, writes } = changeWrites(before, {});
        const requested = await store.get(requestedReviewers, requestedReviewerId(item._id, reviewer));
        const made: ReviewDocument = {
          _id: newId(),
          space: item.space,
          changeRequest: item._id,
          revision: item.revision,
          reviewer,
          ...(requested ? { requestedBy: requested.requestedBy } : {}),
          status,
          ...(body ? { body } : {}),
          createdAt: timestamp(),
        };
        await store.batch([
          ...writes,
          write.insert(reviews, made),
          outbox.add(reviewSubmitted, toldOf(item, made)),
          audit('change-request', item._id, { details: { review: made._id, status } }),
        ]);
        return made;
      });
      const { body: _, ...withoutComment } = review;
      const shown = isCommented(review) && (await isPosted(call, commentOf(review, organization)));
      const items = [shown ? review : withoutComment];
      const { changeRequest } = review;
      const [presented] = await presentReviews(deps, { items, changeRequest, format: 'markdown' }, context);
      return presented as Review;
    },
  };
}

interface Presenting {
  items: ReviewDocument[];
  /** Its id. */
  changeRequest: string;
  format: CommentFormat;
}

async function presentReviews(
  { store, baseUrl }: Pick<Dependencies, 'store' | 'baseUrl'>,
  { items, changeRequest, format }: Presenting,
  context: Pick<Context, 'call' | 'access'>,
): Promise<Review[]> {
  const { call, access } = context;
  const ids = items.flatMap(({ reviewer, requestedBy }) => [reviewer, requestedBy ?? []].flat());
  const [userBy, comments, isOutdated] = await Promise.all([
    usersNamed(call, access.organization, ids),
    commentsOf(items, format, context),
    outdatedOf(store, { items, changeRequest }),
  ]);
  return items.map((item): Review => {
    const { _id: id, space, revision, reviewer, requestedBy, status, createdAt } = item;
    const comment = comments.get(id);
    return {
      object: 'change-request-review',
      id,
      revision,
      reviewer: userBy(reviewer),
      ...(requestedBy ? { requestedBy: userBy(requestedBy) } : {}),
      status,
      outdated: isOutdated(item),
      ...(comment ? { comment } : {}),
      createdAt,
      updatedAt: createdAt,
      urls: { location: `${changeRequestUrl(baseUrl, { _id: changeRequest, space })}/reviews` },
    };
  });
}

/** Finds for each review whether its reviewer has submitted a newer one, or was asked for one again since. */
async function outdatedOf(
  store: Dependencies['store'],
  { items, changeRequest }: Pick<Presenting, 'items' | 'changeRequest'>,
): Promise<(review: ReviewDocument) => boolean> {
  const reviewers = [...new Set(items.map(({ reviewer }) => reviewer))];
  const latestOf = (reviewer: string) =>
    store.findOne(reviews, { changeRequest, reviewer }, { sort: { createdAt: -1 }, fields: [] });
  const [latest, asked] = await Promise.all([
    Promise.all(reviewers.map(latestOf)),
    store.getMany(
      requestedReviewers,
      reviewers.map((reviewer) => requestedReviewerId(changeRequest, reviewer)),
      { fields: ['user', 'createdAt'] },
    ),
  ]);
  const current = new Set(latest.map((review) => review?._id));
  const askedAt = new Map(asked.map(({ user, createdAt }) => [user, createdAt]));
  return ({ _id, reviewer, createdAt }) => !current.has(_id) || (askedAt.get(reviewer) ?? '') > createdAt;
}
