import { deriveEntries } from '../outline/derived-summary.js';
import {
  newPlacing,
  type OutlinePage,
  type PlacedTree,
  placeEntries,
  readPageAlone,
} from '../outline/outline-pages.js';
import { isInFolder, newFileFinder } from '../paths.js';
import { toExpressiblePages } from '../summary/expressible-pages.js';
import {
  type EntryDifference,
  entryDifference,
  groupHasSlug,
  type ListedPage,
  listsPages,
} from '../summary/listed-pages.js';
import { parseSummary, type Summary, type SummaryEntry, type SummaryItem } from '../summary/summary.js';
import { type EntryPiece, splitIntoPieces } from '../summary/summary-pieces.js';
import { editHeadingLine, editItemLines } from './entry-edits.js';
import { type Listing, matchEntries } from './summary-matches.js';
import { writeSummaryLines } from './summary-output.js';
import { listPlacements } from './summary-placements.js';
import { readSummaryStyle, type SummaryStyle } from './summary-style.js';

/** Characters; copies of white space could make a hostile text longer than memory. */
const LONGEST = 50_000_000;

/** A tree of files that entries lead into. */
export interface SummaryTree {
  files: ReadonlySet<string>;
  /** The title in a page file. */
  titleOf(path: string): string | undefined;
}

/** Where a table of contents stands. Paths are from the root of the tree. */
export interface SummaryPlace extends SummaryTree {
  root: string;
  /** The path of the table of contents. */
  summary: string;
  /** The home page, for a table of contents without entries. */
  home?: string;
  /**
   * The tree that the text was written for, where it is another one. Without it, the entry of a page that was deleted with its file
   * is one that leads nowhere, and stays.
   */
  former?: SummaryTree;
}

/**
 * The table of contents with the lines of pages that differ changed, and no other: new pages are written as those beside them.
 * `text` undefined: a new one, in the usual form; so is the result where a text cannot be edited. What a table of contents
 * cannot list is listed as `toExpressiblePages` says. Never throws; n log n in the length and the number of pages.
 */
export function editSummary(text: string | undefined, pages: ListedPage[], place: SummaryPlace): string {
  const trees = newTrees(pages, place);
  const wanted = toExpressiblePages(pages, trees.files);
  const writeUsual = () => editSummaryLines('# Table of contents\n', wanted, { ...trees, anew: false }).join('');
  if (text === undefined) return writeUsual();
  const summary = parseSummary(text);
  const entries = summary.entries.length > 0 ? summary.entries : deriveSummary(place);
  // Entries of deleted files are pages in the former tree alone.
  const isSame = [trees.now, ...(place.former ? [trees.former] : [])].every((tree) =>
    entriesListPages(entries, wanted, tree),
  );
  if (isSame || (wanted.length === 0 && summary.entries.length === 0)) return text;
  if (text.trim() === '') return writeUsual();
  for (const anew of [false, true]) {
    const lines = editSummaryLines(text, wanted, { ...trees, summary, anew });
    if (lines.reduce((length, line) => length + line.length, 0) > LONGEST) continue;
    const made = lines.join('');
    if (entriesListPages(parseSummary(made).entries, wanted, trees.now)) return made;
  }
  const lineEnd = /\r\n?|\n/.exec(text)?.[0] ?? '\n';
  return writeUsual().replaceAll('\n', lineEnd);
}

/** Whether a table of contents lists just these pages, as far as it can. */
export function listsExactly(text: string, pages: ListedPage[], place: SummaryPlace): boolean {
  const { files, now } = newTrees(pages, place);
  return entriesListPages(parseSummary(text).entries, toExpressiblePages(pages, files), now);
}

interface Trees {
  files: ReadonlySet<string>;
  now: PlacedTree;
  former: PlacedTree;
}

function newTrees(pages: ListedPage[], place: SummaryPlace): Trees {
  const files = new Set(place.files);
  const { root, summary, former = place } = place;
  const formerFiles = new Set(former.files);
  const addFiles = (listed: ListedPage[]) => {
    for (const { file, formerFile, pages: below } of listed) {
      if (file !== undefined) files.add(file);
      if (formerFile !== undefined) formerFiles.add(formerFile);
      addFiles(below);
    }
  };
  addFiles(pages);
  return {
    files,
    now: { root, summary, find: newFileFinder(files), titleOf: (path) => place.titleOf(path) },
    former: { root, summary, find: newFileFinder(formerFiles), titleOf: (path) => former.titleOf(path) },
  };
}

function deriveSummary({ root, summary, files, home }: SummaryPlace): SummaryEntry[] {
  const inRoot = [...files].flatMap((path) => (isInFolder(root, path) ? [{ path }] : []));
  return deriveEntries(root, inRoot, summary, home);
}

function entriesListPages(entries: SummaryEntry[], pages: ListedPage[], tree: PlacedTree): boolean {
  const { pages: placed, origins } = readListing(entries, tree);
  return listsPages(placed, pages, origins);
}

function readListing(entries: SummaryEntry[], tree: PlacedTree): Listing {
  const placing = newPlacing(tree);
  return { pages: placeEntries(entries, '', placing), origins: placing.origins };
}

interface Editing extends Trees {
  summary?: Summary;
  anew: boolean;
}

/** The edited text, line by line. */
function editSummaryLines(text: string, wanted: ListedPage[], editing: Editing): string[] {
  const { now, former, anew, summary = parseSummary(text) } = editing;
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const pieces = splitIntoPieces(text.slice(mark.length), summary);
  const style = readSummaryStyle(text, pieces, now);
  const listing = readListing(summary.entries, former);
  const placements = listPlacements(wanted);
  const entries = pieces.filter((piece) => piece.kind === 'entry');
  const matches = matchEntries(placements, entries, { ...listing, tree: now });
  const groups = new Map([...listing.origins].map(([page, entry]) => [entry, page]));
  for (const placement of placements) {
    const piece = matches.pieces.get(placement.page);
    if (!piece) continue;
    const lines = editEntryLines(piece, placement.page, { listing, groups, now, style, anew });
    placement.entry = { piece, lines, isKept: matches.kept.has(piece) };
  }
  const made = writeSummaryLines({ pieces, fixed: matches.fixed, placements, style });
  return [mark, ...withLineEnds(made, style.lineEnd, endsWithLineEnd(text))];
}

const endsWithLineEnd = (text: string): boolean => text === '' || /[\r\n]$/.test(text);

/** Every line with its end, the last one as `isEnded` says. */
function withLineEnds(lines: string[], lineEnd: string, isEnded: boolean): string[] {
  const ended = lines.map((line) => (/[\r\n]$/.test(line) ? line : line + lineEnd));
  const last = ended.pop() ?? '';
  ended.push(isEnded ? last : last.replace(/(?:\r\n?|\n)$/, ''));
  return ended;
}

interface EntryEditing {
  listing: Listing;
  groups: Map<SummaryEntry, OutlinePage>;
  now: PlacedTree;
  style: SummaryStyle;
  anew: boolean;
}

/** The lines that an entry is to have, as long as it is not indented. */
function editEntryLines(piece: EntryPiece, page: ListedPage, editing: EntryEditing): string[] {
  const { listing, groups, style, anew } = editing;
  const { part } = piece;
  if (part.kind === 'marker') return piece.lines;
  if (part.kind === 'group') {
    const read = groups.get(part.entry);
    const difference = entryDifference(read, page);
    const isSame = !difference.title && read?.type === 'group' && groupHasSlug(read, page, listing.origins);
    return isSame ? piece.lines : editHeadingLine(piece, { page, read, difference, style, anew });
  }
  const { read, difference } = itemDifference(part.entry, page, editing.now);
  const isSame = !difference.title && !difference.linkTitle && !difference.target;
  return isSame ? piece.lines : editItemLines(piece, part, { page, read, difference, style, anew });
}

function itemDifference(
  entry: SummaryItem,
  page: ListedPage,
  now: PlacedTree,
): { read: OutlinePage | undefined; difference: EntryDifference } {
  // A missing file is a page without a file only where pages are below it.
  const item = { ...entry, children: page.pages.length > 0 ? [entry] : [] };
  const linked = page.target && 'file' in page.target ? [page.target.file] : [];
  const read = readPageAlone(item, now, new Set(linked));
  const difference = entryDifference(read, page);
  const { file } = page;
  if (!difference.target || file === undefined || entry.target?.kind !== 'file') return { read, difference };
  // Where only the file is another, the title is that which the entry has then.
  const path = `/${file.slice(now.root === '' ? 0 : now.root.length + 1)}`;
  const moved = readPageAlone({ ...item, target: { kind: 'file', path } }, now, new Set());
  return { read: moved, difference: { ...entryDifference(moved, page), target: true } };
}
