import { newPlacing, type OutlinePage, placeEntries } from '../outline/outline-pages.js';
import { newFileFinder } from '../paths.js';
import type { ListedPage } from '../summary/listed-pages.js';
import { parseSummary } from '../summary/summary.js';
import type { SummaryPlace } from '../summary-edits/summary-edits.js';

/** A place in a tree of these files, which have no titles. */
export function placeWith(files: string[], { root = '', summary = 'SUMMARY.md' } = {}): SummaryPlace {
  return { root, summary, files: new Set(files), titleOf: () => undefined };
}

/** The pages that a text lists. */
export function listedIn(text: string, place: SummaryPlace): ListedPage[] {
  const tree = { ...place, find: newFileFinder(place.files), titleOf: (path: string) => place.titleOf(path) };
  return placeEntries(parseSummary(text).entries, '', newPlacing(tree)).map(listed);
}

function listed(page: OutlinePage): ListedPage {
  const { type, title } = page;
  if (page.type === 'link') {
    const { linkTitle, target } = page;
    return { type, title, slug: '', ...(linkTitle && { linkTitle }), target, pages: [] };
  }
  const { slug } = page;
  if (page.type === 'computed') return { type, title, slug, computed: page.computed, pages: [] };
  const pages = page.children.map(listed);
  if (page.type === 'group') return { type, title, slug, pages };
  const { emoji, linkTitle, file } = page;
  return { type, title, slug, ...(emoji && { emoji }), ...(linkTitle && { linkTitle }), ...(file && { file }), pages };
}

/** Every page with the list that holds it. */
export function* placesOf(
  pages: ListedPage[],
): Generator<{ page: ListedPage; level: ListedPage[]; above: ListedPage[] }> {
  yield* below(pages, []);
}

function* below(
  level: ListedPage[],
  above: ListedPage[],
): Generator<{ page: ListedPage; level: ListedPage[]; above: ListedPage[] }> {
  for (const page of [...level]) {
    yield { page, level, above };
    yield* below(page.pages, [...above, page]);
  }
}

/** The first page with the title. */
export function pageTitled(pages: ListedPage[], title: string): ListedPage {
  return found(pages, title).page;
}

/** The same, removed from its place. */
export function taken(pages: ListedPage[], title: string): ListedPage {
  const { page, level } = found(pages, title);
  level.splice(level.indexOf(page), 1);
  return page;
}

function found(pages: ListedPage[], title: string): { page: ListedPage; level: ListedPage[] } {
  const place = [...placesOf(pages)].find(({ page }) => page.title === title);
  if (!place) throw new Error(`there is no page ${title}`);
  return place;
}
