import type { BodyOf } from '../../../shared/contract/operation.js';
import type { Context } from '../../../shared/contract/service.js';
import type { HasJobs } from '../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../shared/jobs/outbox.js';
import type { HasMail } from '../../../shared/outbound/mail.js';
import { type Update, type Write, write } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { commentOperations } from '../contract/operations.js';
import { noticesOfComment } from '../digests/notices.js';
import { commentReacted, commentResolved, commentUpdated } from '../events.js';
import { statusWrites } from '../places/places.js';
import { type CommentDocument, comments } from '../texts/model.js';
import { commentPayload, type StoredBody } from '../texts/texts.js';
import { hasReacted, type TextChanges, textChanges } from './text-changes.js';

type Dependencies = HasOutbox & HasJobs & HasMail & { digestSeconds: number };

interface Updating {
  before: CommentDocument;
  request: BodyOf<typeof commentOperations.operations.updateCommentInSpace>;
  sent: StoredBody | undefined;
  user: string;
}

/** The writes of an update; none where nothing changes. They fail when the comment changed meanwhile in the same respect. */
export function commentUpdate(
  deps: Dependencies,
  { before, request, sent, user }: Updating,
  { audit }: Context,
): Write[] {
  const at = timestamp();
  const changes = textChanges(before, { request, body: sent, user, at });
  const status = statusChange(before, request.resolved, { user, at });
  if (!changes.update && !status) return [];
  const { _id } = before;
  const expected = { ...changes.expected, ...(status ? { status: before.status } : {}) };
  const update = mergedUpdate(changes.update as Update<CommentDocument> | undefined, status?.update);
  const { isEdited, reactions } = changes;
  const details = omitUndefined({
    edited: isEdited || undefined,
    status: status?.after,
    ...(hasReacted(reactions) ? { added: reactions.added, removed: reactions.removed } : {}),
  });
  return [
    write.update(comments, { _id, ...expected }, update, { expect: 1 }),
    ...changes.writes,
    ...(status ? statusWrites(before, before.status, status.after) : []),
    ...noticesOfComment(deps, before, changes.mentions),
    ...eventsOf(deps, { before, changes, status: status?.after, mentions: sent?.mentions ?? before.mentions, user }),
    audit('comment', _id, { details }),
  ];
}

interface StatusChange {
  after: CommentDocument['status'];
  update: Update<CommentDocument>;
}

function statusChange(
  { status }: CommentDocument,
  resolved: boolean | undefined,
  { user, at }: { user: string; at: string },
): StatusChange | undefined {
  if (resolved === undefined || resolved === (status === 'resolved')) return undefined;
  if (resolved)
    return { after: 'resolved', update: { $set: { status: 'resolved', resolvedAt: at, resolvedBy: user } } };
  return { after: 'open', update: { $set: { status: 'open' }, $unset: { resolvedAt: true, resolvedBy: true } } };
}

const mergedUpdate = (a: Update<CommentDocument> = {}, b: Update<CommentDocument> = {}): Update<CommentDocument> => ({
  ...a,
  ...(a.$set || b.$set ? { $set: { ...a.$set, ...b.$set } } : {}),
  ...(a.$unset || b.$unset ? { $unset: { ...a.$unset, ...b.$unset } as Record<string, true> } : {}),
});

interface Happened {
  before: CommentDocument;
  changes: TextChanges;
  status: CommentDocument['status'] | undefined;
  mentions: string[];
  user: string;
}

function eventsOf({ outbox }: Dependencies, { before, changes, status, mentions, user }: Happened): Write[] {
  const about = commentPayload(before, user);
  const { isEdited, reactions } = changes;
  return [
    ...(isEdited || status === 'open'
      ? [outbox.add(commentUpdated, { ...about, mentions, status: status ?? before.status })]
      : []),
    ...(status === 'resolved' ? [outbox.add(commentResolved, about)] : []),
    ...(hasReacted(reactions)
      ? [outbox.add(commentReacted, { ...about, added: reactions.added, removed: reactions.removed })]
      : []),
  ];
}
