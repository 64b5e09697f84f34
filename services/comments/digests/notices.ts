import type { HasJobs } from '../../../shared/jobs/jobs.js';
import type { HasMail } from '../../../shared/outbound/mail.js';
import { type Write, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import type { CommentDocument, ReplyDocument, TextDocument } from '../texts/model.js';
import { type NoticeDocument, notices } from './model.js';

export const digestJobKind = 'sendDigest';

export interface DigestPayload {
  /** The id of the recipient. */
  user: string;
  /** The mail covers what was written before this time. */
  until: string;
}

type Dependencies = HasJobs & HasMail & { digestSeconds: number };

/** The writes that notify the users whom a comment mentions; `mentions`: not those who were notified before. */
export const commentNoticeWrites = (
  deps: Dependencies,
  comment: CommentDocument,
  mentions: readonly string[],
): Write[] =>
  mentions
    .filter(isNotAuthorOf(comment))
    .flatMap((user) => writesOfNotice(deps, { user, text: comment, reason: 'mention' }));

/** The writes that notify the users whom a reply mentions, and the author of its comment where the reply is new. */
export function replyNoticeWrites(
  deps: Dependencies,
  reply: ReplyDocument,
  { mentions, repliedTo }: { mentions: readonly string[]; repliedTo?: string },
): Write[] {
  const users = new Map<string, NoticeDocument['reason']>(mentions.map((user) => [user, 'mention']));
  if (repliedTo !== undefined) users.set(repliedTo, 'reply');
  return [...users]
    .filter(([user]) => isNotAuthorOf(reply)(user))
    .flatMap(([user, reason]) => writesOfNotice(deps, { user, text: reply, reason }));
}

/** Delay of a mail after the end of its span: by then, notices from just before that end are stored. */
const settledMs = 1000;

const isNotAuthorOf =
  ({ author }: TextDocument) =>
  (user: string) =>
    user !== author;

interface Notified {
  user: string;
  text: TextDocument & Partial<Pick<ReplyDocument, 'comment'>>;
  reason: NoticeDocument['reason'];
}

/** The writes of one notice: its user gets one mail in each span, at its end. None where no mail server is set: nobody would send it. */
function writesOfNotice({ mail, jobs, digestSeconds }: Dependencies, { user, text, reason }: Notified): Write[] {
  if (!mail.configured) return [];
  const { _id: id, organization, space, comment } = text;
  const about = comment === undefined ? { comment: id } : { comment, reply: id };
  const [now, spanMs] = [Date.now(), digestSeconds * 1000];
  const until = timestamp(new Date((Math.floor(now / spanMs) + 1) * spanMs));
  const payload: DigestPayload = { user, until };
  const notice = { _id: newId(), user, organization, space, reason, ...about, createdAt: timestamp(new Date(now)) };
  return [
    write.insert(notices, notice),
    jobs.enqueueOnce(`digest ${user} ${until}`, digestJobKind, payload, {
      runAt: timestamp(new Date(Date.parse(until) + settledMs)),
    }),
  ];
}
