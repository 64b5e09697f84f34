import type { VNode } from 'preact';
import type { SemanticChange, SemanticChanges } from '../../content/resources.js';
import { Badge } from '../elements/badge.js';
import { Empty, Row, Rows, sign } from '../elements/elements.js';
import type { ScreenRequest } from '../frame/screen.js';
import { type Place, pageAddress } from '../reading/places.js';
import { fill } from '../words/languages.js';
import type { Words } from '../words/words.js';

interface ChangedProps {
  request: ScreenRequest;
  /** Where the changed pages are read. */
  place: Place;
  changes: SemanticChanges;
}

/** Lists what a change request or a revision changes, in short. */
export function ChangedPages({ request, place, changes: { changes, more } }: ChangedProps): VNode {
  const { words } = request;
  if (changes.length === 0) return <Empty>{words.changes.noChanges}</Empty>;
  return (
    <>
      <Rows label={words.changes.changed}>
        {changes.map((change) => (
          <ChangeRow request={request} place={place} change={change} />
        ))}
      </Rows>
      {more !== undefined && <p class="hint-text">{fill(words.changes.moreChanges, more)}</p>}
    </>
  );
}

function ChangeRow({ request, place, change }: Pick<ChangedProps, 'request' | 'place'> & { change: SemanticChange }) {
  const { words } = request;
  const { title, icon, path } = subjectOf(words, change);
  const isThere = path !== undefined && !change.type.endsWith('_deleted');
  return (
    <Row
      title={title}
      lead={sign(icon)}
      about={change.type === 'page_moved' ? movedText(words, change) : undefined}
      {...(isThere ? { href: pageAddress(request, place, path) } : {})}
    >
      <KindBadge words={words} change={change} />
    </Row>
  );
}

function subjectOf(words: Words, change: SemanticChange): { title: string; icon: string; path?: string | undefined } {
  if ('page' in change) {
    const { title, type, path } = change.page;
    return { title, icon: type === 'group' ? 'folder' : 'file-lines', path: type === 'document' ? path : undefined };
  }
  if ('file' in change) return { title: change.file.name, icon: 'file' };
  if ('reusableContent' in change) return { title: change.reusableContent.title, icon: 'cube' };
  return { title: words.changes.variables, icon: 'code' };
}

function movedText({ changes }: Words, { parent }: Extract<SemanticChange, { type: 'page_moved' }>): string {
  return fill(changes.movedTo, parent.before?.title ?? changes.topLevel, parent.after?.title ?? changes.topLevel);
}

function KindBadge({ words: { changes }, change: { type } }: { words: Words; change: SemanticChange }): VNode {
  if (type.endsWith('_created'))
    return (
      <Badge kind="success" icon="plus">
        {changes.created}
      </Badge>
    );
  if (type.endsWith('_deleted'))
    return (
      <Badge kind="danger" icon="minus">
        {changes.deleted}
      </Badge>
    );
  if (type === 'page_moved') return <Badge icon="arrow-right-arrow-left">{changes.moved}</Badge>;
  return (
    <Badge kind="info" icon="pen">
      {changes.edited}
    </Badge>
  );
}
