import type { Call, HandlersOf } from '../../../shared/contract/service.js';
import { newId, timestamp } from '../../../shared/ids.js';
import { listPage } from '../../../shared/paging.js';
import { again } from '../../../shared/store/again.js';
import { write } from '../../../shared/store/port.js';
import type { changeRequestOperations } from '../contract/change-requests.js';
import type { contentContract } from '../contract.js';
import type { ContentDependencies } from '../dependencies.js';
import { reviewSubmitted } from '../events.js';
import { creatorOf } from '../spaces/new-space.js';
import { changed, checkChangeable, told } from './changes.js';
import { findChangeRequest } from './find.js';
import { markdownOf } from './markdown-body.js';
import { type ReviewDocument, requestedReviewerId, requestedReviewers, reviews } from './model.js';
import { changeRequestUrl, usersNamed } from './present.js';
import type { Review, reviewFormats } from './resources.js';

type Operations = Pick<typeof changeRequestOperations, 'getReviewsByChangeRequestId' | 'submitChangeRequestReview'>;
type Dependencies = Pick<ContentDependencies, 'store' | 'outbox' | 'work' | 'baseUrl'>;
type Format = (typeof reviewFormats)[number];

export function reviewHandlers(deps: Dependencies): HandlersOf<typeof contentContract, Operations> {
  const { store, outbox } = deps;
  return {
    async getReviewsByChangeRequestId({ path, query }, { call, access: { organization } }) {
      const { _id: changeRequest } = await findChangeRequest(store, path, { fields: [] });
      const list = { filter: { changeRequest }, sort: { createdAt: -1 } as const, request: query };
      return listPage(store, reviews, list, (items) =>
        presentReviews(deps, { call, organization, items, format: query.format }),
      );
    },

    /** The review is of the content that the change request has when it is written. */
    async submitChangeRequestReview({ path, body: { status, comment } }, { call, access, audit, caller }) {
      const { organization } = access;
      const markdown = comment && markdownOf('comment', comment);
      const reviewer = creatorOf(caller);
      const review = await again(async () => {
        const before = await findChangeRequest(store, path);
        checkChangeable(before);
        const { item, writes } = changed(before, {});
        const requested = await store.get(requestedReviewers, requestedReviewerId(item._id, reviewer));
        const made: ReviewDocument = {
          _id: newId(),
          space: item.space,
          changeRequest: item._id,
          revision: item.revision,
          reviewer,
          ...(requested ? { requestedBy: requested.requestedBy } : {}),
          status,
          ...(markdown ? { comment: markdown } : {}),
          createdAt: timestamp(),
        };
        const event = { ...told(item), review: made._id, reviewer, result: status };
        await store.batch([
          ...writes,
          write.insert(reviews, made),
          outbox.add(reviewSubmitted, event),
          audit('change-request', item._id, { details: { review: made._id, status } }),
        ]);
        return made;
      });
      const [presented] = await presentReviews(deps, { call, organization, items: [review], format: 'markdown' });
      return presented as Review;
    },
  };
}

interface Presenting {
  call: Call;
  organization: string;
  items: ReviewDocument[];
  format: Format;
}

async function presentReviews(
  deps: Dependencies,
  { call, organization, items, format }: Presenting,
): Promise<Review[]> {
  const ids = items.flatMap(({ reviewer, requestedBy }) => [reviewer, requestedBy ?? []].flat());
  const userBy = await usersNamed(call, organization, ids);
  return Promise.all(
    items.map(async (item): Promise<Review> => {
      const { _id: id, revision, status, createdAt, requestedBy } = item;
      const location = `${changeRequestUrl(deps.baseUrl, { _id: item.changeRequest, space: item.space })}/reviews`;
      const reviewer = userBy(item.reviewer);
      const body = await bodyOf(deps, { organization, markdown: item.comment, format });
      return {
        object: 'change-request-review',
        id,
        revision,
        reviewer,
        ...(requestedBy ? { requestedBy: userBy(requestedBy) } : {}),
        status,
        ...(body ? { comment: commentOf(item, { reviewer, body, location }) } : {}),
        createdAt,
        updatedAt: createdAt,
        urls: { location },
      };
    }),
  );
}

type Comment = NonNullable<Review['comment']>;

const commentOf = (
  { _id: review, space, revision, changeRequest, createdAt: postedAt }: ReviewDocument,
  { reviewer, body, location }: { reviewer: Review['reviewer']; body: Comment['body']; location: string },
): Comment => ({
  object: 'comment',
  id: review,
  postedBy: reviewer,
  postedAt,
  status: 'open',
  reactions: [],
  replies: 0,
  body,
  target: { space, revision, changeRequest, review },
  urls: { location },
  permissions: { view: true, edit: false, reply: false, delete: false },
});

async function bodyOf(
  { work }: Pick<Dependencies, 'work'>,
  { organization, markdown, format }: { organization: string; markdown: string | undefined; format: Format },
): Promise<Comment['body'] | undefined> {
  if (markdown === undefined) return undefined;
  if (format === 'markdown') return { markdown };
  const document = await work.document({ source: markdown, refs: new Map(), title: '' }, organization);
  return { document: document.decoded() };
}
