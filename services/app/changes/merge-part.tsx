import type { VNode } from 'preact';
import { Notice } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import type { ScreenRequest } from '../frame/screen.js';
import type { Overview } from './overview-data.js';
import { reviewersOf } from './review-part.js';

interface Parts {
  request: ScreenRequest;
  overview: Overview;
}

/** Shows what becomes of the changes: merging them, and updating them with what the space has by now. */
export function MergePart({ request, overview }: Parts): VNode {
  const { words, to } = request;
  const { space, changeRequest } = overview.place;
  const { status, revisionMerged } = changeRequest;
  if (status === 'merged')
    return (
      <Notice kind="success">
        {words.changes.mergedText}{' '}
        {revisionMerged && <a href={to.revision(space.id, revisionMerged)}>{words.changes.mergedRevision}</a>}
      </Notice>
    );
  if (status === 'archived') return <Notice>{words.changes.archivedText}</Notice>;
  return (
    <section class="merge-box">
      <Outdated request={request} overview={overview} />
      <Merging request={request} overview={overview} />
    </section>
  );
}

function Outdated({ request, overview }: Parts): VNode | null {
  const { words, formToken } = request;
  const { space, changeRequest } = overview.place;
  if (!changeRequest.outdated) return null;
  return (
    <div class="merge-row">
      <p>
        <strong>{words.changes.outdated}</strong>
        <br />
        {space.permissions.edit && <span class="hint-text">{words.changes.updateText}</span>}
      </p>
      {space.permissions.edit && (
        <Form token={formToken} action="update">
          <Button>{words.changes.update}</Button>
        </Form>
      )}
    </div>
  );
}

function Merging({ request, overview }: Parts): VNode {
  const { words, formToken } = request;
  const { space, changeRequest } = overview.place;
  const isDraft = changeRequest.status === 'draft';
  const objection = objectionOf(request, overview);
  return (
    <div class="merge-row">
      <p>
        {objection && (
          <>
            <strong>{objection}</strong>
            <br />
          </>
        )}
        {isDraft && space.permissions.edit ? words.changes.mergeDraft : words.changes.mergeText}
        {!space.permissions.merge && <span class="hint-text"> {words.changes.mergeNotAllowed}</span>}
      </p>
      <div class="actions">
        {isDraft && space.permissions.edit && (
          <Form token={formToken} action="open">
            <Button>{words.changes.openForReview}</Button>
          </Form>
        )}
        {space.permissions.merge && (
          <Form token={formToken} action="merge">
            <Button kind="primary" confirm={[objection, words.changes.mergeAsk].filter(Boolean).join(' ')}>
              {words.changes.merge}
            </Button>
          </Form>
        )}
      </div>
    </div>
  );
}

/** Names those whose latest review asks for changes: it may be merged all the same, but not unknowingly. */
function objectionOf({ words }: ScreenRequest, overview: Overview): string | undefined {
  const names = reviewersOf(overview)
    .filter(({ review }) => review?.status === 'changes-requested')
    .map(({ user }) => user.displayName);
  return names.length > 0 ? `${words.changes.changesRequested}: ${names.join(', ')}.` : undefined;
}
