import type { BodyOf } from '../../../shared/contract/operation.js';
import type { Context } from '../../../shared/contract/service.js';
import type { HasJobs } from '../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../shared/jobs/outbox.js';
import type { HasMail } from '../../../shared/outbound/mail.js';
import { type Update, type Write, write } from '../../../shared/store/port.js';
import { timestamp } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { commentOperations } from '../contract/operations.js';
import { commentNoticeWrites } from '../digests/notices.js';
import { commentReacted, commentResolved, commentUpdated } from '../events.js';
import { countStatusWrites } from '../places/places.js';
import { type CommentDocument, comments } from '../texts/model.js';
import { commentEventPayload, type StoredBody } from '../texts/texts.js';
import { hasReactionChanges, planTextChanges, type TextChanges } from './text-changes.js';

type Dependencies = HasOutbox & HasJobs & HasMail & { digestSeconds: number };

interface Updating {
  before: CommentDocument;
  request: BodyOf<typeof commentOperations.operations.updateCommentInSpace>;
  sent: StoredBody | undefined;
  user: string;
}

/** The writes of an update; none where nothing changes. They fail when the comment changed meanwhile in the same respect. */
export function commentUpdateWrites(
  deps: Dependencies,
  { before, request, sent, user }: Updating,
  { audit }: Context,
): Write[] {
  const at = timestamp();
  const changes = planTextChanges(before, { request, body: sent, user, at });
  const status = planStatusChange(before, request.resolved, { user, at });
  if (!changes.update && !status) return [];
  const { _id } = before;
  const expected = { ...changes.expected, ...(status ? { status: before.status } : {}) };
  const update = mergeUpdates(changes.update as Update<CommentDocument> | undefined, status?.update);
  const { isEdited, reactions } = changes;
  const details = omitUndefined({
    edited: isEdited || undefined,
    status: status?.after,
    ...(hasReactionChanges(reactions) ? { added: reactions.added, removed: reactions.removed } : {}),
  });
  return [
    write.update(comments, { _id, ...expected }, update, { expect: 1 }),
    ...changes.writes,
    ...(status ? countStatusWrites(deps, before, before.status, status.after) : []),
    ...commentNoticeWrites(deps, before, changes.mentions),
    ...updateEventWrites(deps, {
      before,
      changes,
      status: status?.after,
      mentions: sent?.mentions ?? before.mentions,
      user,
    }),
    audit('comment', _id, { details }),
  ];
}

interface StatusChange {
  after: CommentDocument['status'];
  update: Update<CommentDocument>;
}

function planStatusChange(
  { status }: CommentDocument,
  resolved: boolean | undefined,
  { user, at }: { user: string; at: string },
): StatusChange | undefined {
  if (resolved === undefined || resolved === (status === 'resolved')) return undefined;
  if (resolved)
    return { after: 'resolved', update: { $set: { status: 'resolved', resolvedAt: at, resolvedBy: user } } };
  return { after: 'open', update: { $set: { status: 'open' }, $unset: { resolvedAt: true, resolvedBy: true } } };
}

const mergeUpdates = (a: Update<CommentDocument> = {}, b: Update<CommentDocument> = {}): Update<CommentDocument> => ({
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

function updateEventWrites({ outbox }: Dependencies, { before, changes, status, mentions, user }: Happened): Write[] {
  const about = commentEventPayload(before, user);
  const { isEdited, reactions } = changes;
  return [
    ...(isEdited || status === 'open'
      ? [outbox.add(commentUpdated, { ...about, mentions, status: status ?? before.status })]
      : []),
    ...(status === 'resolved' ? [outbox.add(commentResolved, about)] : []),
    ...(hasReactionChanges(reactions)
      ? [outbox.add(commentReacted, { ...about, added: reactions.added, removed: reactions.removed })]
      : []),
  ];
}
