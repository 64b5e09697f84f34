import type { Call, Context } from '../../../../shared/contract/service.js';
import { isPlainText } from '../../../../shared/text/plain-text.js';
import type { PageBody } from '../../format/resources.js';
import type { CommentFormat, SentBody } from '../../format/texts/resources.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { postReviewComment, presentComments, type ReviewComment } from '../contract/comments.js';
import { changeRequestPayload } from './changes.js';
import type { ChangeRequestDocument, ReviewDocument } from './model.js';
import type { Comment } from './resources.js';

/** Why a body is not taken as that of a comment; undefined for one that is. */
export async function refusalOf(
  { work }: HasWork,
  { markdown, document }: SentBody,
  organization: string,
): Promise<string | undefined> {
  if (markdown !== undefined && isPlainText(markdown)) return undefined;
  const text = document === undefined ? { markdown: markdown ?? '' } : { document: document as PageBody };
  const [read] = await work.texts([text], organization);
  return read && 'refused' in read ? read.refused : undefined;
}

type Commented = ReviewDocument & { body: SentBody };

export const isCommented = (review: ReviewDocument): review is Commented => review.body !== undefined;

export const commentOf = (
  { _id: review, space, changeRequest, revision, reviewer: author, body, createdAt }: Commented,
  organization: string,
): ReviewComment => ({ review, organization, space, changeRequest, revision, author, body, createdAt });

/** The payload of a review's event: if its comment was not made at once, it can be made from this. */
export const toldOf = (
  item: ChangeRequestDocument,
  { _id: review, revision, reviewer, status: result, body, createdAt }: ReviewDocument,
) => ({
  ...changeRequestPayload(item),
  revision,
  review,
  reviewer,
  result,
  ...(body ? { comment: body } : {}),
  createdAt,
});

/** Makes the comment of a review; false where that failed: then the event of the review makes it later. */
export const isPosted = (call: Call, comment: ReviewComment): Promise<boolean> =>
  call(postReviewComment, comment).then(
    () => true,
    () => false,
  );

/** The comments of reviews of one change request, by the ids of the reviews, asked for at once. */
export async function commentsOf(
  reviews: ReviewDocument[],
  format: CommentFormat,
  { call, access: { organization, role } }: Pick<Context, 'call' | 'access'>,
): Promise<ReadonlyMap<string, Comment>> {
  const commented = reviews.filter(isCommented);
  const [first] = commented;
  if (!first) return new Map();
  const { space, changeRequest } = first;
  const ids = commented.map(({ _id }) => _id);
  const found = await call(presentComments, { organization, space, changeRequest, ids, format, role });
  return new Map(found.flatMap((comment, at) => (comment ? [[ids[at] as string, comment]] : [])));
}
