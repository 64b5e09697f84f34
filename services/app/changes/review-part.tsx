import type { VNode } from 'preact';
import type { RequestedReviewer, Review } from '../../content/resources.js';
import type { User } from '../../identity/resources.js';
import { Badge } from '../elements/badge.js';
import { Empty, Menu, Row, Rows, Section, sign } from '../elements/elements.js';
import { Button, Form, Select, TextArea } from '../elements/forms.js';
import { fieldsSentBy } from '../frame/refusals.js';
import type { ScreenRequest } from '../frame/screen.js';
import { fill } from '../words/languages.js';
import { VerdictBadge } from './change-status.js';
import type { Overview } from './overview-data.js';

interface Parts {
  request: ScreenRequest;
  overview: Overview;
}

/** Who was asked for a review, what reviewers said, and the form to review it oneself. */
export function ReviewPart({ request, overview }: Parts): VNode {
  const { words } = request;
  const { place, isChangeable } = overview;
  const reviewers = reviewersOf(overview);
  return (
    <Section title={words.changes.reviewers} id="reviewers">
      {reviewers.length === 0 && <Empty>{words.changes.noReviewers}</Empty>}
      <Rows label={words.changes.reviewers}>
        {reviewers.map((each) => (
          <ReviewerRow request={request} overview={overview} {...each} />
        ))}
      </Rows>
      {isChangeable && (
        <div class="actions below">
          {place.space.permissions.edit && <RequestForm request={request} overview={overview} />}
          {place.space.permissions.review && <ReviewForm request={request} />}
        </div>
      )}
    </Section>
  );
}

interface Reviewer {
  user: User;
  asked?: RequestedReviewer;
  /** The latest review of this person. */
  review?: Review;
}

/** Everybody who was asked or has reviewed, once each: those who were asked first. */
export function reviewersOf({ requested, reviews }: Overview): Reviewer[] {
  const byUser = new Map<string, Reviewer>(requested.map((asked) => [asked.user.id, { user: asked.user, asked }]));
  for (const review of reviews) {
    const { id } = review.reviewer;
    const known = byUser.get(id);
    if (!known?.review) byUser.set(id, { user: review.reviewer, ...known, review });
  }
  return [...byUser.values()];
}

function ReviewerRow({ request, overview, user, asked, review }: Parts & Reviewer): VNode {
  const { words, formToken } = request;
  const { isChangeable, place } = overview;
  return (
    <Row
      title={user.displayName}
      lead={sign('user')}
      about={asked && fill(words.changes.requestedBy, asked.requestedBy.displayName)}
    >
      {review?.outdated && <Badge>{words.changes.olderVerdict}</Badge>}
      {review ? <VerdictBadge words={words} review={review} /> : <Badge icon="clock">{words.changes.waiting}</Badge>}
      {asked && isChangeable && place.space.permissions.edit && (
        <Form token={formToken} action="withdraw">
          <input type="hidden" name="reviewer" value={user.id} />
          <Button kind="plain" name={fill(words.changes.withdrawFrom, user.displayName)}>
            {sign('xmark')}
          </Button>
        </Form>
      )}
    </Row>
  );
}

function RequestForm({ request, overview }: Parts): VNode {
  const { words, formToken } = request;
  const sent = fieldsSentBy(request, 'request-review');
  const options = [
    { value: '', text: words.changes.everyReviewer },
    ...overview.reviewers.map(({ id, displayName }) => ({ value: id, text: displayName })),
  ];
  return (
    <Menu label={words.changes.requestReview} class="from-start" open={sent !== undefined}>
      <Form token={formToken} action="request-review">
        <Select label={words.changes.whoReviews} name="reviewer" value={sent?.raw('reviewer')} options={options} />
        <Button kind="primary">{words.changes.requestReview}</Button>
      </Form>
    </Menu>
  );
}

function ReviewForm({ request }: { request: ScreenRequest }): VNode {
  const { words, formToken } = request;
  const sent = fieldsSentBy(request, 'review');
  const verdicts = [
    { value: 'approved', text: words.changes.approve },
    { value: 'changes-requested', text: words.changes.askForChanges },
    { value: 'comment', text: words.changes.commentOnly },
  ];
  return (
    <Menu label={words.changes.review} class="from-start" open={sent !== undefined}>
      <Form token={formToken} action="review">
        <fieldset class="choices">
          <legend>{words.changes.verdict}</legend>
          {verdicts.map(({ value, text }) => (
            <label>
              <input type="radio" name="verdict" value={value} required checked={sent?.text('verdict') === value} />{' '}
              {text}
            </label>
          ))}
        </fieldset>
        <TextArea
          label={words.changes.reviewComment}
          name="review-comment"
          maxLength={20_000}
          value={sent?.raw('review-comment')}
        />
        <Button kind="primary">{words.changes.submitReview}</Button>
      </Form>
    </Menu>
  );
}
