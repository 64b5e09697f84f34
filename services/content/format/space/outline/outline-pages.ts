import { splitLeadingEmoji } from '../../markdown/emoji.js';
import {
  fileNameOf,
  folderOf,
  isInFolder,
  isMarkdownFile,
  joinPath,
  newSlugClaims,
  pageNameOf,
  slugOf,
  titleOfName,
} from '../paths.js';
import { type ComputedSource, NO_FILE, type SummaryEntry, type SummaryItem } from '../summary/summary.js';

export type OutlinePage =
  /** Without a `file` the page has no body. */
  | (Placed & { type: 'document'; emoji?: string; linkTitle?: string; file?: string; children: OutlinePage[] })
  | (Placed & { type: 'group'; children: OutlinePage[] })
  | (Placed & { type: 'computed'; computed: ComputedSource })
  | { type: 'link'; title: string; linkTitle?: string; target: OutlineTarget };

interface Placed {
  title: string;
  /** Unique among siblings. */
  slug: string;
  /** The slugs from the top, joined by `/`. */
  path: string;
}

export type OutlineTarget = { href: string } | { file: string; anchor?: string };

/** The tree of files that the entries of a table of contents are placed in. */
export interface PlacedTree {
  root: string;
  /** The path of the table of contents; the file need not exist. */
  summary: string;
  find(path: string): string | undefined;
  /** The title in a page file. */
  titleOf(path: string): string | undefined;
}

/** The state of placing the pages of one tree. */
export interface Placing extends PlacedTree {
  /** Files that are pages already. */
  listed: Set<string>;
  /** Files that link pages lead to. */
  targets: string[];
  /** As in an outline. */
  problems: { path: string; message: string }[];
  /** The entries that pages come from. */
  origins: Map<OutlinePage, SummaryEntry>;
}

export function newPlacing(tree: PlacedTree): Placing {
  return { ...tree, listed: new Set(), targets: [], problems: [], origins: new Map() };
}

interface Level {
  /** The path of the parent. */
  path: string;
  claim: (slug: string) => string;
  pages: OutlinePage[];
}

/** The pages that entries become below the page at `path`. */
export function placeEntries(entries: readonly SummaryEntry[], path: string, placing: Placing): OutlinePage[] {
  const level: Level = { path, claim: newSlugClaims(), pages: [] };
  for (const entry of entries) placeEntry(entry, level, placing);
  return level.pages;
}

function placeEntry(entry: SummaryEntry, level: Level, placing: Placing): void {
  if (entry.type === 'group') {
    const title = entry.title || 'Group';
    const placed = claimPath(level, title, slugOf(entry.slug ?? title, 'group'));
    const group: OutlinePage = {
      type: 'group',
      ...placed,
      children: placeEntries(entry.children, placed.path, placing),
    };
    level.pages.push(group);
    placing.origins.set(group, entry);
    return;
  }
  const page = placeItem(entry, level, placing);
  if (page) {
    level.pages.push(page);
    placing.origins.set(page, entry);
  }
  if (page?.type === 'document') page.children = placeEntries(entry.children, page.path, placing);
  else for (const child of entry.children) placeEntry(child, level, placing);
}

/** The page of an item, without its children; only documents can hold those. */
function placeItem(item: SummaryItem, level: Level, placing: Placing): OutlinePage | undefined {
  if (item.problem) reportProblem(placing, item.problem);
  const { target } = item;
  if (target?.kind === 'computed') {
    const title = item.title || 'Untitled';
    return { type: 'computed', ...claimPath(level, title, slugOf(title, 'page')), computed: target.computed };
  }
  if (target?.kind === 'url') return placeUrlItem(item, target.url, placing);
  if (target?.kind === 'file') return placeFileItem(item, target, level, placing);
  return item.problem && item.children.length === 0 ? undefined : placeEmptyItem(item, item.title, level);
}

function placeUrlItem(item: SummaryItem, url: string, placing: Placing): OutlinePage | undefined {
  if (isWebURL(url)) return newLinkPage(item, url, { href: url });
  reportProblem(placing, `${url.slice(0, 200)} is not a URL that can be linked`);
  return undefined;
}

function placeFileItem(
  item: SummaryItem,
  target: { path: string; anchor?: string },
  level: Level,
  placing: Placing,
): OutlinePage | undefined {
  const { path, anchor } = target;
  const file = path === '' ? undefined : findLinkedFile(path, placing);
  if (file === undefined) {
    if (NO_FILE.test(path))
      return newLinkPage(item, path, { href: anchor && path.startsWith('/spaces/') ? `${path}#${anchor}` : path });
    reportProblem(placing, `${path || `#${anchor}`} is listed but does not exist`);
    return item.children.length === 0 || anchor
      ? undefined
      : placeEmptyItem(item, pageNameOf(placing.root, path), level);
  }
  if (anchor || !isMarkdownFile(file) || placing.listed.has(file)) {
    placing.targets.push(file);
    return newLinkPage(item, placing.titleOf(file) ?? fileNameOf(file), { file, ...(anchor && { anchor }) });
  }
  placing.listed.add(file);
  const name = pageNameOf(placing.root, file);
  const listed = splitLeadingEmoji(item.title);
  const title = listed.title || placing.titleOf(file)?.trim() || titleOfName(name);
  const { linkTitle } = item;
  const placed = claimPath(level, title, slugOf(name, 'page'));
  const { emoji } = listed;
  return { type: 'document', ...placed, ...(emoji && { emoji }), ...(linkTitle && { linkTitle }), file, children: [] };
}

function placeEmptyItem(item: SummaryItem, name: string, level: Level): OutlinePage {
  const title = item.title || titleOfName(name) || 'Untitled';
  const { linkTitle } = item;
  return {
    type: 'document',
    ...claimPath(level, title, slugOf(name, 'page')),
    ...(linkTitle && { linkTitle }),
    children: [],
  };
}

function newLinkPage({ title, linkTitle }: SummaryItem, fallback: string, target: OutlineTarget): OutlinePage {
  return { type: 'link', title: title || linkTitle || fallback, ...(linkTitle && { linkTitle }), target };
}

function claimPath(level: Level, title: string, slug: string): Placed {
  const claimed = level.claim(slug);
  return { title, slug: claimed, path: level.path === '' ? claimed : `${level.path}/${claimed}` };
}

/** The page of an item by itself, where `listed` are pages already. */
export function readPageAlone(item: SummaryItem, tree: PlacedTree, listed: Set<string>): OutlinePage | undefined {
  return placeItem(item, { path: '', claim: newSlugClaims(), pages: [] }, { ...newPlacing(tree), listed });
}

/** Links are relative to the table of contents; in a folder, they may also be relative to the root. */
export function findLinkedFile(path: string, { root, summary, find }: PlacedTree): string | undefined {
  const bases = path.startsWith('/') ? [root] : [folderOf(summary), root];
  for (const base of bases) {
    const wanted = joinPath(base, path.replace(/^\/+/, ''));
    const found = wanted === undefined || !(wanted === root || isInFolder(root, wanted)) ? undefined : find(wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a link page can lead there. */
export function isWebURL(url: string): boolean {
  if (url.length > 2048 || !URL.canParse(url, 'https://host')) return false;
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(new URL(url, 'https://host').protocol);
}

/** Notes what is wrong with the table of contents. */
export function reportProblem({ problems, summary }: Placing, message: string): void {
  problems.push({ path: summary, message });
}
