import type { HasJobs } from '../../../shared/jobs/jobs.js';
import type { HasMail } from '../../../shared/outbound/mail.js';
import { type Write, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import { notificationWrites } from '../notifications/notification-writes.js';
import type { CommentDocument, ReplyDocument, TextDocument } from '../texts/model.js';
import { notices, type ReviewNoticeDocument, reviewNotices, type TextNoticeDocument } from './model.js';

/** The job that mails notices of reviews, too, is another one: processes of the release before would take it and leave them out. */
export const digestJobKinds = { texts: 'sendDigest', reviews: 'sendReviewDigest' } as const;

export interface DigestPayload {
  /** The id of the recipient. */
  user: string;
  /** The mail covers what was written before this time. */
  until: string;
}

export type Notifying = HasJobs & HasMail & { digestSeconds: number };

/**
 * The writes that notify the users whom a comment mentions; `mentions`: not those who were notified before. `requester` started the change
 * request that a new comment is on, and is told of it in the app alone.
 */
export function commentNoticeWrites(
  deps: Notifying,
  comment: CommentDocument,
  mentions: readonly string[],
  requester?: string,
): Write[] {
  const users = new Map<string, TextReason>(mentions.map((user) => [user, 'mention']));
  if (requester !== undefined && !users.has(requester)) users.set(requester, 'comment');
  return textNoticeWrites(deps, comment, users);
}

/** The writes that notify the users whom a reply mentions, and the author of its comment where the reply is new. */
export function replyNoticeWrites(
  deps: Notifying,
  reply: ReplyDocument,
  { mentions, repliedTo }: { mentions: readonly string[]; repliedTo?: string },
): Write[] {
  const users = new Map<string, TextReason>(mentions.map((user) => [user, 'mention']));
  if (repliedTo !== undefined) users.set(repliedTo, 'reply');
  return textNoticeWrites(deps, reply, users);
}

type TextReason = 'mention' | 'reply' | 'comment';

/** Tells users of a text, but not its author. */
function textNoticeWrites(
  deps: Notifying,
  text: TextDocument & Partial<Pick<ReplyDocument, 'comment'>>,
  users: ReadonlyMap<string, TextReason>,
): Write[] {
  const { _id: id, organization, space, changeRequest, comment, author: actor } = text;
  const ids = comment === undefined ? { comment: id } : { comment, reply: id };
  const createdAt = timestamp();
  return [...users].flatMap(([user, kind]) => {
    if (user === actor) return [];
    const about = { user, organization, space, ...ids, createdAt };
    const inRequest = changeRequest === undefined ? {} : { changeRequest };
    return [
      ...notificationWrites(deps, { ...about, ...inRequest, kind, actor }),
      ...(kind === 'comment' ? [] : mailWrites(deps, { _id: newId(), ...about, reason: kind })),
    ];
  });
}

/** Something about the review of a change request. */
interface ReviewNews extends Pick<ReviewNoticeDocument, 'organization' | 'space' | 'createdAt' | 'comment'> {
  /** Identifies the event: it is told once. */
  id: string;
  user: string;
  reason: ReviewNoticeDocument['reason'] | 'merged';
  changeRequest: string;
  actor: string | undefined;
}

/** The writes that notify a user of a review, or of the end of a change request; the latter in the app alone. They fail where it was told before. */
export function reviewNoticeWrites(deps: Notifying, { id, reason, actor, ...about }: ReviewNews): Write[] {
  const by = actor === undefined ? {} : { actor };
  // The comment of a review may be made later, or never.
  const { comment: _, ...withoutComment } = about;
  return [
    ...notificationWrites(deps, { _id: `${id}:${about.user}`, ...withoutComment, ...by, kind: reason }),
    ...(reason === 'merged' ? [] : mailWrites(deps, { _id: newId(), ...about, ...by, reason })),
  ];
}

/** Delay of a mail after the end of its span: by then, notices from just before that end are stored. */
const settledMs = 1000;

/**
 * The writes of one notice: its user gets one mail in each span, at its end; of two jobs the first mails all. None where no mail server is set: nobody
 * would send it.
 */
function mailWrites(
  { mail, jobs, digestSeconds }: Notifying,
  notice: TextNoticeDocument | ReviewNoticeDocument,
): Write[] {
  if (!mail.configured) return [];
  const { user } = notice;
  const [now, spanMs] = [Date.parse(notice.createdAt), digestSeconds * 1000];
  const until = timestamp(new Date((Math.floor(now / spanMs) + 1) * spanMs));
  const payload: DigestPayload = { user, until };
  const orderKey = `digest ${user} ${until}`;
  const options = { orderKey, runAt: timestamp(new Date(Date.parse(until) + settledMs)) };
  return 'changeRequest' in notice
    ? [
        write.insert(reviewNotices, notice),
        jobs.enqueueOnce(`review ${orderKey}`, digestJobKinds.reviews, payload, options),
      ]
    : [write.insert(notices, notice), jobs.enqueueOnce(orderKey, digestJobKinds.texts, payload, options)];
}
