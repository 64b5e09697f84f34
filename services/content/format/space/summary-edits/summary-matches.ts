import {
  findLinkedFile,
  type OutlinePage,
  type OutlineTarget,
  type PlacedTree,
  type Placing,
} from '../outline/outline-pages.js';
import type { ListedPage } from '../summary/listed-pages.js';
import type { SummaryEntry } from '../summary/summary.js';
import type { EntryPiece, Piece } from '../summary/summary-pieces.js';

/** The pages that a table of contents lists, as its text was written for. */
export interface Listing {
  pages: OutlinePage[];
  origins: Placing['origins'];
}

/** A page with the number of documents that it is below. */
interface PlacedPage {
  page: ListedPage;
  depth: number;
}

/** The pages with their entries. */
interface Matches {
  pieces: Map<ListedPage, EntryPiece>;
  /** Entries that are no pages and stay as they are. */
  fixed: Set<Piece>;
  /** Matched entries that stay in place: so that the fewest lines change. */
  kept: Set<Piece>;
}

/**
 * Finds the entries of pages, given in order: by file, by target and title, by slug and title. An entry that is read as nothing
 * belongs to the page whose file it names in the new tree; without one it is fixed.
 */
export function matchEntries(pages: PlacedPage[], pieces: EntryPiece[], read: Listing & { tree: PlacedTree }): Matches {
  const pageOf = new Map([...read.origins].map(([page, entry]) => [entry, page]));
  const depths = pageDepths(read.pages);
  const fixed = new Set<Piece>();
  const identified: Identified[] = [];
  for (const [place, piece] of pieces.entries()) {
    const entry = 'entry' in piece.part ? piece.part.entry : undefined;
    const page = entry && pageOf.get(entry);
    const identity = entry && entryIdentity(entry, page, read.tree);
    if (identity) identified.push({ piece, place, keys: identityKeys(identity), depth: page && depths.get(page) });
    else fixed.add(piece);
  }
  const matched = matchByKeys(pages, identified);
  const inOrder = pages.flatMap(({ page, depth }) => {
    const found = matched.get(page);
    // The line of an entry with another depth changes wherever it is.
    return found ? [{ ...found, weight: found.depth === depth ? pages.length + 1 : 1 }] : [];
  });
  const kept = heaviestRising(inOrder, pieces.length).map(({ piece }) => piece);
  return {
    pieces: new Map([...matched].map(([page, { piece }]) => [page, piece])),
    fixed,
    kept: new Set(kept),
  };
}

function pageDepths(
  pages: OutlinePage[],
  depth = 0,
  depths = new Map<OutlinePage, number>(),
): Map<OutlinePage, number> {
  for (const page of pages) {
    depths.set(page, depth);
    if ('children' in page) pageDepths(page.children, page.type === 'group' ? depth : depth + 1, depths);
  }
  return depths;
}

/** An entry that can have a page. */
interface Identified {
  piece: EntryPiece;
  /** Its number among all entries. */
  place: number;
  keys: Keys;
  depth: number | undefined;
}

function matchByKeys(pages: PlacedPage[], entries: Identified[]): Map<ListedPage, Identified> {
  const matched = new Map<ListedPage, Identified>();
  const taken = new Set<Identified>();
  const wanted = pages.map(({ page }) => ({ page, keys: identityKeys(wantedIdentity(page)) }));
  for (let pass = 0; pass < PASSES; pass++) {
    const free = new Map<string, Identified[]>();
    for (const entry of entries.toReversed()) {
      const key = entry.keys[pass];
      if (key === undefined || taken.has(entry)) continue;
      const same = free.get(key);
      if (same) same.push(entry);
      else free.set(key, [entry]);
    }
    for (const { page, keys } of wanted) {
      const found = matched.has(page) ? undefined : free.get(keys[pass] ?? '')?.pop();
      if (!found) continue;
      matched.set(page, found);
      taken.add(found);
    }
  }
  return matched;
}

type Identity = Pick<ListedPage, 'type' | 'title'> & {
  slug?: string;
  file?: string | undefined;
  target?: OutlineTarget;
  computed?: object;
  /** The key of the first page below it. */
  first?: string | undefined;
};

function wantedIdentity(page: ListedPage): Identity {
  const file = page.formerFile ?? page.file;
  const [child] = file === undefined ? page.pages : [];
  return { ...page, file, first: child && identityKeys(wantedIdentity(child))[0] };
}

function entryIdentity(entry: SummaryEntry, page: OutlinePage | undefined, tree: PlacedTree): Identity | undefined {
  const isEmpty = !page || (page.type === 'document' && page.file === undefined);
  if (!isEmpty) return page;
  const { target } = entry.type === 'group' ? {} : entry;
  const file = target?.kind === 'file' && !target.anchor ? findLinkedFile(target.path, tree) : undefined;
  if (file !== undefined) return { type: 'document', title: entry.title, file };
  const [child] = page && 'children' in page ? page.children : [];
  return page && { ...page, first: child && identityKeys(child)[0] };
}

const PASSES = 3;

/** The key of a page in each pass; undefined where it is not looked for. */
type Keys = (string | undefined)[];

function identityKeys({ type, title, slug, file, target, computed, first }: Identity): Keys {
  if (type === 'group') return [`group slug ${slug}`, `group ${title}`];
  if (type === 'document' && file === undefined) return [`empty ${title}`, first && `above ${first}`];
  if (type === 'document') return [`file ${file}`];
  const source = JSON.stringify(type === 'link' ? target : computed);
  return [`${type} ${source} ${title}`, `${type} ${source}`, `${type} ${title}`];
}

/** The heaviest subsequence in which places rise; they are below `count`, each there once. In n log n. */
function heaviestRising<T extends { place: number; weight: number }>(all: T[], count: number): T[] {
  const sums = new Map<T, number>();
  const before = new Map<T, T | undefined>();
  const sumOf = (one: T | undefined) => (one && sums.get(one)) ?? 0;
  const heavier = (one: T | undefined, other: T | undefined) => (sumOf(other) > sumOf(one) ? other : one);
  /** A Fenwick tree of the last members of the heaviest sequences, by place. */
  const lasts = new Array<T | undefined>(count + 1).fill(undefined);
  for (const one of all) {
    let best: T | undefined;
    for (let node = one.place; node > 0; node -= node & -node) best = heavier(best, lasts[node]);
    before.set(one, best);
    sums.set(one, sumOf(best) + one.weight);
    for (let node = one.place + 1; node <= count; node += node & -node) lasts[node] = heavier(lasts[node], one);
  }
  const found: T[] = [];
  for (let one = all.reduce<T | undefined>(heavier, undefined); one; one = before.get(one)) found.push(one);
  return found.reverse();
}
