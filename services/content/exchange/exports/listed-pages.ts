import { isAbsoluteUrl, writtenComputed } from '../../core/revisions/references.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { OutlineTarget } from '../../format/space/outline/outline-pages.js';
import type { ListedPage } from '../../format/space/summary/listed-pages.js';
import type { ComputedSource } from '../../format/space/summary/summary.js';
import type { ItemPaths } from './item-paths.js';

interface Listing extends ItemPaths {
  view: RevisionView;
  /** The emoji that the sources of pages name themselves, by the ids of the pages. */
  emojis: ReadonlyMap<string, string>;
  /** Where the repository has a path of the content. */
  relocate(path: string): string;
}

/** The pages as the table of contents lists them. */
export const listPages = (listing: Listing, pages: PageEntry[] = listing.view.pages): ListedPage[] =>
  pages.map((page) => listPage(listing, page));

function listPage(listing: Listing, page: PageEntry): ListedPage {
  const { id, type, title, emoji, linkTitle, slug, computed } = page;
  const { paths, renamed, emojis } = listing;
  const [file, formerFile, fileEmoji] = [paths.get(id), renamed.get(id), emojis.get(id)];
  return {
    type,
    title,
    ...(emoji ? { emoji } : {}),
    ...(fileEmoji ? { fileEmoji } : {}),
    ...(linkTitle ? { linkTitle } : {}),
    slug,
    ...(type === 'document' && file !== undefined ? { file } : {}),
    ...(formerFile === undefined ? {} : { formerFile }),
    ...(type === 'link' ? { target: outlineTargetOf(listing, page) } : {}),
    ...(computed ? { computed: writtenComputed(computed) as ComputedSource } : {}),
    // Generated children are left out: an import generates them again from the computed page.
    pages: type === 'computed' ? [] : listPages(listing, page.pages),
  };
}

/** The target of a link page: a file, with the anchor as it was written, or an address. */
function outlineTargetOf({ view, paths, relocate }: Listing, { target, href = '' }: PageEntry): OutlineTarget {
  const [written = '', anchor] = href.split('#', 2);
  const withAnchor = (file: string) => (anchor ? { file, anchor } : { file });
  if (typeof target?.page !== 'string') return isInside(href) ? withAnchor(relocate(written)) : { href };
  const file = paths.get(target.page);
  if (file !== undefined) return withAnchor(file);
  // Addresses in a table of contents for a page without a file, and for one that is gone.
  return view.pageById.has(target.page)
    ? { href: `/spaces/${view.revision.space}/pages/${target.page}` }
    : { href: `/broken/pages/${target.page}` };
}

const isInside = (href: string): boolean =>
  href !== '' && !isAbsoluteUrl(href) && !href.startsWith('/') && href !== 'broken-reference';
