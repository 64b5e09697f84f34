import { conflict, lasting } from '../../../../../shared/errors/errors.js';
import { timestamp } from '../../../../../shared/values/ids.js';
import type { ContentChanges } from '../../../core/revisions/derived-view.js';
import { metaFields } from '../../../core/revisions/page-fields.js';
import { type OwnFields, PageTree, top } from '../../../core/revisions/page-tree.js';
import type { RevisionView } from '../../../core/revisions/revision-view.js';
import { slugOf } from '../../../format/space/paths.js';
import { checkDepth, checkFileRoom, checkRoom, freeSlug } from '../../../writing/changes/placement.js';
import type { NewPage } from './linked-pages.js';
import type { StoredImport } from './stored-import.js';

export interface Attaching {
  /** The content that they are added to. */
  tip: RevisionView;
  /** The page that they become the last ones below. */
  page: string | undefined;
  pages: readonly NewPage[];
  stored: StoredImport;
}

/** Adds imported pages to content, at the end. Throws 409 where the page is gone by now, or there is no room. */
export function attachedPages({ tip, page, pages, stored }: Attaching): ContentChanges {
  const tree = new PageTree(tip);
  const parent = page === undefined ? undefined : tree.page(page);
  if (page !== undefined && !parent) throw lasting(conflict('page: it was deleted meanwhile'));
  try {
    for (const each of pages) insert(tree, each, { parent: page ?? top, stored });
    checkRoom(tree.size);
    checkFileRoom(tip.files.length + stored.files.length);
  } catch (error) {
    throw lasting(error as Error);
  }
  return {
    pages: tree.result(),
    ...(stored.files.length > 0 ? { files: [...tip.files, ...stored.files] } : {}),
  };
}

function insert(tree: PageTree, page: NewPage, { parent, stored }: { parent: string; stored: StoredImport }): void {
  const found = stored.pages.get(page.id);
  if (!found && page.children.length === 0) return;
  tree.insert(fieldsOf(tree, page, { parent, stored }), parent);
  checkDepth(tree, page.id, 'page');
  for (const child of page.children) insert(tree, child, { parent: page.id, stored });
}

function fieldsOf(
  tree: PageTree,
  page: NewPage,
  { parent, stored }: { parent: string; stored: StoredImport },
): OwnFields {
  const { id, title, isGroup } = page;
  const found = stored.pages.get(id);
  const now = timestamp();
  const slug = freeSlug(tree, slugOf(title, 'page'), { parent });
  const own = { id, title, slug, path: '', createdAt: now, updatedAt: now };
  if (!found) return { ...own, type: isGroup && parent === top ? 'group' : 'document' };
  const aliases = stored.aliases.get(id);
  return {
    ...own,
    type: 'document',
    ...metaFields(found.meta),
    document: found.oid,
    ...(aliases ? { aliases } : {}),
  };
}
