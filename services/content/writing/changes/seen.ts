import { isDeepStrictEqual } from 'node:util';
import { conflict } from '../../../../shared/errors/errors.js';
import { eachPageOf, type PageEntry, type RevisionView } from '../../core/revisions/revision-view.js';
import type { Change } from './content-draft.js';

/** The pages that a change alters, or would delete. */
function pagesOf(change: Change, seen: RevisionView, tip: RevisionView): string[] {
  switch (change.operation) {
    case 'insert_files':
    case 'insert_page':
      return [];
    case 'delete_page': {
      const entries = [seen.pageById.get(change.page), tip.pageById.get(change.page)];
      return entries.flatMap((page) => (page ? [...eachPageOf([page])].map(({ id }) => id) : []));
    }
    case 'update_page':
    case 'revert_page':
      return [change.page];
  }
}

const ownOf = ({ pages: _, updatedAt: __, path: ___, ...own }: PageEntry) => own;

function isSame(id: string, seen: RevisionView, tip: RevisionView): boolean {
  const [before, now] = [seen.pageById.get(id), tip.pageById.get(id)];
  if (before === now) return seen.parentById.get(id) === tip.parentById.get(id);
  if (!before || !now) return false;
  return seen.parentById.get(id) === tip.parentById.get(id) && isDeepStrictEqual(ownOf(before), ownOf(now));
}

/** Whether a page that is to hold another one is gone. What else became of it is no concern of the writer. */
const isGone = (id: string, seen: RevisionView, tip: RevisionView) => seen.pageById.has(id) && !tip.pageById.has(id);

/** Throws 409 with the name of a page that the changes touch and that is different from what the writer saw. */
export function checkSeen(changes: readonly Change[], seen: RevisionView, tip: RevisionView): void {
  for (const change of changes) {
    const into = 'into' in change ? change.into : undefined;
    const changed =
      into && isGone(into, seen, tip) ? into : pagesOf(change, seen, tip).find((id) => !isSame(id, seen, tip));
    if (changed === undefined) continue;
    const { title } = tip.pageById.get(changed) ?? seen.pageById.get(changed) ?? {};
    throw conflict(
      `revision: the page "${title ?? changed}" (${changed}) has changed since; read it again`,
      'revision_outdated',
    );
  }
}
