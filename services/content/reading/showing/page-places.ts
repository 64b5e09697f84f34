import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import {
  firstShownPage,
  hasPath,
  type PageEntry,
  type RevisionView,
  replaceComputed,
} from '../../core/revisions/revision-view.js';
import type { PageLink } from '../contract.js';

/** The places of pages in the navigation of a view; made once for each view. */
export interface PagePlaces {
  first: PageEntry | undefined;
  /** The pages to be read one after the other. */
  order: readonly PageEntry[];
  /** The position in `order`, by the id of the page. */
  at: ReadonlyMap<string, number>;
}

const known = new WeakMap<RevisionView, PagePlaces>();

export function placesOf(view: RevisionView): PagePlaces {
  const kept = known.get(view);
  if (kept) return kept;
  const order = [...shownPages(view.pages)];
  const places = {
    first: firstShownPage(view.pages),
    order,
    at: new Map(order.map(({ id }, at) => [id, at])),
  };
  known.set(view, places);
  return places;
}

function* shownPages(pages: readonly PageEntry[]): Generator<PageEntry> {
  for (const page of replaceComputed(pages)) {
    if (page.hidden) continue;
    if (page.type === 'document') yield page;
    yield* shownPages(page.pages);
  }
}

/** The path at which a page is shown: the first page stands at the start of its space, and a group leads to its first page. */
export function shownPath(view: RevisionView, page: PageEntry): string {
  const { first } = placesOf(view);
  const target = page.type === 'group' ? (firstShownPage(page.pages) ?? page) : page;
  return target.id === first?.id ? '' : target.path;
}

export const linkToPage = (view: RevisionView, page: PageEntry): PageLink =>
  omitUndefined({
    id: page.id,
    title: page.linkTitle ?? page.title,
    path: hasPath(page) ? shownPath(view, page) : '',
    emoji: page.emoji || undefined,
    icon: page.icon || undefined,
  });

/** The pages and groups above a page, from the top; computed pages give their place to what was made from them. */
export function ancestorsOf(view: RevisionView, page: PageEntry): PageEntry[] {
  const above: PageEntry[] = [];
  for (let id = view.parentById.get(page.id); id !== undefined; id = view.parentById.get(id)) {
    const parent = view.pageById.get(id);
    if (!parent) break;
    if (hasPath(parent)) above.unshift(parent);
  }
  return above;
}

/** The pages before and after a page. */
export function neighboursOf(view: RevisionView, page: PageEntry): { previous?: PageEntry; next?: PageEntry } {
  const { order, at } = placesOf(view);
  const position = at.get(page.id);
  if (position === undefined) return {};
  return omitUndefined({ previous: order[position - 1], next: order[position + 1] });
}
