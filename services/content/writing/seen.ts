import { isDeepStrictEqual } from 'node:util';
import { conflict } from '../../../shared/errors.js';
import type { PageEntry, RevisionView } from '../revisions/revision-view.js';
import { eachPageOf } from '../revisions/revision-view.js';
import type { Change } from './content-draft.js';

/** The pages that a change names, or would delete. */
function pagesOf(change: Change, seen: RevisionView, tip: RevisionView): string[] {
  switch (change.operation) {
    case 'insert_files':
      return [];
    case 'insert_page':
      return change.into === undefined ? [] : [change.into];
    case 'delete_page': {
      const entries = [seen.pageById.get(change.page), tip.pageById.get(change.page)];
      return entries.flatMap((page) => (page ? [...eachPageOf([page])].map(({ id }) => id) : []));
    }
    case 'update_page':
      return typeof change.into === 'string' ? [change.page, change.into] : [change.page];
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

/** Throws 409 with the name of a page that the changes touch and that is different from what the writer saw. */
export function checkSeen(changes: readonly Change[], seen: RevisionView, tip: RevisionView): void {
  for (const change of changes)
    for (const id of pagesOf(change, seen, tip)) {
      if (isSame(id, seen, tip)) continue;
      const { title } = tip.pageById.get(id) ?? seen.pageById.get(id) ?? {};
      throw conflict(`revision: the page "${title ?? id}" (${id}) has changed since; read it again`);
    }
}
