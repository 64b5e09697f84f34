import type { VNode } from 'preact';
import type { ChangeRequest, Review } from '../../content/resources.js';
import { Badge } from '../elements/badge.js';
import { fill } from '../words/languages.js';
import type { Words } from '../words/words.js';

/** The name of a change request. */
export const subjectOf = (
  { changes }: Words,
  { subject, number }: Pick<ChangeRequest, 'subject' | 'number'>,
): string => (subject.trim() === '' ? fill(changes.untitled, number) : subject);

const looks = {
  draft: { kind: 'plain', icon: 'pen-ruler' },
  open: { kind: 'info', icon: 'code-pull-request' },
  merged: { kind: 'success', icon: 'code-merge' },
  archived: { kind: 'plain', icon: 'box-archive' },
} as const;

export const StatusBadge = ({ words, status }: { words: Words; status: ChangeRequest['status'] }): VNode => (
  <Badge {...looks[status]}>{words.changes[status]}</Badge>
);

/** Says what a reviewer said of the content, and whether that still stands. */
export const VerdictBadge = ({ words, review }: { words: Words; review: Pick<Review, 'status'> }): VNode =>
  review.status === 'approved' ? (
    <Badge kind="success" icon="check">
      {words.changes.approved}
    </Badge>
  ) : (
    <Badge kind="warning" icon="xmark">
      {words.changes.changesRequested}
    </Badge>
  );
