import type { VNode } from 'preact';
import type { Comment, Review } from '../../content/resources.js';
import { commentCalls } from '../comments/comment-calls.js';
import { TextForm } from '../comments/comment-forms.js';
import { peopleOptions } from '../comments/people.js';
import { ThreadView, threadsOf } from '../comments/threads.js';
import { Pager, Section, Time } from '../elements/elements.js';
import { here } from '../frame/here.js';
import type { ScreenRequest } from '../frame/screen.js';
import { VerdictBadge } from './change-status.js';
import type { Overview } from './overview-data.js';

const perScreen = 20;

/** The comments on a change request and its reviews, the latest first. */
export async function discussionOf(request: ScreenRequest, { place, reviews }: Overview): Promise<VNode> {
  const { words, query, to } = request;
  const after = query.get('after');
  const [{ items, next }, people] = await Promise.all([
    commentCalls(request, place).list({ status: 'all', limit: perScreen, ...(after ? { page: after } : {}) }),
    peopleOptions(request, place),
  ]);
  const threads = await threadsOf(request, place, items);
  const reviewOf = new Map(reviews.map((review) => [review.id, review]));
  const entries = [
    ...threads.map((thread) => {
      const review = reviewOf.get(thread.comment.target.review ?? '');
      return {
        at: thread.comment.postedAt,
        shown: (
          <ThreadView
            request={request}
            place={place}
            thread={thread}
            badge={review ? <VerdictBadge words={words} review={review} /> : null}
          />
        ),
      };
    }),
    ...silentReviews(reviews, items, { isFirst: !after, isLast: !next }).map((review) => ({
      at: review.createdAt,
      shown: <SilentReview request={request} review={review} />,
    })),
  ].sort((a, b) => (a.at < b.at ? 1 : -1));
  return (
    <Section title={words.comments.discussion} id="discussion">
      {place.space.permissions.comment ? (
        <TextForm
          request={request}
          place={place}
          action="comment"
          id="new"
          label={words.comments.write}
          button={words.comments.post}
        />
      ) : (
        <p class="hint-text">{words.comments.mayNot}</p>
      )}
      {people}
      <div class="threads">{entries.map(({ shown }) => shown)}</div>
      <Pager next={next && `${here(request, { after: next.page })}#discussion`} text={words.comments.further} />
      <p>
        <a href={to.comments(place.space.id, place.changeRequest.number)}>{words.comments.seeAll}</a>
      </p>
    </Section>
  );
}

/** Reviews without a comment that stand among these comments by their time. */
function silentReviews(
  reviews: readonly Review[],
  comments: readonly Comment[],
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): Review[] {
  const [newest = '', oldest = ''] = [comments[0]?.postedAt, comments.at(-1)?.postedAt];
  return reviews.filter(
    ({ comment, createdAt }) => !comment && (isFirst || createdAt <= newest) && (isLast || createdAt > oldest),
  );
}

const SilentReview = ({ request, review }: { request: ScreenRequest; review: Review }): VNode => (
  <article class="thread event" aria-label={review.reviewer.displayName}>
    <header class="text-head">
      <strong>
        <bdi>{review.reviewer.displayName}</bdi>
      </strong>
      <VerdictBadge words={request.words} review={review} />
      <span class="hint-text">
        <Time iso={review.createdAt} locale={request.locale} />
      </span>
    </header>
  </article>
);
