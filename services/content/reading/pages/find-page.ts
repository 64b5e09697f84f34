import { toVisitor } from '../../../../shared/expression/visitor.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { spaces } from '../../core/nodes/model.js';
import { findRedirect, firstShownPage, type PageEntry, pageAtPath } from '../../core/revisions/revision-view.js';
import type { FindPage, PageFinding } from '../contract.js';
import type { HasViews } from './visitors/visitor-view-cache.js';

const foundPage = ({ id, path }: PageEntry) => ({ id, path });

/** The page at an address within a space; null when the space or the revision does not exist. */
export async function findPage(
  { store, views }: HasStore & HasViews,
  { space, revision, path, claims }: FindPage,
): Promise<PageFinding | null> {
  const found = await store.get(spaces, space, { fields: ['revision', 'deletedAt'] });
  if (!found || found.deletedAt) return null;
  const view = await views.any(space, revision ?? found.revision, claims && toVisitor(claims));
  if (!view) return null;
  const at = pageAtPath(view, path);
  const page = at?.type === 'group' ? firstShownPage(at.pages) : at;
  const first = firstShownPage(view.pages);
  const redirect = page ? undefined : findRedirect(view, path);
  return {
    revision: view.revision._id,
    ...(page ? { page: foundPage(page) } : {}),
    ...(redirect
      ? { redirect: { ...foundPage(redirect.page), ...(redirect.anchor ? { anchor: redirect.anchor } : {}) } }
      : {}),
    ...(first ? { first: foundPage(first) } : {}),
  };
}
