import { isDeepStrictEqual } from 'node:util';
import type { OutlinePage, OutlineTarget, Placing } from '../outline/outline-pages.js';
import { slugOf } from '../paths.js';
import type { ComputedSource } from './summary.js';

/** A page as the table of contents is to list it. All paths of files are from the root of the tree. */
export interface ListedPage {
  type: 'document' | 'group' | 'link' | 'computed';
  title: string;
  /** As the page shows it. */
  emoji?: string;
  /** The emoji that the file of the page names; it wins over that of the table of contents. */
  fileEmoji?: string;
  linkTitle?: string;
  /** Used for groups: an anchor keeps it where the title would give another. */
  slug: string;
  /** The file of a document; one without a file is text only. */
  file?: string;
  /** The file that the page had when the text was written; its entry is found by it. */
  formerFile?: string;
  /** The target of a link. */
  target?: OutlineTarget;
  computed?: ComputedSource;
  pages: ListedPage[];
}

/** The differences between an entry as it is read and the page that it is to list. */
export interface EntryDifference {
  /** With the emoji. */
  title: boolean;
  linkTitle: boolean;
  /** The file, the address or the source of the page, or its type. */
  target: boolean;
}

export function entryDifference(read: OutlinePage | undefined, page: ListedPage): EntryDifference {
  if (read?.type !== page.type) return { title: true, linkTitle: true, target: true };
  const own: Partial<ListedPage> = read;
  return {
    title: own.title !== page.title || (page.fileEmoji === undefined && own.emoji !== page.emoji),
    linkTitle: own.linkTitle !== page.linkTitle,
    target: !isDeepStrictEqual([own.file, own.target, own.computed], [page.file, page.target, page.computed]),
  };
}

/** Whether the placed pages are just these, in this order. */
export function listsPages(placed: OutlinePage[], pages: ListedPage[], origins: Placing['origins']): boolean {
  if (placed.length !== pages.length) return false;
  return pages.every((page, at) => {
    const read = placed[at];
    const { title, linkTitle, target } = entryDifference(read, page);
    if (!read || title || linkTitle || target) return false;
    if (read.type === 'group' && !groupHasSlug(read, page, origins)) return false;
    return listsPages('children' in read ? read.children : [], page.pages, origins);
  });
}

/** Whether a group has its slug, or asks for it where a sibling has taken it. */
export function groupHasSlug(
  read: Extract<OutlinePage, { type: 'group' }>,
  { slug }: ListedPage,
  origins: Placing['origins'],
): boolean {
  const entry = origins.get(read);
  const asked = entry?.type === 'group' ? entry.slug : undefined;
  return read.slug === slug || slugOf(asked ?? read.title, 'group') === slug;
}
