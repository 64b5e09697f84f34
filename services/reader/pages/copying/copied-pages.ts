import { decodeShownPage, type ShownPage, showPage } from '../../../content/contract.js';
import { renderAllPages } from '../../parts/screens/other-pages.js';
import { renderPage } from '../../parts/screens/page.js';
import { treeWithCurrent } from '../../parts/tree/tree.js';
import { linkTargets, type OpenSite, siteWith } from '../../site/open-site.js';
import type { ReaderDependencies } from '../../site/reader-context.js';
import { treeEntries } from '../../site/site-trees.js';
import { pageModelOf } from '../page-model-of.js';
import type { Opened } from './copied-site.js';

/** A space of a site, open to be copied. */
export interface OpenCopy {
  opened: Opened;
  site: OpenSite;
}

/** A copy has no server: its pages search and report nothing, and nothing in them runs. */
export async function openCopy(deps: ReaderDependencies, opened: Opened): Promise<OpenCopy> {
  const targets = await linkTargets(deps, opened);
  const site = await siteWith(deps, opened, { targets, frames: [], foreign: [] });
  return { opened, site: { ...site, model: { ...site.model, isCopy: true } } };
}

/** A page as HTML; null where there is none any more. */
export async function copiedPage(
  deps: ReaderDependencies,
  { opened, site }: OpenCopy,
  path: string,
): Promise<string | null> {
  const { visit } = opened;
  const { visitor } = visit;
  const { model, addresses } = site;
  const found: ShownPage | null = decodeShownPage(await deps.callAs(visitor)(showPage, { visitor, path }));
  if (!found?.page || !found.body || found.page.path !== path) return null;
  const { page: details, body } = found;
  const tree = await deps.trees.treeByKey(visitor, found.tree);
  const treeHtml = treeWithCurrent(deps.trees.renderedTree(tree, model, addresses), details.id);
  const { markdown: _, rss: _rss, ...page } = pageModelOf({ visit, model, details, body, addresses, makesPdfs: false });
  return renderPage(model, page, treeHtml);
}

/** The list of all pages, where the table of contents beside a page has not all of them. */
export async function copiedList(deps: ReaderDependencies, { opened, site }: OpenCopy): Promise<string | null> {
  const { model, addresses } = site;
  const tree = await deps.trees.treeOf(opened.visit.visitor);
  if (deps.trees.renderedTree(tree, model, addresses).isWhole) return null;
  return renderAllPages(model, treeEntries(tree.pages, addresses));
}
