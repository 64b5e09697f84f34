import type { Context } from '../../../../shared/contract/service.js';
import { invalid, notFound } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { documentId, pageDocuments } from '../../core/revisions/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import { findRedirect, type PageEntry, pageAtPath, type RevisionView } from '../../core/revisions/revision-view.js';
import { checkWritten } from '../changes/placement.js';
import type { PageSource, ReadSource } from '../contract.js';
import { openWritingPlace } from './draft-places.js';

export async function readSource(
  deps: HasStore & HasTrees & HasRevisions,
  asked: ReadSource,
  { caller }: Pick<Context, 'caller'>,
): Promise<PageSource> {
  const { space, revision, changeRequest } = await openWritingPlace(deps, asked, caller);
  const view = await deps.revisions.get(space, revision);
  const page = pageIn(view, asked);
  if (page.type !== 'document') throw invalid(`page: a ${page.type} page has no text`);
  checkWritten(page, 'page');
  const { id, title, path } = page;
  const source = await storedSource(deps, view, page);
  return { page: id, title, path, source, revision, ...(changeRequest ? { changeRequest: changeRequest.id } : {}) };
}

function pageIn(view: RevisionView, asked: ReadSource): PageEntry {
  const page =
    'page' in asked
      ? view.pageById.get(asked.page)
      : (pageAtPath(view, asked.path) ?? findRedirect(view, asked.path)?.page);
  if (!page) throw notFound('Page');
  return page;
}

/** The source of a page in a revision; empty for a page without one, and where the revision is no longer kept. */
export async function storedSource(
  { store }: HasStore,
  { revision }: Pick<RevisionView, 'revision'>,
  page: Pick<PageEntry, 'document'> | undefined,
): Promise<string> {
  if (page?.document === undefined) return '';
  const found = await store.get(pageDocuments, documentId(revision.space, page.document), { fields: ['source'] });
  return found?.source ?? '';
}
