import type { Call, Context, HandlersOf } from '../../../../shared/contract/service.js';
import { invalid, notFound } from '../../../../shared/errors/errors.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { listPage } from '../../../../shared/lists/paging.js';
import { again } from '../../../../shared/store/again.js';
import { eachDocument, type HasStore, write } from '../../../../shared/store/port.js';
import { isPlainText } from '../../../../shared/text/plain-text.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { openUserLookup } from '../../../identity/contract.js';
import type { PageBody } from '../../format/resources.js';
import type { CommentFormat, SentBody } from '../../format/texts/resources.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { changeRequestOperations } from '../contract/change-requests.js';
import { commentOfReview, postReviewComment, presentComments, type ReviewComment } from '../contract/comments.js';
import { reviewSubmitted } from '../events.js';
import { creatorId } from '../spaces/new-space.js';
import { changeRequestEventPayload, checkChangeable, planChange } from './changes.js';
import { findChangeRequest } from './find.js';
import {
  type ChangeRequestDocument,
  type ReviewDocument,
  requestedReviewerId,
  requestedReviewers,
  reviews,
} from './model.js';
import { changeRequestUrl } from './present.js';
import type { Comment, Review } from './resources.js';

type Operations = Pick<
  typeof changeRequestOperations,
  'getReviewsByChangeRequestId' | 'getChangeRequestReviewById' | 'submitChangeRequestReview'
>;
type Dependencies = HasStore & HasOutbox & HasWork & { baseUrl: string };

export function reviewHandlers(deps: Dependencies): HandlersOf<Operations> {
  const { store, outbox } = deps;
  return {
    async getReviewsByChangeRequestId({ path, query }, context) {
      const { _id: changeRequest } = await findChangeRequest(store, path, { fields: [] });
      const { outdated, format, ...request } = query;
      const chosen = outdated === undefined ? {} : { _id: { $in: await outdatedIds(store, changeRequest, outdated) } };
      const list = { filter: { changeRequest, ...chosen }, sort: { createdAt: -1 } as const, request };
      return listPage(store, reviews, list, (items) => presentReviews(deps, { items, changeRequest, format }, context));
    },

    async getChangeRequestReviewById({ path, query: { format } }, context) {
      const { _id: changeRequest } = await findChangeRequest(store, path, { fields: [] });
      const review = await store.get(reviews, path.reviewId);
      if (review?.changeRequest !== changeRequest) throw notFound('Review');
      const [presented] = await presentReviews(deps, { items: [review], changeRequest, format }, context);
      return presented as Review;
    },

    /** The review is of the content that the change request has when it is written. */
    async submitChangeRequestReview({ path, body: { status, comment: body } }, context) {
      const { call, access, audit, caller } = context;
      const { organization } = access;
      const refusal = body && (await findBodyRefusal(deps, body, organization));
      if (refusal !== undefined) throw invalid(`comment.${refusal}`);
      const reviewer = creatorId(caller);
      const { review, event } = await again(async () => {
        const before = await findChangeRequest(store, path);
        checkChangeable(before);
        const { item, writes } = planChange(before, {});
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
        const event = reviewEventPayload(item, made);
        await store.batch([
          ...writes,
          write.insert(reviews, made),
          outbox.add(reviewSubmitted, event),
          audit('change-request', item._id, { details: { review: made._id, status } }),
        ]);
        return { review: made, event };
      });
      const comment = commentOfReview(event);
      const { body: _, ...withoutComment } = review;
      const items = [comment && (await tryPostComment(call, comment)) ? review : withoutComment];
      const { changeRequest } = review;
      const [presented] = await presentReviews(deps, { items, changeRequest, format: 'markdown' }, context);
      return presented as Review;
    },
  };
}

/** Why a body is not taken as that of a comment; undefined for one that is. */
async function findBodyRefusal(
  { work }: HasWork,
  { markdown, document }: SentBody,
  organization: string,
): Promise<string | undefined> {
  if (markdown !== undefined && isPlainText(markdown)) return undefined;
  const text = document === undefined ? { markdown: markdown ?? '' } : { document: document as PageBody };
  const [read] = await work.texts([text], organization);
  return read && 'refused' in read ? read.refused : undefined;
}

const reviewEventPayload = (
  item: ChangeRequestDocument,
  { _id: review, revision, reviewer, status: result, body, createdAt }: ReviewDocument,
) => ({
  ...changeRequestEventPayload(item),
  revision,
  review,
  reviewer,
  result,
  ...(body ? { comment: body } : {}),
  createdAt,
});

/** Makes the comment of a review; false where that failed: then its event makes it later. */
const tryPostComment = (call: Call, comment: ReviewComment): Promise<boolean> =>
  call(postReviewComment, comment).then(
    () => true,
    () => false,
  );

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
    openUserLookup(call, access.organization, ids),
    readReviewComments({ items, changeRequest, format }, context),
    openOutdatedCheck(store, { items, changeRequest }),
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
      urls: { location: `${changeRequestUrl(baseUrl, { _id: changeRequest, space })}/reviews/${id}` },
    };
  });
}

/** The comments of reviews, by the ids of the reviews, asked for at once. */
async function readReviewComments(
  { items, changeRequest, format }: Presenting,
  { call, access: { organization, role } }: Pick<Context, 'call' | 'access'>,
): Promise<ReadonlyMap<string, Comment>> {
  const commented = items.filter(({ body }) => body);
  const [first] = commented;
  if (!first) return new Map();
  const { space } = first;
  const ids = commented.map(({ _id }) => _id);
  const found = await call(presentComments, { organization, space, changeRequest, ids, format, role });
  return new Map(found.flatMap((comment, at) => (comment ? [[ids[at] as string, comment]] : [])));
}

/** The ids of the reviews that are outdated, or of those that are not. */
async function outdatedIds(store: Dependencies['store'], changeRequest: string, outdated: boolean): Promise<string[]> {
  const items: ReviewDocument[] = [];
  for await (const review of eachDocument(store, reviews, { changeRequest }, ['reviewer', 'createdAt']))
    items.push(review);
  const isOutdated = await openOutdatedCheck(store, { items, changeRequest });
  return items.filter((review) => isOutdated(review) === outdated).map(({ _id }) => _id);
}

/** Finds for each review whether its reviewer has submitted a newer one, or was asked for one again since. */
async function openOutdatedCheck(
  store: Dependencies['store'],
  { items, changeRequest }: Pick<Presenting, 'items' | 'changeRequest'>,
): Promise<(review: ReviewDocument) => boolean> {
  const reviewers = [...new Set(items.map(({ reviewer }) => reviewer))];
  const latestReviewOf = (reviewer: string) =>
    store.findOne(reviews, { changeRequest, reviewer }, { sort: { createdAt: -1 }, fields: [] });
  const [latest, asked] = await Promise.all([
    Promise.all(reviewers.map(latestReviewOf)),
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
