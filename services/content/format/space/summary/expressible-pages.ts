import { splitLeadingEmoji } from '../../markdown/emoji.js';
import { isWebURL, type OutlineTarget } from '../outline/outline-pages.js';
import { isMarkdownFile, slugOf } from '../paths.js';
import type { ListedPage } from './listed-pages.js';
import { collapseSpace, NO_FILE, SCHEME } from './summary.js';
import { MAX_LEVELS } from './summary-lines.js';

interface State {
  files: ReadonlySet<string>;
  /** The files of the documents so far. */
  listed: Set<string>;
}

/**
 * The pages as a table of contents in the Git-sync format can list them; most trees stay as they are. Only documents and groups at
 * the top hold pages; groups below become documents without a file. Pages more than 50 levels deep become siblings. White space
 * in titles is collapsed, an empty title is "Untitled". An emoji stands only before the title of a document with a file; one that
 * begins a title is its emoji. A link to a page whose entry comes later leads to `#top` of it, a link to a file that does not exist
 * to `broken-reference`.
 */
export function toExpressiblePages(pages: ListedPage[], files: ReadonlySet<string>): ListedPage[] {
  return expressLevel(pages, 0, { files, listed: new Set() });
}

/** `depth`: how many items are above. */
function expressLevel(pages: ListedPage[], depth: number, state: State, inGroup = false): ListedPage[] {
  const level: ListedPage[] = [];
  for (const page of pages) {
    const isGroup = page.type === 'group' && depth === 0 && !inGroup;
    const made = isGroup ? expressGroup(page) : expressPage(page, state);
    level.push(made);
    const holds = isGroup || (made.type === 'document' && depth + 1 < MAX_LEVELS);
    const below = expressLevel(page.pages, isGroup || !holds ? depth : depth + 1, state, inGroup || isGroup);
    if (holds) made.pages = below;
    else for (const child of below) level.push(child);
  }
  return level;
}

function expressGroup({ title, slug }: ListedPage): ListedPage {
  return { type: 'group', title: collapseSpace(title) || 'Group', slug: slugOf(slug, 'group'), pages: [] };
}

function expressPage(page: ListedPage, state: State): ListedPage {
  const { slug, computed } = page;
  const title = collapseSpace(page.title) || 'Untitled';
  if (page.type === 'computed') return { type: 'computed', title, slug, ...(computed && { computed }), pages: [] };
  const linkTitle = collapseSpace(page.linkTitle ?? '');
  const own = { title, slug, ...(linkTitle && { linkTitle }), pages: [] };
  if (page.type === 'link') return { ...own, type: 'link', target: expressTarget(page.target, state) };
  const { file, formerFile } = page;
  const former = formerFile === undefined ? {} : { formerFile };
  if (file === undefined || state.listed.has(file)) return { ...own, ...former, type: 'document' };
  state.listed.add(file);
  return { ...own, ...expressEmoji(title, page), ...former, type: 'document', file };
}

function expressEmoji(title: string, page: ListedPage): Pick<ListedPage, 'title' | 'emoji' | 'fileEmoji'> {
  const fileEmoji = page.fileEmoji === undefined ? {} : { fileEmoji: page.fileEmoji };
  const usable = [page.emoji, page.fileEmoji].find(
    (emoji) => emoji && splitLeadingEmoji(`${emoji} ${title}`).emoji === emoji,
  );
  return usable ? { title, emoji: usable, ...fileEmoji } : { ...splitLeadingEmoji(title), ...fileEmoji };
}

function expressTarget(target: OutlineTarget | undefined, { files, listed }: State): OutlineTarget {
  if (target && 'file' in target && files.has(target.file)) {
    const { file, anchor } = target;
    if (anchor) return { file, anchor };
    return isMarkdownFile(file) && !listed.has(file) ? { file, anchor: 'top' } : { file };
  }
  const href = target && 'href' in target ? target.href.replace(/[\r\n]/g, '').trim() : '';
  return { href: NO_FILE.test(href) || (SCHEME.test(href) && isWebURL(href)) ? href : 'broken-reference' };
}
